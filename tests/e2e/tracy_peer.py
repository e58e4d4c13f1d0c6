# SPDX-License-Identifier: Apache-2.0
"""A Tracy server, and a reader of spools, for the tests: decodes every item by src/wire/tracy_items.def.

Server(port).run() asks what a real server asks, follows the rules of the protocol and asserts them (nesting,
times that never go back, strings before their items), and ends a session as a real server does.
"""
import re
import socket
import struct
import time
from collections import Counter, defaultdict
from pathlib import Path

import lz4.block

KEYS = ["63", "64", "66", "TT66", "69", "74", "76", "TT76", "77", "TT77", "78", "TT78", "79", "TT79", "80", "81",
        "82", "TT83"]
TYPES = {"i64": "q", "u64": "Q", "i32": "i", "u32": "I", "i16": "h", "u16": "H", "i8": "b", "u8": "B", "f32": "f",
         "f64": "d", "u48": "6s", "step64": "q", "step32": "I", "step16": "H"}
# What Tracy calls a field in some protocols: (item, our name) → name, since or before which protocol.
SPELLED = {("MessageLiteral", "text"): ("textAndMetadata", "SINCE_77"), ("ContextSwitch", "reason"): ("oldThreadWaitReason", "SINCE_74"),
           ("ContextSwitch", "state"): ("oldThreadState", "SINCE_74"), ("ParamSetup", "type"): ("isBool", "BEFORE_82"),
           ("CallstackSample", "oldTime"): ("time", "ALL")}
OFFSET32 = 65536 + (1 << 32)


def number(key):
    return int(key.replace("TT", ""))


def protocols(word):
    """ "SINCE_64" → the keys of the set."""
    if word.startswith("SINCE_"):
        return {k for k in KEYS if number(k) >= int(word[6:])}
    if word.startswith("BEFORE_"):
        return {k for k in KEYS if number(k) < int(word[7:])}
    return {"ALL": set(KEYS), "TENSTORRENT": {k for k in KEYS if k.startswith("TT")}, "TT_MARKERS": {"TT79", "TT83"}}[word]


def expanded(key, item, name, kind):
    """A field of the table as the fields that Tracy has for it: (name, format)."""
    if kind == "u24":
        return [(n, "B") for n in ("rgb" if number(key) < 64 else "bgr")]
    if kind == "context":
        return [(name, "H" if key.startswith("TT") else "B")]
    for (of, ours), (theirs, where) in SPELLED.items():
        if item.startswith(of) and name == ours and key in protocols(where):
            name = theirs
    return [(name, TYPES[kind])]


def table(key):
    """The items of a protocol: a list of (name, class, format, field names) by number."""
    path = Path(__file__).resolve().parents[2] / "src/wire/tracy_items.def"
    order, shapes = [], {"none": []}
    for line in path.read_text().splitlines():
        m = re.match(r"SHAPE\((\w+), +(.*)\)$", line)
        if m:
            fields = [(how, f.split(", ")) for how, f in re.findall(r"\b(F|AS|IN)\(([^)]*)\)", m[2])]
            shapes[m[1]] = [f[-2:] for how, f in fields if how != "IN" or key in protocols(f[0])]
        m = re.match(r"ITEM\((\w+), +(\w+), +(\w+), +(\w+),", line)
        if m and key in protocols(m[3]):
            fields = [f for name, kind in shapes[m[4]] for f in expanded(key, m[1], name, kind)]
            order.append((m[1], m[2], "<" + "".join(t for _, t in fields), [n for n, _ in fields]))
    return order


class Zone:
    __slots__ = ("place", "start", "end", "texts", "name", "color", "value", "depth", "host_start", "host_end")

    def __init__(self, place, start, depth):
        self.place, self.start, self.end, self.depth = place, start, None, depth
        self.texts, self.name, self.color, self.value = [], None, None, None


class Decoder:
    """Items of a session → what they mean."""

    def __init__(self, key, keep_zones=True):
        self.key, self.proto, self.table = key, number(key), table(key)
        self.count = Counter()
        self.thread = 0
        self.ref = {"thread": 0, "serial": 0, "device": 0}
        self.stacks, self.last, self.zones = defaultdict(list), defaultdict(int), defaultdict(list)
        self.keep_zones = keep_zones
        self.depth = Counter()
        self.single = None
        self.pool = 0
        self.strings, self.threads, self.plots, self.frame_names, self.places = {}, {}, {}, {}, {}
        self.asked_places, self.answered_places = [], 0
        self.messages, self.plot_data, self.plot_configs, self.frames = [], defaultdict(list), {}, defaultdict(list)
        self.memory, self.last_memory, self.app_info = {}, 0, []
        self.locks, self.fibers = {}, {}
        self.devices, self.device_stacks, self.device_zones = {}, defaultdict(list), []
        self.device_queries, self.calibrations = {}, []
        self.terminated = False
        self.ask = lambda *a: None
        self.history = b""

    def block(self, data):
        out = lz4.block.decompress(data, uncompressed_size=262144, dict=self.history[-65536:])
        self.history = (self.history + out)[-65536:]
        self.items(out)
        return len(out)

    def items(self, data):
        at, end = 0, len(data)
        while at < end:
            name, kind, form, names = self.table[data[at]]
            self.count[name] += 1
            at += 1
            if kind == "FIXED":
                values = struct.unpack_from(form, data, at)
                at += struct.calcsize(form)
                fast = FAST.get(name)
                if fast:
                    fast(self, *values)
                else:
                    fields = dict(zip(names, values))
                    if self.proto == 63 and "r" in fields:  # so it calls them, and sends blue first all the same
                        fields["r"], fields["b"] = fields["b"], fields["r"]
                    getattr(self, "on_" + name)(**fields)
                continue
            if kind == "STRING":
                n = struct.unpack_from("<H", data, at)[0] + (256 if self.proto >= 80 else 0)
                at += 2
                assert name == "SingleStringData"
                self.single = data[at:at + n]
            elif kind == "SHORT_STRING":
                n = data[at]
                at += 1
                self.single = data[at:at + n]
            else:
                ptr, n = struct.unpack_from("<QH" if kind == "TRANSFER" else "<QI", data, at)
                at += 10 if kind == "TRANSFER" else 12
                getattr(self, "on_" + name)(ptr, data[at:at + n])
            at += n
            assert at <= end, "an item is cut"

    def take(self):
        text, self.single = self.single, None
        assert text is not None, "no string before the item that needs it"
        return text

    # zones
    def on_ThreadContext(self, thread):
        self.thread, self.ref["thread"] = thread, 0
        self.ask("thread", 2, thread)

    def step(self, step):
        t = self.ref["thread"] = self.ref["thread"] + step
        assert t >= self.last[self.thread], "time goes back"
        self.last[self.thread] = t
        return t

    def begin(self, step, srcloc):
        t = self.step(step)
        self.ask("place", 3, srcloc)
        assert srcloc, "a zone without place"
        self.depth[self.thread] += 1
        if self.keep_zones:
            zone = Zone(srcloc, t, len(self.stacks[self.thread]))
            self.stacks[self.thread].append(zone)
            self.zones[self.thread].append(zone)

    def end(self, step):
        t = self.step(step)
        self.depth[self.thread] -= 1
        assert self.depth[self.thread] >= 0, "an end without begin"
        if self.keep_zones:
            self.stacks[self.thread].pop().end = t

    def wide(self, step):
        return step + OFFSET32 if self.proto >= 78 and step >= 0 else step

    def top(self):
        assert self.depth[self.thread] > 0, "no zone is open"
        return self.stacks[self.thread][-1] if self.keep_zones else Zone(0, 0, 0)

    def on_ZoneText(self):
        self.top().texts.append(self.take())

    def on_ZoneName(self):
        self.top().name = self.take()

    def on_ZoneColor(self, b, g, r):
        self.top().color = r << 16 | g << 8 | b

    def on_ZoneValue(self, value):
        self.top().value = value

    # messages
    def message(self, time, text, color=None):
        self.messages.append((self.thread, time, text, color))

    def on_Message(self, time, metadata=0):
        self.message(time, self.take())

    def on_MessageColor(self, time, b, g, r, metadata=0):
        self.message(time, self.take(), r << 16 | g << 8 | b)

    def literal(self, text):
        text = text >> 8 if self.proto >= 79 and self.key != "TT79" else text & ((1 << 56) - 1) if self.proto >= 77 else text
        self.ask("string", 1, text)
        return text

    def on_MessageLiteral(self, time, text=0, textAndMetadata=0):
        self.message(time, self.literal(text or textAndMetadata))

    def on_MessageLiteralColor(self, time, b, g, r, text=0, textAndMetadata=0):
        self.message(time, self.literal(text or textAndMetadata), r << 16 | g << 8 | b)

    def on_MessageAppInfo(self, time):
        self.app_info.append(self.take())

    # fibers: which thread runs which
    def on_FiberEnter(self, time, fiber, thread, groupHint=0):
        self.ref["thread"] += time
        self.fibers[thread] = fiber

    def on_FiberLeave(self, time, thread):
        self.ref["thread"] += time
        assert self.fibers.pop(thread)

    # plots and frames
    def plot(self, name, time, val):
        self.ref["thread"] += time
        self.ask("plot", 4, name)
        self.plot_data[name].append((self.ref["thread"], val))

    on_PlotDataInt = on_PlotDataFloat = on_PlotDataDouble = lambda self, name, time, val: self.plot(name, time, val)

    def on_PlotConfig(self, name, type, step, fill, color):
        self.ask("plot", 4, name)
        self.plot_configs[name] = (type, step, fill, color)

    def frame(self, kind, time, name):
        self.ask("frame", 5, name)
        marks = self.frames[name]
        assert not marks or marks[-1][1] <= time, "frames go back"
        marks.append((kind, time))

    def on_FrameMarkMsg(self, time, name):
        self.frame("mark", time, name)

    def on_FrameMarkMsgStart(self, time, name):
        self.frame("start", time, name)

    def on_FrameMarkMsgEnd(self, time, name):
        self.frame("end", time, name)

    # memory
    def on_MemNamePayload(self, name):
        self.ask("string", 1, name)
        self.pool = name

    def alloc(self, time, thread, ptr, size, pool):
        self.ref["serial"] += time
        assert self.ref["serial"] >= self.last_memory, "memory goes back"
        self.last_memory = self.ref["serial"]
        assert (pool, ptr) not in self.memory, "allocated twice"
        self.memory[pool, ptr] = int.from_bytes(size, "little")

    def release(self, time, thread, ptr, pool):
        self.ref["serial"] += time
        assert self.ref["serial"] >= self.last_memory, "memory goes back"
        self.last_memory = self.ref["serial"]
        assert (pool, ptr) in self.memory, "free of what is not there"
        del self.memory[pool, ptr]

    def on_MemAlloc(self, time, thread, ptr, size):
        self.alloc(time, thread, ptr, size, 0)

    def on_MemAllocNamed(self, time, thread, ptr, size):
        self.alloc(time, thread, ptr, size, self.pool)

    def on_MemFree(self, time, thread, ptr):
        self.release(time, thread, ptr, 0)

    def on_MemFreeNamed(self, time, thread, ptr):
        self.release(time, thread, ptr, self.pool)

    def on_MemDiscard(self, time, thread, name):
        self.ref["serial"] += time
        self.memory = {k: v for k, v in self.memory.items() if k[0] != name}

    # locks
    def on_LockAnnounce(self, id, time, lckloc, type):
        assert id not in self.locks, "a lock twice"
        self.ask("place", 3, lckloc)
        self.locks[id] = {"place": lckloc, "type": type, "since": time, "until": None, "name": None, "events": []}

    def on_LockTerminate(self, id, time):
        assert self.locks[id]["until"] is None
        self.locks[id]["until"] = time

    def on_LockName(self, id):
        self.locks[id]["name"] = self.take()

    def lock_event(self, what, id, time, thread=0):
        self.ref["serial"] += time
        lock = self.locks[id]
        assert lock["until"] is None and not (lock["events"] and lock["events"][-1][1] > self.ref["serial"])
        held = sum((e[0] in ("obtain", "shared obtain")) - (e[0] in ("release", "shared release"))
                   for e in lock["events"])
        assert held or "release" not in what, "released and not held"
        lock["events"].append((what, self.ref["serial"], thread))

    def on_LockWait(self, thread, id, time):
        self.lock_event("wait", id, time, thread)

    def on_LockObtain(self, thread, id, time):
        self.lock_event("obtain", id, time, thread)

    def on_LockRelease(self, id, time):
        self.lock_event("release", id, time)

    def on_LockSharedWait(self, thread, id, time):
        self.lock_event("shared wait", id, time, thread)

    def on_LockSharedObtain(self, thread, id, time):
        self.lock_event("shared obtain", id, time, thread)

    def on_LockSharedRelease(self, id, time, thread):
        self.lock_event("shared release", id, time, thread)

    def on_LockMark(self, thread, id, srcloc):
        self.ask("place", 3, srcloc)
        assert any(e[2] == thread for e in self.locks[id]["events"]), "a mark of who never came"
        self.locks[id]["marks"] = self.locks[id].get("marks", 0) + 1

    # devices
    def on_GpuNewContext(self, cpuTime, gpuTime, thread, period, context, flags, type):
        assert context not in self.devices, "a context twice"
        self.devices[context] = {"cpu": cpuTime, "gpu": gpuTime, "type": type, "name": None,
                                 "anchor": (gpuTime, cpuTime, 1.0), "last": 0, "overflows": 0}

    def on_GpuContextName(self, context):
        self.devices[context]["name"] = self.take()

    def on_GpuZoneBeginSerial(self, cpuTime, thread, queryId, context, srcloc):
        self.ref["serial"] += cpuTime
        self.ask("place", 3, srcloc)
        assert context in self.devices and (context, queryId) not in self.device_queries
        zone = Zone(srcloc, None, len(self.device_stacks[context, thread]))
        self.device_stacks[context, thread].append(zone)
        self.device_zones.append((context, thread, zone))
        self.device_queries[context, queryId] = (zone, "start")

    def on_SourceLocationPayload(self, ptr, text):
        self.payload = text

    def on_GpuZoneBeginAllocSrcLocSerial(self, cpuTime, thread, queryId, context):
        """A place by its text, right before."""
        self.on_GpuZoneBeginSerial(cpuTime, thread, queryId, context, 0)
        function, file, name = self.payload[8:].split(b"\0")
        self.device_zones[-1][2].name = name or function

    def on_GpuZoneEndSerial(self, cpuTime, thread, queryId, context):
        self.ref["serial"] += cpuTime
        assert (context, queryId) not in self.device_queries
        self.device_queries[context, queryId] = (self.device_stacks[context, thread].pop(), "end")

    def on_GpuTime(self, gpuTime, queryId, context):
        self.ref["device"] += gpuTime
        zone, edge = self.device_queries.pop((context, queryId))
        setattr(zone, edge, self.ref["device"])
        # Where a real server puts it, in ticks of 1 ns; a step far back is taken for an overflow there.
        device = self.devices[context]
        gpu, cpu, scale = device["anchor"]
        setattr(zone, "host_" + edge, (self.ref["device"] - gpu) * scale + cpu)
        device["overflows"] += self.ref["device"] < device["last"] - 2**31
        device["last"] = self.ref["device"]

    def on_GpuCalibration(self, gpuTime, cpuTime, cpuDelta, context):
        self.calibrations.append((context, gpuTime, cpuTime, cpuDelta))
        device = self.devices[context]
        device["anchor"] = (gpuTime, cpuTime, cpuDelta / (gpuTime - device["anchor"][0]))

    def on_GpuTimeSync(self, gpuTime, cpuTime, context):
        self.devices[context]["last"] = 0

    # answers
    def on_StringData(self, ptr, text):
        self.strings[ptr] = text

    def on_ThreadName(self, ptr, text):
        self.threads[ptr] = text

    def on_PlotName(self, ptr, text):
        self.plots[ptr] = text

    def on_FrameName(self, ptr, text):
        self.frame_names[ptr] = text

    def on_SourceLocation(self, name, function, file, line, b, g, r):
        if self.asked_places:
            ptr = self.asked_places[self.answered_places]
        else:
            ptr = self.answered_places + 1  # nobody asked: the n-th is number n
        self.answered_places += 1
        self.places[ptr] = (name, function, file, line, r << 16 | g << 8 | b)
        for string in (name, function, file):
            self.ask("string", 1, string)

    def on_AckServerQueryNoop(self):
        pass

    def on_AckSourceCodeNotAvailable(self, id):
        pass

    def on_AckSymbolCodeNotAvailable(self):
        pass

    def on_SymbolInformation(self, line, symAddr):
        self.take()

    def on_CallstackFrameSize(self, ptr, size):
        self.take()

    def on_ExternalName(self, ptr, text):
        pass

    on_ExternalThreadName = on_FiberName = on_ExternalName

    def on_KeepAlive(self):
        pass

    def on_Terminate(self):
        self.terminated = True

    # what tests want to know
    def zone_names(self):
        """Counter of names of the zones, as a user sees them."""
        names = Counter()
        for zones in self.zones.values():
            names.update(self.name_of(z) for z in zones)
        return names

    def name_of(self, zone):
        if zone.name:
            return zone.name.decode()
        name, function = self.places[zone.place][:2]
        return self.strings[name or function].decode()

    def open_zones(self):
        return sum(self.depth.values())


FAST = {
    "ZoneBegin": lambda d, t, p: d.begin(d.wide(t), p),
    "ZoneBegin32": lambda d, t, p: d.begin(t + 65536, p),
    "ZoneBegin16": Decoder.begin,
    "ZoneEnd": lambda d, t: d.end(d.wide(t)),
    "ZoneEnd32": lambda d, t: d.end(t + 65536),
    "ZoneEnd16": Decoder.end,
}


class Server:
    """One session with a client on this machine."""

    def __init__(self, port, key="TT66", keep_zones=True, wait=10):
        self.key, self.port = key, port
        self.decoder = Decoder(key, keep_zones)
        self.decoder.ask = self.ask
        self.seen, self.pending, self.queue = set(), 0, []
        self.welcome = None
        until = time.monotonic() + wait
        while True:
            self.socket = socket.socket()
            try:
                self.socket.connect(("127.0.0.1", port))
                break
            except OSError:
                self.socket.close()
                if time.monotonic() > until:
                    raise
                time.sleep(0.01)
        self.socket.settimeout(wait)

    def ask(self, kind, query, ptr):
        if ptr and (kind, ptr) not in self.seen:
            self.seen.add((kind, ptr))
            if kind == "place":
                self.decoder.asked_places.append(ptr)
            self.queue.append(struct.pack("<BQI", query, ptr, 0))

    def read(self, n):
        got = bytearray()
        while len(got) < n:
            piece = self.socket.recv(n - len(got))
            if not piece:
                raise EOFError
            got += piece
        return bytes(got)

    def hello(self):
        """The handshake; returns its status."""
        self.socket.sendall(b"TracyPrf")
        self.socket.sendall(struct.pack("<I", number(self.key)))
        status = self.read(1)[0]
        if status == 1:
            self.welcome = self.read(1178 if number(self.key) < 75 else 1170)
            self.flags = self.welcome[72 if number(self.key) < 75 else 64]
            if self.flags & 1:
                self.on_demand = struct.unpack("<QQ", self.read(16))
        return status

    def step(self):
        """One frame and the questions that it makes."""
        n, = struct.unpack("<I", self.read(4))
        size = self.decoder.block(self.read(n))
        if self.queue:
            self.socket.sendall(b"".join(self.queue))
            self.queue.clear()
        return size

    def answered(self):
        d = self.decoder
        return len(d.strings) + len(d.threads) + len(d.plots) + len(d.frame_names) + len(d.places)

    def run(self, pause=0):
        """Until the client has sent everything and all is answered; then says that it may go."""
        d = self.decoder
        while not (d.terminated and self.answered() >= len(self.seen) and not d.open_zones()):
            self.step()
            if pause:
                time.sleep(pause)
        self.socket.sendall(struct.pack("<BQI", 0, 0, 0))
        self.socket.close()
        return d


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = CRC_TABLE[(crc ^ byte) & 255] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


CRC_TABLE = []
for _byte in range(256):
    for _ in range(8):
        _byte = _byte >> 1 ^ (0x82F63B78 if _byte & 1 else 0)
    CRC_TABLE.append(_byte)


class Spool:
    """A spool: sessions with decoders, notes, whether it ended, where it was cut."""

    def __init__(self, path, keep_zones=True):
        data = Path(path).read_bytes()
        assert data[:8] == b"TTPR1\0\0\0", "not a spool"
        at = 8
        self.sessions, self.notes, self.ended, self.cut = [], [], False, None
        while at < len(data):
            if at + 12 > len(data):
                self.cut = at
                break
            n, crc, kind, flags, stream = struct.unpack_from("<IIBBH", data, at)
            payload = data[at + 12:at + 12 + n]
            if len(payload) < n or crc32c(data[at + 8:at + 12 + n]) != crc:
                self.cut = at
                break
            at += 12 + n
            if kind == 1:
                version, key = struct.unpack_from("<H8s", payload)
                assert version == 1
                self.sessions.append(Decoder(key.rstrip(b"\0").decode(), keep_zones))
                self.pid, self.ppid, self.ticks, self.mono, self.wall = struct.unpack_from("<QQqqq", payload, 14)
                self.welcome = payload[98:]
                self.ns_per_tick, = struct.unpack_from("<d", self.welcome)
            elif kind == 2:
                assert flags == 1
                self.sessions[-1].history = b""
                self.sessions[-1].block(payload)
            elif kind == 3:
                what, count = struct.unpack_from("<HH", payload)
                self.notes.append((what, struct.unpack_from("<%dQ" % count, payload, 4)))
            elif kind == 4:
                self.ended = True
