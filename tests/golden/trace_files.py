# SPDX-License-Identifier: Apache-2.0
"""Writes .tracy files of any version and container, from nothing but docs/reference/formats/tracy.md: for tests of the reader.

`build(version)` is the contents, `pack(contents, container)` the file.
"""
import struct

import lz4.block
import zstandard

PTR, IDX = 2, 3
STRINGS = [b"Frame", b"my zone", b"my_func", b"file.c", b"thread 7", b'some "text", more', b"hello;\nmessage", b"BRISC-FW",
           b"OP ID:3", b"kernel.cc", b"Device: 0", b"my plot", b"renamed", b"pool"]


def build(version, zones=3, host=b"OS: none\nCPU: none"):
    b = bytearray()

    def w(form, *values):
        b.extend(struct.pack("<" + form, *values))

    def text(s):
        w("Q", len(s))
        b.extend(s)

    def u24(v):
        b.extend(struct.pack("<I", v)[:3])

    def section(start, end, string):
        b.extend(struct.pack("<q", start)[:6] + struct.pack("<q", end)[:6])
        u24(string)

    b += b"tracy" + bytes(version)
    if version < (0, 12, 3):
        w("Q", 10)
    w("QdqQQqBI", 1, 1.0, max(100000, 5000 + 1500 * zones), 0, 4242, 0, 2, 0)
    b += b"GenuineIntel"
    if version >= (0, 9, 2):
        w("B", 0)
    text(b"gen @ then")
    text(b"gen")
    w("QQ", 1700000000, 0)
    text(host)
    w("QI", 1, 0)  # a package
    if version >= (0, 11, 2):
        w("QI", 1, 0)
    w("QIQII", 1, 0, 2, 0, 1)  # a core, two threads
    w("QqQI", 7, 9000, 0x500, 2)  # a crash
    w("Q", 2)
    w("QBQ", 0, 1, 2)
    w("qi", 0, -1)
    w("qi", 1000, 0)  # with a picture
    w("QBQqqi", 0x503, 0, 1, 2000, 500, -1)
    if version >= (0, 13, 5):
        w("QHQ", 2, 3, 2)
        section(100, 200, 1)
        section(150, -1, 2)
        w("HQ", 4, 1)
        section(1, 2, 3)
        w("QH", 1, 3)
        u24(11)
    elif version == (0, 13, 4):
        w("Q", 1)
        section(100, 200, 1)
    w("Q", len(STRINGS))
    for i, s in enumerate(STRINGS):
        w("QQ", 0x1000 + i, len(s))
        b.extend(s)
    pointers = ((0, 0), (0x500, 1), (0x501, 2), (0x502, 3), (0x503, 11), (0x504, 13))
    w("Q", len(pointers))
    for pointer, string in pointers:
        w("QQ", pointer, 0x1000 + string)
    w("QQQQQ", 2, 7, 0x1004, 8, 0x100A)
    w("QQQQ", 1, 99, 0x1001, 0x1002)
    w("QQQQ", 3, 0, 7, 8)
    w("QQQ", 2, 99, 7)
    w("QQ", 1, 0x400)
    w("QBQBQBII", 0x500, PTR, 0x501, PTR, 0x502, PTR, 42, 0x112233)
    w("QQQ", 2, 0, 0x400)
    w("Q", 1)
    w("QBQBQBII", 7, IDX, 8, IDX, 9, IDX, 11, 0)
    w("QhQ", 1, 1, zones)
    w("QhQ", 1, -1, 1)
    w("QI", 2, 5)  # a lock that two threads want, and one that nobody does
    u24(13)
    w("hBBqqQQQ", 1, 0, 1, 100, 90000, 2, 7, 8)
    events = ((10, 0, 0, 0), (10, 1, 0, 1), (5, -1, 1, 0), (20, 0, 0, 2), (1, 0, 1, 1), (7, 0, 1, 2))
    w("Q", len(events))
    for event in events:
        w("qhBB", *event)
    w("I", 6)
    u24(0)
    w("hBBqqQQ", 1, 1, 0, 200, 0, 0, 0)
    w("QQq", 1, 0xAAAA, 5000)
    w("QBI", 6, IDX, 0xFFFFFFFF)
    u24(1)
    if version >= (0, 13, 2):
        w("BB", 0, 2)
    w("Q", 2)
    b.extend(bytes(12))
    u24(2)
    u24(5 + 1)
    u24(12 + 1)
    u24(0x010203)
    w("QQQ", zones, 1, 2)
    w("QQQB", 7, zones, 1, 0)
    if version >= (0, 11, 1):
        w("i", 3)
    w("I", zones - 1)
    w("hqII", 1, 2000, 1, 1)  # 2000 … 3000 with 2100 … 2150 inside
    w("hqII", 1, 100, 0, 0)
    w("qq", 50, 850)
    for _ in range(zones - 2):  # 4000 … 4500, then each 1000 after the last
        w("hqIIq", 1, 1000, 0, 0, 500)
    w("QQ", 1, 0xAAAA)
    w("Qq", 1, 77)  # where it left its processor; then samples
    u24(1)
    w("Q", 3)
    for step, stack in ((77, 1), (3, 1), (100, 3)):
        w("q", step)
        u24(stack)
    w("QQQB", 8, 0, 0, 1)
    if version >= (0, 11, 1):
        w("i", 0)
    w("IQQQ", 0, 0, 0, 0)
    w("QQQ", 1, 0, 1)
    w("QBQfB", 0, 1, 1, 1.0, 6 if version < (0, 12, 0) else 10)
    u24(10 + 1)
    w("Q", 0)
    if version >= (0, 12, 4):
        w("Qq", 1, 5)
        u24(1)
    w("QQQqqh", 1, 136, 1, 6000, 7000, -1)
    u24(2)
    w("HQqq", 0, 0, 100, 333)
    if version >= (0, 12, 4):
        w("HQHQqd", 0, 1, 0, 1, 5, 1.5)
    w("QBBBBIQdddQ", 1, 0, 0, 0, 1, 0, 0x503, 1.0, 2.0, 3.0, 2)
    w("qdqd", 3000, 1.0, 100, 2.0)
    w("QQ", 2, 2)
    w("QQQQ", 0, 0, 0, 0)
    w("QQQQ", 0, 2**64 - 1, 0, 0)
    w("QQQQ", 0x504, 2, 1, 1)
    w("QQ", 0x1000, 64)
    u24(1)
    u24(2)
    w("qqHH", 2000, 500, 1, 1)
    w("QQ", 0x2000, 32)
    u24(0)
    u24(0)
    w("qqHH", 100, -1, 1, 0)
    w("QQQQ", 0x2020, 0x1000, 32, 0x504)
    w("QHQ", 3, 1, 0x77)  # call stacks, what their addresses are: one of a program, one made up, one of the kernel
    w("HQQ", 2, 0x77, 1 << 62 | 5)
    w("HQQ", 2, 0xFFFFFFFF81000000 & (1 << 62) - 1, 0x77)
    w("QQB", 2, 0x77, 2)
    u24(10)
    for name, symbol in ((2, 0x70), (3, 0x60)):
        u24(name)
        u24(4)
        w("IQ", 3, symbol)
    w("QB", 1 << 62 | 5, 1)
    u24(0)
    u24(2)
    u24(4)
    w("IQ", 9, 0)
    w("QQB", 1, 6, IDX)
    w("IQHHB", 0, 1, 8, 4, 1)  # a picture
    b.extend(range(16))
    w("QQQ", 1, 7, 2)  # a thread on processors
    for wakeup, start, end, cpu, reason, state in ((10, 5, 100, 1, 2, 3), (50, 20, -186, 0, -1, -1)):
        w("qqqBbbQ", wakeup, start, end, cpu, reason, state, 0)
        if version >= (0, 11, 3):
            w("B", 1)
    w("Q", 3)
    w("QqqHqqH", 2, 15, 100, 1, 5, 30, 0)
    w("QqqH", 1, 185, -186, 1)
    for _ in range(254):
        w("Q", 0)
    w("QQQ", 1, 99, 4)
    w("QQqII", 1, 99, 1000, 5, 2)
    w("QQQ", 1, 2, 2)
    for address, inlined in ((0x60, 0), (0x70, 1)):
        w("Q", address)
        u24(2)
        u24(3)
        w("I", 4)
        u24(5)
        u24(6)
        w("IB", 7, inlined)
        u24(32)
    w("QQI", 1, 0x60, 3)
    b += b"\x90\x90\xc3"
    w("QQQ", 1, 0x77, 0x70)
    w("QQ", 1, 0x77)
    for n in (2, 0, 0, 1, 0, 0):
        w("Q" + "q" * n, n, *([7] * n))
    w("QI", 1, 1)
    b += b"f"
    w("I", 2)
    b += b"xy"
    return bytes(b)


def pack(contents, container, streams=1):
    blocks = [contents[i:i + 65536] for i in range(0, len(contents), 65536)]
    if container.startswith("multi"):
        out = b"tr\xfdP" + bytes(["zstd" in container, streams])
    else:
        out = b"tlZ\x04" if container == "lz4" else b"tZst"
    state = [zstandard.ZstdCompressor(level=1).compressobj() for _ in range(streams)]
    before = [b""] * streams
    for i, block in enumerate(blocks):
        k = i % streams
        if "zstd" in container:
            packed = state[k].compress(block) + state[k].flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)
        else:
            packed = lz4.block.compress(block, store_size=False, dict=before[k] or None)
            before[k] = block
        out += struct.pack("<I", len(packed)) + packed
    return out
