# SPDX-License-Identifier: Apache-2.0
# where a report comes from and where it goes; what does not go together is refused, what has no use is told
cp -r "$SRC/tests/golden/ops/01_basic/in" run
here() { sed "s|$PWD/||"; }
"$TTPROF" ops run -o out 2>&1 | here
"$TTPROF" ops run -o run -n x 2>&1 | here
"$TTPROF" ops -o run 2>&1 | here
find out run/reports -type f | sort
"$TTPROF" ops run/.logs/profile_log_device.csv -o dev 2>&1 | here
"$TTPROF" ops run/.logs/tracy_ops_data.csv 2>&1 | here # with the files beside it
for o in '-o x' '-n x' --date --copy-logs; do "$TTPROF" ops run --report r.csv $o 2>&1 | head -n 1; done
"$TTPROF" ops run --report r.csv -a device_fw_duration 2>&1 | here
"$TTPROF" ops run --report r.csv --analyze-noc-traces 2>&1 | here
"$TTPROF" device run/.logs/profile_log_device.csv -d other 2>&1
"$TTPROF" device run/.logs/profile_log_device.csv --json --no-print-stats 2>&1
ls r.csv x other 2>&1 || :
# a folder of logs is of the folder around it; a log may be named by its folder
"$TTPROF" ops run/.logs/ -n y 2>&1 | here
"$TTPROF" device run | head -n 3
"$TTPROF" device run/.logs | head -n 3
"$TTPROF" device out 2>&1 || :
printf '\377\033[31mred\n' >odd.csv; "$TTPROF" device odd.csv 2>&1 || :
