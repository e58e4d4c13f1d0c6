# SPDX-License-Identifier: Apache-2.0
# counters of two runs in one report: each of the L1's ports was told in one of them only
cp -r "$SRC/tests/golden/ops/06_perf_counters/in" run
log=.logs/profile_log_device.csv
echo '`TT_SIGNPOST: half`;1' >>run/.logs/tracy_ops_data.csv
cp -r run one && grep -v '"counter type":"L1_' run/$log >one/$log
cp -r run two && awk '!/,9090,/ || /"counter type":"L1_/' run/$log >two/$log
"$TTPROF" ops run --report all.csv
"$TTPROF" ops two --report two.csv
"$TTPROF" ops one --report one.csv
"$TTPROF" ops one --second-pass two.csv --report both.csv
python3 - <<'P'
import csv
def rows(name):
    return list(csv.DictReader(open(name, newline="")))
full, one, both = rows("all.csv"), rows("one.csv"), rows("both.csv")
more = [c for c in both[0] if c not in one[0]]
print(len(one), len(both), "rows,", len(more), "columns more")
print(sum(a[c] != b[c] for a, b in zip(one, both) for c in one[0]), "cells changed")
print(sum(a[c] != b[c] for a, b in zip(full, both) for c in more if c in a), "cells other than of one run")
print([b[c] for b in both if b["OP TYPE"] == "signpost" for c in more if b[c]])
P
# another program, and no report at all
sed '2,$s/^/Other/' two.csv >other.csv
"$TTPROF" ops one --second-pass other.csv --report x.csv 2>&1 | head -n 1
"$TTPROF" ops one --second-pass run/$log --report y.csv 2>&1
ls y.csv 2>&1 || :
