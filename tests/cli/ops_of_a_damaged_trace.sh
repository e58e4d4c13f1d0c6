# SPDX-License-Identifier: Apache-2.0
# a trace that can't be read costs the host's side, not the report
cp -r "$SRC/tests/golden/ops/01_basic/in" run
rm run/.logs/tracy_* run/.logs/cpp_*
echo nonsense >run/.logs/tracy_profile_log_host.tracy
"$TTPROF" ops run --report r.csv 2>&1; echo "status $?, $(wc -l <r.csv) lines"
"$TTPROF" ops run/.logs/tracy_profile_log_host.tracy --report f.csv 2>&1; echo "status $?"
ls f.csv 2>&1
rm run/.logs/profile_log_device.csv
"$TTPROF" ops run --report n.csv 2>&1; echo "status $?"
