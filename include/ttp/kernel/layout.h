/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where things are in a worker tile, and what the host and the cores tell each other there.  The one
 * table that firmware, kernels and host share; a word that moves, moves here.
 *
 *	L1
 *	0x000000	jump into the firmware of BRISC: where that core leaves its reset
 *	0x000010	struct ttp_mailbox
 *	0x000B00	profiler: control vector (64 words)          as tt-metal's on Wormhole
 *	0x000C00	profiler: five buffers of 512 words          as tt-metal's on Wormhole
 *			(kernel print has its rings here: the two are never on together)
 *	0x003400	profiler: what tt-metal does not keep (struct ttp_prof_extra)
 *	0x003A00	firmware of BRISC, NCRISC, TRISC0, TRISC1, TRISC2
 *	0x007800	arguments, circular buffers, semaphores of the program
 *	0x009400	kernels: code, constants, first values of variables; one slot per core
 *	0x027400	free, for circular buffers and L1 buffers
 *
 *	local memory of a core, 0xFFB00000 (4 KiB on B and NC, 2 KiB on T0 to T2)
 *	0x000		struct ttp_local: shared by firmware and kernel
 *	0x400		variables of the kernel, upwards; stack, downwards from the end
 */
#ifndef TTP_KERNEL_LAYOUT_H
#define TTP_KERNEL_LAYOUT_H

#include <stdint.h>

#define TTP_RISCS 5 /* B, NC, T0, T1, T2: the profiler's order */

#define TTP_L1_BYTES       (1464u * 1024)
#define TTP_L1_BOOT        0x0u
#define TTP_L1_MAILBOX     0x10u
#define TTP_L1_PROF_CTRL   0xB00u
#define TTP_L1_PROF_BUFFER 0xC00u /* + 0x800 per core */
#define TTP_L1_PROF_EXTRA  0x3400u
#define TTP_L1_FW_B        0x3A00u
#define TTP_L1_FW_NC       0x5800u
#define TTP_L1_FW_T0       0x6000u
#define TTP_L1_FW_T1       0x6800u
#define TTP_L1_FW_T2       0x7000u
#define TTP_L1_ARGS        0x7800u /* + 0x400 per core */
#define TTP_L1_COMMON_ARGS 0x8C00u /* + 0x100 per core */
#define TTP_L1_CB_CONFIG   0x9100u /* struct ttp_cb_config, 32 of them */
#define TTP_L1_SEMAPHORES  0x9300u /* + 16 per semaphore */
#define TTP_L1_KERNELS     0x9400u /* + 0x6000 per core */
#define TTP_L1_FREE        0x27400u

#define TTP_ARGS_BYTES        0x400u
#define TTP_COMMON_ARGS_BYTES 0x100u
#define TTP_SEMAPHORE_BYTES   16u
#define TTP_SEMAPHORES        16
#define TTP_CBS               32
#define TTP_KERNEL_BYTES      0x6000u
#define TTP_DRAM_BANKS_MAX    16

#define TTP_LOCAL         0xFFB00000u
#define TTP_LOCAL_KERNEL  0xFFB00400u
#define TTP_LOCAL_BYTES_B 0x1000u
#define TTP_LOCAL_BYTES_T 0x800u

/* What the host asks for, and the answer; in tt-metal's numbers. */
#define TTP_RUN_DONE 0x00u
#define TTP_RUN_INIT 0x40u
#define TTP_RUN_GO   0x80u

/* launch.flags */
#define TTP_LAUNCH_PROFILE 0x1u   /* firmware records its zones and pushes all markers */
#define TTP_LAUNCH_REPLAY  0x2u   /* first program of a replay: the count of replays goes up */
#define TTP_LAUNCH_SILENT  0x100u /* << core: its markers are not kept */

struct ttp_cb_config {
	uint32_t addr, size_bytes, page_bytes, pages;
};

/*
 * One program on this tile.  The host writes it, then `go`; what does not change may stay from the
 * program before.
 */
struct ttp_launch {
	uint32_t entry[TTP_RISCS]; /* of the kernels; 0: this core has nothing to do */
	uint32_t host_id;          /* the program's, into the markers */
	uint32_t flags;
	uint32_t cb_mask; /* circular buffers in use */
};

/* A core that saw something that can't go on; firmware or kernel writes it and stops there. */
struct ttp_assert {
	uint32_t risc_and_1; /* 0: nothing happened */
	uint32_t code, value;
};

struct ttp_mailbox {
	uint32_t go;                 /* TTP_RUN_..., host and BRISC */
	uint32_t sync[TTP_RISCS];    /* TTP_RUN_..., BRISC and each of the others; [0] unused */
	uint32_t version;            /* TTP_LAYOUT_VERSION, written by the firmware once it is up */
	uint32_t noc_x, noc_y;       /* own coordinates, translated, as the NIU says it */
	uint32_t dram_banks;         /* host: */
	uint32_t profiler_cap_words; /* host: words per core in DRAM */
	uint32_t profiler_waits; /* host: a core whose part is full waits until it has been read */
	struct ttp_launch launch;
	struct ttp_assert failed;
	/* x | y << 6 of each bank, in the coordinates of either NoC; and where it begins */
	uint16_t dram_bank_xy[2][TTP_DRAM_BANKS_MAX];
	uint32_t dram_bank_offset[TTP_DRAM_BANKS_MAX];
	/* host: cores that wait before a read, a write, an atomic, as bits; and for how long */
	uint32_t delay_riscs[3], delay_cycles;
	uint32_t perf_counters; /* host: groups that are recorded, enum ttp_counter_group */
};

#define TTP_LAYOUT_VERSION 0x54545031u /* "TTP1" */

/* Control vector: indexes of words (tt-metal's, 24 slots for cores). */
#define TTP_PROF_HOST_END       0  /* + core: words of this core that are in DRAM */
#define TTP_PROF_DEVICE_END     24 /* + core: words in L1 when the program ended */
#define TTP_PROF_FW_RESET_H     48
#define TTP_PROF_FW_RESET_L     49
#define TTP_PROF_DRAM_ADDRESS   50 /* of the banks' part; 0: nothing is pushed */
#define TTP_PROF_RUN_COUNTER    51
#define TTP_PROF_NOC_X          52
#define TTP_PROF_NOC_Y          53
#define TTP_PROF_FLAT_ID        54
#define TTP_PROF_CORES_PER_BANK 55
#define TTP_PROF_DROPPED        56 /* bit per core: DRAM was full */
#define TTP_PROF_DONE           57
#define TTP_PROF_TRACE_STATUS   58
#define TTP_PROF_DISPATCH_CORE  59
#define TTP_PROF_WAITING        60 /* + BRISC, NCRISC: TTP_PROF_FULL until the host has read that core */
#define TTP_PROF_CTRL_WORDS     64
#define TTP_PROF_LAST_INDEX     (TTP_PROF_WAITING + 1)
#define TTP_PROF_FULL           0xFFFFFFFFu
#define TTP_PROF_CORES_IN_CTRL  24
#define TTP_PROF_FLAT_IDS       256 /* that fit into the markers */

/* A core's buffer: words. */
#define TTP_PROF_WORDS        512
#define TTP_PROF_ID_HH        0
#define TTP_PROF_ID_HL        1
#define TTP_PROF_ID_LH        2 /* core | flat id << 5 | replays << 13 */
#define TTP_PROF_ID_LL        3 /* the program's id */
#define TTP_PROF_FW_START     4
#define TTP_PROF_FW_END       6
#define TTP_PROF_KERNEL_START 8
#define TTP_PROF_KERNEL_END   10
#define TTP_PROF_CUSTOM       12
#define TTP_PROF_BLANK        0x80000000u
#define TTP_PROF_TRACE_MASK   0x1FFFE000u

/* Types of a marker: bits 30..28 of its first word. */
#define TTP_MARKER_ZONE_START 0
#define TTP_MARKER_ZONE_END   1
#define TTP_MARKER_ZONE_TOTAL 2
#define TTP_MARKER_DATA       3
#define TTP_MARKER_EVENT      4
#define TTP_MARKER_DATA_16B   5

/* Static ids that no zone name gives. */
#define TTP_ID_NOC_TRACE    12345
#define TTP_ID_NOC_LOCKS    23456
#define TTP_ID_PERF_COUNTER 9090

/* Words of our own, per core: what was lost in L1 since the host last set them to 0. */
#define TTP_PROF_OVERWRITTEN 0xFFFFFFFFu /* in `lost`: the core's own words are not what they were */
struct ttp_prof_extra {
	uint32_t lost[TTP_RISCS]; /* markers that found the buffer full; a zone counts as two */
	uint32_t saturated[TTP_RISCS]; /* sums that passed 2^32 - 1 */
	uint32_t sums_lost[TTP_RISCS]; /* sums of a fifth, sixth ... source location */
	uint32_t dram_lost[TTP_RISCS]; /* markers that found DRAM full */
};

/* Parts of one packet in DRAM must begin at such a word. */
#define TTP_PROF_ALIGN_WORDS 4
/* The closing part of a program: ids, guaranteed slots and a padding. */
#define TTP_PROF_CLOSING_WORDS (TTP_PROF_CUSTOM + TTP_PROF_ALIGN_WORDS)

/* Kernel print: a ring of bytes per core, where its profiler buffer would be. */
#define TTP_PRINT_ON 0x50524E54u /* the host reads: without it nothing is written, nobody waits */
struct ttp_print_ring {
	uint32_t on;
	uint32_t written, read; /* bytes since the beginning, modulo 2^32 */
	uint32_t unused;
	uint8_t data[2048 - 16];
};
#define TTP_PRINT_BYTES (2048u - 16)

/* Pieces of a print: type, then its bytes.  Text has a length byte first. */
#define TTP_PRINT_TEXT   1
#define TTP_PRINT_INT    2 /* 4 bytes */
#define TTP_PRINT_UINT   3
#define TTP_PRINT_INT64  4 /* 8 bytes */
#define TTP_PRINT_UINT64 5
#define TTP_PRINT_FLOAT  6  /* fp32 bits */
#define TTP_PRINT_CHAR   7  /* 1 byte */
#define TTP_PRINT_PTR    8  /* 4 bytes, hexadecimal with 0x */
#define TTP_PRINT_BASE   9  /* 1 byte: 10, 16 or 8 */
#define TTP_PRINT_BF16   10 /* 2 bytes */
#define TTP_PRINT_WIDTH  11 /* 1 byte: of the next piece */

#if defined(__cplusplus)
#define TTP_LAYOUT_ASSERT static_assert
#else
#define TTP_LAYOUT_ASSERT _Static_assert
#endif
TTP_LAYOUT_ASSERT(TTP_L1_MAILBOX + sizeof(struct ttp_mailbox) <= TTP_L1_PROF_CTRL, "mailbox");
TTP_LAYOUT_ASSERT(TTP_L1_PROF_CTRL + 4 * TTP_PROF_CTRL_WORDS == TTP_L1_PROF_BUFFER, "control");
TTP_LAYOUT_ASSERT(TTP_PROF_LAST_INDEX < TTP_PROF_CTRL_WORDS, "an index outside the vector");
TTP_LAYOUT_ASSERT(TTP_L1_PROF_BUFFER + TTP_RISCS * 4 * TTP_PROF_WORDS == TTP_L1_PROF_EXTRA,
		  "buffers");
TTP_LAYOUT_ASSERT(TTP_L1_PROF_EXTRA + sizeof(struct ttp_prof_extra) <= TTP_L1_FW_B, "extra");
TTP_LAYOUT_ASSERT(TTP_L1_ARGS + TTP_RISCS * TTP_ARGS_BYTES <= TTP_L1_COMMON_ARGS, "arguments");
TTP_LAYOUT_ASSERT(TTP_L1_COMMON_ARGS + TTP_RISCS * TTP_COMMON_ARGS_BYTES <= TTP_L1_CB_CONFIG,
		  "args");
TTP_LAYOUT_ASSERT(TTP_L1_CB_CONFIG + TTP_CBS * sizeof(struct ttp_cb_config) <= TTP_L1_SEMAPHORES,
		  "cb");
TTP_LAYOUT_ASSERT(TTP_L1_SEMAPHORES + TTP_SEMAPHORES * TTP_SEMAPHORE_BYTES <= TTP_L1_KERNELS,
		  "sems");
TTP_LAYOUT_ASSERT(TTP_L1_KERNELS + TTP_RISCS * TTP_KERNEL_BYTES <= TTP_L1_FREE, "kernels");
TTP_LAYOUT_ASSERT(sizeof(struct ttp_print_ring) == 4 * TTP_PROF_WORDS, "print");

#endif /* TTP_KERNEL_LAYOUT_H */
