# SPDX-License-Identifier: Apache-2.0
cp -r "$SRC/tests/golden/ops/O1_old_generation/in" .
"$TTPROF" device in/device/profile_log_device.csv -o out --no-print-stats
cmp out/device_rearranged_timestamps.csv "$SRC/tests/golden/ops/O1_old_generation/out/devlog/device_rearranged_timestamps.csv" && echo same
cmp out/device_stats.txt "$SRC/tests/golden/ops/O1_old_generation/out/devlog/device_stats.txt" && echo same
"$TTPROF" device in/device/profile_log_device.csv | cmp - out/device_stats.txt && echo same
ls out
