# SPDX-License-Identifier: Apache-2.0
# each is one clear line and status 1, and no file is left
mkdir -p run/.logs
log=run/.logs/profile_log_device.csv
try() { "$TTPROF" ops run 2>&1; echo "status $?"; }
try
: >$log; try
rm $log; mkdir $log; try; rmdir $log
printf 'a,b,c\n1,2,3\n' >$log; try
printf '0,1,1\n' >$log; try
printf 'x;y\n' >run/.logs/tracy_ops_data.csv; mkdir run/.logs/tracy_ops_times.csv; try
find run -name 'ops_perf*'
# a folder that is not there is not made
"$TTPROF" ops nowhere 2>&1; ls -d nowhere 2>&1
# where the host's files are there, what can't be read of the devices' costs their times and no op
host() { rm -rf h; cp -r "$SRC/tests/golden/ops/01_basic/in" h; }
tell() { "$TTPROF" ops h --report h.csv 2>&1; echo "status $?, $(grep -c tt_dnn_device h.csv) ops"; }
host; rm h/.logs/cpp_*; : >h/.logs/profile_log_device.csv; tell
host; rm h/.logs/cpp_* h/.logs/profile_log_device.csv; mkdir h/.logs/profile_log_device.csv; tell
host; echo x >h/.logs/cpp_device_perf_report.csv; tell
