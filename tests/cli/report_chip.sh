# SPDX-License-Identifier: Apache-2.0
# The card can be named; an unknown one is a message.
. "$SRC/tests/cli/report.bash"
for chip in n150 p150 P100A wormhole; do
	"$TTPROF" report --chip $chip --json ops.csv | sed -n '/"chip": {/,/}/p'
done
ask --chip p15O ops.csv
ask --arch frobnicator ops.csv
