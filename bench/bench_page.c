// SPDX-License-Identifier: Apache-2.0
/*
 * bench_page [ZONES [FILE]]: how fast a page is written, and how large it gets: zones of 140 cores x 5 RISCs x 2 depths (1,000,000
 * of them), as a device log would give them.  A JSON line with the median of 11 rounds: CPU time of all threads, and time by the
 * clock.  A second line: how much longer four times as many devices take, as a damaged log may name them.  With FILE one page of them is written there, for benchmarks of the page itself; no time is taken then.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "web/build.h"
#include "web/page_file.h"

enum { ROUNDS = 11, CORES = 140, RISCS = 5, NAMES = 40 };

static uint64_t seed = 88172645463325252ull;

static uint32_t any(uint32_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed % below);
}

/* Firmware and a kernel in it, again and again; kernels of one core differ by a few percent. */
static void fill(struct page *p, size_t zones)
{
	static const char *const riscs[] = { "BRISC", "NCRISC", "TRISC_0", "TRISC_1", "TRISC_2" };
	size_t each = zones / (CORES * RISCS * 2) + 1;
	uint32_t names[NAMES], fw = page_text_of(p, "BRISC-FW");
	char text[32];

	for (int i = 0; i < NAMES; i++) {
		(void)snprintf(text, sizeof(text), "kernel_%d", i);
		names[i] = page_text_of(p, text);
	}
	for (int c = 0; c < CORES; c++)
		for (int r = 0; r < RISCS; r++) {
			uint32_t risc = page_risc_lane(p, 0, str_of(riscs[r]));
			uint32_t lane =
				page_lane(p, LANE_CORE, risc, names[c % NAMES], (uint64_t)c);
			uint32_t below;
			int64_t at = 1000;

			p->lanes.at[lane].device = 0;
			p->lanes.at[lane].x = c % 14;
			p->lanes.at[lane].y = c / 14;
			below = page_lane_below(p, lane);
			for (uint32_t i = 0; i < each; i++) {
				int64_t took = 5000 + i % 97 * 100 + any(300);

				(void)page_zone(p, lane, at, at + took, fw, i + 1);
				(void)page_zone(p, below, at + 200 + any(8),
						at + took - 90 - any(8), names[i % NAMES], i + 1);
				at += took + 700 + any(200);
			}
		}
	p->ops_n = each;
	p->has_ops = true;
}

static double cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static int write_one(size_t zones, const char *path)
{
	struct packed_pages k = { 0 };
	struct out_file f;
	struct ttp_err e;
	struct str page;
	struct page p;

	if (web_template(&page, &e) || out_file_open(&f, path, &e)) {
		(void)fprintf(stderr, "bench_page: %s\n", e.msg);
		return 1;
	}
	page_init(&p);
	fill(&p, zones);
	page_finish(&p);
	*vec_push(&k.runs) = (struct packed_page){ 0 };
	page_pack(&k.runs.at[0], &p, "ttprof bench", 0, false);
	page_file_write(&k, page, &f.out);
	packed_pages_release(&k);
	page_release(&p);
	if (out_file_commit(&f, &e)) {
		(void)fprintf(stderr, "bench_page: %s\n", e.msg);
		return 1;
	}
	return 0;
}

/* CPU time of a page of that many devices, each with a zone. */
static double devices_s(uint32_t devices)
{
	double start = cpu_s();
	struct packed_page k = { 0 };
	struct page p;

	page_init(&p);
	for (uint32_t d = 0; d < devices; d++) {
		uint32_t lane = page_lane(&p, LANE_CORE, page_risc_lane(&p, d, STR("BRISC")), 0, 0);

		p.lanes.at[lane].device = (int32_t)d;
		p.lanes.at[lane].x = p.lanes.at[lane].y = 1;
		(void)page_zone(&p, lane, d, d + 1, 0, 0);
	}
	page_finish(&p);
	page_pack(&k, &p, "ttprof bench", 0, false);
	packed_page_release(&k);
	page_release(&p);
	return cpu_s() - start;
}

static void bench_devices(void)
{
	enum { FEW = 10000 };
	double few[ROUNDS], ratio[ROUNDS];

	for (int i = 0; i < ROUNDS; i++) {
		few[i] = devices_s(FEW);
		ratio[i] = devices_s(4 * FEW) / few[i];
	}
	qsort(few, ROUNDS, sizeof(*few), by_value);
	qsort(ratio, ROUNDS, sizeof(*ratio), by_value);
	printf("{\"bench\": \"page_devices\", \"devices\": %d, \"cpu_s\": %.3f, \"four_times_as_many\": %.2f}\n",
	       FEW, few[ROUNDS / 2], ratio[ROUNDS / 2]);
}

int main(int argc, char **argv)
{
	size_t zones = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 1000000;
	double cpu[ROUNDS], wall[ROUNDS];
	uint64_t bytes = 0, written = 0;

	if (argc > 2)
		return write_one(zones, argv[2]);
	for (int i = 0; i < ROUNDS; i++) {
		int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
		struct packed_pages k = { 0 };
		struct ttp_err e;
		struct page p;
		struct out to;
		double start;
		int64_t from;

		page_init(&p);
		seed = 88172645463325252ull;
		fill(&p, zones);
		out_init(&to, null, "/dev/null");
		start = cpu_s();
		from = clock_mono_ns();
		page_finish(&p);
		*vec_push(&k.runs) = (struct packed_page){ 0 };
		page_pack(&k.runs.at[0], &p, "ttprof bench", 0, false);
		page_data_write(&k, &to);
		if (out_finish(&to, &e))
			return 1;
		cpu[i] = cpu_s() - start;
		wall[i] = (double)(clock_mono_ns() - from) / 1e9;
		bytes = page_file_bytes(&k);
		written = p.zones;
		packed_pages_release(&k);
		page_release(&p);
		(void)close(null);
	}
	qsort(cpu, ROUNDS, sizeof(*cpu), by_value);
	qsort(wall, ROUNDS, sizeof(*wall), by_value);
	printf("{\"bench\": \"page\", \"zones\": %llu, \"bytes_per_zone\": %.2f, \"cpu_s\": %.3f, \"wall_s\": %.3f, "
	       "\"zones_per_cpu_s\": %.0f, \"zones_per_s\": %.0f}\n",
	       (unsigned long long)written, (double)bytes / (double)written, cpu[ROUNDS / 2],
	       wall[ROUNDS / 2], (double)written / cpu[ROUNDS / 2],
	       (double)written / wall[ROUNDS / 2]);
	bench_devices();
	return 0;
}
