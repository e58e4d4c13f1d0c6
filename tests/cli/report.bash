# SPDX-License-Identifier: Apache-2.0
# For report_*.sh: the data in the directory at hand, and what was asked before what was answered.
cp "$SRC"/tests/cli/data/*.csv .

# A command as a user would write it, its output and errors together, its status when it is not 0.
ask()
{
	local status
	echo "\$ ttprof report $*"
	"$TTPROF" report "$@" 2>&1
	status=$?
	[ $status -eq 0 ] || echo "status $status"
	echo
}

# The same, without what stands before the table and after its foot.
table()
{
	ask --no-advice "$@" |
		sed -n '/^\$/p; /^ttprof/p; /^status/p; /^no op/p; /^ *\(ID\|group\) /,/^$/p; /^[0-9]* ops\?[ ,]/p'
}

# Ends the case when a program is missing.
needs()
{
	command -v "$1" >/dev/null || { echo "$1 is not installed" >&2 && exit 77; }
}
