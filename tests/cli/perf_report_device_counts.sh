# SPDX-License-Identifier: Apache-2.0
# Hosts with different device counts: the number is told as Python's int() has it.
export TT_PERF_REPORT_COMPAT=1.2.4
ln -s "$TTPROF" tt-perf-report
devices()
{
	echo "OP CODE,OP TYPE,DEVICE ID,DEVICE KERNEL DURATION [ns]"
	printf 'Add,tt_dnn_device,%s,1000\n' "$@"
}
devices 0 >a.csv
for d in 1 9223372036854775807 18446744073709551615 1e20 2.5 -3 x "9007199254740993 2" "9007199254740993 x" \
	"9223372036854775807 NA" "9223372036854775807 1.5"; do
	devices $d >b.csv
	./tt-perf-report a.csv b.csv
	./tt-perf-report b.csv a.csv
done
