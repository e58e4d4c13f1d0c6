# SPDX-License-Identifier: Apache-2.0
# Parts by signposts; those that are not there are told.
. "$SRC/tests/cli/report.bash"
cat >repeated.csv <<'END'
OP CODE,OP TYPE,DEVICE KERNEL DURATION [ns]
warm,tt_dnn_device,1000
start,signpost,
first,tt_dnn_device,2000
stop,signpost,
start,signpost,
second,tt_dnn_device,3000
stop,signpost,
start,signpost,
third,tt_dnn_device,4000
stop,signpost,
END
for part in "" "--signpost start" "--start-signpost start --end-signpost stop" "--end-signpost stop" "--ignore-signposts" \
	"--signpost nowhere" "--end-signpost nowhere" "--signpost stop --end-signpost start"; do
	table --each --columns id,op,time,signpost $part repeated.csv
done
table --group-by signpost repeated.csv
table --group-by signpost --top 1 repeated.csv
ask repeated.csv
# a marked part of which no op has a time, as in a run whose last ops the device lost
cat >lost.csv <<'END'
OP CODE,OP TYPE,DEVICE KERNEL DURATION [ns]
first,tt_dnn_device,2000
second,tt_dnn_device,3000
part,signpost,
first,tt_dnn_device,
part_end,signpost,
END
table --each --columns id,op,time lost.csv
table --each --columns id,op,time --signpost part lost.csv
sed -i '5s/,$/,1/' lost.csv
table --each --columns id,op,time lost.csv
