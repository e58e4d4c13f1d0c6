# SPDX-License-Identifier: Apache-2.0
# By name, shape or code; a bad expression is a message.
. "$SRC/tests/cli/report.bash"
table --filter '^(Matmul|Conv).*1024' --columns id,op,time ops.csv
table --filter '^LayerNormDeviceOperation$|torch' --columns id,op,time ops.csv
table --filter 'Frobnicate' ops.csv
ask --filter '(' ops.csv
