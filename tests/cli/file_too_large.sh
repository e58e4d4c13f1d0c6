# SPDX-License-Identifier: Apache-2.0
# A file that may not grow is an error like a full disk, not the end by a signal.
ln -s "$TTPROF" tt-perf-report
cp "$SRC"/tests/golden/report/inputs/s03_bounds.csv ops.csv
# limited COMMAND...: with stdout in a file of at most 1024 bytes.
limited()
{
	(
		ulimit -f 1
		"$@" >out
	)
	echo "status $?, $(wc -c <out) bytes"
}
limited "$TTPROF" report ops.csv
limited "$TTPROF" help report
limited ./tt-perf-report ops.csv
limited ./tt-perf-report --csv ops_out.csv ops.csv
ls
