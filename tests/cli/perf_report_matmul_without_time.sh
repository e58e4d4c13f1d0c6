# SPDX-License-Identifier: Apache-2.0
# as the original: no rate of a matmul without device time, and a share that is no number
export TT_PERF_REPORT_COMPAT=1.2.4
python3 - "$SRC/examples/data/nano_gpt_ops.csv" <<'PYTHON'
import csv, sys
rows = list(csv.reader(open(sys.argv[1])))
matmul = next(i for i, row in enumerate(rows) if row[0].startswith("Matmul"))
rows[matmul][rows[0].index("DEVICE KERNEL DURATION [ns]")] = ""
csv.writer(open("ops.csv", "w")).writerows(rows[:matmul + 1])
PYTHON
"$(dirname "$TTPROF")/tt-perf-report" --ignore-signposts --csv out.csv ops.csv >/dev/null 2>&1
cut -d, -f4,6,9-12 out.csv | grep -E '^(OP Code|Matmul)'
