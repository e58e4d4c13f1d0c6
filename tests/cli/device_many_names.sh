# SPDX-License-Identifier: Apache-2.0
# Zones of many names on many devices: each is told once, of the device that has it, in the order of the log.
awk 'BEGIN {
	print "ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000"
	print "PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset], data, run host ID, trace id, trace id counter, zone name, type, source line, source file, meta data"
	for (i = 0; i < 5000; i++)
		for (k = 0; k < 2; k++)
			printf "%d,1,1,BRISC,7,%d,0,1024,,,zone%d,%s,1,a.c,\n", i % 1000, i * 100 + k * i % 90 + k, i, k ? "ZONE_END" : "ZONE_START"
}' >log.csv
"$TTPROF" device log.csv >told
grep -c = told
grep -A1 '^====' told | sed -n '1,2p;$p'
"$TTPROF" device --json log.csv | grep -c '"name": "zone'
"$TTPROF" device --json log.csv | grep -o '"name": "zone4[0-9]*17 ' | sort | head -n 3
cat >own.txt <<'O'
[between]
across = core
type = adjacent
start = BRISC zone3 ZONE_START
end = BRISC zone1003 ZONE_END
[a star is no name]
across = core
type = adjacent
start = BRISC zone* ZONE_START
end = BRISC zone1003 ZONE_END
O
"$TTPROF" device --analyses own.txt log.csv | grep -E -A1 "between|star"
