# SPDX-License-Identifier: Apache-2.0
# files of the devices that end early: which, from where on, and what else has the ops
golden=$SRC/tests/golden/ops
tell() { "$TTPROF" ops "$1" --report r.csv ${2-} | grep -v '^OPs csv'; }
states() { python3 -c '
import collections, csv, sys
rows = list(csv.DictReader(open("r.csv")))
n = collections.Counter((r["CORE COUNT"], r["DATA STATE"]) for r in rows)
print("".join("%d rows on %s cores: %s\n" % (v, k[0] or "no", k[1] or "whole") for k, v in sorted(n.items())), end="")'; }

echo "# the runtime's report ends in a row, at a line; without a device log"
cp -r $golden/01_basic/in run
report=run/.logs/cpp_device_perf_report.csv
cp $report whole
for bytes in $(($(wc -c <whole) - 60)) $(head -n 3 whole | wc -c); do
	head -c $bytes whole >$report
	tell run; states
done
rm run/.logs/profile_log_device.csv
head -c $(($(wc -c <whole) - 60)) whole >$report
tell run; states

echo "# a trace, of which the report has half of the replays"
cp -r $golden/03_trace/in trace
head -n $(($(wc -l <trace/.logs/cpp_device_perf_report.csv) / 2)) $golden/03_trace/in/.logs/cpp_device_perf_report.csv \
	>trace/.logs/cpp_device_perf_report.csv
tell trace

echo "# a device log of one part, which ends in a row of core 1,3"
"$SRC/bench/make_logs" one 10 4
log=one/.logs/profile_log_device.csv
cp $log whole
head -c $((10 * $(wc -c <whole) / 16)) whole >$log
tell one; states
echo "# the same at a line: nothing tells"
head -n 422 whole >$log
tell one; states
echo "# its writer tells"
row=$(sed -n 3p whole)
printf 'bytes %d\nrow %s\n' $(wc -c <whole) "$row" >$log.state
tell one; states
echo "# ... which it does not of another log, or of a whole one"
printf 'bytes %d\nrow %s\n' $(wc -c <whole) "0,9,9,BRISC" >$log.state
tell one
printf 'bytes %d\nrow %s\n' $(wc -c <$log) "$row" >$log.state
tell one
printf 'bytes x\nnonsense' >$log.state
tell one

echo "# two parts, and a kill in the second: the five ops of the first are whole"
awk -F, 'NR <= 2 || $8 <= 5 * 1024' whole >$log
first=$(wc -c <$log)
awk -F, 'NR > 2 && $8 > 5 * 1024' whole | head -n 170 >>$log
printf 'bytes %d\nrow %s\n' $first "$row" >$log.state
tell one; states
rm $log.state
echo "# ... at a line without the writer's word: programs that ran on more cores before tell"
tell one; states

echo "# a program that ran twice under one id, and a kill in the second part"
awk -F, 'NR <= 2 || $8 <= 5 * 1024' whole >$log
first=$(wc -c <$log)
awk -F, -v OFS=, 'NR > 2 && $8 <= 5 * 1024 { $6 = sprintf("%.0f", $6 + 1000000); print }' whole | head -n 170 >>$log
printf 'bytes %d\nrow %s\n' $first "$row" >$log.state
tell one --device-only
rm $log.state

echo "# the runtime's report with fewer cores for the last of several runs"
"$SRC/bench/make_logs" fewer 10 4 0 0 report
sed -i '$s/Op2DeviceOperation,4,/Op2DeviceOperation,3,/' fewer/.logs/cpp_device_perf_report.csv
tell fewer; states

echo "# two devices, of which the first is whole"
cp -r $golden/04_multi_device/in two
log=two/.logs/profile_log_device.csv
head -c $(($(wc -c <$golden/04_multi_device/in/.logs/profile_log_device.csv) - 3000)) $golden/04_multi_device/in/.logs/profile_log_device.csv >$log
tell two --device-log; states
echo "# the devices alone"
tell two --device-only
echo "# statistics of it"
"$TTPROF" device two/.logs 2>&1 >/dev/null
"$TTPROF" device $golden/04_multi_device/in/.logs 2>&1 >/dev/null
