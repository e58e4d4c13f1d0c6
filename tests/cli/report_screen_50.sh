# SPDX-License-Identifier: Apache-2.0
# A very narrow one: no line is longer than it.
. "$SRC/tests/cli/report.bash"
COLUMNS=50 "$TTPROF" report ops.csv | tee out
echo "longest line: $(wc -L <out)"
