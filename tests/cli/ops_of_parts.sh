# SPDX-License-Identifier: Apache-2.0
# folders that lack most files of a run, as published ones do, give a report of the rest
logs=$SRC/tests/golden/ops/03_trace/in/.logs
column() { python3 -c 'import csv, sys
for row in csv.DictReader(open(sys.argv[1])):
    print(*(row.get(c) or "-" for c in sys.argv[2:]))' "$@"; }
tell() { "$TTPROF" ops "$@" --report report.csv 2>&1; echo "status $?"; }
sum() { column report.csv 'DEVICE KERNEL DURATION [ns]' | awk '{ s += $1 } END { print s " ns in " NR " rows" }'; }
"$TTPROF" ops "$SRC/tests/golden/ops/03_trace/in" --report report.csv 2>&1; sum
echo '- the records of ops, and the report of the runtime'
mkdir -p a/.logs && cp "$logs"/tracy_ops_data.csv "$logs"/cpp_device_perf_report.csv a/.logs
tell a; sum; column report.csv 'OP CODE' 'HOST START TS' 'HOST DURATION [ns]' INPUT_0_LAYOUT | sed -n 2,3p
echo '- the report of the runtime alone, its folder named, or the file, or its folder given to another command'
mkdir -p b/.logs && cp "$logs"/cpp_device_perf_report.csv b/.logs
tell b; sum; column report.csv 'OP CODE' 'HOST START TS' 'METAL TRACE ID' 'METAL TRACE REPLAY SESSION ID' | sed -n '1,3p;20,21p'
tell b/.logs/cpp_device_perf_report.csv; sum
cp b/.logs/cpp_device_perf_report.csv . && tell cpp_device_perf_report.csv; sum
"$TTPROF" report b 2>&1
"$(dirname "$TTPROF")/process_ops_logs" -o b 2>&1 | sed "s|$PWD/||"
echo '- replays that were timed as a whole'
mkdir -p c/.logs && cp "$logs"/tracy_ops_*.csv c/.logs && cp "$SRC/tests/golden/ops/E9_device_trace/in/.logs/profile_log_device.csv" c/.logs
tell c
