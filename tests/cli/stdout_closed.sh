# SPDX-License-Identifier: Apache-2.0
"$TTPROF" --version >&-
echo "status $?"
# With nothing to print, nobody misses it.
"$TTPROF" xyzzyx >&- 2>/dev/null
echo "status $?"
# A file that is opened must not take the place of stdout.
"$TTPROF" --version >&- 2>&- <&-
