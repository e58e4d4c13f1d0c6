# SPDX-License-Identifier: Apache-2.0
# what is missing has a likely cause: the cap of a device's buffer, a core whose timer is apart from the others
"$SRC/bench/make_logs" cap 1200 1
log=cap/.logs/profile_log_device.csv
awk -F, 'NR <= 2 || $8 <= 1000 * 1024' $log >cut && mv cut $log
"$TTPROF" ops cap --report cap.csv
echo "status $?"
echo "$(($(wc -l <cap.csv) - 1)) rows, $(grep -c 'no device data' cap.csv) without device data"
"$TTPROF" ops cap --report cap.csv --strict >told
echo "status $? when asked to be strict; $(ls cap*.csv | wc -l) reports"

"$SRC/bench/make_logs" skew 5 4
log=skew/.logs/profile_log_device.csv
awk -F, -v OFS=, 'NR > 2 && $3 == 3 { $6 = sprintf("%.0f", $6 + 5000000000) } 1' $log >apart && mv apart $log
"$TTPROF" ops skew --report skew.csv
cut -d, -f20 skew.csv | sort -u | head -2

# nothing is missing in these, though the original gives up on them
for e in E5_same_start E6_dispatch_head E7_bad_signpost E8_old_header; do
	cp -r "$SRC/tests/golden/ops/$e/in" $e
	"$TTPROF" ops $e --device-log --report $e.csv
done
cp -r "$SRC/tests/golden/ops/E9_device_trace/in" E9
"$TTPROF" ops E9 --device-only --report E9.csv
head -1 E9.csv | tr , '\n' | grep TRACE

# all markers of the compute kernels were lost, in either source
cp -r "$SRC/tests/golden/ops/12_drop_core_trisc/in" E12
"$TTPROF" ops E12 --report E12.csv
"$TTPROF" ops E12 --device-log --report E12.csv
grep -c 'no compute markers' E12.csv
