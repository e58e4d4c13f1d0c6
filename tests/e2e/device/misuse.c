// SPDX-License-Identifier: Apache-2.0
/* misuse KERNEL: every function of libttpdev with what it can't use: an error that says what, and never a crash. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ttp/device.h>

/* It fails, and the text has `text` in it. */
#define FAILS(call, text)                                                                 \
	do {                                                                              \
		if (!(call)) {                                                            \
			printf("line %d: %s did not fail\n", __LINE__, #call);            \
			exit(1);                                                          \
		}                                                                         \
		if (!strstr(ttp_device_error(), text)) {                                  \
			printf("line %d: %s: %s\n", __LINE__, #call, ttp_device_error()); \
			exit(1);                                                          \
		}                                                                         \
	} while (0)
#define WORKS(call)                                                                       \
	do {                                                                              \
		if (!(call)) {                                                            \
			printf("line %d: %s: %s\n", __LINE__, #call, ttp_device_error()); \
			exit(1);                                                          \
		}                                                                         \
	} while (0)

/* The first thing that a thread does is a mistake: there is no earlier error to tell. */
static void *first_mistake(void *what)
{
	const char *handle = what;
	char text[64];
	int failed = 0;

	if (!strcmp(handle, "device"))
		failed = ttp_finish(NULL);
	else if (!strcmp(handle, "program"))
		failed = ttp_enqueue(NULL);
	else if (!strcmp(handle, "kernel"))
		failed = ttp_kernel_args(NULL, 0, 0, NULL, 0);
	else if (!strcmp(handle, "buffer"))
		failed = ttp_buffer_read(NULL, 0, NULL, 0);
	else
		failed = ttp_trace_replay(NULL);
	snprintf(text, sizeof(text), "no %s was given: its handle is NULL", handle);
	FAILS(failed, text);
	/* An error stays until there is another one. */
	FAILS(!ttp_program_new(NULL), text);
	return NULL;
}

static void null_handles(void)
{
	const char *handles[] = { "device", "program", "kernel", "buffer", "trace" };

	for (size_t i = 0; i < sizeof(handles) / sizeof(handles[0]); i++) {
		pthread_t thread;

		WORKS(!pthread_create(&thread, NULL, first_mistake, (void *)(size_t)handles[i]));
		pthread_join(thread, NULL);
	}
}

static void every_function_takes_null(void)
{
	struct ttp_cores core = TTP_CORE(0, 0);
	struct ttp_dev_info info;
	struct ttp_dev_markers counts;
	uint32_t x = 0, y = 0, word = 0;
	uint64_t hash = 0;

	FAILS(ttp_dev_close(NULL), "");
	FAILS(ttp_dev_info(NULL, &info, sizeof(info)), "");
	FAILS(ttp_dev_noc_core(NULL, 0, 0, &x, &y), "");
	FAILS(ttp_dev_l1_read(NULL, 0, 0, 0, &word, 4), "");
	FAILS(ttp_dev_l1_write(NULL, 0, 0, 0, &word, 4), "");
	FAILS(!ttp_program_new(NULL), "");
	ttp_program_free(NULL);
	FAILS(ttp_program_set_id(NULL, 1, false), "");
	FAILS(!ttp_program_id(NULL), "");
	FAILS(!ttp_program_kernel(NULL, "a.c", TTP_BRISC, &core, 1), "");
	FAILS(!ttp_program_kernel_text(NULL, "a.c", "", TTP_BRISC, &core, 1), "");
	FAILS(ttp_kernel_define(NULL, "A", "1"), "");
	FAILS(ttp_kernel_compile_args(NULL, &word, 1), "");
	FAILS(ttp_kernel_noc(NULL, 0), "");
	FAILS(ttp_kernel_fidelity(NULL, 1), "");
	FAILS(ttp_kernel_include(NULL, "."), "");
	FAILS(ttp_kernel_args(NULL, 0, 0, &word, 1), "");
	FAILS(ttp_kernel_common_args(NULL, &word, 1), "");
	FAILS(ttp_program_cb(NULL, 0, 1, 32, NULL, &core, 1), "");
	FAILS(ttp_program_semaphore(NULL, 0, &core, 1) < 0, "");
	FAILS(!ttp_buffer_new(NULL, TTP_DRAM, 32, 32), "");
	FAILS(!ttp_buffer_new_bank(NULL, TTP_DRAM, 0, 32), "");
	FAILS(!ttp_buffer_new_sharded(NULL, 32, 32, &core), "");
	ttp_buffer_free(NULL);
	FAILS(!ttp_buffer_address(NULL), "");
	FAILS(!ttp_buffer_bytes(NULL), "");
	FAILS(!ttp_buffer_page_stride(NULL), "");
	FAILS(ttp_buffer_write(NULL, 0, &word, 4), "");
	FAILS(ttp_buffer_read(NULL, 0, &word, 4), "");
	FAILS(ttp_enqueue(NULL), "");
	FAILS(ttp_finish(NULL), "");
	FAILS(!ttp_trace_begin(NULL), "");
	FAILS(ttp_trace_end(NULL), "");
	FAILS(ttp_trace_replay(NULL), "");
	ttp_trace_release(NULL);
	FAILS(ttp_dev_sub_devices(NULL, &core, 1), "");
	FAILS(ttp_dev_read_profiler(NULL), "");
	FAILS(ttp_dev_marker_counts(NULL, &counts, sizeof(counts)), "");
	FAILS(ttp_dev_hash(NULL, true, &hash), "");
}

int main(int argc, char **argv)
{
	struct ttp_cores core = TTP_CORE(0, 0);
	struct ttp_dev *dev, *other;
	struct ttp_program *program;
	struct ttp_kernel *kernel;
	struct ttp_buffer *buffer, *theirs;
	uint32_t x, words[300] = { 0 };

	null_handles();
	every_function_takes_null();
	FAILS(!ttp_dev_open(-1, NULL), "numbers are 0 to 1023");
	FAILS(!ttp_dev_open(1024, NULL), "numbers are 0 to 1023");
	WORKS(dev = ttp_dev_open(0, NULL));
	WORKS(other = ttp_dev_open(1, NULL));
	FAILS(!ttp_dev_open(0, NULL), "open already");

	FAILS(ttp_dev_info(dev, NULL, 8), "ttp_dev_info: info is NULL");
	FAILS(ttp_dev_noc_core(dev, 0, 0, NULL, &x), "noc_x is NULL");
	FAILS(ttp_dev_noc_core(dev, 0, 0, &x, NULL), "noc_y is NULL");
	FAILS(ttp_dev_noc_core(dev, 900, 0, &x, &x), "there is no core (900,0)");
	FAILS(ttp_dev_l1_read(dev, 0, 0, 0x30000, NULL, 4), "is NULL");
	FAILS(ttp_dev_l1_write(dev, 0, 0, 0x30000, NULL, 4), "is NULL");
	FAILS(ttp_dev_l1_read(dev, 0, 0, 0xFFFFFFF0u, words, 64), "L1 ends at");
	FAILS(ttp_dev_marker_counts(dev, NULL, 8), "counts is NULL");
	FAILS(ttp_dev_hash(dev, true, NULL), "hash is NULL");
	FAILS(ttp_dev_sub_devices(dev, NULL, 2), "cores is NULL");

	WORKS(program = ttp_program_new(dev));
	FAILS(!ttp_program_kernel(program, NULL, TTP_BRISC, &core, 1), "needs a path");
	FAILS(!ttp_program_kernel(program, "a.c", (enum ttp_processor)17, &core, 1), "processor");
	FAILS(!ttp_program_kernel(program, "a.c", TTP_BRISC, NULL, 1), "no cores");
	FAILS(!ttp_program_kernel_text(program, "a.c", NULL, TTP_BRISC, &core, 1), "no text");
	FAILS(!ttp_program_kernel_text(program, NULL, "", TTP_BRISC, &core, 1), "needs a path");
	WORKS(kernel = ttp_program_kernel(program, argc > 1 ? argv[1] : "missing.c", TTP_BRISC,
					  &core, 1));
	FAILS(ttp_kernel_define(kernel, NULL, NULL), "plain name");
	FAILS(ttp_kernel_compile_args(kernel, NULL, 3), "words is NULL");
	FAILS(ttp_kernel_include(kernel, NULL), "folder is NULL");
	FAILS(ttp_kernel_args(kernel, 0, 0, NULL, 3), "arguments is NULL");
	FAILS(ttp_kernel_args(kernel, 0, 0, words, 300), "300 arguments, at most 256");
	FAILS(ttp_kernel_common_args(kernel, NULL, 3), "arguments is NULL");
	FAILS(ttp_kernel_args(kernel, 5, 5, words, 3), "where it does not run");
	FAILS(ttp_program_cb(program, 0, 1, 32, NULL, NULL, 1), "no cores");
	FAILS(ttp_program_semaphore(program, 0, NULL, 1) < 0, "no cores");

	WORKS(buffer = ttp_buffer_new(dev, TTP_L1, 4096, 32));
	WORKS(theirs = ttp_buffer_new(other, TTP_L1, 4096, 32));
	FAILS(ttp_buffer_write(buffer, 0, NULL, 4), "is NULL");
	FAILS(ttp_buffer_read(buffer, 0, NULL, 4), "is NULL");
	FAILS(ttp_buffer_write(buffer, 4094, words, 4), "4 bytes at 4094 of a buffer of 4096");
	FAILS(ttp_buffer_read(buffer, UINT64_MAX, words, 4), "of a buffer of 4096");
	FAILS(!ttp_buffer_new(dev, TTP_DRAM, UINT64_MAX, 32), "a buffer of");
	FAILS(!ttp_buffer_new_sharded(dev, 64, 32, NULL), "needs cores");
	FAILS(ttp_program_cb(program, 0, 1, 32, theirs, &core, 1),
	      "the buffer is one of device 1, the program one of device 0");
	WORKS(!ttp_program_cb(program, 0, 1, 32, buffer, &core, 1));

	/* None of this has done any harm. */
	WORKS(!ttp_kernel_args(kernel, 0, 0, NULL, 0) && !ttp_kernel_args(kernel, 0, 0, words, 3));
	WORKS(!ttp_buffer_write(buffer, 0, words, 64) && !ttp_buffer_read(buffer, 0, words, 64));
	WORKS(!ttp_enqueue(program) && !ttp_finish(dev));
	WORKS(!ttp_dev_close(other) && !ttp_dev_close(dev));
	puts("every mistake was told");
	return 0;
}
