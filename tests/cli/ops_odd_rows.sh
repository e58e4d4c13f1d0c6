# SPDX-License-Identifier: Apache-2.0
# rows of another generation, bytes that are not text, and the largest time cost themselves only
mkdir -p run/.logs
{
	echo 'ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000'
	echo 'PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset], data, run host ID, trace id, trace id counter, zone name, type, source line, source file, meta data'
	echo '0,1,1,BRISC,5,100,0,1024,,,BRISC-FW,ZONE_START,1,a.cc,'
	echo '0,1,1,BRISC,65541,18446744073709551615,0,1024,,,BRISC-FW,ZONE_END,1,a.cc,'
	echo '0, 1, 1, BRISC, 1, 5'
	printf '0,1,1,BR\377,7,120,0,2048,,,X\376-FW,ZONE_START,1,a.cc,\n'
	printf '0,1,1,BRI'
} >run/.logs/profile_log_device.csv
"$TTPROF" ops run --report r.csv
tr -d '\r' <r.csv
