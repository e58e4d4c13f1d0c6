# SPDX-License-Identifier: Apache-2.0
# The same on a wide one: more columns, the same figures.
. "$SRC/tests/cli/report.bash"
COLUMNS=200 ask ops.csv
