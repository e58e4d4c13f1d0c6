# SPDX-License-Identifier: Apache-2.0
"""Reads the data of a page as docs/reference/formats/page.md has it, and checks what must hold of any."""
import base64
import gzip
import json
import re
import struct

KINDS = {"process", "thread", "python", "ops", "device", "risc", "core"}
PARTS = ["ops", "op_cores", "messages", "signposts", "frames", "plots", "flows", "flame"]


class Page:
    def __init__(self, manifest, chunk):
        self.m = manifest
        self.chunk = chunk
        self.kept = {}

    @staticmethod
    def of_file(path, run=0):
        with open(path, encoding="utf-8") as f:
            text = f.read()
        return Page.of_text(text, run)

    @staticmethod
    def json_of(text, name):
        found = re.findall(rf'<script type="application/json" id="{name}">(.*?)</script>', text, re.S)
        assert len(found) == 1, f"{name} is there {len(found)} times"
        assert not re.search("[<>&]", found[0]), f"markup in {name}"
        return json.loads(found[0])

    @staticmethod
    def of_text(text, run=0):
        """Of a page of several runs the one of that number."""
        before = f"ttp-r{run}-" if run else "ttp-"
        chunks = dict(re.findall(rf'<script type="application/octet-stream" id="{before}c(\d+)">([A-Za-z0-9+/=]*)</script>', text))
        return Page(Page.json_of(text, before + "manifest"), lambda n: base64.b64decode(chunks[str(n)], validate=True))

    def lane_starts(self):
        return sorted(lane["first"] for lane in self.m["lanes"] if lane["count"])

    def column(self, number):
        if number is None:
            return None
        if number not in self.kept:
            self.kept[number] = self.decode(self.m["columns"][number])
        return self.kept[number]

    def decode(self, c):
        raw = [gzip.decompress(self.chunk(n)) for n in c["chunks"]]
        if c["type"] == "utf8":
            data = b"".join(raw)
            assert len(data) == c["n"], (len(data), c)
            return data
        w, values, enc = c["w"], [], c["enc"].split(",")
        assert enc[-1] == "gzip"
        for i, part in enumerate(raw):
            n = len(part) // w
            assert n * w == len(part)
            assert i == len(raw) - 1 or n == c["chunk_n"], (n, c)
            if "shuffle" in enc:
                whole = bytearray(len(part))
                for b in range(w):
                    whole[b::w] = part[b * n:(b + 1) * n]
                part = bytes(whole)
            values += struct.unpack(f"<{n}{'d' if c['type'] == 'f64' else {1: 'B', 2: 'H', 4: 'I', 8: 'Q'}[w]}", part)
        assert len(values) == c["n"], (len(values), c)
        if "zigzag" in enc:
            values = [v >> 1 if not v & 1 else -(v >> 1) - 1 for v in values]
        if "delta" in enc or "zigzag" in enc:
            starts, total = set(self.lane_starts()) if c.get("per_lane") else {0}, 0
            for i, v in enumerate(values):
                total = v if i in starts else total + v
                values[i] = total
        return values

    def strings(self):
        if "strings" not in self.kept:
            data = self.column(self.m["strings"])
            assert data.endswith(b"\0")
            self.kept["strings"] = [s.decode("utf-8") for s in data[:-1].split(b"\0")]
        return self.kept["strings"]

    def zones(self, lane):
        z, s = self.m["zones"], self.strings()
        a, b = lane["first"], lane["first"] + lane["count"]
        start, dur, name = (self.column(z[k])[a:b] for k in ("start", "dur", "name"))
        op = self.column(z["op"])[a:b] if z["op"] is not None else [0] * (b - a)
        text = self.column(z["text"])[a:b] if z["text"] is not None else [0] * (b - a)
        return [(lane["t0"] + t, d, s[n], o, s[x]) for t, d, n, o, x in zip(start, dur, name, op, text)]

    def field(self, key):
        for f in self.m["ops"]["fields"]:
            if f["key"] == key:
                values = self.column(f["column"])
                return [self.strings()[v] for v in values] if f["kind"] == "text" else values
        raise KeyError(key)

    def lanes(self, kind):
        return [lane for lane in self.m["lanes"] if lane["kind"] == kind]

    def note(self, part):
        return " / ".join(n["text"] for n in self.m["notes"] if n["part"] == part)

    def check(self):
        """What holds of every page."""
        m, n = self.m, 0
        assert m["schema"] == 1
        strings = self.strings()
        assert strings[0] == ""
        for i, lane in enumerate(m["lanes"]):
            assert lane["id"] == i and lane["kind"] in KINDS and lane["parent"] < i, lane
            assert lane["first"] == n, (lane, n)
            n += lane["count"]
            if lane["depth"]:
                above = m["lanes"][i - 1]
                assert above["track"] == lane["track"] and above["depth"] == lane["depth"] - 1, lane
        assert m["zones"]["n"] == n
        ops = m["ops"]["n"] if m["ops"] else 0
        for lane in m["lanes"]:
            at, busy = 0, 0
            for start, dur, name, op, _ in self.zones(lane):
                assert start >= at, (lane, start, at)
                assert 0 <= start <= m["span_ns"] and start + dur <= m["span_ns"], (lane, start, dur)
                assert 0 <= op <= ops
                at = start + dur
                busy += dur
            assert busy == lane["busy_ns"], lane
        for part in PARTS:
            for table in m[part] if isinstance(m[part], list) else [m[part]] if m[part] else []:
                for key, number in table.items():
                    if key in ("n", "fields", "name", "unit") and not (key == "name" and isinstance(number, int)):
                        continue
                    assert len(self.column(number)) == table["n"], (part, key)
        if m["ops"]:
            for f in m["ops"]["fields"]:
                assert len(self.column(f["column"])) == ops, f
        for number in range(len(m["columns"])):
            self.column(number)
        durations = [self.column(m["zones"]["dur"])[i] for i in self.column(m["order"]["by_duration"])]
        assert durations == sorted(durations, reverse=True)
        assert len(durations) == min(n, 10000)
        if n and n <= 10000:
            assert sum(durations) == sum(self.column(m["zones"]["dur"]))
        return self
