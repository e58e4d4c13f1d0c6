# SPDX-License-Identifier: Apache-2.0
# Which tool answers is decided by the name, wherever the link is.
mkdir bin
ln -s "$TTPROF" bin/tt-perf-report
ln -s "$TTPROF" bin/tt-perf-report.py
ln -s "$TTPROF" bin/other
for name in tt-perf-report tt-perf-report.py; do
	bin/$name --help >here 2>&1
	"$TTPROF" tt-perf-report --help >there 2>&1
	cmp here there
done
bin/other --version | head -n 1
