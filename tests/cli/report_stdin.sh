# SPDX-License-Identifier: Apache-2.0
# From a pipe.
. "$SRC/tests/cli/report.bash"
cat ops.csv | ask --no-advice --top 1 -
cat ops.csv | "$TTPROF" report --json - | grep '"standard input"'
ask - </dev/null
