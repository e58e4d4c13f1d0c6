# SPDX-License-Identifier: Apache-2.0
# The same in a report whose call counts say nothing.
. "$SRC/tests/cli/report.bash"
awk -F, -v OFS=, 'NR > 1 { $3 = NR } { print }' two_devices.csv >by_name.csv
"$TTPROF" report --each --json two_devices.csv | grep -v -e call_count -e two_devices >one
"$TTPROF" report --each --json by_name.csv | grep -v -e call_count -e by_name >other
cmp one other && echo "the same"
