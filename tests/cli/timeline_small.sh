# SPDX-License-Identifier: Apache-2.0
. "$SRC/tests/cli/draw.bash"
mkdir run && small_log >run/profile_log_device.csv && small_report >run/ops_perf_results.csv
ask timeline run
ask timeline --lanes ops,cores --from 4us run
ask timeline --lanes cores run/profile_log_device.csv
ask timeline --lane ncrisc --to 50% run
ask timeline run/ops_perf_results.csv
mkdir alone && cp run/ops_perf_results.csv alone
ask timeline alone
COLUMNS=40 ask timeline run
COLUMNS=120 ask timeline --color run | head -8 | cat -v
ask timeline --json --columns 6 run
{
	head_of wormhole_b0 64
	for d in $(seq 0 31); do kernel $d 1 1 BRISC 1000 $((2000 + 10 * d)) $((1024 + d)); done
} >many.csv
ask timeline many.csv
ask timeline --device 5 many.csv
