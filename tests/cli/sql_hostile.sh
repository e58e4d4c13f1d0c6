# SPDX-License-Identifier: Apache-2.0
# names that steer a terminal, break CSV or end a string; a run that is cut; columns that are spelled alike
printf 'OP CODE,OP TYPE,DEVICE KERNEL DURATION [ns],DEVICE ID\n"a\033[31m""b,\nc",tt_dnn_device,5,0\n'"'"'; DROP TABLE ops; --,tt_dnn_device,7,0\n' >hostile.csv
"$TTPROF" sql hostile.csv "SELECT id, op_code, device_kernel_duration_ns FROM ops" | cat -v
"$TTPROF" sql --csv hostile.csv "SELECT op_code FROM ops" | cat -v
"$TTPROF" sql --json hostile.csv "SELECT op_code FROM ops WHERE op_code LIKE '%DROP%'"
"$TTPROF" sql hostile.csv "SELECT count(*) FROM ops WHERE op_code = '''; DROP TABLE ops; --'"
head -c 60000 "$SRC/examples/data/nano_gpt_ops.csv" >cut.csv
"$TTPROF" sql --strict cut.csv "SELECT count(*) AS ops FROM ops" 2>&1
echo "status $?"
printf 'nothing of a run\n' >none.csv
"$TTPROF" sql none.csv "SELECT count(*) FROM ops" 2>&1
echo "status $?"
