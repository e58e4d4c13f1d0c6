# SPDX-License-Identifier: Apache-2.0
cp -r "$SRC/tests/golden/ops/O1_old_generation/in" .
"$TTPROF" device in/device/profile_log_device.csv -o out --no-print-stats
cmp out/device_rearranged_timestamps.csv "$SRC/tests/golden/ops/O1_old_generation/out/devlog/device_rearranged_timestamps.csv" && echo same
cmp out/device_stats.txt "$SRC/tests/golden/ops/O1_old_generation/out/devlog/device_stats.txt" && echo same
"$TTPROF" device in/device/profile_log_device.csv | cmp - out/device_stats.txt && echo same
ls out

# under the old name its Chrome trace and its archive, too
mkdir -p p/.logs && cp in/device/profile_log_device.csv p/.logs
TT_METAL_PROFILER_DIR=p "$TTPROF" process_device_log --no-print-stats
gzip -dc "$SRC/tests/golden/ops/O1_old_generation/out/devlog/device_chrome_tracing.json.gz" |
	cmp - p/output/device/device_chrome_tracing.json && echo same
tar tf p/output/device/device_perf_results.tar
gzip -dc "$SRC/tests/golden/ops/O1_old_generation/out/devlog/device_analysis_data.json.gz" |
	sed 's/"deviceInputLog": ".*"/"deviceInputLog": "p\/.logs\/profile_log_device.csv"/' |
	cmp - p/output/device/device_analysis_data.json && echo same

# setups of that time have times between marks of kernels (5 and on)
printf 'Chip clock is at 1200 MHz\nPCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset]\n' >marks.csv
for m in '1, 100' '2, 110' '5, 120' '6, 150' '5, 160' '6, 230' '3, 300' '4, 310'; do echo "0, 1, 1, NCRISC, $m"; done >>marks.csv
for m in '1, 100' '2, 105' '5, 240' '3, 320' '4, 330'; do echo "0, 1, 1, BRISC, $m"; done >>marks.csv
for s in test_noc test_full_buffer test_matmul_multi_core_multi_dram; do
	"$TTPROF" process_device_log -s $s -d marks.csv -o m | sed -n '2,7p'
done
cp "$SRC/tests/golden/ops/01_basic/in/.logs/profile_log_device.csv" in/zones.csv
"$TTPROF" device -s test_matmul_multi_core_multi_dram in/zones.csv 2>&1
"$TTPROF" device -s test_nothing marks.csv 2>&1 || :
# -o is a folder here, not one below the profiler's
TT_METAL_PROFILER_DIR=$PWD/elsewhere "$TTPROF" process_device_log -d marks.csv -o here/out --no-print-stats && ls here/out && [ ! -e elsewhere ]

# the sample of the users' document, without preamble and names: statistics of that time, under both names
cat >sample.csv <<'END'
0, 0, 0, NCRISC, 1, 1882735035004
0, 0, 0, NCRISC, 2, 1882735036049
0, 0, 0, NCRISC, 3, 1882735036091
0, 0, 0, NCRISC, 4, 1882735036133
0, 0, 0, BRISC, 1, 1882735032214
0, 0, 0, BRISC, 2, 1882735035364
0, 0, 0, BRISC, 3, 1882735035433
0, 0, 0, BRISC, 4, 1882735035518
END
"$TTPROF" process_device_log -d sample.csv -o sample | grep -e ' = ' -e '=== '
"$TTPROF" device sample.csv | cmp - sample/device_stats.txt && echo same
# another chip: BRISC's firmware ends before NCRISC's starts its kernel, and it is one op
{ echo 'ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000' && cat sample.csv; } >wormhole.csv
"$TTPROF" device wormhole.csv | grep -A 1 'device_.*_duration '
