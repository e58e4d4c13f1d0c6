# SPDX-License-Identifier: Apache-2.0
"""A client of any protocol that sends one of everything but ordinary zones: for tests/e2e/run_wire and the fuzzers' seeds."""
import socket
import struct
import threading

import lz4.block

from tracy_peer import table

KERNEL = 0xFFFFFFFF81000010
ATOMIC = 0x5030
UNASKED = 0x6000


class Client(threading.Thread):
    def __init__(self, key, pid=4242, flags=0):
        """`flags` of the welcome: 1 is on demand, where 40 frames are over."""
        super().__init__(daemon=True)
        self.key, self.number = key, int(key.replace("TT", ""))
        self.items = table(key)
        self.id = {name: i for i, (name, *_) in enumerate(self.items)}
        self.asked, self.pid, self.flags = [], pid, flags
        self.sends = self.stream()
        self.listener = socket.socket()
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen(8)
        self.port = self.listener.getsockname()[1]

    def item(self, name, *values):
        return bytes([self.id[name]]) + struct.pack(self.items[self.id[name]][2], *values)

    def string(self, text, which="Single"):
        if self.number >= 80:
            return bytes([self.id[which + "StringData8"], len(text)]) + text
        return bytes([self.id[which + "StringData"]]) + struct.pack("<H", len(text)) + text

    def transfer(self, name, ptr, text, size="H"):
        return bytes([self.id[name]]) + struct.pack("<Q" + size, ptr, len(text)) + text

    def stack(self, *addresses):
        return self.transfer("CallstackPayload", 0, struct.pack(f"<{len(addresses)}Q", *addresses))

    def sample(self, name, step, thread):
        if self.number < 78:
            return self.item(name, step, thread)
        if step < 65536:
            return self.item(name + "16", thread, step)
        return self.item(name + "32", thread, step - 65536)

    def zone(self, name, step, *more):
        if self.number < 78:
            return self.item(name, step, *more)
        return self.item(name + "16", step, *more) if step < 65536 else self.item(name + "32", step - 65536, *more)

    def switch(self, step, old, new, cpu, reason, state):
        return self.item("ContextSwitch", step, old, new, cpu, reason, state, *([0, 0, 0] if self.number >= 73 else []))

    def wakeup(self, step, thread, cpu):
        return self.item("ThreadWakeup", step, thread, *([cpu, 0, 0] if self.number >= 73 else []))

    def stream(self):
        """Times are ticks of 1 ns from 1000 on."""
        n = self.number
        topology = [(0, 0, 1, 3), (0, 0, 0, 0), (1, 2, 0, 1)]
        b = b"".join(self.item("CpuTopology", *(c if n >= 69 else (c[0], *c[2:]))) for c in topology)
        b += self.item("ThreadContext", 7)
        # Locks: one that two threads want, with a name and a mark; one of readers, which ends.
        b += self.item("LockAnnounce", 3, 1100, 0x2000, 0) + self.string(b"my lock") + self.item("LockName", 3)
        b += self.item("LockAnnounce", 4, 1150, 0x2000, 1)
        b += self.item("LockWait", 7, 3, 1200) + self.item("LockObtain", 7, 3, 10) + self.item("LockMark", 7, 3, 0x2001)
        b += self.item("LockWait", 8, 3, 20) + self.item("LockRelease", 3, 30) + self.item("LockObtain", 8, 3, 5)
        b += self.item("LockSharedWait", 7, 4, 1) + self.item("LockSharedObtain", 7, 4, 1)
        b += self.item("LockSharedRelease", 4, 1, 7) + self.item("LockTerminate", 4, 1900)
        # Call stacks: of a zone, a message, an allocation; one made of names.
        b += self.stack(0x5010, 0x5020) + self.item("Callstack") + self.zone("ZoneBeginCallstack", 2000, 0x2000)
        b += self.zone("ZoneEnd", 500)
        b += self.stack(0x5020) + self.item("Callstack") + self.string(b"hello")
        b += self.item("MessageCallstack", 2600, *([0x20] if n >= 77 else []))
        b += self.stack(0x5010, 0x5020) + self.item("CallstackSerial")
        b += self.item("MemAllocCallstack", 2700 - 1268, 7, 0x9000, struct.pack("<Q", 64)[:6])
        b += self.item("MemFree", 50, 7, 0x9000)
        named = struct.pack("<BIH", 1, 12, 4) + b"func" + struct.pack("<H", 4) + b"file"
        b += self.stack(0x5020) + self.transfer("CallstackAllocPayload", 0, named) + self.item("CallstackAlloc")
        b += self.zone("ZoneBeginCallstack", 500, 0x2000) + self.zone("ZoneEnd", 100)
        # Samples and processors share their clock.
        b += self.stack(KERNEL, 0x5010) + self.sample("CallstackSample", 70000, 7)
        b += self.switch(100, 0, 7, 1, 0, 0) + self.switch(200, 7, 99, 1, 5, 6)
        b += self.stack(0x5010) + self.sample("CallstackSampleContextSwitch", 10, 7)
        b += self.wakeup(5, 7, 2) + self.switch(20, 99, 7, 1, 1, 2) + self.wakeup(10, 7, 3) + self.switch(10, 7, 0, 1, 3, 4)
        b += self.switch(10, 0, 7, 0, 0, 0)
        # Woken, and on a processor before anybody reported it; and woken for nothing.
        b += self.switch(10, 7, 0, 0, 3, 4) + self.wakeup(5, 7, 1) + self.switch(15, 7, 0, 1, 6, 7) + self.wakeup(5, 7, 1)
        b += self.item("TidToPid", 99, 4)
        b += self.item("HwSampleCpuCycle", 0x5010, 80000) + self.item("HwSampleBranchMiss", 0x5010, 80100)
        b += self.transfer("FrameImageData", 0, bytes(range(16)), "I") + self.item("FrameImage", 41 if self.flags & 1 else 0, 8, 4, 1)
        if n >= 69:
            b += self.item("ThreadGroupHint", 7, -5)
        if n >= 76:
            b += self.item("GpuNewContext", 70000, 5000, 0, 1.0, 3, 1, 10 if self.key[0] == "T" else 2)
            b += self.string(b"note") + self.item("GpuAnnotationName", 9, 3) + self.item("GpuZoneAnnotation", 9, 1.5, 7, 2, 3)
        if self.key == "TT83":  # a place by text, which is all that there is to know: its pointer is of no use any more
            b += self.transfer("SourceLocationPayload", 1, struct.pack("<II", 0, 1) + b"f\0file\0marker")
            b += self.string(b"Op ID: 3") + self.item("GpuMarkerMeta", 3) + self.item("GpuMarker", 5000, 0x6666, 7, 3, 4)
            b += self.item("LockMark", 8, 3, 0x2001)
            for start, end in ((5100, 5200), (5300, 5400), (5050, 5500), (5600, 5700)):  # whole, in the order of their ends
                b += self.item("GpuZone", start, end, 0x2000, 136, 3)
        if n >= 81:
            category = [6] if n >= 82 else []
            b += self.string(b"part") + self.item("SectionEnter", 100, 1, *category)
            b += self.item("SectionLeave", 900, 1) + self.item("SectionLeave", 1, 2)
            b += self.string(b"other") + self.item("SectionEnter", 1, 2, *category)
        if n >= 82:
            b += self.string(b"kind") + self.item("SectionSetup", 6)
        b += self.item("PlotConfig", 0x1010, 1, 0, 1, 0x8899AA) + self.item("PlotDataInt", 0x1010, 1, 5)
        # A fiber that begins a zone on one thread and ends it on another.
        hint = [4] if n >= 69 else []
        b += self.item("ThreadContext", 9) + self.item("FiberEnter", 81000, 0x3000, 9, *hint)
        b += self.zone("ZoneBegin", 100, 0x2000) + self.item("FiberLeave", 200, 9)
        b += self.item("ThreadContext", 8) + self.item("FiberEnter", 82000, 0x3000, 8, *hint)
        b += self.zone("ZoneEnd", 50) + self.item("FiberLeave", 30, 8) + self.item("ThreadContext", 7)
        b += self.stack(0x5020) + self.item("Callstack") + self.item("CrashReport", 90000, 0x1007)
        b += self.stack(ATOMIC) + self.item("Callstack") + self.string(b"atomic") + self.item("MessageCallstack", 90100, *([0x20] if n >= 77 else []))
        return b

    def answer(self, kind, value):
        if self.number < 66:  # three numbers were others
            kind = {8: 9, 9: 10, 10: 8}.get(kind, kind)
        frame = lambda name, line, symbol, file=b"code.c": (self.string(b"%s" % name) + self.string(file, "Second") +
                                                            self.item("CallstackFrame", line, symbol, 32))
        if kind == 10 and value == ATOMIC:
            return (self.string(b"image") + self.item("CallstackFrameSize", value, 4) + frame(b"load", 1, 0x7200, b"/usr/include/c++/12/bits/atomic_base.h") +
                    frame(b"fence", 2, 0x7300, b"/usr/lib/gcc/x86_64-linux-gnu/12/include/emmintrin.h") + frame(b"my code", 3, 0x7000) +
                    frame(b"outer", 4, 0x7200, b"/usr/include/c++/12/atomic"))
        return {1: lambda: self.transfer("StringData", value, b"text %x" % value),
                2: lambda: self.transfer("ThreadName", value, b"thread %d" % value),
                4: lambda: self.transfer("PlotName", value, b"plot"),
                7: lambda: self.transfer("FiberName", value, b"fiber"),
                3: lambda: self.item("SourceLocation", 0x1000 + (value & 1), 0x1002, 0x1003, 42, 1, 2, 3),
                8: lambda: (self.transfer("ExternalThreadName", value, b"t%d" % value) +
                            self.transfer("ExternalName", value, b"p%d" % value)),
                10: lambda: (self.string(b"image") + self.item("CallstackFrameSize", value, 2) +
                             frame(b"inlined %x" % value, 5, 0x7000) + frame(b"outer %x" % value, 6, 0x7100)),
                11: lambda: self.string(b"sym %x" % value) + self.item("SymbolInformation", 77, value)}[kind]()

    def run(self):
        while True:
            self.conn, _ = self.listener.accept()
            hello = b""
            while len(hello) < 12:
                hello += self.conn.recv(12 - len(hello))
            if struct.unpack("<I", hello[8:])[0] == self.number:
                break
            self.conn.sendall(b"\2")
            self.conn.close()
        pad = lambda t, n: t + bytes(n - len(t))
        welcome = struct.pack("<dqq", 1.0, 1000, 2000) + (struct.pack("<Q", 10) if self.number < 75 else b"")
        welcome += struct.pack("<QQQQqBB12sI", 1, 0, 777, self.pid, 1234, self.flags, 2, b"x", 0) + pad(b"fake", 64) + pad(b"host", 1024)
        self.conn.sendall(b"\1" + welcome + (struct.pack("<QQ", 40, 3000) if self.flags & 1 else b""))
        self.send(self.sends)
        self.send(self.item("Terminate"))
        # As in a replay of what another server asked: more answers than ours has questions.
        self.send(b"".join(self.string(b"image") + self.item("CallstackFrameSize", UNASKED + i, 1) + self.string(b"unasked") +
                           self.string(b"code.c", "Second") + self.item("CallstackFrame", 1, 0, 0) for i in range(60)))
        got = b""
        while True:
            try:
                more = self.conn.recv(65536)
            except OSError:
                return
            if not more:
                return
            got += more
            reply = b""
            while len(got) >= 13:
                kind, value, _ = struct.unpack("<BQI", got[:13])
                got = got[13:]
                if kind == 0:
                    self.conn.close()
                    return
                self.asked.append((kind, value))
                reply += self.answer(kind, value)
            if reply:
                self.send(reply)

    def send(self, data):
        block = lz4.block.compress(data, store_size=False)
        self.conn.sendall(struct.pack("<I", len(block)) + block)
