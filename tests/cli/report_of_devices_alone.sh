# SPDX-License-Identifier: Apache-2.0
# a report of the devices alone knows the chip of the log, not the largest of its kind
cp -r "$SRC/tests/golden/ops/13_device_only_no_host/in" run
"$TTPROF" ops run >/dev/null
"$TTPROF" report run --top 1 --no-advice | head -n 2
# one without a row is an empty report
head -n 2 run/.logs/profile_log_device.csv >head && mv head run/.logs/profile_log_device.csv
"$TTPROF" ops run >/dev/null
"$TTPROF" report run

# an op may be called anything
"$SRC/bench/make_logs" names 3 1
sed -i 's/Op1DeviceOperation/TT_SIGNPOST: mine/' names/.logs/tracy_ops_data.csv
"$TTPROF" ops names --report names.csv
cut -d, -f1,2 names.csv
