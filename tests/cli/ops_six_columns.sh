# SPDX-License-Identifier: Apache-2.0
# the same run as a log of six columns, which names no programs: the same times
cp -r "$SRC/tests/golden/ops/01_basic/in" run
rm run/.logs/tracy* run/.logs/cpp*
log=run/.logs/profile_log_device.csv
"$TTPROF" ops run --report 15.csv
awk -F, -v OFS=', ' 'NR == 1 { print $1 "," $2; next }
	NR == 2 { print "PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset]"; next }
	$11 ~ /-FW$/ { print $1, $2, $3, $4, $12 == "ZONE_START" ? 1 : 4, $6 }
	$11 ~ /-KERNEL$/ { print $1, $2, $3, $4, $12 == "ZONE_START" ? 2 : 3, $6 }' $log >six
cp six $log
"$TTPROF" ops run --report 6.csv 2>&1
# all but the ids, and the cores of the chip, which only 15 columns tell
tail -n +2 15.csv | cut -d, -f 2-4,6-  >15
tail -n +2 6.csv | cut -d, -f 2-  >6
cmp 15 6 && echo the same
"$TTPROF" device $log | grep -c '^====='
