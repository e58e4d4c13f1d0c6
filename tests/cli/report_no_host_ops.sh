# SPDX-License-Identifier: Apache-2.0
# Without what ran on the host: the foot follows.
. "$SRC/tests/cli/report.bash"
table --each --no-host-ops --columns id,op,total ops.csv
