# SPDX-License-Identifier: Apache-2.0
# runs of ops in logs of all sorts: the same id again, replays, sums of waits, replays as a whole, logs of 2023, other devices
. "$SRC/tests/cli/draw.bash"
golden=$SRC/tests/golden/ops
grid() { ask heat "$@" | sed -n '/^\$/p; /^ttprof/p; 2p; 3p; /^device/,/^$/p; /^cells/,/^   4/p; /^note/p; /^status/p; /^off/p; /^cores are/p' | sed "s|$SRC|SRC|"; }
# the n-th start of firmware with an id is its n-th run: two calls of 1000, not one of 3000
{
	head_of wormhole_b0 64
	kernel 0 1 1 BRISC 1000 2000 1024
	kernel 0 1 1 BRISC 3000 4000 1024
	kernel 0 2 1 BRISC 1000 1500 1024
	kernel 0 2 1 BRISC 3000 3500 1024
} >twice.csv
grid --metric span twice.csv
grid --metric tail twice.csv
grid --metric wait "$golden/05_zones_sum/in"
grid --zone WaitSem "$golden/05_zones_sum/in"
grid "$golden/03_trace/in"
grid "$golden/04_multi_device/in"
grid "$golden/09_quasar/in"
grid "$golden/E9_device_trace/in"
grid "$golden/O1_old_generation/in/device/profile_log_device.csv"
