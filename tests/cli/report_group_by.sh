# SPDX-License-Identifier: Apache-2.0
# Each way to put ops together.
. "$SRC/tests/cli/report.bash"
for by in none op shape category memory signpost; do
	table --group-by $by ops.csv
done
table --group-by op --top 2 ops.csv
table --group-by op --min-percentage 5 ops.csv
COLUMNS=200 table --group-by op ops.csv
table --group-by colour ops.csv
