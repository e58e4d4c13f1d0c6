# SPDX-License-Identifier: Apache-2.0
# One row missing on a device costs that op only; skew, waiting and unequal ops are told.
. "$SRC/tests/cli/report.bash"
ask --each two_devices.csv --columns id,op,time,skew,wait,devices,gap,eth_percent
ask --no-advice --no-merge-devices two_devices.csv --columns id,op,device,time,gap
table --no-merge-devices --group-by category two_devices.csv
