# SPDX-License-Identifier: Apache-2.0
# For top_*.sh, heat_*.sh and timeline_*.sh: small device logs whose figures can be worked out by hand.

# The head of a log: ARCH CORES
head_of()
{
	echo "ARCH: $1, CHIP_FREQ[MHz]: 1000, Max Compute Cores: $2"
	echo "PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset], data, run host ID," \
		"trace id, trace id counter, zone name, type, source line, source file, meta data" | sed 's/, trace/, trace/g'
}

# A kernel: DEVICE X Y RISC START END RUN; its firmware begins 10 cycles before and ends 10 after.
kernel()
{
	local zone=${4%_*}
	echo "$1,$2,$3,$4,1,$(($5 - 10)),0,$7,,,$zone-FW,ZONE_START,1,fw.c,"
	echo "$1,$2,$3,$4,2,$5,0,$7,,,$zone-KERNEL,ZONE_START,2,fw.c,"
	[ -z "${8:-}" ] || echo "$8"
	echo "$1,$2,$3,$4,2,$6,0,$7,,,$zone-KERNEL,ZONE_END,3,fw.c,"
	echo "$1,$2,$3,$4,1,$(($6 + 10)),0,$7,,,$zone-FW,ZONE_END,4,fw.c,"
}

# Two ops on four cores, 1024 (program 1) and 2048 (program 2):
#	op 1	BRISC from 1000, for 1000, 2000, 3000, 2000 cycles
#	op 2	BRISC and NCRISC on 1,1 and 2,1: from 5000 to 6000 and from 5500 to 7000; core 2,1 starts 100 later
small_log()
{
	head_of wormhole_b0 64
	kernel 0 1 1 BRISC 1000 2000 1024
	kernel 0 2 1 BRISC 1000 3000 1024
	kernel 0 1 2 BRISC 1000 4000 1024
	kernel 0 2 2 BRISC 1000 3000 1024
	kernel 0 1 1 BRISC 5000 6000 2048
	kernel 0 1 1 NCRISC 5500 7000 2048
	kernel 0 2 1 BRISC 5100 6000 2048
	kernel 0 2 1 NCRISC 5500 7000 2048
}

# A report with their names.
small_report()
{
	echo "OP CODE,OP TYPE,GLOBAL CALL COUNT,DEVICE ID,DEVICE ARCH,CORE COUNT,AVAILABLE WORKER CORE COUNT,DEVICE FW START CYCLE,DEVICE FW END CYCLE,OP TO OP LATENCY [ns],DEVICE FW DURATION [ns],DEVICE KERNEL DURATION [ns]"
	echo "Matmul,tt_dnn_device,1024,0,wormhole_b0,4,64,990,4010,0,3020,3000"
	echo "${1:-LayerNorm},tt_dnn_device,2048,0,wormhole_b0,2,64,4990,7010,980,2020,2000"
}

# A command as a user would write it, its output and errors together, its status when it is not 0.
ask()
{
	local status
	echo "\$ ttprof $*"
	"$TTPROF" "$@" 2>&1
	status=$?
	[ $status -eq 0 ] || echo "status $status"
	echo
}
