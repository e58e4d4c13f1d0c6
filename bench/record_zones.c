// SPDX-License-Identifier: Apache-2.0
/*
 * record_zones COUNT [real|device]: as many zones, two deep, one in ten with a text, for bench/instructions: at times that are the same in every run, or
 * by the real clock; or as many of a device, for each its begin and its end.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <ttp/client.h>

static _Atomic int64_t at;

static int64_t now_ns(void)
{
	return atomic_fetch_add(&at, 117);
}

static void inner(int i)
{
	TTP_ZONE("inner");
	if (i % 10 == 0)
		ttp_zone_text("tenth", 5);
}

static void of_device(uint64_t n)
{
	ttp_device core = ttp_device_new(0);
	const struct ttp_location *l =
		ttp_location_intern("BRISC-KERNEL", 12, "kernel", 6, "reader.cpp", 10, 7, 0);

	ttp_device_start(core, ttp_now(), 1000, 1.0);
	for (uint64_t i = 0; i < n; i++) {
		ttp_device_zone_begin(core, 1, l, 2000 + i * 100);
		ttp_device_zone_end(core, 1, 2050 + i * 100);
	}
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? (int)strtol(argv[1], NULL, 10) / 2 : 0;

	if (argc < 3)
		ttp_clock(now_ns);
	if (argc > 2 && !strcmp(argv[2], "device")) {
		of_device(2 * (uint64_t)n);
		return 0;
	}
	for (int i = 0; i < n; i++) {
		TTP_ZONE("outer");
		inner(i);
	}
	return 0;
}
