# SPDX-License-Identifier: Apache-2.0
# A file that can't be written is one line and exit 1; what stood there before stays.
ln -s "$TTPROF" tt-perf-report
cp "$SRC"/tests/golden/report/inputs/s03_bounds.csv ops.csv
./tt-perf-report ops.csv --csv nowhere/out.csv >out
echo "status $?"; tail -n 1 out
./tt-perf-report ops.csv --no-advice --summary-file nowhere/sum >out
echo "status $?"; tail -n 1 out
mkdir sum.png
./tt-perf-report ops.csv --no-advice --summary-file sum >out
echo "status $?"; tail -n 2 out; ls
