# SPDX-License-Identifier: Apache-2.0
# logs that nobody should write: each gives a report, or one clear line and no file
head='ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000, Max Compute Cores: 64
PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset], data, run host ID, trace id, trace id counter, zone name, type, source line, source file, meta data'
mkdir -p run/.logs
log=run/.logs/profile_log_device.csv
try() { echo "# $1"; "$TTPROF" ops run --report r.csv 2>&1; echo "status $?"; [ ! -e r.csv ] || sed 3q r.csv; rm -f r.csv r.*.csv; }
op() { # DEVICE ID START END
	printf '%s,1,1,BRISC,5,%s,0,%s,,,BRISC-FW,ZONE_START,1,a.cc,\n%s,1,1,BRISC,65541,%s,0,%s,,,BRISC-FW,ZONE_END,1,a.cc,\n' \
		"$1" "$3" "$2" "$1" "$4" "$2"
}
{ echo "$head"; op 0 1024 0 18446744073709551615; op 0 2048 18446744073709551615 18446744073709551615; } >$log
try "times up to 2^64-1"
{ echo "$head"; op 0 1024 5 18446744073709551616; } >$log
try "a time beyond 64 bits"
{ echo "$head"; op 0 1024 0 999999999999999999; } >$log
try "the last time that counts"
{ echo "$head" | sed 's/1000/0/'; op 0 1024 100 200; op 0 2048 300 400; } >$log
try "no clock"
{ echo "$head"; echo '0,1,1,BRISC,7,100,5,1024,,,X,TS_DATA,1,a.c,'; } >$log
try "no zone"
"$TTPROF" view run -o page.html
grep -c 'has no whole zone' page.html
echo "$head" >$log
"$TTPROF" view run -o page.html
grep -c 'has no markers' page.html
awk -v head="$head" 'BEGIN { print head; for (z = 0; z < 60010; z++)
	printf "0,1,1,BRISC,%d,%d,0,1024,,,Z%d,ZONE_START,1,a.cc,\n0,1,1,BRISC,%d,%d,0,1024,,,Z%d,ZONE_END,1,a.cc,\n", z, 2 * z, z, z + 65536, 2 * z + 1, z }' >$log
try "too many names"
"$TTPROF" heat run --zone Z1 2>&1 >/dev/null
"$TTPROF" device $log 2>&1 >/dev/null
{ echo "$head"; op 0 1024 100 200; echo '0, 1, 1, BRISC, 1, 300'; echo '0,1,1,BRISC,5,100,0,7,BRISC-FW,begin,1,a.cc'; op 0 2048 300 400; } >$log
try "rows of three generations"
{ echo "$head"; printf '0,1,1,BRISC,5,100,0,1024,,,\377\376-FW,ZONE_START,1,\200.cc,\n'; op 0 1024 100 200; } >$log
try "names that are not UTF-8"
{ echo "$head"; op 0 1024 100 200; printf '0,1,1,BRISC,5,3'; } >$log
try "a file that ends in a row"
# 100,000 devices, an op each
awk -v head="$head" 'BEGIN { print head; for (d = 0; d < 100000; d++) {
	printf "%d,1,1,BRISC,5,%d,0,1024,,,BRISC-FW,ZONE_START,1,a.cc,\n%d,1,1,BRISC,65541,%d,0,1024,,,BRISC-FW,ZONE_END,1,a.cc,\n", d, d + 1, d, d + 9 } }' >$log
"$TTPROF" ops run --report r.csv | head -1
wc -l <r.csv
"$TTPROF" device $log | head -4
