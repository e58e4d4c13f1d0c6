# SPDX-License-Identifier: Apache-2.0
# By host time, kept to the end; by file when asked.
. "$SRC/tests/cli/report.bash"
cat >order.csv <<'END'
OP CODE,OP TYPE,HOST START TS,DEVICE KERNEL DURATION [ns]
third,tt_dnn_device,300,1000
first,tt_dnn_device,100,1000
second,tt_dnn_device,200,1000
END
for order in auto file host; do
	table --each --order $order --columns id,op order.csv
done
ask --order backwards order.csv
