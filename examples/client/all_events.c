// SPDX-License-Identifier: Apache-2.0
/*
 * Everything that a C program can record, once or a few times each.
 *
 *	all_events [ROUNDS]
 *
 * Run it beside `tracy-capture`, or with TTP_FILE=all.ttpr to write a file.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ttp/client.h>

static void inner(int i)
{
	char text[32];
	int n = snprintf(text, sizeof(text), "round %d", i);

	TTP_ZONE("inner");
	ttp_zone_text(text, (size_t)n);
	ttp_zone_value((uint64_t)i);
}

static void outer(int i)
{
	TTP_FUNCTION();
	ttp_zone_color(0x00FF00);
	inner(i);
	inner(i);
}

static void *worker(void *rounds)
{
	static const struct ttp_location here = { "work", "worker", "all_events.c", 1, 0xFF8000 };

	ttp_thread_name("worker");
	for (int i = 0; i < *(int *)rounds; i++) {
		ttp_zone_begin(&here);
		ttp_zone_name("renamed", 7);
		ttp_zone_end();
	}
	return NULL;
}

static void device(int rounds)
{
	static const struct ttp_location kernel = { "KERNEL", "OP ID:1", "reader.cpp", 7,
						    0xEE9A00 };
	const struct ttp_location *part =
		ttp_location_intern("READ", 4, "OP ID:1", 7, "reader.cpp", 10, 12, 0x9A00EE);
	ttp_device core = ttp_device_new(0);

	ttp_device_name(core, "Device: 0, core 1,1", 19);
	ttp_device_start(core, ttp_now(), 1000000, 1.0);
	for (int i = 0; i < rounds; i++) {
		uint64_t at = 1000000 + (uint64_t)i * 1000;

		ttp_device_zone_begin(core, 1 << 3 | 1 << 7, &kernel, at);
		ttp_device_zone(core, 1 << 3 | 1 << 7, part, at + 100, at + 400);
		ttp_device_zone_end(core, 1 << 3 | 1 << 7, at + 900);
	}
	ttp_device_marker(core, 1 << 3 | 1 << 7, part, 1000000 + (uint64_t)rounds * 1000, 42);
	ttp_device_calibrate(core, ttp_now(), 2000000, 1.0);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 10;
	pthread_t thread;
	void *block;

	ttp_app_info("example: all events", 19);
	ttp_plot_config("load", TTP_PLOT_PERCENTAGE, true, true, 0x2060FF);
	ttp_signpost("start", "all events");
	pthread_create(&thread, NULL, worker, &rounds);
	for (int i = 0; i < rounds; i++) {
		outer(i);
		ttp_zone_begin_text("by text", 7, "main", 4, "all_events.py", 13, 42, 0);
		ttp_zone_end();
		ttp_plot("load", i * 1.5);
		ttp_plot_int("count", i);
		ttp_plot_float("ratio", (float)i / 2);
		ttp_frame(NULL);
		ttp_frame("loop");
		ttp_frame_start("part");
		ttp_frame_end("part");
		block = malloc(100);
		ttp_memory_alloc(block, 100, NULL);
		ttp_memory_free(block, NULL);
		free(block);
		block = malloc(200);
		ttp_memory_alloc(block, 200, "pool");
		ttp_memory_free(block, "pool");
		free(block);
		ttp_message("message", 7);
		ttp_message_color("red", 3, 0xFF0000);
		ttp_message_literal("literal");
		ttp_message_literal_color("green literal", 0x00FF00);
	}
	device(rounds);
	pthread_join(thread, NULL);
	ttp_signpost("end", NULL);
	return 0;
}
