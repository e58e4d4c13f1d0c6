# SPDX-License-Identifier: Apache-2.0
# One op on one screen.
. "$SRC/tests/cli/report.bash"
ask --id 6 ops.csv
ask --id 8 ops.csv
ask --id 15 ops.csv
ask --id 17 ops.csv
ask --id 2 two_devices.csv
ask --id 1 ops.csv
ask --id 99 --ignore-signposts ops.csv
ask --id 0 ops.csv
