# SPDX-License-Identifier: Apache-2.0
# files that end early: every command that shows a run says so, in JSON too; --strict ends with status 1
. "$SRC/tests/cli/draw.bash"
mkdir whole log ops packed packed_ops
small_log >whole/profile_log_device.csv
small_report >whole/ops_perf_results.csv
for folder in log ops packed packed_ops; do cp whole/* $folder; done
head -c -30 whole/profile_log_device.csv >log/profile_log_device.csv
head -c -30 whole/ops_perf_results.csv >ops/ops_perf_results.csv
gzip -9nc whole/profile_log_device.csv | head -c -30 >packed/profile_log_device.csv.gz
rm packed/profile_log_device.csv
# enough of it that a part can be unpacked
{ small_report && for i in $(seq 3000); do echo "Op$i,tt_dnn_device,$((2048 + i * 1024)),0,wormhole_b0,2,64,$((i * 7919 % 32768 * i)),7010,980,2020,2000"; done; } |
	gzip -9nc | head -c -2000 >packed_ops/ops_perf_results.csv.gz
rm packed_ops/ops_perf_results.csv packed_ops/profile_log_device.csv
for run in whole log ops packed packed_ops; do
	for command in "report" "top" "top --json" "heat" "heat --json" "timeline" "timeline --json" "view -o v.html" "view --svg timeline -o t.svg" "top --roofline r.svg"; do
		"$TTPROF" $command $run >out 2>err
		status=$?
		"$TTPROF" $command --strict $run >strict 2>&1
		echo "$run: $command: status $status, strict $?; $(grep -c '"damage"' out) in JSON"
		grep -v "no op.*report" err | sed 's/line [0-9]*/line N/' | grep -o 'warning.*\|error.*' || :
	done
done
# what shrinks while it is read, and what lost its last part long ago, look alike
"$TTPROF" heat log --json | grep -A 2 damage
