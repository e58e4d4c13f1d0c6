// SPDX-License-Identifier: Apache-2.0
/*
 * What the files of this room share: a device and the things that belong to it.
 *
 *	dev.c		open, close		settings.c	the environment
 *	program.c	what is to be run	build.c		... as images per tile
 *	queue.c		enqueue, finish		trace.c		captured, replayed
 *	sub_device.c				buffer.c, room.c	memory
 *	results.c	markers with their names, into the logs (log_writer.h, zone_log.h)
 *	print.c		what kernels print	clock.c		host time
 *	pace.c		a chip's clock beside it	sync.c		... found out again (sync_fit.h)
 *	push.c		markers as zones of libttp (push.h)	overhead.c	what all of it costs
 *	variables.c, choice.c	the environment, its parts	delay.c	slow requests
 *	perf_data.c, perf.c	how long programs took	noc_trace.c	NoC events as JSON
 *	replay_zones.c	traces alone	memory_events.c	buffers, for the host
 *	op.c, op_message.c, op_zone.c, tensor.c	ops (op.h)	port.c	which devices there are
 *	session.c	what processes of one run share
 */
#ifndef TTP_HOST_HOST_DEVICE_H
#define TTP_HOST_HOST_DEVICE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <ttp/device.h>

#include "base/account.h"
#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "device/launch.h"
#include "device/profiler.h"
#include "host/api/bank_space.h"
#include "host/api/device_settings.h"
#include "host/clock/clock_sync.h"
#include "host/logs/log_writer.h"
#include "host/logs/noc_trace.h"
#include "host/logs/overhead.h"
#include "host/logs/perf_data.h"
#include "host/logs/replay_zones.h"

#define NO_TRACE UINT32_MAX
enum { PROGRAM_ID_MAX = (1 << 21) - 1, SUB_DEVICES_MAX = 32 };

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
	uint32_t trace, replay;  /* NO_TRACE, or the trace and its how-manieth replay, from 1 */
	int manager, sub_device; /* manager -1: there was none */
	uint32_t sequence;       /* how-manieth replay of the device, from 1; 0: none */
};

/* Of one core: which launch its markers belong to, and how many there were. */
struct read_core {
	size_t next;      /* launch to look at first for the next part */
	size_t launch_1;  /* of the part that came last, + 1; 0: none */
	uint32_t host_id; /* in it */
	bool begun;
	struct ttp_dev_markers counts;
};

struct sub_device {
	struct ttp_cores cores;
	bool busy;
};

/* A clock that goes on with host time, from one moment on. */
struct pace {
	bool runs;
	int64_t ns;      /* of the host ... */
	uint64_t cycles; /* ... when the port said that */
	double ghz;      /* what it really does */
};

struct ttp_buffer {
	struct ttp_dev *dev;
	enum ttp_memory where;
	uint32_t address, page_bytes, stride;
	uint64_t bytes, room;    /* bytes taken in each bank */
	uint32_t bank;           /* of the first page */
	uint32_t banks;          /* 1: one bank */
	struct ttp_cores shards; /* with `sharded` */
	bool sharded;
};

struct ttp_dev {
	int id;
	pid_t opened_by; /* the process */
	struct host_settings settings;
	const char *op_folder; /* where markers go, too, while an op ends (op_folders.c) */
	struct port *port;
	struct device device;
	bool started, finished; /* finished: all was read and written, it is only to be released */
	_Atomic int inside;     /* calls that are not over */
	struct profiler profiler;
	bool profiled, printing, delayed;
	struct room dram, l1;
	VEC(struct image *) images;
	size_t images_told; /* of which the places are in zone_src_locations.log */
	VEC(struct ttp_program *) programs;
	VEC(struct ttp_buffer *) buffers;
	VEC(struct ttp_trace *) traces;
	struct ttp_trace *capturing;
	uint32_t next_trace;
	VEC(struct launched) launched; /* since the last read */
	struct read_core *cores;       /* [flat id][risc] of profiler.h, if it is on */
	uint32_t *fill;                /* [flat id]: at most so many words of a core are in DRAM */
	bool (*recorded)[PORT_GRID_MAX]; /* [y][x], logical: cores whose markers are kept */
	bool drains; /* cores wait when they are full in the middle of a kernel */
	struct sub_device sub[SUB_DEVICES_MAX];
	int subs, manager;    /* 0, -1: one device */
	uint64_t host_cycles; /* up to here device time is in host time */
	bool stuck;           /* something runs that did not end in time, or never can */
	struct ttp_dev_markers counts;
	uint64_t markers_hash;  /* of all that were read, without their times */
	struct account account; /* what reads lost, until it is in the run's file */
	bool account_begun;     /* the file is there */
	struct pace pace;
	struct sync sync;
	struct overhead overhead;
	int64_t first_launch_ns; /* host time of the first program; 0: there was none */
	int64_t first_launch_ticks; /* the same moment on libttp's clock, if that is another one; else 0 */
	bool anchored; /* without sync: the first marker's cycles, which belong to it */
	uint64_t anchor_cycles;
	struct push *push; /* of push.c */
	struct perf_data perf;
	struct noc_trace noc;
	uint32_t replays, replaying; /* of any trace so far; the one that is being launched, or 0 */
	replay_spans *replay_spans;  /* [flat id] with trace_only, or NULL */
	struct print *print;         /* of print.c */
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

/* ---- error.c: the text of ttp_device_error() ---- */
int host_fail(const struct ttp_err *e);                                 /* -1 */
int host_failed(enum ttp_rc rc, const char *fmt, ...) TTP_PRINTF(2, 3); /* the same from a text */
/* A handle is NULL: the error that made it so stays; if there was none, this is the first. */
int host_no(const char *handle);
/* A pointer that is needed is NULL. */
int host_null(const char *function, const char *what);

/* ---- dev.c ---- */
/* Numbers of the devices that are open; how many. */
size_t host_open_devices(int *ids, size_t most);

/* ---- port.c ---- */
/* A device by its name (NULL: $TTP_DEVICE), without starting it; for those who only look. */
enum ttp_rc host_open_port(const char *name, int id, struct port **out,
			   struct ttp_err *e) TTP_CHECKED;

/* ---- program.c, build.c ---- */
bool cores_have(const struct ttp_cores *cores, size_t n, uint32_t x, uint32_t y);
void program_free(struct ttp_program *p);
/* Compiles what is needed and puts it together for each tile. */
enum ttp_rc program_build(struct ttp_program *p, struct ttp_err *e) TTP_CHECKED;
void program_changed(struct ttp_program *p);
struct built *built_take(struct built *b);
void built_drop(struct built *b);

/* ---- queue.c ---- */
/* Waits for all that runs; counts the time for the host. */
enum ttp_rc queue_finish(struct ttp_dev *d, struct ttp_err *e) TTP_CHECKED;
/* Starts a program as soon as its part of the device is free. */
enum ttp_rc queue_launch(struct ttp_dev *d, struct built *b, uint32_t id, struct ttp_trace *trace,
			 const uint8_t *counted, struct ttp_err *e) TTP_CHECKED;

/* ---- results.c ---- */
enum ttp_rc results_start(struct ttp_dev *d, struct ttp_err *e) TTP_CHECKED;
/* `asked`: the caller wants to see what came since it last asked; else it had to be. */
enum ttp_rc results_read(struct ttp_dev *d, bool asked, struct ttp_err *e) TTP_CHECKED;
/* Whether the markers of one more launch fit into DRAM, whatever it records.  Its tiles are idle. */
enum ttp_rc results_fit(struct ttp_dev *d, const struct built *b, bool *fit,
			struct ttp_err *e) TTP_CHECKED;
/* Reads cores that wait for it in the middle of a kernel; *some says whether there were any. */
enum ttp_rc results_drain(struct ttp_dev *d, bool *some, struct ttp_err *e) TTP_CHECKED;
/* At close: how long programs took, unless that is written after each read. */
enum ttp_rc results_finish(struct ttp_dev *d, struct ttp_err *e) TTP_CHECKED;
void results_release(struct ttp_dev *d);

/* ---- delay.c ---- */
/* Tells each tile which of its cores wait before requests to the NoC. */
enum ttp_rc delay_start(struct ttp_dev *d, struct ttp_err *e) TTP_CHECKED;

/* ---- print.c ---- */
enum ttp_rc print_start(struct ttp_dev *d, struct ttp_err *e) TTP_CHECKED;
/* Takes what is there; *some says whether there was anything. */
enum ttp_rc print_drain(struct ttp_dev *d, bool *some, struct ttp_err *e) TTP_CHECKED;
void print_release(struct ttp_dev *d);

/* ---- memory_events.c ---- */
/* Tells the host's trace that a buffer was taken, or is given back. */
void memory_event(const struct ttp_buffer *b, bool taken);

/* ---- buffer.c, trace.c ---- */
void trace_free(struct ttp_trace *t);
struct tile buffer_bank(const struct ttp_dev *d, enum ttp_memory where, uint32_t bank,
			uint64_t *offset);

/* ---- clock.c ---- */
/* Around time spent inside of a simulator, which host time does not have. */
void clock_enter(void);
void clock_leave(void);
/* Time of the device that the host waited for. */
void clock_pass(double ns);
bool clock_is_scripted(void);

/* ---- pace.c ---- */
void pace_begin(struct ttp_dev *d);
/* The chip is taken to where the host is; nothing if its clock stands still. */
void pace_device(struct ttp_dev *d);
/* The host is taken to where the chip is, because it waited for it. */
void pace_host(struct ttp_dev *d);

#endif /* TTP_HOST_HOST_DEVICE_H */
