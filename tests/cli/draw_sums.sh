# SPDX-License-Identifier: Apache-2.0
# logs of --enable-sum-profiling, whose waits come without zones of the name that was asked for; and waits of more ops and cores than an array first holds
. "$SRC/tests/cli/draw.bash"
in=$SRC/tests/golden/ops/05_zones_sum/in
for zone in IterationData LoadData WaitSem CB-COMPUTE-WAIT-FRONT CB-COMPUTE-RESERVE-BACK TRISC-KERNEL; do
	for command in "heat" "heat --metric wait" "heat --json" "heat --svg -" "timeline" "timeline --json" "timeline --svg -"; do
		"$TTPROF" $command "$in" --zone $zone >out 2>err
		echo "$command --zone $zone: status $?, $(wc -l <err) lines of errors"
	done
done
"$TTPROF" view --svg heat "$in" -o heat.svg && head -c 4 heat.svg && echo
{
	head_of wormhole_b0 64
	for op in $(seq 1 300); do
		echo "0,$((op % 8 + 1)),$((op % 7 + 1)),TRISC_1,7,$((op * 1000)),4774451407313060418,$((op * 1024)),,,CB-COMPUTE-WAIT-FRONT,ZONE_TOTAL,1,k.c,"
	done
	kernel 0 1 1 BRISC 1000 2000 1024
} >waits.csv
for command in heat "heat --metric wait --json" timeline "heat --zone CB-" top; do
	"$TTPROF" $command waits.csv >out 2>err
	echo "$command: status $?"
done
"$TTPROF" heat waits.csv | head -n 3
