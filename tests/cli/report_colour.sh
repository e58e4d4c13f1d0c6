# SPDX-License-Identifier: Apache-2.0
# Colours when asked for, never otherwise; they change no word.
. "$SRC/tests/cli/report.bash"
"$TTPROF" report ops.csv >plain
NO_COLOR=1 "$TTPROF" report ops.csv | cmp - plain
"$TTPROF" report --no-color ops.csv | cmp - plain
"$TTPROF" report --color ops.csv >coloured
sed 's/\x1b\[[0-9;]*m//g' coloured | cmp - plain
NO_COLOR=1 "$TTPROF" report --color ops.csv | cmp - coloured
grep -c $'\033' plain
sed -n 's/\x1b/ESC/gp' coloured
