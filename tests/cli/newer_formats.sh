# SPDX-License-Identifier: Apache-2.0
# files of a ttprof, a client or a Tracy that is newer than this one are named as such, and are no success
. "$SRC/tests/cli/draw.bash"
TTP_FILE=t.ttpr "$(dirname "$TTPROF")"/examples/names zone >/dev/null
"$TTPROF" convert t.ttpr -o t.tracy 2>/dev/null
python3 - <<'EOF'
import struct

def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF

good = open("t.ttpr", "rb").read()
length = struct.unpack_from("<I", good, 8)[0]
assert good[16] == 1, "a session comes first"

def changed(name, at, new):
    """The session's payload, with other bytes and the checksum that belongs to them."""
    payload = bytearray(good[20:20 + length])
    payload[at:at + len(new)] = new
    head = good[16:20]
    open(name, "wb").write(good[:8] + struct.pack("<II", length, crc32c(head + payload)) + head + payload + good[20 + length:])

open("magic.ttpr", "wb").write(b"TTPR2" + good[5:])
changed("same.ttpr", 0, b"\1\0")
changed("session.ttpr", 0, b"\2\0")
changed("protocol.ttpr", 2, b"TT99\0\0\0\0")
changed("odd.ttpr", 2, b"what\0\0\0\0")
changed("flags.ttpr", 10, b"\5\0")
changed("time.ttpr", 12, b"\7")
EOF
for file in same magic session protocol odd flags time; do
	for command in info export timeline top "view -o v.html" "convert -o c.tracy" "capture -o r.tracy --recover"; do
		rm -f c.tracy r.tracy
		"$TTPROF" $command $file.ttpr >out 2>err
		echo "$command $file: status $?: $(head -n 1 err | cut -c 1-140)"
	done
done
