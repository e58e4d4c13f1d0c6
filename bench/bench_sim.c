// SPDX-License-Identifier: Apache-2.0
/*
 * The embedded chip: instructions per second, and cycles per second of a program that streams pages from
 * DRAM and back on 64 tiles x 5 cores (tests/unit/sim_stream.h without compute); beside it libttsim on the same
 * code, if TTP_TTSIM names one.  Rounds are interleaved, each in a child; CPU time, medians.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim/sim.h"

#define fail_msg(...) (fprintf(stderr, __VA_ARGS__), fputc('\n', stderr), _exit(1))
#include "../tests/unit/sim_stream.h"
#include "../tests/unit/ttsim_direct.h"

enum { ROUNDS = 11, PAGES = 200, TTSIM_PAGES = 200, TILES_MAX = 128 };

/* What a round tells its parent. */
struct round {
	double seconds;
	uint64_t cycles, instructions, interpreted, packets;
	long rss_kib;
};

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* A mix without waiting: adds, shifts, a product, local and L1 memory, branches. */
static void busy_loop(struct code *c, uint32_t rounds)
{
	int loop;

	li(c, S0, 0);
	li(c, S1, rounds);
	li(c, A2, 0x30000);
	li(c, A3, 0xFFB00000);
	loop = here(c);
	addi(c, A0, A0, 3);
	xor_(c, A1, A1, A0);
	slli(c, A4, A1, 3);
	add(c, A1, A1, A4);
	sw(c, A1, A3, 0);
	srli(c, A5, A1, 5);
	add(c, A0, A0, A5);
	lw(c, A6, A3, 4);
	andi(c, A5, A5, 63);
	bne(c, A5, ZERO, here(c) + 2);
	mul(c, A1, A1, A0);
	add(c, A0, A0, A6);
	addi(c, S0, S0, 1);
	blt(c, S0, S1, loop);
	stop(c);
}

static void busy(struct round *r, int tiles, unsigned cores, uint32_t rounds)
{
	struct port *p = chip_open(NULL);
	static struct code c;
	struct sim_stats stats;
	double start;
	int n = 0;

	for (int y = 0; y < p->info.height; y++)
		for (int x = 0; x < p->info.width; x++) {
			struct tile t = { (uint8_t)x, (uint8_t)y };

			if (p->info.kind[y][x] != TILE_WORKER || n++ >= tiles)
				continue;
			for (int k = 0; k < RISCS; k++) {
				c.base = start_at[k];
				c.len = 0;
				busy_loop(&c, rounds);
				chip_load(p, t, &c);
			}
			chip_start(p, t, cores);
		}
	start = cpu_seconds();
	chip_wait(p, NULL, 0, 1ull << 40, WAIT_IDLE);
	r->seconds = cpu_seconds() - start;
	sim_stats(p, &stats);
	r->instructions = stats.interpreted;
	r->cycles = p->ops->now(p);
	p->ops->close(p);
}

static void one_core(struct round *r)
{
	busy(r, 1, 1, 4000000);
}

static void all_cores(struct round *r)
{
	busy(r, 64, 31, 8000);
}

static void stream(struct round *r)
{
	static struct watch w[TILES_MAX * RISCS];
	struct port *p = chip_open(NULL);
	struct rusage use;
	struct sim_stats stats;
	size_t n = stream_start(p, PAGES, false, w);
	double start = cpu_seconds();

	chip_wait(p, w, n, 1ull << 40, WAIT_ALL);
	r->seconds = cpu_seconds() - start;
	r->cycles = p->ops->now(p);
	sim_stats(p, &stats);
	r->instructions = stats.instructions;
	r->interpreted = stats.interpreted;
	r->packets = stats.packets;
	getrusage(RUSAGE_SELF, &use);
	r->rss_kib = use.ru_maxrss;
	p->ops->close(p);
}

static void stream_ttsim(struct round *r)
{
	static struct watch w[TILES_MAX * RISCS];
	struct port *p = ttsim_open(getenv("TTP_TTSIM"));
	size_t n;
	double start;

	if (!p)
		_exit(1);
	n = stream_start(p, TTSIM_PAGES, false, w);
	start = cpu_seconds();
	if (p->ops->wait(p, w, n, 1ull << 40) != WAIT_ALL)
		_exit(1);
	r->seconds = cpu_seconds() - start;
	r->cycles = p->ops->now(p);
}

static struct round in_child(void (*what)(struct round *))
{
	struct round *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
				    MAP_SHARED | MAP_ANONYMOUS, -1, 0),
		     got;
	pid_t child;
	int status;

	if (shared == MAP_FAILED)
		exit(1);
	memset(shared, 0, sizeof(*shared));
	child = fork();
	if (child == 0) {
		what(shared);
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) < 0 || status) {
		fprintf(stderr, "bench_sim: a round failed\n");
		exit(1);
	}
	got = *shared;
	munmap(shared, sizeof(*shared));
	return got;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double median(double *v, int n)
{
	qsort(v, (size_t)n, sizeof(*v), by_value);
	return v[n / 2];
}

int main(void)
{
	double one[ROUNDS], all[ROUNDS], mhz[ROUNDS], packets[ROUNDS], peer[ROUNDS], page[ROUNDS];
	bool beside = getenv("TTP_TTSIM") != NULL;
	long rss = 0;

	for (int i = 0; i < ROUNDS; i++) {
		struct round r = in_child(one_core);

		one[i] = (double)r.instructions / r.seconds * 1e-6;
		r = in_child(all_cores);
		all[i] = (double)r.instructions / r.seconds * 1e-6;
		r = in_child(stream);
		mhz[i] = (double)r.cycles / r.seconds * 1e-6;
		packets[i] = (double)r.packets / r.seconds;
		page[i] = (double)PAGES / r.seconds;
		rss = r.rss_kib > rss ? r.rss_kib : rss;
		if (beside) {
			r = in_child(stream_ttsim);
			peer[i] = (double)r.cycles / r.seconds * 1e-6;
			page[i] /= (double)TTSIM_PAGES / r.seconds;
		}
	}
	printf("{\"bench\": \"sim\", \"what\": \"busy, 1 tile x 1 core\", \"mips\": %.0f}\n",
	       median(one, ROUNDS));
	printf("{\"bench\": \"sim\", \"what\": \"busy, 64 x 5\", \"mips\": %.0f}\n",
	       median(all, ROUNDS));
	printf("{\"bench\": \"sim\", \"what\": \"DRAM streaming, 64 x 5\", \"mhz\": %.2f, \"packets_per_s\": %.0f, \"rss_mib\": %.0f}\n",
	       median(mhz, ROUNDS), median(packets, ROUNDS), (double)rss / 1024);
	if (beside)
		printf("{\"bench\": \"sim\", \"what\": \"libttsim, the same\", \"mhz\": %.2f, \"pages_ratio\": %.1f}\n",
		       median(peer, ROUNDS), median(page, ROUNDS));
	return 0;
}
