# SPDX-License-Identifier: Apache-2.0
cp -r "$SRC/tests/golden/ops/E1_drop_tail/in" .
"$TTPROF" ops in --json --report r.csv

# counters don't stand in front of it
cp -r "$SRC/tests/golden/ops/15_some_counters/in" counted
"$TTPROF" ops counted --json --report c.csv | sed 2q
"$TTPROF" ops counted --device-only --report - 2>/dev/null | head -c 30
