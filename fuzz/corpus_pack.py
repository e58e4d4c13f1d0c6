#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""corpus_pack.py pack PACK FOLDER | unpack PACK FOLDER | list PACK: a fuzzer's inputs as one file.

The format is described in corpus_pack.h. The same inputs make the same bytes.
"""
import os
import re
import sys
import zlib


def read(path):
    """{name: bytes}; ValueError if anything of the file is not as it was written."""
    with open(path, "rb") as f:
        data = f.read()
    head = re.match(rb"ttprof corpus of (\d+)\n", data)
    if not head:
        raise ValueError(f"{path}: no corpus")
    inputs, at = {}, head.end()
    for _ in range(int(head[1])):
        entry = re.compile(rb"= (\S+) (\d+) ([0-9a-f]{8})\n").match(data, at)
        if not entry:
            raise ValueError(f"{path}: no input at byte {at}")
        at = entry.end() + int(entry[2])
        content = data[entry.end():at]
        if data[at:at + 1] != b"\n" or zlib.crc32(content) != int(entry[3], 16):
            raise ValueError(f"{path}: {entry[1].decode()} is damaged")
        inputs[entry[1].decode()] = content
        at += 1
    if at != len(data):
        raise ValueError(f"{path}: more than {int(head[1])} inputs")
    return inputs


def write(path, inputs):
    with open(path, "wb") as f:
        f.write(b"ttprof corpus of %d\n" % len(inputs))
        for name in sorted(inputs):
            content = inputs[name]
            f.write(b"= %s %d %08x\n" % (name.encode(), len(content), zlib.crc32(content)) + content + b"\n")


def unpack(path, folder):
    os.makedirs(folder, exist_ok=True)
    for name, content in read(path).items():
        with open(os.path.join(folder, os.path.basename(name)), "wb") as f:
            f.write(content)


def pack(path, folder):
    """Inputs that libFuzzer found are named by their whole SHA-1: 12 digits are enough."""
    inputs = {}
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), "rb") as f:
            inputs[name[:12] if re.fullmatch(r"[0-9a-f]{40}", name) else name] = f.read()
    write(path, inputs)


def main():
    if len(sys.argv) == 4 and sys.argv[1] in ("pack", "unpack"):
        (pack if sys.argv[1] == "pack" else unpack)(sys.argv[2], sys.argv[3])
    elif len(sys.argv) == 3 and sys.argv[1] == "list":
        for name, content in read(sys.argv[2]).items():
            print(f"{len(content):8} {name}")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
