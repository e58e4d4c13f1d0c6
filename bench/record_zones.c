// SPDX-License-Identifier: Apache-2.0
/*
 * record_zones COUNT [real]: as many zones, two deep, one in ten with a text, for bench/instructions: at times that are the same in every run, or
 * by the real clock.
 */
#include <stdatomic.h>
#include <stdlib.h>
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

int main(int argc, char **argv)
{
	int n = argc > 1 ? (int)strtol(argv[1], NULL, 10) / 2 : 0;

	if (argc < 3)
		ttp_clock(now_ns);
	for (int i = 0; i < n; i++) {
		TTP_ZONE("outer");
		inner(i);
	}
	return 0;
}
