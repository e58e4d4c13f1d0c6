# SPDX-License-Identifier: Apache-2.0
# Hides what is small, and says how much.
. "$SRC/tests/cli/report.bash"
ask --no-advice --each --min-percentage 5 --columns id,op,total ops.csv
