# SPDX-License-Identifier: Apache-2.0
# All columns into a file; what was there stays when it can't be written.
. "$SRC/tests/cli/report.bash"
ask --csv out.csv ops.csv
head -n 1 out.csv
cut -d, -f1-11 out.csv | sed -n '2,6p'
wc -l <out.csv
ask --csv /dev/full ops.csv
ask --csv nowhere/out.csv ops.csv
echo before >kept.csv
for name in kept new; do
	(
		ulimit -f 1
		trap '' XFSZ
		ask --csv $name.csv ops.csv
	) | cat
done
cat kept.csv
ls
