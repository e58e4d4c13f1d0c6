# SPDX-License-Identifier: Apache-2.0
# A pipe where a log should be is told, not waited for; one that was named is read; what is no log fills no disk.
in=$SRC/tests/golden/ops/03_trace/in/.logs/profile_log_device.csv
shown() { sed "s|/dev/fd/[0-9]*|/dev/fd/N|" | cut -c1-150 | head -n "${1:-3}"; }
mkdir found
mkfifo found/profile_log_device.csv
echo "== found in a folder"
timeout 60 "$TTPROF" device found 2>&1
timeout 60 "$TTPROF" ops found 2>&1
mkfifo found/tracy_ops_times.csv found/tracy_ops_data.csv found/profiler_overhead.json found/profile_log_device.csv.state
timeout 60 "$TTPROF" ops found 2>&1
rm found/profile_log_device.csv
cp "$in" found
timeout 60 "$TTPROF" ops found 2>&1 | sed "s|$PWD/||"
ln -s /dev/zero found/cpp_device_perf_report.csv
timeout 60 "$TTPROF" ops found 2>&1 | sed "s|$PWD/||"
echo "== named"
"$TTPROF" device <(cat "$in") 2>&1 | shown
"$TTPROF" device /dev/stdin <"$in" 2>&1 | shown
gzip -c "$in" | "$TTPROF" device - 2>&1 | shown
"$TTPROF" ops <(cat "$in") 2>&1 | shown
"$TTPROF" ops <(cat "$in") --report - 2>/dev/null | cut -c1-60 | head -2
"$TTPROF" ops - -o out <"$in" 2>&1 | sed "s|$PWD/||"
mkfifo late
(sleep 0.3; cat "$in") >late &
"$TTPROF" device late 2>&1 | shown
echo "== no log"
mkdir tmp
for what in device report; do
	(ulimit -f 20000; TMPDIR=$PWD/tmp timeout 60 "$TTPROF" $what /dev/zero 2>&1 | shown)
	(ulimit -f 20000; TMPDIR=$PWD/tmp timeout 60 "$TTPROF" $what <(yes) 2>&1 | shown)
done
echo "== names"
printf 'ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000\nPCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset], data, run host ID, trace id, trace id counter, zone name, type, source line, source file, meta data\n' >odd.csv
printf '0,1,1,BRISC,7,100,0,1024,,,\033[2Jred\377,ZONE_START,1,a.c,\n0,1,1,BRISC,65543,200,0,1024,,,\033[2Jred\377,ZONE_END,1,a.c,\n' >>odd.csv
"$TTPROF" device odd.csv 2>&1 | cat -v
