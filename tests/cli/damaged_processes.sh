# SPDX-License-Identifier: Apache-2.0
# Which devices belong to which processes can't be read: reported wherever devices are shown, and something is missing (--strict).
mkdir -p run/.logs
cp "$SRC/tests/golden/ops/03_trace/in/.logs/profile_log_device.csv" run/.logs
of()
{
	echo "== $1"
	timeout 60 "$TTPROF" ops run --strict -o out 2>&1 | grep -v generated
	echo "status ${PIPESTATUS[0]}"
	timeout 60 "$TTPROF" heat run --strict 2>&1 >/dev/null | grep -v generated
	echo "status ${PIPESTATUS[0]}"
	rm -rf run/.logs/run_processes.csv out
}
of 'there is none'
printf 'process,rank,devices,first run id,last run id\n1,0,0,0,zz\n' >run/.logs/run_processes.csv
of 'a row is damaged'
mkfifo run/.logs/run_processes.csv
of 'it is a pipe'
ln -s gone run/.logs/run_processes.csv
of 'it is a link to nothing'
# 300 processes with 1024 devices each: not looked at two by two.
python3 - >run/.logs/run_processes.csv <<'PY'
print("process,rank,devices,first run id,last run id")
for p in range(300):
    print(f"{p + 1},{p},{' '.join(map(str, range(1024)))},{p * 1024},{p * 1024 + 1023}")
PY
(ulimit -t 5 && timeout 60 "$TTPROF" ops run --report r.csv 2>&1)
echo "status $?"
