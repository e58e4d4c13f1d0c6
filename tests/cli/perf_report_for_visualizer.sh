# SPDX-License-Identifier: Apache-2.0
# The call that TT-NN Visualizer makes, and what it reads: every column by name, advice split at " • ".
export TT_PERF_REPORT_COMPAT=1.2.4
ln -s "$TTPROF" tt-perf-report
cp "$SRC"/tests/golden/report/inputs/s03_bounds.csv ops.csv
./tt-perf-report ops.csv --ignore-signposts --raw-op-codes --csv result.csv --no-summary | tail -n 1
ls
/usr/bin/python3 - <<'PY'
import csv
with open("result.csv", encoding="utf-8", newline="") as f:
    rows = list(csv.DictReader(f))
print(", ".join(rows[0]))
print(len(rows), "rows,", sum(bool(r["Advice"]) for r in rows), "with advice")
for r in rows[:200]:
    if len(r["Advice"].split(" • ")) > 2:
        print(r["Raw OP Code"], r["Bound"], *r["Advice"].split(" • "), sep="\n  ")
        break
PY
