# SPDX-License-Identifier: Apache-2.0
"""Writes .tracy files of any version and container, from nothing but docs/formats/tracy.md: for tests of the reader.

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

    b += b"tracy" + bytes(version)
    if version < (0, 12, 3):
        w("Q", 10)
    w("QdqQQqBI", 1, 1.0, max(100000, 5000 + 1500 * zones), 0, 4242, 0, 2, 0)
    b += b"GenuineIntel"
    w("B", 0)
    text(b"gen @ then")
    text(b"gen")
    w("QQ", 1700000000, 0)
    text(host)
    w("QI", 1, 0)  # a package
    if version >= (0, 11, 2):
        w("QI", 1, 0)
    w("QIQII", 1, 0, 2, 0, 1)  # a core, two threads
    w("QqQI", 0, 0, 0, 0)
    w("Q", 2)
    w("QBQ", 0, 1, 2)
    w("qi", 0, -1)
    w("qi", 1000, -1)
    w("QBQqqi", 0x503, 0, 1, 2000, 500, -1)
    if version >= (0, 13, 5):
        w("QHQ", 1, 3, 1)
        b += bytes(15)
        w("Q", 0)
    elif version == (0, 13, 4):
        w("Q", 0)
    w("Q", len(STRINGS))
    for i, s in enumerate(STRINGS):
        w("QQ", 0x1000 + i, len(s))
        b.extend(s)
    pointers = ((0, 0), (0x500, 1), (0x501, 2), (0x502, 3), (0x503, 11), (0x504, 13))
    w("Q", len(pointers))
    for pointer, string in pointers:
        w("QQ", pointer, 0x1000 + string)
    w("QQQ", 1, 7, 0x1004)
    w("QQQQ", 1, 9, 0x1000, 0x1000)
    w("QQQ", 2, 0, 7)
    w("Q", 0)
    w("QQ", 1, 0x400)
    w("QBQBQBII", 0x500, PTR, 0x501, PTR, 0x502, PTR, 42, 0x112233)
    w("QQQ", 2, 0, 0x400)
    w("Q", 1)
    w("QBQBQBII", 7, IDX, 8, IDX, 9, IDX, 11, 0)
    w("QhQ", 1, 1, zones)
    w("QhQ", 1, -1, 1)
    w("QI", 1, 5)  # a lock with an event
    u24(0)
    w("hBBqqQQQqhBB", 1, 0, 1, 100, 0, 1, 7, 1, 10, 0, 0, 1)
    w("QQq", 1, 0xAAAA, 5000)
    w("QBI", 6, IDX, 0xFFFFFFFF)
    u24(0)
    if version >= (0, 13, 2):
        w("BB", 0, 2)
    w("Q", 2)
    b.extend(bytes(12))
    u24(0)
    u24(5 + 1)
    u24(12 + 1)
    u24(0x010203)
    w("QQQ", zones, 1, 1)
    w("QQQB", 7, zones, 0, 0)
    if version >= (0, 11, 1):
        w("i", 0)
    w("I", zones - 1)
    w("hqII", 1, 2000, 1, 1)  # 2000 … 3000 with 2100 … 2150 inside
    w("hqII", 1, 100, 0, 0)
    w("qq", 50, 850)
    for _ in range(zones - 2):  # 4000 … 4500, then each 1000 after the last
        w("hqIIq", 1, 1000, 0, 0, 500)
    w("QQ", 1, 0xAAAA)
    w("Qq", 1, 77)
    u24(0)
    w("Q", 0)
    w("QQQ", 1, 0, 1)
    w("QBQfB", 0, 1, 1, 1.0, 6 if version < (0, 12, 0) else 10)
    u24(10 + 1)
    w("Q", 0)
    if version >= (0, 12, 4):
        w("Qq", 1, 5)
        u24(1)
    w("QQQqqh", 1, 136, 1, 6000, 7000, -1)
    u24(0)
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
    u24(0)
    u24(0)
    w("qqHH", 2000, 500, 1, 1)
    w("QQ", 0x2000, 32)
    u24(0)
    u24(0)
    w("qqHH", 100, -1, 1, 0)
    w("QQQQ", 0x2020, 0x1000, 32, 0x504)
    w("QHQ", 1, 1, 0x77)  # a call stack, its frame
    w("QQB", 1, 0x77, 1)
    u24(0)
    u24(1)
    u24(1)
    w("IQ", 3, 0x77)
    w("QQB", 1, 6, IDX)
    w("IQ", 0, 0)
    step = 36 if version >= (0, 11, 3) else 35
    w("QQQ", 1, 7, 1)
    b.extend(bytes(step))
    w("Q", 0)
    for _ in range(256):
        w("Q", 0)
    w("QQ", 0, 0)
    w("QQQ", 0, 1, 0)
    w("QQ", 0, 0)
    w("Q", 0)
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
