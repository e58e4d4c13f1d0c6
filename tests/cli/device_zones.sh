# SPDX-License-Identifier: Apache-2.0
# zones of kernels are shown without being asked for, by RISC; under the old name they are not
cp -r "$SRC/tests/golden/ops/05_zones_sum/in" .
"$TTPROF" device in/.logs/profile_log_device.csv | grep '=== .* (' | sort
"$TTPROF" device in/.logs/profile_log_device.csv | grep -A 4 'WaitSem (TRISC_1)'
"$TTPROF" process_device_log -d in/.logs/profile_log_device.csv -o "$PWD/o" 2>&1 | grep -c 'WaitSem' || :
