# SPDX-License-Identifier: Apache-2.0
# Options together: none is ignored without a word.
. "$SRC/tests/cli/report.bash"
table --group-by op --sort roof --top 3 --no-advice ops.csv
ask --group-by op --columns id,op ops.csv
ask --group-by op --sort types ops.csv
ask --group-by category --csv - ops.csv
ask --id 5 --id-range 1-9 ops.csv
table --filter Matmul --sort save --top 2 --no-advice ops.csv
ask --filter Nothing ops.csv
