// SPDX-License-Identifier: Apache-2.0
/*
 * What recording costs, one JSON line each: bursts of zones beside reads of the timer, CPU time of the thread, median of 21 such
 * ratios, on one thread and on two; a spool to /dev/null is written meanwhile, so that storage is used again and again.
 *
 * A burst of 20,000 zones takes half a millisecond, and is taken in five slices, each between two slices of timer reads, because
 * the processor's speed changes by a fifth from one moment to another; the burst's ratio is the median slice's.  A virtual machine
 * may lose 30 to 100 us to its host every millisecond, and calls it the thread's time: with a burst in one piece half of them were hit,
 * and the median said whether it was a few more or a few less.  A slice is 96 KB, so each has a change of chunks in it.  "of_sums"
 * is all zones' time by all reads', whoever was hit.
 *
 * TRACY_BENCH names a program with the real client that prints ns per zone of a burst, taken the same way; then it is run
 * in between, and the ratio is printed too.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "ttp/client.h"

enum { SLICES = 5, SLICE = 4000, ROUNDS = 21, CONTEXTS = 1000, DEVICE_BURST = 10000 };

static const struct ttp_location outer = { "outer", "burst", "bench_client.c", 1, 0 };
static const struct ttp_location inner = { "inner", "burst", "bench_client.c", 2, 0 };

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Of this thread: what others do on the machine, and the sender of ours, is not in it. */
static int64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median_of(double *v, size_t n)
{
	qsort(v, n, sizeof(*v), by_value);
	return v[n / 2];
}

static double median(double *v)
{
	return median_of(v, ROUNDS);
}

static inline uint64_t timer(void)
{
#ifdef __x86_64__
	return __builtin_ia32_rdtsc();
#else
	return (uint64_t)now_ns();
#endif
}

static double zones(void)
{
	int64_t start = cpu_ns();

	for (int i = 0; i < SLICE / 2; i++) {
		ttp_zone_begin(&outer);
		ttp_zone_begin(&inner);
		ttp_zone_end();
		ttp_zone_end();
	}
	return (double)(cpu_ns() - start) / SLICE;
}

static double timers(void)
{
	volatile uint64_t sink;
	int64_t start = cpu_ns();

	for (int i = 0; i < SLICE; i++) {
		sink = timer();
		sink = timer();
	}
	(void)sink;
	return (double)(cpu_ns() - start) / SLICE;
}

static void rest(void)
{
	const struct timespec pause = { .tv_nsec = 20000000 };

	nanosleep(&pause, NULL);
}

struct burst {
	double zone, timers, ratio; /* of its median slice */
	double zones_sum, timers_sum;
};

static struct burst burst(void)
{
	double zone[SLICES], reads[SLICES], ratio[SLICES], before = timers();
	struct burst b = { 0 };

	for (int i = 0; i < SLICES; i++) {
		double after;

		zone[i] = zones();
		after = timers();
		reads[i] = (before + after) / 2;
		ratio[i] = zone[i] / reads[i];
		before = after;
		b.zones_sum += zone[i];
		b.timers_sum += reads[i];
	}
	b.zone = median_of(zone, SLICES);
	b.timers = median_of(reads, SLICES);
	b.ratio = median_of(ratio, SLICES);
	return b;
}

static void *measure(void *number)
{
	double zone[ROUNDS], floor_ns[ROUNDS], ratio[ROUNDS], zones_sum = 0, timers_sum = 0;

	burst();
	rest();
	for (int r = 0; r < ROUNDS; r++) {
		struct burst b = burst();

		zone[r] = b.zone;
		floor_ns[r] = b.timers;
		ratio[r] = b.ratio;
		zones_sum += b.zones_sum;
		timers_sum += b.timers_sum;
		rest();
	}
	median(zone);
	median(floor_ns);
	printf("{\"bench\": \"zone\", \"thread\": %d, \"best_ns\": %.2f, \"median_ns\": %.2f, "
	       "\"two_timer_reads_ns\": %.2f, \"ratio\": %.3f, \"ratio_best\": %.3f, \"of_sums\": %.3f}\n",
	       *(const int *)number, zone[0], zone[ROUNDS / 2], floor_ns[ROUNDS / 2], median(ratio),
	       zone[0] / floor_ns[0], zones_sum / timers_sum);
	return NULL;
}

static void on_threads(int n)
{
	pthread_t threads[16];
	int numbers[16];

	for (int i = 0; i < n; i++) {
		numbers[i] = n * 10 + i;
		pthread_create(&threads[i], NULL, measure, &numbers[i]);
	}
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
}

static long resident_kb(void)
{
	long pages = 0, ignored = 0;
	FILE *f = fopen("/proc/self/statm", "r");

	if (f && fscanf(f, "%ld %ld", &ignored, &pages) != 2)
		pages = 0;
	if (f)
		fclose(f);
	return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void devices(void)
{
	static ttp_device core[CONTEXTS];
	double took[ROUNDS], by_text[ROUNDS];
	long before = resident_kb();
	int64_t start;

	ttp_start();
	start = now_ns();
	for (int i = 0; i < CONTEXTS; i++) {
		core[i] = ttp_device_new((uint32_t)i / 100);
		ttp_device_name(core[i], "Device: 0, core 1,1", 19);
		ttp_device_start(core[i], ttp_now(), 1000, 1.0);
	}
	printf("{\"bench\": \"contexts\", \"count\": %d, \"ms\": %.3f, \"kb\": %ld}\n", CONTEXTS,
	       (double)(now_ns() - start) / 1e6, resident_kb() - before);
	for (int r = 0; r < ROUNDS; r++) {
		rest();
		start = cpu_ns();
		for (uint64_t i = 0; i < DEVICE_BURST; i++) {
			ttp_device_zone_begin(core[i % CONTEXTS], 1, &outer, 2000 + i * 100);
			ttp_device_zone_end(core[i % CONTEXTS], 1, 2050 + i * 100);
		}
		took[r] = (double)(cpu_ns() - start) / DEVICE_BURST;
		rest();
		start = cpu_ns();
		for (uint64_t i = 0; i < DEVICE_BURST; i++) {
			const struct ttp_location *l = ttp_location_intern(
				"BRISC-KERNEL", 12, "OP ID:1024", 10, "reader_unary.cpp", 16, 7, 1);

			ttp_device_zone(core[i % CONTEXTS], 1, l, 2000 + i * 100, 2050 + i * 100);
		}
		by_text[r] = (double)(cpu_ns() - start) / DEVICE_BURST;
	}
	printf("{\"bench\": \"device_zone\", \"median_ns\": %.1f, \"by_text_median_ns\": %.1f}\n",
	       median(took), median(by_text));
}

static void bytes(void)
{
	struct ttp_stats before, after;
	int n = 1000000;

	rest();
	ttp_stats(&before, sizeof(before));
	for (int i = 0; i < n; i++) {
		ttp_zone_begin(&outer);
		ttp_zone_end();
	}
	ttp_stats(&after, sizeof(after));
	printf("{\"bench\": \"bytes\", \"per_zone\": %.2f, \"dropped\": %llu}\n",
	       (double)(after.bytes_pooled - before.bytes_pooled) / n,
	       (unsigned long long)after.zones_dropped);
}

static void peer(void)
{
	const char *program = getenv("TRACY_BENCH"); // NOLINT(concurrency-mt-unsafe)
	double theirs[ROUNDS], ours[ROUNDS];

	if (!program)
		return;
	for (int r = 0; r < ROUNDS; r++) {
		FILE *f = popen(program, "r"); // NOLINT(cert-env33-c)

		if (!f || fscanf(f, "%lf", &theirs[r]) != 1)
			theirs[r] = 0;
		if (f)
			pclose(f);
		ours[r] = burst().zone;
		rest();
	}
	median(theirs);
	median(ours);
	printf("{\"bench\": \"real_client\", \"theirs_ns\": %.2f, \"ours_ns\": %.2f, \"ratio\": %.3f}\n",
	       theirs[ROUNDS / 2], ours[ROUNDS / 2], ours[ROUNDS / 2] / theirs[ROUNDS / 2]);
}

int main(void)
{
	/* Without a reader first: what is kept can be counted. */
	bytes();
	ttp_start_file("/dev/null");
	rest();
	on_threads(1);
	on_threads(2);
	devices();
	peer();
	return 0;
}
