# SPDX-License-Identifier: Apache-2.0
"$TTPROF" --version | head -n 1
"$TTPROF" version | cmp - <("$TTPROF" --version)
"$TTPROF" report --version | cmp - <("$TTPROF" --version)
