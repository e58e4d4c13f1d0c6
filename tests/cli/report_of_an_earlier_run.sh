# SPDX-License-Identifier: Apache-2.0
# The last run recorded no ops: the report of an earlier one is shown, and said to be that.
export TZ=UTC
mkdir -p p/reports/one p/reports/two
cp "$SRC/tests/golden/ops/03_trace/out/cpp/ops_perf_results.csv" p/reports/one
echo '{"report": "ops_perf_results.csv"}' >p/reports/one/run.json
echo '{"report": ""}' >p/reports/two/run.json
touch -d '2026-01-02 03:04:05.25Z' p/reports/one/ops_perf_results.csv
touch -d '2026-01-02 03:04:05.50Z' p/reports/one/run.json
touch -d '2026-01-02 03:04:09Z' p/reports/two/run.json p/reports/two
"$TTPROF" report p 2>&1 | head -n 3
echo "== only that one"
"$TTPROF" report p/reports/two
echo "== the last has them"
touch -d '2026-01-02 03:04:03Z' p/reports/two/run.json
"$TTPROF" report p 2>&1 | head -n 2
touch -d '2026-01-02 03:04:09Z' p/reports/two/run.json
"$TTPROF" report p/reports/one 2>&1 | head -n 2
