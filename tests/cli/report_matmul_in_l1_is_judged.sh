# SPDX-License-Identifier: Apache-2.0
# A matmul at 10 % of its roof with all tensors in L1 is SLOW and gets advice.
. "$SRC/tests/cli/report.bash"
table --id-range 7-7 --columns id,op,bound,roof,advice ops.csv
"$TTPROF" report ops.csv --json | grep -ci optimized
true
