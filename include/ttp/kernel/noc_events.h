/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NoC events: each transfer of a kernel as timestamped data, when it is compiled with
 * PROFILE_NOC_EVENTS.  And the push in the middle of a kernel that they need: a full buffer goes to
 * DRAM and the kernel goes on.
 *
 * A push asks for room for the whole of what comes next, not for a word of it, and leaves the words that
 * the end of the program will need.
 */
#ifndef TTP_KERNEL_NOC_EVENTS_H
#define TTP_KERNEL_NOC_EVENTS_H

#include "ttp/kernel/noc.h"
#include "ttp/kernel/profiler.h"

/* Types, as in the NoC trace files (docs/reference/formats/device-layout.md). */
#define TTP_NOC_EVENTS(X)           \
	X(READ, 1)                  \
	X(READ_SET_STATE, 2)        \
	X(READ_SET_TRID, 3)         \
	X(READ_WITH_STATE, 4)       \
	X(READ_BARRIER_START, 6)    \
	X(READ_BARRIER_END, 7)      \
	X(WRITE_, 11)               \
	X(WRITE_INLINE, 14)         \
	X(WRITE_MULTICAST, 15)      \
	X(WRITE_BARRIER_START, 20)  \
	X(WRITE_BARRIER_END, 21)    \
	X(WRITE_FLUSH, 23)          \
	X(FULL_BARRIER, 25)         \
	X(ATOMIC_BARRIER, 26)       \
	X(SEMAPHORE_INC, 27)        \
	X(SEMAPHORE_WAIT, 28)       \
	X(SEMAPHORE_SET, 29)        \
	X(SEMAPHORE_SET_REMOTE, 30) \
	X(SEMAPHORE_SET_MULTICAST, 31)

enum ttp_noc_event {
#define X(name, code) TTP_NOC_EVENT_##name = (code),
	TTP_NOC_EVENTS(X)
#undef X
};

#if TTP_PROFILE_ON && defined(PROFILE_NOC_EVENTS) && TTP_RISC < 2

/* Where this core's part of the DRAM buffer is, `words` in; a NoC address. */
TTP_INLINE uint64_t ttp_prof_dram(unsigned noc, unsigned risc, uint32_t words)
{
	volatile uint32_t *c = ttp_prof_ctrl();
	uint32_t per_bank = c[TTP_PROF_CORES_PER_BANK], flat = c[TTP_PROF_FLAT_ID];
	uint32_t bank = flat / per_bank, place = flat % per_bank;
	uint32_t cap_bytes = TTP_MAILBOX->profiler_cap_words * 4;
	uint32_t xy = TTP_MAILBOX->dram_bank_xy[noc][bank];

	return (uint64_t)xy << 36 |
	       (c[TTP_PROF_DRAM_ADDRESS] + TTP_MAILBOX->dram_bank_offset[bank] +
		(place * TTP_RISCS + risc) * cap_bytes + words * 4);
}

/* All of this core's buffer to DRAM, and begin anew; the time it takes is a zone of its own. */
TTP_OUTLINE void ttp_quick_push(void)
{
	volatile uint32_t *c = ttp_prof_ctrl(), *b = ttp_prof_buffer(TTP_RISC);
	struct ttp_local *s = TTP_STATE;
	uint32_t w, held = c[TTP_PROF_HOST_END + TTP_RISC];

	if (!c[TTP_PROF_DRAM_ADDRESS] || c[TTP_PROF_DROPPED] & 1u << TTP_RISC)
		return;
	for (unsigned i = 0; i < 4; i++)
		if (TTP_REG(ttp_niu(NOC_INDEX, i) + TTP_NIU_CTRL) & TTP_CTRL_LINKED)
			return; /* nothing may come between linked packets */
	TTP_PLACE_AND_ID(id, "PROFILER-NOC-QUICK-PUSH");
	s->room += s->marker - (uint32_t *)(uintptr_t)(b + TTP_PROF_CUSTOM);
	ttp_marker_next(TTP_MARKER(TTP_MARKER_ZONE_START, id));
	w = (uint32_t)(s->marker - (uint32_t *)(uintptr_t)b) + 2;
	if (w % TTP_PROF_ALIGN_WORDS) {
		b[w] = TTP_PROF_BLANK;
		b[w + 1] = 0;
		w += 2;
	}
	b[TTP_PROF_ID_LH] = (b[TTP_PROF_ID_LH] & TTP_PROF_TRACE_MASK) | TTP_RISC |
			    (c[TTP_PROF_FLAT_ID] & 0xFF) << 5;
	if (held + w + TTP_PROF_CLOSING_WORDS > TTP_MAILBOX->profiler_cap_words)
		held = ttp_prof_wait_read(TTP_RISC);
	ttp_marker_next(TTP_MARKER(TTP_MARKER_ZONE_END, id));
	if (held + w + TTP_PROF_CLOSING_WORDS <= TTP_MAILBOX->profiler_cap_words) {
		ttp_noc_write_any(NOC_INDEX, (uint32_t)(uintptr_t)b,
				  ttp_prof_dram(NOC_INDEX, TTP_RISC, held), w * 4,
				  TTP_WRITE_UNICAST, 1);
		/* The buffer is written anew at once. */
		ttp_noc_wait_counter(NOC_INDEX, TTP_NIU_WRITES_SENT, s->writes_sent[NOC_INDEX]);
		c[TTP_PROF_HOST_END + TTP_RISC] = held + w;
	} else {
		c[TTP_PROF_DROPPED] |= 1u << TTP_RISC;
		ttp_prof_extra()->dram_lost[TTP_RISC] += ttp_markers_count(b, TTP_PROF_CUSTOM, w);
	}
	s->marker = (uint32_t *)(uintptr_t)(b + TTP_PROF_CUSTOM);
}

/* Room for `words`, for the zone of a push and for its padding; a push if there is not. */
TTP_INLINE void ttp_push_if_full(unsigned words)
{
	if (__builtin_expect(TTP_STATE->room < (int32_t)words + 6, 0))
		ttp_quick_push();
}

TTP_INLINE void ttp_noc_event(unsigned type, uint64_t addr, bool multicast, uint32_t bytes,
			      unsigned vc, bool posted, unsigned noc)
{
	uint32_t mid = (uint32_t)(addr >> 32), chunks = (bytes + 31) / 32;
	uint32_t low = type | (mid >> 4 & 63) << 8 | (mid >> 10 & 63) << 16, high;

	if (chunks > 255)
		chunks = 255;
	if (multicast) { /* near corner first; the far one follows */
		low = type | (mid >> 16 & 63) << 8 | (mid >> 22 & 63) << 16 | (mid >> 4 & 63) << 24;
		high = mid >> 10 & 63;
	} else {
		high = 0;
	}
	high |= (noc + 1) << 8 | vc << 12 | chunks << 16 | (uint32_t)posted << 24;
	ttp_push_if_full(4);
	ttp_marker_data(TTP_ID_NOC_TRACE, (uint64_t)high << 32 | low);
}

#define TTP_NOC_EVENT(type, addr, bytes, vc, posted, noc) \
	ttp_noc_event(TTP_NOC_EVENT_##type, addr, false, bytes, vc, posted, noc)
#define TTP_NOC_EVENT_MCAST(type, addr, bytes, vc, posted, noc) \
	ttp_noc_event(TTP_NOC_EVENT_##type, addr, true, bytes, vc, posted, noc)
#define NOC_TRACE_QUICK_PUSH_IF_LINKED(buffer, linked) \
	do {                                           \
		if (linked)                            \
			ttp_push_if_full(32);          \
	} while (0)
#define RECORD_NOC_EVENT(type, posted, noc) TTP_NOC_EVENT(type, 0, 0, 0, posted, noc)
#define RECORD_NOC_EVENT_WITH_ADDR(type, l1, addr, bytes, vc, posted, noc) \
	TTP_NOC_EVENT(type, addr, bytes, vc, posted, noc)
#else
#define TTP_NOC_EVENT(type, addr, bytes, vc, posted, noc)                  ((void)0)
#define TTP_NOC_EVENT_MCAST(type, addr, bytes, vc, posted, noc)            ((void)0)
#define NOC_TRACE_QUICK_PUSH_IF_LINKED(buffer, linked)                     ((void)0)
#define RECORD_NOC_EVENT(type, posted, noc)                                ((void)0)
#define RECORD_NOC_EVENT_WITH_ADDR(type, l1, addr, bytes, vc, posted, noc) ((void)0)
#endif

#endif /* TTP_KERNEL_NOC_EVENTS_H */
