# SPDX-License-Identifier: Apache-2.0
. "$SRC/tests/cli/draw.bash"
mkdir run && small_log >run/profile_log_device.csv && small_report >run/ops_perf_results.csv
cp "$SRC"/tests/cli/data/ops.csv .
ask top run
ask top --json run
ask top --zones --sort mean -n 2 run/profile_log_device.csv
ask top -n 5 ops.csv
COLUMNS=40 ask top -n 3 ops.csv
COLUMNS=120 ask top --gaps -n 3 ops.csv
ask top --filter matmul --ops -n 2 ops.csv
ask top --filter nothing ops.csv
cat ops.csv | ask top --ops -n 1 -
ask top -n 2 --ops --start-signpost nowhere ops.csv
