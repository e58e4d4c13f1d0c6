// SPDX-License-Identifier: Apache-2.0
/* A device and the things that belong to it, for the files of this room; README.md says which file does what. */
#ifndef TTP_HOST_HOST_DEVICE_H
#define TTP_HOST_HOST_DEVICE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <ttp/device.h>

#include "base/account.h"
#include "base/err.h"
#include "base/vec.h"
#include "device/profiler.h"
#include "host/api/bank_space.h"
#include "host/api/device_settings.h"
#include "host/api/program.h"
#include "host/clock/clock_sync.h"
#include "host/logs/log_writer.h"
#include "host/logs/noc_trace.h"
#include "host/logs/overhead.h"
#include "host/logs/perf_data.h"
#include "host/logs/replay_zones.h"

enum { SUB_DEVICES_MAX = 32 };

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
	uint64_t bytes, taken;   /* taken: in each bank */
	uint32_t bank;           /* of the first page */
	uint32_t banks;          /* 1: one bank */
	struct ttp_cores shards; /* with `sharded` */
	bool sharded;
};

struct ttp_dev {
	int id;
	pid_t opened_by; /* the process */
	struct host_settings settings;
	const char *op_folder; /* where markers go, too, while an op ends (ops/op_folders.c) */
	struct port *port;
	struct device device;
	bool started, finished; /* finished: all was read and written, it is only to be released */
	_Atomic int inside;     /* calls that are not over */
	struct profiler profiler;
	bool profiled, printing, delayed;
	struct bank_space dram, l1;
	VEC(struct image *) images;
	size_t images_logged; /* of which the zones are in zone_src_locations.log */
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
	struct push *push; /* of logs/marker_push.c */
	struct perf_data perf;
	struct noc_trace noc;
	uint32_t replays, replaying; /* of any trace so far; the one that is being launched, or 0 */
	replay_spans *replay_spans;  /* [flat id] with trace_only, or NULL */
	struct print *print;         /* of api/kernel_print.c */
};

/* ---- api/device_life.c ---- */
/* Numbers of the devices that are open; how many. */
size_t host_open_devices(int *ids, size_t most);

/* ---- api/noc_delay.c ---- */
/* Tells each tile which of its cores wait before requests to the NoC. */
enum ttp_rc delay_start(struct ttp_dev *d, struct ttp_err *e) TTP_CHECKED;

/* ---- api/kernel_print.c ---- */
enum ttp_rc print_start(struct ttp_dev *d, struct ttp_err *e) TTP_CHECKED;
/* Takes what is there; *some says whether there was anything. */
enum ttp_rc print_drain(struct ttp_dev *d, bool *some, struct ttp_err *e) TTP_CHECKED;
void print_release(struct ttp_dev *d);

/* ---- logs/memory_events.c ---- */
/* Tells the host's trace that a buffer was taken, or is given back. */
void memory_event(const struct ttp_buffer *b, bool taken);

/* ---- api/buffer.c ---- */
struct tile buffer_bank(const struct ttp_dev *d, enum ttp_memory where, uint32_t bank,
			uint64_t *offset);

#endif /* TTP_HOST_HOST_DEVICE_H */
