# SPDX-License-Identifier: Apache-2.0
tar xzf "$SRC/tests/golden/ops/E1_drop_tail/in.tar.gz"
"$TTPROF" ops in --json --report r.csv
