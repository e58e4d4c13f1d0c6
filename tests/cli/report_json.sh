# SPDX-License-Identifier: Apache-2.0
# Everything for programs: valid, units in the keys.
. "$SRC/tests/cli/report.bash"
needs python3
"$TTPROF" report --json ops.csv >ops.json || echo "status $?"
python3 -m json.tool ops.json >/dev/null && echo valid
python3 - <<'END'
import json
r = json.load(open("ops.json"))
units = ("_us", "_percent", "_gbps", "_tflops", "_mb", "_gflop", "_mhz")
plain = set()
for op in r["ops"]:
    for k, v in op.items():
        if isinstance(v, float) and not k.endswith(units):
            plain.add(k)
print("numbers without a unit:", sorted(plain))
print("ops:", len(r["ops"]), "ids:", [o["id"] for o in r["ops"]])
for k in ("chip", "account", "verdict", "totals"):
    print(k, json.dumps(r[k], sort_keys=True))
print(json.dumps(r["ops"][2], sort_keys=True))
for f in r["findings"]:
    print(f["what"], f["saves_us"], f["example_id"], f["text"])
END
"$TTPROF" report --json --group-by op --top 2 ops.csv | python3 -c 'import json, sys
for g in json.load(sys.stdin)["groups"]: print(g)'
