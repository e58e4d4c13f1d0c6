# SPDX-License-Identifier: Apache-2.0
# The same for zstd.
. "$SRC/tests/cli/report.bash"
needs zstd
zstd -q ops.csv
"$TTPROF" report ops.csv.zst | sed 1d | cmp - <("$TTPROF" report ops.csv | sed 1d) && echo "the same"
