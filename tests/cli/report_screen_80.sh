# SPDX-License-Identifier: Apache-2.0
# What a user meets first, on a narrow screen.
. "$SRC/tests/cli/report.bash"
COLUMNS=80 ask ops.csv
