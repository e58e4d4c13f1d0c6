# SPDX-License-Identifier: Apache-2.0
# each chip of a mesh builds its program once: no recompilation, together or apart; a second one is
{
	echo 'OP CODE,OP TYPE,GLOBAL CALL COUNT,DEVICE ID,DEVICE ARCH,HOST START TS,DEVICE KERNEL DURATION [ns],OP TO OP LATENCY [ns],CORE COUNT,PROGRAM HASH,PROGRAM CACHE HIT'
	for device in 0 1 2 3; do
		echo "Relu,tt_dnn_device,$((1024 * (device + 1) + device)),$device,wormhole_b0,$((device + 1)),5000,0,64,7$device,False"
	done
	for device in 0 1 2 3; do
		echo "Add,tt_dnn_device,$((1024 * (device + 11) + device)),$device,wormhole_b0,$((device + 11)),5000,900000000,64,8$device,False"
	done
} >mesh.csv
for how in '' --no-merge-devices; do
	"$TTPROF" report mesh.csv --arch wormhole_b0 $how 2>&1 | grep -e timed -e recompil -e 'building programs' -e missing -e summed
done
echo 'Add,tt_dnn_device,21504,0,wormhole_b0,30,5000,800000000,64,99,False' >>mesh.csv
"$TTPROF" report mesh.csv --no-merge-devices 2>&1 | grep -e recompil
