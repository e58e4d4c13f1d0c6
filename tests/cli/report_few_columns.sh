# SPDX-License-Identifier: Apache-2.0
# Optional columns may be missing, all of them.
. "$SRC/tests/cli/report.bash"
printf 'OP CODE,DEVICE KERNEL DURATION [ns]\nMatmulDeviceOperation,5000\nConv2dDeviceOperation,6000\n' >few.csv
ask few.csv
printf 'DEVICE FW DURATION [ns]\n5000\n' >fewer.csv
ask --no-advice fewer.csv
cut -d, -f1-5,14 ops.csv >cut.csv
table --each --columns id,op,bound,time cut.csv
