// SPDX-License-Identifier: Apache-2.0
/* Programs whose values must arrive as they are, one per first argument; run_client starts them and knows what they say. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <ttp/client.h>
#include <unistd.h>

static const struct ttp_location place_a = { "a", "probe", "probe_values.c", 1, 0 };
static const struct ttp_location place_b = { "b", "probe", "probe_values.c", 2, 0 };
static const struct ttp_location place_c = { "c", "probe", "probe_values.c", 3, 0 };

static _Atomic int64_t virtual_ns;
static _Atomic int ready;

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
	return 2;
}
