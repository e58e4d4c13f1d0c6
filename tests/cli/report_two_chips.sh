# SPDX-License-Identifier: Apache-2.0
# Reports of two kinds of chips are of two runs.
row() { printf 'OP CODE,OP TYPE,DEVICE ID,DEVICE ARCH,DEVICE KERNEL DURATION [ns]\nMatmul,tt_dnn_device,0,%s,1000\n' "$1"; }
row wormhole_b0 >a.csv
row blackhole >b.csv
"$TTPROF" report a.csv b.csv
echo "status $?"
