/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the firmware of all five cores does around a kernel: the FW zone, and the end of the markers of a
 * launch.  FW zones are recorded when the launch says so; they have slots of their own in the buffer.
 */
#ifndef TTP_FW_FIRMWARE_H
#define TTP_FW_FIRMWARE_H

#define PROFILE_KERNEL 9 /* zones and sums; the launch switches them */

#include "ttp/kernel/hw.h"
#include "ttp/kernel/noc.h"
#include "ttp/kernel/profiler.h"

#include "start.h"

static inline bool fw_profiled(void)
{
	return TTP_MAILBOX->launch.flags & TTP_LAUNCH_PROFILE;
}

/* An empty buffer for this core. */
static inline void fw_markers_begin(void)
{
	struct ttp_local *s = TTP_STATE;
	uint32_t *b = (uint32_t *)(uintptr_t)ttp_prof_buffer(TTP_RISC);

	s->marker = b + TTP_PROF_CUSTOM;
	s->room = TTP_PROF_WORDS - TTP_PROF_CUSTOM;
	s->lost = s->saturated = s->sums_lost = 0;
	for (int i = 0; i < TTP_SUMS; i++)
		s->sum[i] = s->sum_id[i] = 0;
}

static inline void fw_zone_start(uint32_t id)
{
	ttp_marker_at(ttp_prof_buffer(TTP_RISC) + TTP_PROF_FW_START,
		      TTP_MARKER(TTP_MARKER_ZONE_START, id));
}

static inline void fw_zone_end(uint32_t id)
{
	ttp_marker_at(ttp_prof_buffer(TTP_RISC) + TTP_PROF_FW_END,
		      TTP_MARKER(TTP_MARKER_ZONE_END, id));
}

/* Sums, what was lost, padding to the NoC's alignment, and how long it all is. */
static inline void fw_markers_end(void)
{
	struct ttp_local *s = TTP_STATE;
	uint32_t *b = (uint32_t *)(uintptr_t)ttp_prof_buffer(TTP_RISC);
	volatile struct ttp_prof_extra *extra =
		(volatile struct ttp_prof_extra *)(uintptr_t)TTP_L1_PROF_EXTRA;

	if (ttp_prof_ctrl()[TTP_PROF_DONE] == 1)
		return;
	/* A kernel that wrote over our words: nothing of it is believed, and the host is informed. */
	uint32_t used = (uint32_t)((uintptr_t)s->marker - (uintptr_t)b);

	if (used < 4 * TTP_PROF_CUSTOM || used > 4 * TTP_PROF_WORDS || used % 8) {
		s->marker = b + TTP_PROF_CUSTOM;
		s->lost = TTP_PROF_OVERWRITTEN;
		extra->lost[TTP_RISC] = 0;
	}
	for (int i = 0; i < TTP_SUMS; i++) {
		if (!s->sum_id[i] || !s->sum[i])
			continue;
		if (s->marker + 2 > b + TTP_PROF_WORDS) {
			s->sums_lost++;
			continue;
		}
		((volatile uint32_t *)s->marker)[0] =
			TTP_MARKER(TTP_MARKER_ZONE_TOTAL, s->sum_id[i] - 1);
		((volatile uint32_t *)s->marker)[1] = s->sum[i];
		s->marker += 2;
	}
	while ((s->marker - b) % TTP_PROF_ALIGN_WORDS) {
		((volatile uint32_t *)s->marker)[0] = TTP_PROF_BLANK;
		((volatile uint32_t *)s->marker)[1] = 0;
		s->marker += 2;
	}
	if (s->lost)
		extra->lost[TTP_RISC] += s->lost;
	if (s->saturated)
		extra->saturated[TTP_RISC] += s->saturated;
	if (s->sums_lost)
		extra->sums_lost[TTP_RISC] += s->sums_lost;
	ttp_prof_ctrl()[TTP_PROF_DEVICE_END + TTP_RISC] = (uint32_t)(s->marker - b);
}

static inline void fw_run_kernel(void)
{
	uint32_t entry = TTP_MAILBOX->launch.entry[TTP_RISC];

	if (entry)
		((void (*)(void))(uintptr_t)entry)();
	TTP_SET_BASES(); /* a kernel with start code of its own may have them changed */
}

/* The stack grows down from the end of local memory; then main, which does not come back. */
void fw_main(void);
#define FW_ENTRY                                                                                \
	void _start(void) __attribute__((naked, section(".text.start")));                       \
	void _start(void)                                                                       \
	{                                                                                       \
		__asm__ volatile(                                                               \
			"la sp, ttp_stack\n\tlui gp, 0xffb00\n\tlui tp, 0xffb12\n\tj fw_main"); \
	}

#endif /* TTP_FW_FIRMWARE_H */
