# SPDX-License-Identifier: Apache-2.0
# two processes that counted their ops by themselves: what is merged is told, and what to do
"$SRC/bench/make_logs" two 5 4
data=two/.logs/tracy_ops_data.csv
{
	cat $data
	tail -n +2 $data
} >both && mv both $data
"$TTPROF" ops two --report two.csv
echo "status $?, $(($(wc -l <two.csv) - 1)) rows"
