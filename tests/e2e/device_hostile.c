// SPDX-License-Identifier: Apache-2.0
/* Kernels that run wild: the host program goes on and can say where. */
#include "device_probe.h"

#define TRY(call)                          \
	do {                               \
		const char *wrong_ = call; \
		if (wrong_)                \
			return wrong_;     \
	} while (0)

#define KERNEL(body) "#include <ttp/kernel.h>\nvoid kernel_main(void)\n{\n" body "\n}\n"

/* Runs `text` on one core; *said is what launch_wait() says, "" if it went well. */
static const char *run_text(struct probe *p, const char *text, int risc, uint64_t cycles,
			    enum ttp_rc *rc, struct ttp_err *e)
{
	struct launch_tile work = { 0 };

	TRY(probe_start(p, 1000));
	work.tile = probe_worker(p, 5);
	work.kernel[risc] = probe_kernel_text(p, "wild.c", text, risc);
	CHECK(work.kernel[risc], "%s", p->reason);
	*rc = launch(&p->device, &work, 1, 1, TTP_LAUNCH_PROFILE, e);
	CHECK(!*rc, "%s", e->msg);
	*rc = launch_wait(&p->device, cycles, e);
	return NULL;
}

/* After a fault memory can be read, and a new program is refused with the same words. */
static const char *stands_still(struct probe *p)
{
	struct launch_tile work = { .tile = probe_worker(p, 6) };
	struct ttp_err e;
	uint32_t word;

	CHECK(launch(&p->device, &work, 1, 2, 0, &e) == TTP_GONE,
	      "a faulted device took a program");
	if (!strcmp(p->port->info.driver, "sim"))
		CHECK(!p->port->ops->read(p->port, work.tile, TTP_L1_MAILBOX, &word, 4, &e), "%s",
		      e.msg);
	return NULL;
}

static const char *bad_load(struct probe *p)
{
	struct tile t;
	enum ttp_rc rc;
	struct ttp_err e;
	char place[64];

	TRY(run_text(p, KERNEL("*TTP_L1(0x40000000);"), 1, 100000, &rc, &e));
	t = probe_worker(p, 5);
	snprintf(place, sizeof(place), "tile (%d,%d) NCRISC pc 0x", t.x, t.y);
	CHECK(rc == TTP_GONE, "rc %d", rc);
	CHECK(strstr(e.msg, place), "no place: %s", e.msg);
	CHECK(strstr(e.msg, "kernel_main+0x"), "no symbol: %s", e.msg);
	CHECK(strstr(e.msg, ":4)") && strstr(e.msg, "wild.c"), "no line: %s", e.msg);
	return stands_still(p);
}

/*
 * Cards round such an address down; the embedded chip stops, as ttsim does.  Where the compiler knows the address, it takes the access
 * apart, and all is well on both.
 */
static const char *not_aligned(struct probe *p)
{
	static const char *const kernels[] = {
		KERNEL("volatile uint32_t by = 2; *TTP_L1(TTP_L1_FREE + by);"),
		KERNEL("volatile uint32_t by = 1; *TTP_L1(TTP_L1_FREE + by) = 1;"),
		KERNEL("volatile uint32_t by = 3; *(volatile uint16_t *)(TTP_L1_FREE + by) = 1;"),
		KERNEL("volatile uint32_t by = 1; volatile char here[8]; *(volatile uint32_t *)(here + by) = 1;"),
	};
	struct ttp_err e;
	enum ttp_rc rc;

	for (size_t i = 0; i < sizeof(kernels) / sizeof(*kernels); i++) {
		TRY(run_text(p, kernels[i], 1, 100000, &rc, &e));
		CHECK(rc == TTP_GONE, "%zu: rc %d", i, rc);
		CHECK(strstr(e.msg, ": not aligned") && strstr(e.msg, "wild.c:4)"), "%zu: %s", i,
		      e.msg);
		probe_again(p);
	}
	return NULL;
}

static const char *bad_noc_address(struct probe *p)
{
	enum ttp_rc rc;
	struct ttp_err e;

	TRY(run_text(
		p,
		KERNEL("ttp_noc_async_read(ttp_noc_addr(40, 41, 0x1230), TTP_L1_FREE + 16, 64);"
		       "ttp_noc_async_read_barrier();"),
		0, 100000, &rc, &e));
	CHECK(rc == TTP_GONE, "rc %d: %s", rc, rc ? e.msg : "");
	if (!strcmp(p->port->info.driver, "sim"))
		CHECK(strstr(e.msg, "64 bytes at 0x1230 of (40,41)") &&
			      strstr(e.msg, "wild.c:4, in ttp_noc_async_read)"),
		      "%s", e.msg);
	return stands_still(p);
}

/* Where it is, in the terms of who wrote it, if the device can tell at all. */
static const char *tells_where(struct probe *p, const struct ttp_err *e, int risc,
			       const char *place)
{
	struct tile t = probe_worker(p, 5);
	char start[64];

	if (!p->port->ops->core)
		return NULL;
	snprintf(start, sizeof(start), "tile (%d,%d) %s pc 0x", t.x, t.y, risc_label(risc));
	CHECK(strstr(e->msg, start) && strstr(e->msg, " kernel_main+0x"), "%s", e->msg);
	CHECK(strstr(e->msg, place), "no %s: %s", place, e->msg);
	return NULL;
}

static const char *endless_loop(struct probe *p)
{
	struct ttp_err e;
	enum ttp_rc rc;

	TRY(run_text(p, KERNEL("for (volatile int i = 0;; i++);"), 0, 50000, &rc, &e));
	CHECK(rc == TTP_LIMIT && strstr(e.msg, "BRISC"), "rc %d: %s", rc, e.msg);
	TRY(tells_where(p, &e, 0, "wild.c:4)"));
	CHECK(launch_wait(&p->device, 1000, &e) == TTP_LIMIT, "it does not go on");
	return NULL;
}

static const char *deadlock(struct probe *p)
{
	struct ttp_err e;
	enum ttp_rc rc;

	TRY(run_text(p, KERNEL("ttp_noc_semaphore_wait(TTP_L1(ttp_get_semaphore(0)), 12345);"), 1,
		     1000000, &rc, &e));
	CHECK(rc == TTP_GONE || rc == TTP_LIMIT, "rc %d", rc);
	CHECK(strstr(e.msg, "NCRISC"), "%s", e.msg);
	return tells_where(p, &e, 1,
			   "wild.c:4, in ttp_noc_semaphore_wait) polls 0x9300, which is 0x0");
}

/* A function of the kernel, inlined into main; and one of ours that is not inlined: memset. */
static const char *lines_are_the_kernels(struct probe *p)
{
	struct ttp_err e;
	enum ttp_rc rc;

	TRY(run_text(p,
		     "#include <ttp/kernel.h>\n"
		     "static inline void mine(int n) {\n"
		     "ttp_cb_wait_front(3, n);\n"
		     "}\n"
		     "void kernel_main(void) {\n"
		     "mine(1);\n"
		     "}\n",
		     0, 1000000, &rc, &e));
	CHECK(rc == TTP_GONE || rc == TTP_LIMIT, "rc %d", rc);
	TRY(tells_where(p, &e, 0, "wild.c:3, in ttp_cb_wait_front)"));
	probe_again(p);
	TRY(run_text(p,
		     "#include <ttp/kernel.h>\n"
		     "void *memset(void *, int, __SIZE_TYPE__);\n"
		     "void kernel_main(void) {\n"
		     "memset((void *)0x40000000, 1, ttp_get_arg(0) + 100);\n"
		     "*TTP_L1(TTP_L1_FREE) = 1;\n"
		     "}\n",
		     0, 1000000, &rc, &e));
	CHECK(rc == TTP_GONE || rc == TTP_LIMIT, "rc %d", rc);
	if (p->port->ops->core)
		CHECK(strstr(e.msg, " memset+0x") && strstr(e.msg, "kernel_start.c:") &&
			      strstr(e.msg, "called at ") && strstr(e.msg, "wild.c:4: store of"),
		      "%s", e.msg);
	return NULL;
}

/* The place that a jump goes to has no line; the one that it came from has. */
static const char *a_jump_to_nowhere_is_told_from_where(struct probe *p)
{
	struct ttp_err e;
	enum ttp_rc rc;

	TRY(run_text(p,
		     KERNEL("((void (*)(void))(uintptr_t)(0x700000 + 4 * ttp_get_arg(0)))();\n"
			    "*TTP_L1(TTP_L1_FREE) = 1;"),
		     0, 100000, &rc, &e));
	CHECK(rc == TTP_GONE, "rc %d", rc);
	CHECK(strstr(e.msg, "BRISC pc 0x700000 called by kernel_main+0x") &&
		      strstr(e.msg, "wild.c:4): jump to 0x00700000"),
	      "%s", e.msg);
	return NULL;
}

/* All 64 tiles hang: one place, one text. */
static const char *many_that_hang_are_told_once(struct probe *p)
{
	struct launch_tile work[12] = { 0 };
	struct elf_image *image;
	struct ttp_err e;
	enum ttp_rc rc;

	TRY(probe_start(p, 1000));
	image = probe_kernel_text(p, "wild.c", KERNEL("ttp_cb_wait_front(1, 1);"), 1);
	CHECK(image, "%s", p->reason);
	for (int i = 0; i < 12; i++) {
		work[i].tile = probe_worker(p, i);
		work[i].kernel[1] = image;
	}
	CHECK(!launch(&p->device, work, 12, 1, 0, &e), "%s", e.msg);
	rc = launch_wait(&p->device, 100000, &e);
	CHECK(rc == TTP_GONE || rc == TTP_LIMIT, "rc %d", rc);
	CHECK(strstr(e.msg, " and 11 more NCRISC"), "%s", e.msg);
	return NULL;
}

static const char *an_overwritten_mailbox_is_told(struct probe *p)
{
	struct ttp_err e;
	enum ttp_rc rc;

	TRY(run_text(p,
		     KERNEL("for (uint32_t at = 0x10; at < 0x100; at += 4) *TTP_L1(at) = 0x123;"),
		     0, 200000, &rc, &e));
	CHECK(rc == TTP_GONE || rc == TTP_LIMIT, "rc %d", rc);
	CHECK(strstr(e.msg, "the mailbox of tile (") && strstr(e.msg, "was overwritten"), "%s",
	      e.msg);
	return NULL;
}

static void ignore(void *ctx, const struct device_marker *m)
{
	(void)ctx;
	(void)m;
}

/* Random words instead of a kernel, on all cores, many times. */
static const char *random_code(struct probe *p)
{
	uint32_t seed = 1;

	for (int round = 0; round < 30; round++) {
		struct ttp_err e;
		struct launch_tile work = { 0 };
		uint32_t words[256];
		int r = round % RISCS;

		TRY(probe_start(p, 1000));
		work.tile = probe_worker(p, 0);
		work.kernel[r] = probe_kernel_text(p, "empty.c", KERNEL(""), r);
		CHECK(work.kernel[r], "%s", p->reason);
		CHECK(!launch(&p->device, &work, 1, 1, TTP_LAUNCH_PROFILE, &e), "%s", e.msg);
		CHECK(!launch_wait(&p->device, 100000, &e), "%s", e.msg);
		for (int i = 0; i < 256; i++)
			words[i] = (seed = seed * 1664525 + 1013904223) | 3;
		CHECK(!p->port->ops->write(p->port, work.tile, work.kernel[r]->entry, words,
					   sizeof(words), &e),
		      "%s", e.msg);
		CHECK(!launch(&p->device, &work, 1, 2, TTP_LAUNCH_PROFILE, &e), "%s", e.msg);
		(void)!launch_wait(&p->device, 20000, &e);
		(void)!profiler_read(&p->profiler, ignore, NULL, NULL, &p->account, &e);
		probe_again(p);
	}
	return NULL;
}

static const char *compile_errors_are_told(struct probe *p)
{
	TRY(probe_start(p, 1000));
	CHECK(!probe_kernel_text(p, "broken.c", KERNEL("int x = ;"), 0), "it compiled");
	CHECK(strstr(p->reason, "broken.c does not compile for BRISC") &&
		      strstr(p->reason, "error:"),
	      "%s", p->reason);
	for (int again = 0; again < 2; again++) { /* made, and found in the cache */
		CHECK(!probe_kernel_text(p, "mian.c", "void kernel_mian(void) {}\n", 0), "no main");
		CHECK(strstr(p->reason, "mian.c has no kernel_main()"), "%s", p->reason);
	}
	CHECK(!probe_kernel_text(p, "name.c", KERNEL("return ttp_get_arg_of_mine(0);"), 0), "no");
	CHECK(strstr(p->reason, "name.c:4:") &&
		      strstr(p->reason, "implicit declaration of function 'ttp_get_arg_of_mine'"),
	      "%s", p->reason);
	CHECK(!probe_kernel_text(p, "name.c",
				 "extern int elsewhere(void);\n" KERNEL("elsewhere();"), 0),
	      "nobody has it");
	CHECK(strstr(p->reason, "undefined reference to `elsewhere'") &&
		      !strstr(p->reason, "in function"),
	      "%s", p->reason);
	CHECK(!probe_kernel(p, "missing.c", 0), "it was there");
	CHECK(strstr(p->reason, "missing.c"), "%s", p->reason);
	CHECK(!probe_kernel_text(p, "large.c",
				 KERNEL("static int a[2000]; a[ttp_get_arg(0)] = 1; "
					"ttp_noc_async_read(a[3], a[4], 5);"),
				 0),
	      "8,000 bytes of variables");
	CHECK(strstr(p->reason, "do not fit into local memory"), "%s", p->reason);
	return NULL;
}

const struct scenario scenarios_hostile[] = {
	{ "bad_load", false, bad_load },
	{ "not_aligned", false, not_aligned },
	{ "bad_noc_address", true, bad_noc_address },
	{ "endless_loop", true, endless_loop },
	{ "deadlock", true, deadlock },
	{ "lines_are_the_kernels", false, lines_are_the_kernels },
	{ "a_jump_to_nowhere_is_told_from_where", false, a_jump_to_nowhere_is_told_from_where },
	{ "many_that_hang_are_told_once", true, many_that_hang_are_told_once },
	{ "an_overwritten_mailbox_is_told", false, an_overwritten_mailbox_is_told },
	{ "random_code", false, random_code },
	{ "compile_errors_are_told", true, compile_errors_are_told },
	{ NULL, false, NULL },
};
