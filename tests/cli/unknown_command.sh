# SPDX-License-Identifier: Apache-2.0
"$TTPROF" xyzzyx
echo "status $?"
"$TTPROF" --frobnicate
echo "status $?"
"$TTPROF" help xyzzyx
