# SPDX-License-Identifier: Apache-2.0
"$TTPROF" --version | head -n 1
"$TTPROF" version | cmp - <("$TTPROF" --version)
"$TTPROF" report --version | cmp - <("$TTPROF" --version)
"$TTPROF" version --json | sed -E 's/"(system|processor|compiler|build_type)": "[^"]+"/"\1": "X"/; s/"http": (true|false)/"http": X/'
