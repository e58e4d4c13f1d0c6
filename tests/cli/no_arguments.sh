# SPDX-License-Identifier: Apache-2.0
# Wrong usage: the overview goes to stderr.
"$TTPROF"
