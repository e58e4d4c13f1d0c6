# SPDX-License-Identifier: Apache-2.0
# Every op in the order of the run; b marks programs being built.
. "$SRC/tests/cli/report.bash"
COLUMNS=150 ask --each --no-advice ops.csv
