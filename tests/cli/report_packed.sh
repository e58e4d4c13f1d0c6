# SPDX-License-Identifier: Apache-2.0
# Compressed reports are read as they are; damaged ones as far as they go.
. "$SRC/tests/cli/report.bash"
cp ops.csv whole.csv
gzip -n ops.csv
"$TTPROF" report ops.csv.gz | sed 1d | cmp - <("$TTPROF" report whole.csv | sed 1d) && echo "the same"
head -c 700 ops.csv.gz >cut.csv.gz
"$TTPROF" report cut.csv.gz --no-advice >out 2>&1
echo "status $?"
tail -n 2 out
head -c 12 ops.csv.gz >stub.csv.gz
ask stub.csv.gz
printf '\037\213\010garbage that is no deflate stream' >bad.csv.gz
ask bad.csv.gz
