# SPDX-License-Identifier: Apache-2.0
"$TTPROF" reprot
echo "status $?"
"$TTPROF" tt-perf-reprot
echo "status $?"
"$TTPROF" version --hlep
