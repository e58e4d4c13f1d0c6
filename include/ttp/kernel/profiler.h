/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Markers: what a kernel records about itself.
 *
 *	DeviceZoneScopedN("LoadData");		from here to the end of the block
 *	DeviceZoneScopedMainN("MAIN");		the same, and there is always room for it (once per launch)
 *	DeviceZoneScopedMainChildN("LOOP");	likewise
 *	DeviceZoneScopedSumN1("Wait");		adds up; one marker per launch (TT_METAL_PROFILER_SUM)
 *	DeviceTimestampedData("n", value);	64 bits with a time
 *	DeviceRecordEvent(7);			a number with a time
 *	DeviceValidateProfiler(ok);		false: nothing of this launch on this tile is kept
 *
 * Words, ids and addresses are tt-metal's (docs/reference/formats/device-layout.md), so its tools read them.  Names
 * are not in the markers: file, line and name go into the ELF section .ttp.zones, which takes no room
 * on the device.
 *
 * When the buffer is full, further markers are counted instead of kept, whole zones at a time.
 * Without PROFILE_KERNEL all of this compiles to nothing.
 */
#ifndef TTP_KERNEL_PROFILER_H
#define TTP_KERNEL_PROFILER_H

#include "ttp/kernel/hw.h"

#ifndef PROFILE_KERNEL
#define PROFILE_KERNEL 0
#endif
#define TTP_PROFILE_ON  (PROFILE_KERNEL & 1)
#define TTP_PROFILE_SUM (PROFILE_KERNEL & 8)

#define TTP_TEXT_(x)    #x
#define TTP_TEXT(x)     TTP_TEXT_(x)
#define TTP_JOIN_(a, b) a##b
#define TTP_JOIN(a, b)  TTP_JOIN_(a, b)

#if TTP_PROFILE_ON

/*
 * FNV-1a of the source location, folded to 16 bits.  Bytes are unsigned, here and on the host.  Written out, so
 * that a compiler makes a constant of it without being asked nicely.
 */
#define TTP_H1(i)  h = (i) < n ? (h ^ (uint8_t)s[(i) < n ? (i) : 0]) * 16777619u : h;
#define TTP_H4(i)  TTP_H1(i) TTP_H1((i) + 1) TTP_H1((i) + 2) TTP_H1((i) + 3)
#define TTP_H16(i) TTP_H4(i) TTP_H4((i) + 4) TTP_H4((i) + 8) TTP_H4((i) + 12)
#define TTP_H64(i) TTP_H16(i) TTP_H16((i) + 16) TTP_H16((i) + 32) TTP_H16((i) + 48)

#if defined(__cplusplus)
static constexpr uint32_t ttp_hash16(const char *s, unsigned n)
{
	uint32_t h = 2166136261u;

	for (unsigned i = 0; i < n; i++)
		h = (h ^ (uint8_t)s[i]) * 16777619u;
	return (h & 0xFFFF) ^ (h >> 16);
}
template <uint32_t value> constexpr uint32_t ttp_constant = value;
#define TTP_PLACE_ID(name) (ttp_constant<ttp_hash16(TTP_PLACE(name), sizeof(TTP_PLACE(name)) - 1)>)
#else
TTP_INLINE uint32_t ttp_hash16(const char *s, unsigned n)
{
	uint32_t h = 2166136261u;

	/* clang-format off */
	TTP_H64(0u)
	TTP_H64(64u)
	TTP_H64(128u)
	TTP_H64(192u)
	/* clang-format on */
	for (unsigned i = 256; i < n; i++)
		h = (h ^ (uint8_t)s[i]) * 16777619u;
	return (h & 0xFFFF) ^ (h >> 16);
}
#define TTP_PLACE_ID(name) ttp_hash16(TTP_PLACE(name), sizeof(TTP_PLACE(name)) - 1)
#endif
#define TTP_PLACE(name) name "," __FILE__ "," TTP_TEXT(__LINE__) ",KERNEL_PROFILER"

/* The source location for the host: name, file, line.  The spelling of the literals passes through the assembler. */
#define TTP_PLACE_RECORD(name)                                                              \
	__asm__ volatile(                                                                   \
		".pushsection .ttp.zones\n\t.asciz " TTP_TEXT(name) "\n\t.asciz " TTP_TEXT( \
			__FILE__) "\n\t.4byte " TTP_TEXT(__LINE__) "\n\t.popsection")

/* Both at once, because the line is part of the id. */
#define TTP_PLACE_AND_ID(id, name) \
	TTP_PLACE_RECORD(name);    \
	const uint32_t id = TTP_PLACE_ID(name)

#define TTP_MARKER(type, id) (0x80000000u | (uint32_t)(type) << 28 | (uint32_t)(id) << 12)

TTP_INLINE volatile uint32_t *ttp_prof_ctrl(void)
{
	return TTP_L1(TTP_L1_PROF_CTRL);
}

TTP_INLINE volatile uint32_t *ttp_prof_buffer(unsigned risc)
{
	return TTP_L1(TTP_L1_PROF_BUFFER + risc * 4 * TTP_PROF_WORDS);
}

TTP_INLINE void ttp_marker_write(volatile uint32_t *at, uint32_t word, struct ttp_time loaded)
{
	struct ttp_time t = ttp_time_checked(loaded);

	at[0] = word | (t.high & 0xFFF);
	at[1] = t.low;
}

/* Markers in some words of a buffer, as the host would count them. */
TTP_OUTLINE uint32_t ttp_markers_count(volatile uint32_t *b, uint32_t from, uint32_t to)
{
	uint32_t n = 0;

	while (from < to) {
		uint32_t h = b[from], type = h >> 28 & 7;

		n += h != TTP_PROF_BLANK;
		from += type == TTP_MARKER_DATA ? 4 : type == TTP_MARKER_DATA_16B ? 6 : 2;
	}
	return n;
}

TTP_INLINE volatile struct ttp_prof_extra *ttp_prof_extra(void)
{
	return (volatile struct ttp_prof_extra *)(uintptr_t)TTP_L1_PROF_EXTRA;
}

/* Until the host has read a core's part of DRAM, if it does; what is held there then. */
TTP_INLINE uint32_t ttp_prof_wait_read(unsigned risc)
{
	volatile uint32_t *c = ttp_prof_ctrl();

	if (TTP_MAILBOX->profiler_waits) {
		c[TTP_PROF_WAITING + risc] = TTP_PROF_FULL;
		while (c[TTP_PROF_WAITING + risc] == TTP_PROF_FULL)
			;
	}
	return c[TTP_PROF_HOST_END + risc];
}

/* A marker of two words at a given address. */
TTP_INLINE void ttp_marker_at(volatile uint32_t *at, uint32_t word)
{
	ttp_marker_write(at, word, ttp_time_load());
}

/* The next one; who calls it has made sure that there is room. */
TTP_INLINE void ttp_marker_next(uint32_t word)
{
	struct ttp_time t = ttp_time_load();
	uint32_t *at;

	/* While the clock is being loaded: all that does not need it. */
	TTP_LOCAL_LOAD(at, marker);
	__asm__ volatile("" : "+r"(word));
	TTP_LOCAL_STORE(at + 2, marker);
	ttp_marker_write(at, word, t);
}

struct ttp_zone {
	uint32_t end_word; /* 0: it was not started */
};

/*
 * Takes the four words of both markers; the end then needs no question.  The clock is asked first and
 * the word is ready before the question whether there is room: all of it fits into the seven cycles of
 * the loads.
 */
TTP_INLINE struct ttp_zone ttp_zone_begin(uint32_t id)
{
	struct ttp_time t = ttp_time_load();
	struct ttp_zone z = { 0 };
	uint32_t word = TTP_MARKER(TTP_MARKER_ZONE_START, id);
	uint32_t *at, *next;
	int32_t room;

	TTP_LOCAL_LOAD(at, marker);
	TTP_LOCAL_LOAD(room, room);
	next = at + 2;
	room -= 4;
	__asm__ volatile("" : "+r"(next), "+r"(room), "+r"(word));
	t = ttp_time_checked(t);
	uint32_t stamped = word | (t.high & 0xFFF);

	__asm__ volatile("" : "+r"(stamped)); /* or it is moved behind the question */
	if (__builtin_expect(room >= 0, 1)) {
		TTP_LOCAL_STORE(room, room);
		TTP_LOCAL_STORE(next, marker);
		((volatile uint32_t *)at)[0] = stamped;
		((volatile uint32_t *)at)[1] = t.low;
		z.end_word = TTP_MARKER(TTP_MARKER_ZONE_END, id);
	} else {
		TTP_STATE->lost += 2;
	}
	return z;
}

TTP_INLINE void ttp_zone_end(struct ttp_zone *z)
{
	if (__builtin_expect(z->end_word != 0, 1))
		ttp_marker_next(z->end_word);
}

/*
 * The first time in a launch its room, set aside when the kernel began, is given back for it: four
 * words, its two markers.
 */
TTP_INLINE struct ttp_zone ttp_zone_begin_kept(uint32_t id, uint8_t *used)
{
	if (!*used) {
		*used = 1;
		TTP_STATE->room += 4;
	}
	return ttp_zone_begin(id);
}

#define TTP_ZONE(name, begin)   \
	TTP_PLACE_RECORD(name); \
	__attribute__((cleanup(ttp_zone_end))) struct ttp_zone TTP_JOIN(ttp_zone_, __LINE__) = begin

#define DeviceZoneScopedN(name) TTP_ZONE(name, ttp_zone_begin(TTP_PLACE_ID(name)))

/* Kept zones of a kernel: bit 0 main, bit 1 its child, for the code that sets the room aside. */
extern uint8_t ttp_kept_main_used, ttp_kept_child_used;
#define TTP_KEEP(symbol) __asm__ volatile(".globl " symbol "\n\t.set " symbol ", 1")
#define DeviceZoneScopedMainN(name) \
	TTP_KEEP("ttp_keeps_main"); \
	TTP_ZONE(name, ttp_zone_begin_kept(TTP_PLACE_ID(name), &ttp_kept_main_used))
#define DeviceZoneScopedMainChildN(name) \
	TTP_KEEP("ttp_keeps_child");     \
	TTP_ZONE(name, ttp_zone_begin_kept(TTP_PLACE_ID(name), &ttp_kept_child_used))

/* Takes `words` if they are there; counted as lost if not. */
TTP_INLINE bool ttp_marker_room(int32_t words)
{
	struct ttp_local *s = TTP_STATE;

	if (__builtin_expect(s->room >= words, 1)) {
		s->room -= words;
		return true;
	}
	s->lost++;
	return false;
}

TTP_INLINE void ttp_marker_data(uint32_t id, uint64_t value)
{
	if (ttp_marker_room(4)) {
		volatile uint32_t *at = TTP_STATE->marker;

		ttp_marker_next(TTP_MARKER(TTP_MARKER_DATA, id));
		at[2] = (uint32_t)(value >> 32);
		at[3] = (uint32_t)value;
		TTP_STATE->marker += 2;
	}
}
#define DeviceTimestampedData(name, value)                              \
	do {                                                            \
		TTP_PLACE_RECORD(name);                                 \
		ttp_marker_data(TTP_PLACE_ID(name), (uint64_t)(value)); \
	} while (0)

TTP_INLINE void ttp_marker_event(uint32_t id)
{
	if (ttp_marker_room(2))
		ttp_marker_next(TTP_MARKER(TTP_MARKER_EVENT, id & 0xFFFF));
}
#define DeviceRecordEvent(id) ttp_marker_event((uint32_t)(id))

TTP_INLINE void ttp_profiler_validate(bool valid)
{
	ttp_prof_ctrl()[TTP_PROF_DONE] = !valid;
}
#define DeviceValidateProfiler(valid) ttp_profiler_validate(valid)

TTP_INLINE void ttp_profiler_set_counter(uint32_t id)
{
	for (unsigned r = 0; r < TTP_RISCS; r++)
		ttp_prof_buffer(r)[TTP_PROF_ID_LL] = id;
}
#define DeviceZoneSetCounter(id) ttp_profiler_set_counter(id)

#if TTP_PROFILE_SUM
struct ttp_sum_zone {
	uint32_t id;
	struct ttp_time start;
};

/* The slot of a sum: where the macro says, or any free one if another source location has that. */
TTP_OUTLINE int ttp_sum_slot(uint32_t id)
{
	struct ttp_local *s = TTP_STATE;

	for (int i = 0; i < TTP_SUMS; i++)
		if (s->sum_id[i] == id + 1)
			return i;
	for (int i = 0; i < TTP_SUMS; i++)
		if (!s->sum_id[i]) {
			s->sum_id[i] = id + 1;
			return i;
		}
	return -1;
}

TTP_INLINE struct ttp_sum_zone ttp_sum_begin(uint32_t id)
{
	struct ttp_sum_zone z = { id, ttp_time_now() };

	return z;
}

TTP_INLINE void ttp_sum_end(struct ttp_sum_zone *z)
{
	struct ttp_local *s = TTP_STATE;
	struct ttp_time t = ttp_time_now();
	uint32_t took = t.low - z->start.low,
		 high = t.high - z->start.high - (t.low < z->start.low);
	int slot = ttp_sum_slot(z->id);

	if (slot < 0) {
		s->sums_lost++;
	} else if (high || s->sum[slot] + took < took) {
		if (s->sum[slot] != UINT32_MAX)
			s->saturated++;
		s->sum[slot] = UINT32_MAX;
	} else {
		s->sum[slot] += took;
	}
}

#define TTP_SUM_ZONE(name)                                                                       \
	TTP_PLACE_RECORD(name);                                                                  \
	__attribute__((cleanup(ttp_sum_end))) struct ttp_sum_zone TTP_JOIN(ttp_sum_, __LINE__) = \
		ttp_sum_begin(TTP_PLACE_ID(name))
#define DeviceZoneScopedSumN1(name) TTP_SUM_ZONE(name)
#define DeviceZoneScopedSumN2(name) TTP_SUM_ZONE(name)
#else
#define DeviceZoneScopedSumN1(name) (void)sizeof(name)
#define DeviceZoneScopedSumN2(name) (void)sizeof(name)
#endif

#else /* not profiled: arguments are still checked */

#define DeviceZoneScopedN(name)            (void)sizeof(name)
#define DeviceZoneScopedMainN(name)        (void)sizeof(name)
#define DeviceZoneScopedMainChildN(name)   (void)sizeof(name)
#define DeviceZoneScopedSumN1(name)        (void)sizeof(name)
#define DeviceZoneScopedSumN2(name)        (void)sizeof(name)
#define DeviceTimestampedData(name, value) ((void)sizeof(name), (void)(value))
#define DeviceRecordEvent(id)              ((void)(id))
#define DeviceValidateProfiler(valid)      ((void)(valid))
#define DeviceZoneSetCounter(id)           ((void)(id))

#endif

/* What tt-metal's firmware calls; here the firmware does it by itself. */
#define DeviceProfilerInit()          ((void)0)
#define DeviceTraceOnlyProfilerInit() ((void)0)
#define DeviceIncrementTraceCount()   ((void)0)

#endif /* TTP_KERNEL_PROFILER_H */
