# SPDX-License-Identifier: Apache-2.0
# a log that the runtime still writes to: what was there is all in the report
"$SRC/bench/make_logs" run 2000 4
log=run/.logs/profile_log_device.csv
tail -n 400 $log >more
stop=$PWD/stop
for _ in $(seq 3000); do [ -e "$stop" ] && break; cat more; done >>$log &
writer=$!
for i in 1 2 3; do
	"$TTPROF" ops run --device-log --report r.csv >/dev/null 2>err
	echo "status $?, $(tail -n +2 r.csv | grep -c DeviceOperation) ops, $(grep -c 'no device data' r.csv) without device data"
done
touch "$stop"
wait $writer
