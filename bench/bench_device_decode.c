// SPDX-License-Identifier: Apache-2.0
/*
 * Markers from the words of a core's buffer, as programs with zones leave them, beside a loop that looks at every pair
 * of the same words once.  CPU time, interleaved, median of 11.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ttp/kernel/layout.h>

#include "base/clock.h"
#include "device/markers.h"

enum { ROUNDS = 11, PROGRAMS = 20000, ZONES = 20, PART = TTP_PROF_CUSTOM + 4 * ZONES };

struct seen {
	uint64_t markers, sum;
};

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void put(uint32_t *w, uint32_t type, uint32_t id, uint64_t time)
{
	w[0] = TTP_PROF_BLANK | type << 28 | id << 12 | (uint32_t)(time >> 32 & 0xFFF);
	w[1] = (uint32_t)time;
}

static void fill(uint32_t *w)
{
	uint64_t time = 5000000000;

	for (uint32_t p = 0; p < PROGRAMS; p++, w += PART) {
		uint32_t *zone = w + TTP_PROF_CUSTOM;

		w[0] = w[1] = 0;
		w[2] = 0; /* BRISC of the first core */
		w[3] = p + 1;
		put(w + TTP_PROF_FW_START, TTP_MARKER_ZONE_START, 2467, time += 50);
		put(w + TTP_PROF_KERNEL_START, TTP_MARKER_ZONE_START, 57012, time += 50);
		for (int i = 0; i < ZONES; i++, zone += 4) {
			put(zone, TTP_MARKER_ZONE_START, 40000 + (uint32_t)i, time += 40);
			put(zone + 2, TTP_MARKER_ZONE_END, 40000 + (uint32_t)i, time += 90);
		}
		put(w + TTP_PROF_KERNEL_END, TTP_MARKER_ZONE_END, 57012, time += 50);
		put(w + TTP_PROF_FW_END, TTP_MARKER_ZONE_END, 2467, time += 50);
	}
}

static void on_marker(void *ctx, const struct device_marker *m)
{
	struct seen *s = ctx;

	s->markers++;
	s->sum += m->cycles + m->id;
}

static int64_t decode(const uint32_t *words, struct seen *seen)
{
	int64_t start = clock_process_cpu_ns();
	struct marker_decoder d = { 0 };

	markers_decode(&d, words, (size_t)PROGRAMS * PART, on_marker, seen, NULL);
	if (d.damaged_slots || d.lost_parts)
		abort();
	return clock_process_cpu_ns() - start;
}

/* What has to be looked at at least: each pair, its type and its time. */
static int64_t look(const uint32_t *words, uint64_t *sum)
{
	int64_t start = clock_process_cpu_ns();

	for (size_t i = 0; i < (size_t)PROGRAMS * PART; i += 2) {
		*sum += words[i + 1] + (words[i] >> 28 & 7);
		__asm__ volatile("" : "+r"(i)); /* one after the other */
	}
	return clock_process_cpu_ns() - start;
}

int main(void)
{
	uint32_t *words = malloc(sizeof(*words) * PROGRAMS * PART);
	int64_t ours[ROUNDS], floor[ROUNDS];
	struct seen seen = { 0 };
	uint64_t sum = 0;

	if (!words)
		return 1;
	fill(words);
	for (int i = 0; i < ROUNDS; i++) {
		seen = (struct seen){ 0 };
		ours[i] = decode(words, &seen);
		floor[i] = look(words, &sum);
	}
	if (seen.markers != (uint64_t)PROGRAMS * (4 + 2 * ZONES) || !sum)
		return 1;
	qsort(ours, ROUNDS, sizeof(*ours), by_value);
	qsort(floor, ROUNDS, sizeof(*floor), by_value);
	printf("{\"bench\":\"device_decode\",\"markers\":%llu,\"ns_per_marker\":%.2f,"
	       "\"million_per_s\":%.1f,\"floor_million_per_s\":%.1f,\"times_the_floor\":%.2f}\n",
	       (unsigned long long)seen.markers, (double)ours[ROUNDS / 2] / (double)seen.markers,
	       (double)seen.markers * 1e3 / (double)ours[ROUNDS / 2],
	       (double)seen.markers * 1e3 / (double)floor[ROUNDS / 2],
	       (double)ours[ROUNDS / 2] / (double)floor[ROUNDS / 2]);
	free(words);
	return 0;
}
