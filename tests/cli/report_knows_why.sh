# SPDX-License-Identifier: Apache-2.0
# why ops lack times is said by `ttprof ops` in the report and beside it, and told again by `ttprof report`
golden=$SRC/tests/golden/ops
make() { "$TTPROF" ops $1 $2 >/dev/null; }

echo "# the device kept a round number of programs"
"$SRC/bench/make_logs" cap 300 1
awk -F, 'NR <= 2 || $8 <= 200 * 1024' cap/.logs/profile_log_device.csv >cut && mv cut cap/.logs/profile_log_device.csv
make cap --device-log
"$TTPROF" report cap --top 1 --no-advice | sed -n '2p;/^100 ops/,$p'

echo "# a log that was cut"
"$SRC/bench/make_logs" run 4 2
log=run/.logs/profile_log_device.csv
head -c $((3 * $(wc -c <$log) / 4)) $log >cut && mv cut $log
make run
"$TTPROF" report run --top 1 --no-advice | sed -n '2p;/^4 ops in/,$p'

echo "# no device was profiled"
rm $log
make run
"$TTPROF" report run --top 1 --no-advice | tail -n 4

echo "# an account of another report is none of this one, nor is a broken one"
cp cap/reports/ops_perf_results.account.json run/reports/
"$TTPROF" report run --top 1 --no-advice | tail -n 6
head -c 200 cap/reports/ops_perf_results.account.json >cut && mv cut cap/reports/ops_perf_results.account.json
"$TTPROF" report cap --top 1 --no-advice | tail -n 6

echo "# a trace: what was captured did not run, what was not replayed neither"
cp -r $golden/03_trace/in trace
make trace --device-log
"$TTPROF" report trace --top 1 --no-advice | sed -n '2p'
"$TTPROF" report trace --each --columns id,op,time --no-advice | grep -c ' - *$'
"$TTPROF" report trace --id 5 | head -n 3
cp -r $golden/E10_unreplayed_trace/in E10
make E10 --device-log
"$TTPROF" report E10 --top 1 --no-advice | sed -n '2p;/^2 ops/,$p'

echo "# the report that was there before has its account"
"$TTPROF" ops E10 --device-log >/dev/null
ls E10/reports
