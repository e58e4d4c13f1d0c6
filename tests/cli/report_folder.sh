# SPDX-License-Identifier: Apache-2.0
# A folder stands for the newest report in it.
. "$SRC/tests/cli/report.bash"
mkdir -p profiler/reports/2026_11_14 profiler/reports/2026_11_15 empty
cp two_devices.csv profiler/reports/2026_11_14/ops_perf_results_2026_11_14.csv
cp ops.csv profiler/reports/2026_11_15/ops_perf_results_2026_11_15.csv
for folder in profiler profiler/reports/ profiler/reports/2026_11_14; do
	"$TTPROF" report --no-advice "$folder" | head -n 1
done
ask empty
ask missing/folder
