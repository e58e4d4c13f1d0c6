# SPDX-License-Identifier: Apache-2.0
# What a careless or hostile user may try: refused or told, never a crash, a loss or a silent guess.
. "$SRC/tests/cli/report.bash"
head='OP CODE,OP TYPE,DEVICE ID,CORE COUNT,DEVICE KERNEL DURATION [ns]'
ask --filter "$(printf '(%.0s' $(seq 1 2000))" ops.csv | tail -n +2
ask --filter '((a{1,255}){1,255}){1,255}' ops.csv
ask --id-range 0-0 ops.csv
ask --id-range 9-5 ops.csv
ask ''
cp ops.csv own.csv
ask --csv own.csv own.csv
cmp ops.csv own.csv && echo "own.csv is as it was"
printf '%s\nA,tt_dnn_device,0,8,1000\nA,tt_dnn_device,oops,-3,1000\nA,tt_dnn_device,1,x,-1000\n' "$head" >odd.csv
ask --no-advice --columns id,op,devices,time odd.csv
printf '%s\nA,tt_dnn_device,0,8,1000\nB,tt_dnn_device,0,8,46' "$head,X" >cut.csv
ask --no-advice --columns id,op,time cut.csv
printf '%s\nA,tt_dnn_device,0,8,1000\n%s\nB,tt_dnn_device,0,8,2000\n' "$head" "$head" >twice.csv
ask --no-advice --columns id,op,time twice.csv
printf '%s\nA,tt_dnn_device,3,8,1000\n' "$head" >a.csv
printf '%s\nA,tt_dnn_device,9223372036854775807,8,1000\n' "$head" >b.csv
ask --no-advice --columns id,op,time a.csv b.csv
