# SPDX-License-Identifier: Apache-2.0
# Files that are read as the original reads them, but not without a word.
export TT_PERF_REPORT_COMPAT=1.2.4
ln -s "$TTPROF" tt-perf-report
header="OP CODE,OP TYPE,GLOBAL CALL COUNT,DEVICE ID,ATTRIBUTES,CORE COUNT,OP TO OP LATENCY [ns],DEVICE KERNEL DURATION [ns],INPUT_0_MEMORY"
add="Add,tt_dnn_device,1,0,{},64,0,1000,DEV_0_L1_INTERLEAVED"
ask()
{
	echo "== $1"
	./tt-perf-report --no-advice --no-summary "$1" 2>&1
	echo "status $?"
}
printf '%s\n' "$header" "0,$add" "1,$add" >index.csv
ask index.csv
printf '%s\n' "$header" "0,x,$add" "1,x,$add" >two_more.csv
ask two_more.csv
# Rows may be short, but not the last one of a file that no line end closes.
printf '%s\n%s\n%s' "$header" "$add" "Mul,tt_dnn_device,2,0,{},64,0,2000" >cut.csv
ask cut.csv
printf '%s\n%s\n%s' "$header" "$add" "$add" >no_line_end.csv
ask no_line_end.csv
printf '%s\n%s\n%s\n' "$header" "$add" "Mul,tt_dnn_device,2,0,{},64,0,2000" >short.csv
ask short.csv
printf '%s\n' "$header" "$add" "$add" >one.csv
cat one.csv one.csv >twice.csv
ask twice.csv
for i in 1 2 3 4 5 6; do cat twice.csv; done >often.csv
ask often.csv | tail -n 4
