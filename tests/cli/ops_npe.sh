# SPDX-License-Identifier: Apache-2.0
# figures of tt-npe go to the run that they are of: by op, trace and replay; its timelines stay with the report
cp -r "$SRC/tests/golden/ops/03_trace/in" run
mkdir -p run/npe_viz/deep
echo one >run/npe_viz/manifest.json
echo two >run/npe_viz/deep/op.npeviz
echo 'GLOBAL CALL COUNT,METAL TRACE ID,METAL TRACE REPLAY SESSION ID,DEVICE ID,NOC UTIL (%),MULTICAST NOC UTIL (%),DRAM BW UTIL (%),DRAM BW UTIL PER CTRL (%),ETH BW UTIL (%),NPE CONG IMPACT (%)' >npe
"$TTPROF" ops run --report r.csv >told
# the first plain op, and the second replay of the first op of a trace; a third row is of no op at all
python3 - >>npe <<'END'
import csv
rows = list(csv.DictReader(open("r.csv")))
plain = next(r for r in rows if not r["METAL TRACE ID"] and r["DEVICE FW DURATION [ns]"])
replay = next(r for r in rows if r["METAL TRACE REPLAY SESSION ID"] == "2")
print("%s,,,0,11.5,2.5,33.0,[1.0; 2.0],,-4.25" % plain["GLOBAL CALL COUNT"])
print("%s,%s,2,0,7.5,0.0,8.0,[3.0],5.0,0.5" % (replay["GLOBAL CALL COUNT"], replay["METAL TRACE ID"]))
print("999424,,,0,1,1,1,1,1,1")
END
mv npe run/.logs/npe_results.csv
"$TTPROF" ops run --analyze-noc-traces --copy-logs >told
python3 - <<'END'
import csv
names = ["METAL TRACE REPLAY SESSION ID", "NOC UTIL (%)", "MULTICAST NOC UTIL (%)", "DRAM BW UTIL (%)", "DRAM BW UTIL PER CTRL (%)", "ETH BW UTIL (%)",
         "NPE CONG IMPACT (%)"]
rows = list(csv.DictReader(open("run/reports/ops_perf_results.csv")))
for r in rows:
    if r["NOC UTIL (%)"]:
        print([r[n] for n in names])
print(sum(not r["NOC UTIL (%)"] for r in rows), "of", len(rows), "rows without")
END
(cd run/reports && find npe_viz -type f | sort)
