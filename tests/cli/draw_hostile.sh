# SPDX-License-Identifier: Apache-2.0
# names from a run never steer the terminal, and are never markup
. "$SRC/tests/cli/draw.bash"
name=$'<script>alert(1)</script>\033[31m & "quoted" \'single\' \xff\xfe </svg>'
mkdir run && small_report "\"${name//\"/\"\"}\"" >run/ops_perf_results.csv
{
	head_of wormhole_b0 64
	kernel 0 1 1 BRISC 1000 2000 1024 $'0,1,1,BRISC,9,1500,0,1024,,,<img src=x onerror=alert(1)>\033]0;gone\007,ZONE_START,2,fw.c,'
	kernel 0 1 1 BRISC 5000 6000 2048
} >run/profile_log_device.csv
for command in "heat run" "heat --op script run" "top run" "timeline run" "heat --json run" "top --json run" "timeline --json --columns 2 run"; do
	$TTPROF $command >out 2>&1
	echo "$command: status $?, $(grep -c $'\033' out) escapes, $(LC_ALL=C.UTF-8 grep -caxv '.*' out) lines that are no text"
done
"$TTPROF" timeline run | sed -n '/^  [AB] /p'
for picture in "heat --svg" "timeline --svg" "top --roofline"; do
	"$TTPROF" $picture - run >out.svg 2>&1
	echo "$picture: $(grep -c '<script\|<img\|onerror=alert(1)>' out.svg) elements of the name, $(head -c 4 out.svg)"
done
# the device's page
"$TTPROF" device run -o page --no-print-stats
grep -c '<script>alert\|<img' page/device_perf.html
grep -o '\\u003cimg[^"]*"' page/device_perf.html | head -n 1
grep -o "default-src 'none'[^\"]*" page/device_perf.html
grep -oE "(src|href)=|url\(|https?://|fetch\(|import\(|innerHTML|document\.write" page/device_perf.html | sort | uniq -c
