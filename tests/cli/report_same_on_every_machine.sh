# SPDX-License-Identifier: Apache-2.0
# Ops of equal time come in the order of the run.
. "$SRC/tests/cli/report.bash"
{
	echo 'OP CODE,OP TYPE,DEVICE KERNEL DURATION [ns]'
	for i in $(seq 1 40); do echo "Op$i,tt_dnn_device,$((i % 2 + 1))000"; done
} >ties.csv
"$TTPROF" report --json --sort time ties.csv | sed -n 's/^.*"id": \([0-9]*\),$/\1/p' | paste -sd' '
