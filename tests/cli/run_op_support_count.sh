# SPDX-License-Identifier: Apache-2.0
# what the variable would refuse, the option refuses
"$TTPROF" run --op-support-count 1000001 -r true 2>&1
echo "status $?"
"$TTPROF" run --op-support-count 0 -r true 2>&1
echo "status $?"
