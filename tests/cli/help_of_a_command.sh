# SPDX-License-Identifier: Apache-2.0
"$TTPROF" version --help
"$TTPROF" help version | cmp - <("$TTPROF" version --help)
COLUMNS=40 "$TTPROF" help help
