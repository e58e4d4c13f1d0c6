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
