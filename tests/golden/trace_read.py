# SPDX-License-Identifier: Apache-2.0
"""Reads a .tracy file to its last byte, from nothing but docs/reference/formats/tracy.md: for tests of the writer.

`read(path)` is what a file says as a dict of plain values: texts instead of their numbers, whole times instead of steps,
and in an order that does not depend on the writer where the format has none.
"""
import struct

import lz4.block
import zstandard


def unpack(data):
    if data[:4] == b"tr\xfdP":
        packed, streams, at = data[4], data[5], 6
    else:
        packed, streams, at = data[:4] == b"tZst", 1, 4
    state = [zstandard.ZstdDecompressor().decompressobj() for _ in range(streams)]
    before, out, i = [b""] * streams, [], 0
    while at < len(data):
        n, = struct.unpack_from("<I", data, at)
        block = data[at + 4:at + 4 + n]
        k, i, at = i % streams, i + 1, at + 4 + n
        out.append(state[k].decompress(block) if packed else lz4.block.decompress(block, 65536, dict=before[k]))
        before[k] = out[-1]
    return b"".join(out)


def read(path):
    data = unpack(open(path, "rb").read())
    at = 0

    def r(form):
        nonlocal at
        v = struct.unpack_from("<" + form, data, at)
        at += struct.calcsize("<" + form)
        return v[0] if len(v) == 1 else v

    def raw(n):
        nonlocal at
        at += n
        assert at <= len(data)
        return data[at - n:at]

    def text():
        return raw(r("Q"))

    def u24():
        return int.from_bytes(raw(3), "little")

    def i48():
        return int.from_bytes(raw(6), "little", signed=True)

    def each(f, form="Q"):
        return [f() for _ in range(r(form))]

    assert raw(5) == b"tracy"
    version = tuple(raw(3))
    t = {"version": version}
    if version < (0, 12, 3):
        r("Q")
    t["base"], t["maker"] = r("QdqQQqBI"), raw(12)
    t["on_demand"] = r("B") if version >= (0, 9, 2) else t["base"][3] != 0
    t["names"] = text(), text(), r("QQ"), text()
    core = lambda: (r("I"), each(lambda: r("I")))
    if version >= (0, 11, 2):
        t["processors"] = each(lambda: (r("I"), each(lambda: (r("I"), each(core)))))
    else:
        t["processors"] = each(lambda: (r("I"), each(core)))
    crash = r("QqQI")

    def frame_set():
        name, continuous, ref, out = r("Q"), r("B"), 0, []
        for _ in range(r("Q")):
            start = ref = ref + r("q")
            if not continuous:
                ref += r("q")
            out.append((start, ref, r("i")))
        return name, continuous, out

    frames = each(frame_set)
    item = lambda: (i48(), i48(), u24())
    sections, described = [], []
    if version >= (0, 13, 5):
        sections, described = each(lambda: (r("H"), each(item))), each(lambda: (r("H"), u24()))
    elif version == (0, 13, 4):
        sections = [(0, each(item))]
    strings = each(lambda: (r("Q"), text()))
    by_key, texts = dict(strings), [s for _, s in strings]
    assert len(by_key) == len(texts)
    pointers = {p: by_key.get(k) for p, k in each(lambda: r("QQ"))}
    idx = lambda n: texts[n - 1] if n else None
    s = lambda: idx(u24())

    def ref():
        value, bits = r("QB")
        return None if not bits & 2 else texts[value] if bits & 1 else pointers.get(value)

    t["crash"] = crash[0], crash[1], pointers[crash[2]] if crash[2] else None, crash[3]
    t["frames"] = [(pointers[n] if n else None, c, f) for n, c, f in frames]
    t["sections"] = [(c, [(a, b, idx(n)) for a, b, n in v]) for c, v in sections]
    t["categories"] = [(c, idx(n)) for c, n in described]
    t["threads"] = sorted((tid, by_key[k]) for tid, k in each(lambda: r("QQ")))
    t["externals"] = [(tid, by_key.get(p), by_key.get(n)) for tid, p, n in each(lambda: r("QQQ"))]
    local = each(lambda: r("Q"))
    external = each(lambda: r("Q"))
    place = lambda: (ref(), ref(), ref(), r("I"), r("I"))
    static = dict(each(lambda: (r("Q"), place())))
    numbers = each(lambda: r("Q"))
    dynamic = each(place)
    where = lambda n: (static.get(numbers[n]) if n < len(numbers) else None) if n >= 0 else dynamic[-n - 1]
    t["counts"] = sorted((str(where(n)), v) for n, v in each(lambda: r("hQ")))
    each(lambda: r("hQ"))

    def lock():
        # `valid` says whether there are events that can be shown, which a reader finds itself.
        number, name, place_, shared, _, begins, ends = r("I"), s(), where(r("h")), *r("BBqq")
        threads, now, events = each(lambda: r("Q")), begins, []
        for _ in range(r("Q")):
            step, there, thread, what = r("qhBB")
            now += step
            events.append((now, where(there) if there else None, threads[thread], what))
        return number, name, place_, shared, begins, ends, events

    t["locks"] = sorted(each(lock), key=lambda v: v[0])
    now, t["messages"], keys = 0, [], {}
    for _ in range(r("Q")):
        key, step = r("Qq")
        now += step
        keys[key] = len(keys)
        t["messages"].append((now, ref(), r("I"), u24(), r("BB") if version >= (0, 13, 2) else None))
    extras = each(lambda: (u24(), s(), s(), u24()))
    assert extras[0] == (0, None, None, 0)
    total, parents, n_threads = r("QQQ")
    seen = [0, 0]

    def zones(n, now):
        out = []
        for _ in range(n):
            there, step, extra, children = r("hqII")
            now += step
            start = now
            seen[0] += 1
            seen[1] += children != 0
            inside, now = zones(children, now)
            now += r("q")
            out.append((start, now, where(there), extras[extra], inside))
        return out, now

    def samples():
        now, out = 0, []
        for _ in range(r("Q")):
            now += r("q")
            out.append((now, u24()))
        return out

    t["timelines"] = []
    for _ in range(n_threads):
        tid, n, kernel, fiber = r("QQQB")
        hint = r("i") if version >= (0, 11, 1) else None
        before = seen[0]
        line, _ = zones(r("I"), 0)
        assert seen[0] - before == n
        t["timelines"].append((tid, kernel, fiber, hint, line, [keys[k] for k in each(lambda: r("Q"))], samples(), samples()))
    assert seen == [total, parents], (seen, total, parents)
    total, parents, contexts = r("QQQ")
    seen = [0, 0]

    def device(n, cpu, gpu):
        out = []
        for _ in range(n):
            a, b, there = r("qqh")
            cpu, gpu = cpu + a, gpu + b
            stack, thread, children, start = u24(), local[r("H")], r("Q"), (cpu, gpu)
            seen[0] += 1
            seen[1] += children != 0
            inside, cpu, gpu = device(children, cpu, gpu)
            a, b = r("qq")
            cpu, gpu = cpu + a, gpu + b
            query = r("H") if version >= (0, 12, 4) else None
            out.append((start, (cpu, gpu), where(there), stack, thread, query, inside))
        return out, cpu, gpu

    t["contexts"] = []
    for _ in range(contexts):
        head = r("QBQfB"), s(), r("Q")
        notes = each(lambda: (r("q"), s())) if version >= (0, 12, 4) else []
        lanes = [(r("Q"), device(r("Q"), 0, 0)[0]) for _ in range(r("Q"))]
        values = each(lambda: (r("H"), each(lambda: r("qd")))) if version >= (0, 12, 4) else []
        t["contexts"].append((head, notes, lanes, values))
    assert seen == [total, parents]

    def times(more):
        now, out = 0, []
        for _ in range(r("Q")):
            now += r("q")
            out.append((now, more()))
        return out

    t["plots"] = each(lambda: (r("BBBBI"), pointers[r("Q")], r("ddd"), times(lambda: r("d"))))
    pools, total = r("QQ")
    t["memory"] = []
    for _ in range(pools):
        name, n, active, frees = r("QQQQ")
        now, out = 0, []
        for _ in range(n):
            address, size = r("QQ")
            stacks = u24(), u24()
            now += r("q")
            life, a, b = r("qHH")
            out.append((address, size, stacks, now, life, local[a], local[b]))
        t["memory"].append((pointers[name] if name else None, active, frees, out, r("QQQQ")[:3]))
    t["stacks"] = each(lambda: [r("Q") for _ in range(r("H"))])

    def address():
        value, n = r("QB")
        return value, s(), [(s(), s(), r("I"), r("Q")) for _ in range(n)]

    t["addresses"] = sorted(each(address), key=lambda v: v[0])
    t["facts"] = each(ref)
    raw(r("I"))
    t["images"] = []
    for _ in range(r("Q")):
        w, h, flipped = r("HHB")
        t["images"].append((w, h, flipped, raw(w * h // 2)))

    def runs():
        tid, now, out = r("Q"), 0, []
        for _ in range(r("Q")):
            moments = []
            for _ in range(3):
                now += r("q")
                moments.append(now)
            out.append((moments, r("BbbQ"), r("B") if version >= (0, 11, 3) else None))
        return tid, out

    t["runs"] = sorted(each(runs), key=lambda v: v[0])
    total = r("Q")
    t["cpus"] = []
    for _ in range(256):
        now, out = 0, []
        for _ in range(r("Q")):
            start, step, thread = r("qqH")
            start += now
            now = start + step
            out.append((start, now, external[thread]))
        t["cpus"].append(out)
    assert sum(map(len, t["cpus"])) == total
    t["programs"] = sorted(each(lambda: r("QQ")))
    t["times"] = sorted(each(lambda: r("QqII")))
    plain, inlined = r("QQ")
    t["symbols"] = sorted(each(lambda: (r("Q"), s(), s(), r("I"), s(), s(), r("I"), r("B"), u24())), key=lambda v: v[0])
    assert plain == sum(not v[7] for v in t["symbols"]) and inlined == 1 + sum(v[7] for v in t["symbols"])
    t["code"] = sorted(each(lambda: (r("Q"), raw(r("I")))))
    t["symbol_of"] = sorted(each(lambda: r("QQ")))

    def moments():
        now, out = 0, []
        for _ in range(r("Q")):
            now += r("q")
            out.append(now)
        return out

    t["counters"] = sorted(each(lambda: (r("Q"), [moments() for _ in range(6)])))
    t["sources"] = each(lambda: (raw(r("I")), raw(r("I"))))
    assert at == len(data), (at, len(data))
    return t
