# SPDX-License-Identifier: Apache-2.0
# replays that were recorded as a whole have their times in columns of their own; and logs alone are no report yet
cp -r "$SRC/tests/golden/ops/E9_device_trace/in" run
"$TTPROF" report run 2>&1
"$TTPROF" ops run --report ops_perf_results_x.csv
"$TTPROF" report ops_perf_results_x.csv | head -5
"$TTPROF" top ops_perf_results_x.csv >told 2>&1
echo "top: status $?"
head -4 told
