// SPDX-License-Identifier: Apache-2.0
/* Programs whose values must arrive as they are, one per first argument; run_client starts them and knows what they say. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <ttp/client.h>
#include <unistd.h>

static const struct ttp_location place_a = { "a", "probe", "probe_values.c", 1, 0 };
static const struct ttp_location place_b = { "b", "probe", "probe_values.c", 2, 0 };
static const struct ttp_location place_c = { "c", "probe", "probe_values.c", 3, 0 };

static _Atomic int64_t virtual_ns;
static _Atomic int ready, begun;

static int64_t virtual_clock(void)
{
	return virtual_ns;
}

/* cores: two of one chip with the same lanes, whose zones overlap; calibrated at one moment, three times the same */
static int cores(void)
{
	int64_t host = ttp_now();
	ttp_device core[2] = { ttp_device_new(0), ttp_device_new(0) };

	for (int i = 0; i < 2; i++)
		ttp_device_start(core[i], host, 1000, 1.0);
	ttp_device_zone_begin(core[0], 0, &place_a, 10000);
	ttp_device_zone_begin(core[1], 0, &place_b, 20000);
	ttp_device_zone_end(core[0], 0, 30000);
	ttp_device_zone_end(core[1], 0, 90000);
	for (int i = 0; i < 6; i++)
		ttp_device_calibrate(core[i % 2], host + 1000000, 1001000, 1.0);
	ttp_device_zone(core[0], 0, &place_a, 1010000, 1020000);
	ttp_device_zone(core[1], 0, &place_b, 1030000, 1070000);
	return 0;
}

/* many_cores: more than there are contexts of 8 bits, all with the same lane */
static int many_cores(void)
{
	int64_t host = ttp_now();

	for (unsigned i = 0; i < 300; i++) {
		ttp_device core = ttp_device_new(i % 2);

		ttp_device_start(core, host, 1000, 1.0);
		ttp_device_zone(core, 0, &place_a, 10000, 10500);
	}
	return 0;
}

/* drift: a clock that stands at 10^12 cycles and is 50 in a million faster than was said at first; what is said of it later is right
 * (`told`), or the same */
static int drift(bool told)
{
	const uint64_t zero = UINT64_C(1000000000000);
	const double real = 1.2 * (1 + 50e-6);
	int64_t host = ttp_now();
	ttp_device core = ttp_device_new(0);

	ttp_device_start(core, host, zero, 1.2);
	for (int i = 1; i <= 3; i++) {
		const double ms = 20e6 * i;

		/* one microsecond, 1 ms before the calibration; one that is open while it happens */
		ttp_device_zone(core, 0, &place_a, zero + (uint64_t)((ms - 1e6) * real),
				zero + (uint64_t)((ms - 999e3) * real));
		ttp_device_zone_begin(core, 0, &place_b, zero + (uint64_t)((ms - 1e3) * real));
		ttp_device_calibrate(core, host + (int64_t)ms, zero + (uint64_t)(ms * real),
				     told ? real : 1.2);
		ttp_device_zone_end(core, 0, zero + (uint64_t)((ms + 1e3) * real));
	}
	ttp_device_zone(core, 0, &place_c, zero + (uint64_t)(70e6 * real),
			zero + (uint64_t)(71e6 * real));
	return 0;
}

/* back: lanes of many seconds, one after the other */
static int back(void)
{
	ttp_device core = ttp_device_new(0);

	ttp_device_start(core, ttp_now(), UINT64_C(1000000000), 1.0);
	for (uint32_t lane = 0; lane < 3; lane++)
		for (uint64_t i = 1; i <= 4; i++)
			ttp_device_zone(core, lane, &place_a, i * 3000000000,
					i * 3000000000 + 5000);
	return 0;
}

static void *one_more(void *forever)
{
	ttp_zone_begin(&place_b);
	ready = 1;
	while (forever)
		pause();
	virtual_ns = 4000;
	return NULL;
}

/* exit: with zones that are open on two threads, and one that ended with its thread */
static int at_exit(void)
{
	pthread_t thread;

	virtual_ns = 1000;
	ttp_clock(virtual_clock);
	ttp_zone_begin(&place_a);
	virtual_ns = 2000;
	pthread_create(&thread, NULL, one_more, &ready);
	while (!ready)
		sched_yield();
	ready = 0;
	virtual_ns = 3000;
	pthread_create(&thread, NULL, one_more, NULL);
	while (!ready)
		sched_yield();
	pthread_join(thread, NULL);
	virtual_ns = 70000;
	return 0;
}

/* long: a message that takes more than one record is the first event */
static int long_first(void)
{
	static char text[9000];

	virtual_ns = 1000;
	memset(text, 'x', sizeof(text));
	ttp_clock(virtual_clock);
	ttp_message(text, sizeof(text));
	return 0;
}

/* kept: what is said once is said often */
static int kept(void)
{
	for (int i = 0; i < 3000; i++) {
		ttp_plot_config("p", TTP_PLOT_NUMBER, false, true, i < 2000 ? 1 : 2);
		ttp_app_info(i % 2 ? "odd" : "even", i % 2 ? 3 : 4);
	}
	return 0;
}

static void *end_zones(void *core)
{
	for (uint64_t i = 0; i < 2000; i++) {
		while ((uint64_t)begun <= i)
			sched_yield();
		ttp_device_zone_end(*(ttp_device *)core, (uint32_t)i % 4, 2000 + i * 10);
	}
	return NULL;
}

/* across: device zones that begin on one thread and end on another */
static int across(void)
{
	ttp_device core = ttp_device_new(0);
	struct ttp_stats stats;
	pthread_t thread;

	ttp_device_start(core, ttp_now(), 1000, 1.0);
	pthread_create(&thread, NULL, end_zones, &core);
	for (uint64_t i = 0; i < 2000; i++) {
		ttp_device_zone_begin(core, (uint32_t)i % 4, &place_a, 1995 + i * 10);
		begun++;
	}
	pthread_join(thread, NULL);
	ttp_stats(&stats, sizeof(stats));
	return stats.device_dropped != 0;
}

/* frames: starts and ends that don't belong together */
static int frames(void)
{
	ttp_frame_end("f");
	ttp_frame_start("f");
	ttp_frame_start("f");
	ttp_frame_end("f");
	ttp_frame_end("f");
	ttp_frame("f");
	ttp_frame_start(NULL);
	ttp_frame("g");
	ttp_frame_start("g");
	ttp_frame_end("g");
	return 0;
}

/* places: more than a server can number */
static int places(void)
{
	enum { MANY = 40000 };
	static struct ttp_location all[MANY];
	static char names[MANY][8];

	for (uint32_t i = 0; i < MANY; i++) {
		snprintf(names[i], sizeof(names[i]), "n%u", (unsigned)i);
		all[i] = (struct ttp_location){ names[i], "f", "x.c", i, 0 };
		ttp_zone_begin(&all[i]);
		ttp_zone_end();
	}
	return 0;
}

/* device places: the same of a device, whose functions are numbers, with few names, and made by text */
static int device_places(void)
{
	enum { MANY = 70000 };
	ttp_device device = ttp_device_new(0);
	char name[16], function[16];

	ttp_device_start(device, ttp_now(), 1000, 1.0);
	for (unsigned i = 0; i < MANY; i++) {
		int n = snprintf(name, sizeof(name), "kernel %u", i % 7);
		int f = snprintf(function, sizeof(function), "OP ID:%u", i);

		ttp_device_zone(
			device, 3,
			ttp_location_intern(name, (size_t)n, function, (size_t)f, "k.cc", 4, 9, 0),
			2000 + 100 * i, 2050 + 100 * i);
	}
	return 0;
}

/* device places of the program: more than a server can number, each with a name of its own */
static int own_device_places(void)
{
	enum { MANY = 34000 };
	static struct ttp_location all[MANY];
	static char names[MANY][8];
	ttp_device device = ttp_device_new(0);

	ttp_device_start(device, ttp_now(), 1000, 1.0);
	for (uint32_t i = 0; i < MANY; i++) {
		snprintf(names[i], sizeof(names[i]), "n%u", (unsigned)i);
		all[i] = (struct ttp_location){ names[i], "f", "x.c", i, 0 };
		ttp_device_zone(device, 3, &all[i], 2000 + 100 * i, 2050 + 100 * i);
	}
	return 0;
}

/* fork: a lock that the parent made is used by the child, which knows other places; `sent`: after the parent's were sent */
static int lock_of_parent(bool sent)
{
	ttp_lock lock;

	ttp_zone_begin(&place_a);
	ttp_zone_end();
	lock = ttp_lock_new(&place_b, false);
	if (sent)
		ttp_flush(5000);
	if (getenv("PROBE_CALM"))
		usleep(200000); /* a sanitizer's locks stay locked in the child if our thread has one */
	if (!fork()) {
		ttp_zone_begin(&place_c);
		ttp_zone_end();
		ttp_zone_begin(&place_a);
		ttp_zone_end();
		ttp_lock_wait(lock, false);
		ttp_lock_obtain(lock, false);
		ttp_lock_release(lock, false);
		ttp_lock_free(lock);
		ttp_lock_free(lock);
		ttp_lock_obtain(lock, false);
		exit(0);
	}
	wait(NULL);
	return 0;
}

/* nothing: NULL wherever a pointer is asked for */
static int nothing(void)
{
	ttp_device core = ttp_device_new(0);

	ttp_device_start(core, INT64_MIN, UINT64_MAX, 1.0);
	ttp_device_name(core, NULL, 3);
	ttp_device_calibrate(core, INT64_MAX, 0, 1e-300);
	ttp_device_calibrate(core, INT64_MIN, UINT64_MAX, 2.0);
	ttp_device_marker(core, 1, NULL, UINT64_MAX, UINT64_MAX);
	ttp_device_zone(core, 1, NULL, UINT64_MAX, 0);
	ttp_zone_begin(&place_a);
	ttp_zone_text(NULL, 5);
	ttp_zone_name(NULL, 5000);
	ttp_zone_end();
	ttp_message(NULL, 0);
	ttp_message(NULL, 5000);
	ttp_app_info(NULL, 2);
	ttp_thread_name(NULL);
	ttp_signpost(NULL, NULL);
	ttp_lock_name(ttp_lock_new(NULL, false), NULL, 1);
	ttp_stats(NULL, 8);
	return ttp_start_file(NULL);
}

/* quick MS: zones, and after a time the end that runs no destructors */
static int quick(int ms)
{
	const struct timespec moment = { .tv_nsec = 1000000 };

	for (int i = 0; i < 1000; i++) {
		ttp_zone_begin(&place_a);
		ttp_zone_end();
	}
	for (int i = 0; i < ms; i++)
		nanosleep(&moment, NULL);
	quick_exit(0);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "cores"))
		return cores();
	if (!strcmp(what, "drift"))
		return drift(argc > 2);
	if (!strcmp(what, "back"))
		return back();
	if (!strcmp(what, "exit"))
		return at_exit();
	if (!strcmp(what, "long"))
		return long_first();
	if (!strcmp(what, "kept"))
		return kept();
	if (!strcmp(what, "across"))
		return across();
	if (!strcmp(what, "frames"))
		return frames();
	if (!strcmp(what, "many_cores"))
		return many_cores();
	if (!strcmp(what, "device_places"))
		return device_places();
	if (!strcmp(what, "own_device_places"))
		return own_device_places();
	if (!strcmp(what, "places"))
		return places();
	if (!strcmp(what, "fork"))
		return lock_of_parent(argc > 2);
	if (!strcmp(what, "quick") && argc > 2)
		return quick((int)strtol(argv[2], NULL, 10));
	if (!strcmp(what, "nothing"))
		return nothing();
	return 2;
}
