/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registers and memory as a core sees them.  Sources: tt-isa-documentation WormholeB0/TensixTile,
 * tt-metal tt_metal/hw/inc/internal/tt-1xx/wormhole (addresses only).
 */
#ifndef TTP_KERNEL_HW_H
#define TTP_KERNEL_HW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ttp/kernel/layout.h"

#ifndef TTP_RISC
#error "TTP_RISC says which core this is compiled for: 0 B, 1 NC, 2 T0, 3 T1, 4 T2"
#endif

#define TTP_INLINE  static inline __attribute__((always_inline, unused))
#define TTP_OUTLINE static __attribute__((noinline, unused))

#define TTP_REG(addr) (*(volatile uint32_t *)(uintptr_t)(addr))
#define TTP_L1(addr)  ((volatile uint32_t *)(uintptr_t)(addr))

#define TTP_REG_SOFT_RESET 0xFFB121B0u
#define TTP_REG_CLOCK_LOW  0xFFB121F0u
#define TTP_REG_CLOCK_HIGH 0xFFB121F4u
#define TTP_REG_NIU(noc)   (0xFFB20000u + ((uint32_t)(noc) << 16))
#define TTP_REG_STREAM(n)  (0xFFB40000u + ((uint32_t)(n) << 12))
#define TTP_REG_CONFIG(n)  (0xFFEF0000u + 4u * (n))

/* Words of the configuration that say where the other cores leave their reset. */
#define TTP_CONFIG_T0_PC       158
#define TTP_CONFIG_T_OVERRIDE  161
#define TTP_CONFIG_NC_PC       162
#define TTP_CONFIG_NC_OVERRIDE 163

#define TTP_MAILBOX ((volatile struct ttp_mailbox *)(uintptr_t)TTP_L1_MAILBOX)

/* A circular buffer as one core sees it. */
struct ttp_cb {
	uint32_t end, size_bytes, page_bytes, pages;
	uint32_t rd, wr; /* L1 addresses; on T2 `rd` counts the tiles packed since the last push */
};

enum { TTP_SUMS = 4 };

/* What firmware and kernel share, at the beginning of the core's local memory. */
struct ttp_local {
	uint32_t *marker; /* where the next one goes */
	int32_t room;     /* words left, without those that open zones need for their ends */
	uint32_t lost, saturated, sums_lost;
	uint32_t sum[TTP_SUMS], sum_id[TTP_SUMS]; /* id + 1; 0 is free */
	/* Requests given to each NoC, as its counters count: what barriers wait for. */
	uint32_t reads_issued[2], writes_sent[2], writes_acked[2], atomics_acked[2], posted_sent[2];
	uint32_t own_mid; /* own coordinates as the upper word of a NoC address */
	uint16_t bank_xy[2][TTP_DRAM_BANKS_MAX];
	uint32_t bank_offset[TTP_DRAM_BANKS_MAX];
	struct ttp_cb cb[TTP_CBS];
};
TTP_LAYOUT_ASSERT(sizeof(struct ttp_local) <= TTP_LOCAL_KERNEL - TTP_LOCAL, "local memory");

/*
 * Two addresses that every marker needs are in registers that compilers leave alone: gp has the core's local
 * memory, tp the page of the clock.  The firmware puts them there; it saves four instructions of a zone.
 */
#define TTP_SET_BASES() __asm__ volatile("lui gp, 0xffb00\n\tlui tp, 0xffb12" ::: "memory")
#pragma GCC diagnostic push
#if defined(__cplusplus)
#pragma GCC diagnostic ignored "-Wregister"
#endif
register uint32_t ttp_clock_page __asm__("tp");
#pragma GCC diagnostic pop

/* In assembler, or the compiler copies the two registers to others first. */
#define TTP_LOAD(value, base, offset) \
	__asm__ volatile("lw %0, %1(" base ")" : "=r"(value) : "i"(offset) : "memory")
#define TTP_STORE(value, base, offset) \
	__asm__ volatile("sw %0, %1(" base ")" : : "r"(value), "i"(offset) : "memory")
#define TTP_LOCAL_LOAD(value, field)  TTP_LOAD(value, "gp", offsetof(struct ttp_local, field))
#define TTP_LOCAL_STORE(value, field) TTP_STORE(value, "gp", offsetof(struct ttp_local, field))

#define TTP_STATE ((struct ttp_local *)(uintptr_t)TTP_LOCAL)

struct ttp_time {
	uint32_t low, high;
};

/*
 * The wall clock.  Two words cannot be read at once: when the low one is about to wrap, high is read
 * before and after until both are equal; else the high one, read behind it, belongs to it (they are a
 * few cycles apart, not five million: the bound is an address that is in a register anyway).
 */
#define TTP_CLOCK_NEAR_WRAP(low) __builtin_expect((low) >= ttp_clock_page, 0)

/* Inline: a call would make its caller save registers. */
TTP_INLINE struct ttp_time ttp_time_near_wrap(void)
{
	struct ttp_time t;
	uint32_t before;

	do {
		TTP_LOAD(before, "tp", TTP_REG_CLOCK_HIGH & 0xFFF);
		TTP_LOAD(t.low, "tp", TTP_REG_CLOCK_LOW & 0xFFF);
		TTP_LOAD(t.high, "tp", TTP_REG_CLOCK_HIGH & 0xFFF);
	} while (before != t.high);
	return t;
}

/* Not checked yet.  In two steps, so that other work fits between: the loads take seven cycles. */
TTP_INLINE struct ttp_time ttp_time_load(void)
{
	struct ttp_time t;

	TTP_LOAD(t.low, "tp", TTP_REG_CLOCK_LOW & 0xFFF);
	TTP_LOAD(t.high, "tp", TTP_REG_CLOCK_HIGH & 0xFFF);
	return t;
}

TTP_INLINE struct ttp_time ttp_time_checked(struct ttp_time t)
{
	return TTP_CLOCK_NEAR_WRAP(t.low) ? ttp_time_near_wrap() : t;
}

TTP_INLINE struct ttp_time ttp_time_now(void)
{
	return ttp_time_checked(ttp_time_load());
}

/* Stops this core for good and leaves a word for the host. */
TTP_OUTLINE void ttp_stop(uint32_t code, uint32_t value)
{
	TTP_MAILBOX->failed.code = code;
	TTP_MAILBOX->failed.value = value;
	TTP_MAILBOX->failed.risc_and_1 = TTP_RISC + 1;
	for (;;)
		;
}

#endif /* TTP_KERNEL_HW_H */
