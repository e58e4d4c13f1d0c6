// SPDX-License-Identifier: Apache-2.0
/* Programs: what is to be run (program.c), put together for each tile (program_build.c), launched (queue.c), captured and replayed (program_trace.c). */
#ifndef TTP_HOST_API_PROGRAM_H
#define TTP_HOST_API_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include <ttp/device.h>

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "device/launch.h"
#include "device/markers.h"
#include "host/host_device.h"

#define NO_TRACE UINT32_MAX
enum { PROGRAM_ID_MAX = (1 << 21) - 1 };

/* Kernels that are compiled or read; they stay until the device is closed. */
struct image {
	struct elf_image elf;
	struct buf key; /* everything that it was made from */
};

/* A program as it was when it was enqueued; shared by its launches and traces. */
struct built {
	int references;
	struct launch_tile *work; /* arrays in it are those below */
	size_t work_n;
	uint32_t *words, *semaphores; /* semaphores: TTP_SEMAPHORES for each different tile */
	struct ttp_cb_config *cbs;    /* TTP_CBS for each different tile */
	int sub_device;
	struct buf kernel_info; /* for messages of ops, once one asks */
	uint64_t kernel_hash;
	int fidelity; /* of the first compute kernel; with kernel_info */
};

/* One launch since the profiler was last read: what its markers mean. */
struct launched {
	struct built *built;
	uint32_t id;             /* as in the markers */
	uint32_t trace, replay;  /* NO_TRACE, or the trace and the number of its replay, from 1 */
	int manager, sub_device; /* manager -1: there was none */
	uint32_t sequence;       /* number of the replay on the device, from 1; 0: none */
	bool met;                /* markers of it were read */
	struct built *pass;      /* of the command queue that started it; or NULL */
};

enum kernel_kind { KERNEL_FILE, KERNEL_TEXT, KERNEL_ELF };

struct kernel_args {
	uint32_t x, y;
	VEC(uint32_t) words;
};

struct kernel_define {
	char *name, *value;
};

struct ttp_kernel {
	struct ttp_program *program;
	enum kernel_kind kind;
	char *path, *text;
	enum ttp_processor processor;
	VEC(struct ttp_cores) cores;
	VEC(struct kernel_define) defines;
	VEC(uint32_t) compile_args;
	VEC(char *) include;
	int noc, fidelity;
	VEC(struct kernel_args) args;
	struct u64map args_of; /* x << 32 | y -> index */
	VEC(uint32_t) common_args;
	struct elf_image *image[RISCS]; /* once compiled */
};

struct program_cb {
	uint32_t index;
	struct ttp_cb_config config;
	VEC(struct ttp_cores) cores;
};

struct program_semaphore {
	uint32_t id, value;
	VEC(struct ttp_cores) cores;
};

struct ttp_program {
	struct ttp_dev *dev;
	uint32_t id;
	bool id_given, fallback;
	struct ttp_op *op; /* that it was given to, and has not ended */
	VEC(struct ttp_kernel *) kernels;
	VEC(struct program_cb) cbs;
	VEC(struct program_semaphore) semaphores;
	struct built *built; /* of the last enqueue, if nothing changed since */
	size_t at;           /* in the device's list */
};

struct trace_step {
	struct built *built;
	uint32_t id;
};

struct ttp_trace {
	struct ttp_dev *dev;
	uint32_t id, replays;
	bool ended;
	VEC(struct trace_step) steps;
};

char *text_copy(const char *z);
bool cores_in_grid(const struct ttp_dev *d, const struct ttp_cores *cores);
bool cores_meet(const struct ttp_cores *a, const struct ttp_cores *b);
bool cores_have(const struct ttp_cores *cores, size_t n, uint32_t x, uint32_t y);
/* Compiles what is needed and puts it together for each tile. */
enum ttp_rc program_build(struct ttp_program *p, struct ttp_err *e) TTP_CHECKED;
/* A kernel of ours, from fw/, on core (0,0), with a number as a define: built, for launches that are not recorded. */
enum ttp_rc program_own(struct ttp_dev *d, const char *name, const char *define, int value,
			struct ttp_program **out, struct ttp_err *e) TTP_CHECKED;
void program_changed(struct ttp_program *p);
struct built *built_take(struct built *b);
void built_drop(struct built *b);

/* Waits for all that runs; counts the time for the host. */
enum ttp_rc queue_finish(struct ttp_dev *d, struct ttp_err *e) TTP_CHECKED;
/* Starts a program as soon as its part of the device is free. */
enum ttp_rc queue_launch(struct ttp_dev *d, struct built *b, uint32_t id, struct ttp_trace *trace,
			 const uint8_t *counted, struct ttp_err *e) TTP_CHECKED;

void trace_free(struct ttp_trace *t);

/*
 * Dispatch cores, with TT_METAL_DEVICE_PROFILER_DISPATCH: the embedded chip gets one more row of workers, which programs can't use, and
 * two of its cores run a command queue (fw/cq_kernels.c): a prefetcher, and a dispatcher with its subordinate, which starts each
 * program instead of the host.
 */
/* After the device was started: takes the last row.  Without effect, and reported, where the chip is not ours. */
void dispatch_start(struct ttp_dev *d);
/* A pass of the queue for a program that is about to go: to be prepared and started, and a reference of the caller's. */
enum ttp_rc dispatch_pass(struct ttp_dev *d, const struct built *b, uint32_t id, struct built **out,
			  struct ttp_err *e) TTP_CHECKED;
/* What a marker of the queue means, as tt-metal's log has it; false: it is of our model, and not of the queue. */
bool dispatch_meaning(struct str zone, const struct device_marker *m, struct buf *meta);

#endif /* TTP_HOST_API_PROGRAM_H */
