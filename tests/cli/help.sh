# SPDX-License-Identifier: Apache-2.0
# The overview goes to stdout when it was asked for.
"$TTPROF" --help
"$TTPROF" -h | cmp - <("$TTPROF" help)
