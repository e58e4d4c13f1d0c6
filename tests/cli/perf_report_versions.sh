# SPDX-License-Identifier: Apache-2.0
# The newest release is the default; the environment asks for another.
ln -s "$TTPROF" tt-perf-report
cp "$SRC"/tests/golden/report/v1.3/inputs/n01_sub_devices.csv ops.csv
for version in "" 1.3 1.2.4; do
	echo "== '$version'"
	export TT_PERF_REPORT_COMPAT="$version"
	./tt-perf-report --help | grep -c active-experts
	./tt-perf-report ops.csv --csv out.csv --no-summary
	head -n 2 out.csv
	./tt-perf-report ops.csv --active-experts 2 2>&1 | grep -c "unrecognized arguments"
done
TT_PERF_REPORT_COMPAT=2.0 ./tt-perf-report ops.csv
echo "status $?"
