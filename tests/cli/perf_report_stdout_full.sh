# SPDX-License-Identifier: Apache-2.0
# Under the name of another tool it is that tool that fails, whichever way it was called.
ln -s "$TTPROF" tt-perf-report
cp "$SRC"/tests/golden/report/inputs/s03_bounds.csv ops.csv
./tt-perf-report ops.csv >/dev/full
echo "status $?"
./tt-perf-report ops.csv >&-
echo "status $?"
"$TTPROF" tt-perf-report ops.csv >/dev/full
echo "status $?"
"$TTPROF" help >/dev/full
echo "status $?"
