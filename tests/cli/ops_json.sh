# SPDX-License-Identifier: Apache-2.0
cp -r "$SRC/tests/golden/ops/E1_drop_tail/in" .
"$TTPROF" ops in --json --report r.csv
