# SPDX-License-Identifier: Apache-2.0
# Numbers from, to, between; the foot counts what is chosen.
. "$SRC/tests/cli/report.bash"
for range in 5-10 16- -5 -; do
	table --id-range=$range --columns id,op,time ops.csv
done
table --id-range 17-18 --columns id,op,time ops.csv
table --id-range 1,000-2,000 ops.csv
ask --id-range 5 ops.csv
ask --id-range 5-x ops.csv
