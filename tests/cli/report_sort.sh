# SPDX-License-Identifier: Apache-2.0
# Any column sorts; what is missing comes last either way; equals keep their order.
. "$SRC/tests/cli/report.bash"
for how in "--sort time" "--sort time --ascending" "--sort roof --ascending" "--sort op" "--sort id --ascending" "--sort cores"; do
	table --each $how --columns id,op,time,roof,cores ops.csv
done
ask --sort tmie ops.csv
