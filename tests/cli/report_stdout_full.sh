# SPDX-License-Identifier: Apache-2.0
# A screen that can't be written is an error.
. "$SRC/tests/cli/report.bash"
for how in "" --json "--id 6" "--group-by op"; do
	"$TTPROF" report $how ops.csv >/dev/full
	echo "status $?"
done
"$TTPROF" report ops.csv | head -n 1
echo "status ${PIPESTATUS[0]}"
