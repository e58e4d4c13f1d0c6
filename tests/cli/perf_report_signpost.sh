# SPDX-License-Identifier: Apache-2.0
# --signpost is another name for --start-signpost, and stands in no way of the prefixes of others.
ln -s "$TTPROF" tt-perf-report
cp "$SRC"/tests/golden/report/inputs/s09_signposts.csv .
./tt-perf-report s09_signposts.csv --no-advice --no-summary --start-signpost stop >one
./tt-perf-report s09_signposts.csv --no-advice --no-summary --signpost stop >two
cmp one two && grep 'after' two
./tt-perf-report s09_signposts.csv --no-advice --no-summary --star stop | cmp one -
./tt-perf-report s09_signposts.csv --st stop 2>&1 | tail -n 1
./tt-perf-report s09_signposts.csv --sign stop 2>&1 | tail -n 1
./tt-perf-report --help | grep -e '--signpost' || echo 'not in the help'
