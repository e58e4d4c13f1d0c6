# SPDX-License-Identifier: Apache-2.0
# A few of many, and what they are of.
. "$SRC/tests/cli/report.bash"
table --top 2 ops.csv
table -n 1 --each ops.csv
table --top 0 --filter Matmul ops.csv
ask --top -1 ops.csv
