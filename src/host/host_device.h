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
#include "device/markers.h"
#include "device/profiler.h"
#include "host/api/bank_space.h"
#include "host/api/device_settings.h"
#include "host/api/program.h"
#include "host/clock/sync_fit.h"
#include "host/logs/log_writer.h"
#include "host/logs/noc_trace.h"
#include "host/logs/perf_data.h"

/* ---- clock_sync.c ---- */

/*
 * TT_METAL_PROFILER_SYNC: when a device is opened and again when it is closed, a kernel on core (0,0) notes its
 * clock at 249 moments that the host knows.  From both the relation of the clocks, and how sure it is.
 */

enum { SYNC_SAMPLES = 249 };

struct ttp_dev;
struct ttp_program;

struct sync {
	VEC(struct sync_sample) samples;
	int64_t first_ns; /* host time at the beginning of the first sync */
	struct ttp_program *program;
	struct sync_fit fit;
	bool synced;     /* `fit` holds */
	unsigned passes; /* that gave samples */
	uint64_t lost;   /* words of the host that the kernel never saw */
};

/* Makes samples, the fit, and rows of sync_device_info.csv.  A device that cannot is warned of, and no error. */
enum ttp_rc sync_run(struct ttp_dev *d, struct ttp_err *e) TTP_CHECKED;

/* sync_log.c: the last `n` samples as rows, behind those that are there. */
enum ttp_rc sync_log_add(const struct ttp_dev *d, size_t n, struct ttp_err *e) TTP_CHECKED;

/* ---- replay_zones.c ---- */

/*
 * Trace-only profiling: of each replay of a trace one firmware and one kernel zone per core, from the first
 * start to the last end of all its programs and RISCs.  In the log they are TRACE-FW and TRACE-KERNEL of the
 * processor TENSIX_RISC_AGG, with the count of replays as the run's id, as in tt-metal; there the cores
 * put them together, here the host does it from what the firmware records anyway.
 */

struct ttp_dev;
struct launched;

struct replay_span {
	uint32_t sequence;         /* number of the replay on the device, from 1 */
	uint32_t trace, replay;    /* of the trace */
	uint64_t start[2], end[2]; /* FW, KERNEL; start UINT64_MAX: none */
};
typedef VEC(struct replay_span) replay_spans;

void replay_zones_marker(struct ttp_dev *d, int flat, const struct launched *l,
			 const struct device_marker *m, struct str zone);
/* Rows of all replays that are over; `w` NULL: no log. */
void replay_zones_write(struct ttp_dev *d, struct log_writer *w);
void replay_zones_release(struct ttp_dev *d);

/* ---- overhead.c ---- */

/*
 * What profiling itself costs: measured by every run that is profiled, and kept in profiler_overhead.json beside the logs
 * (docs/reference/formats/overhead.md).  A program's last device that is closed also logs it in a line (TTP_LOG=device:info).
 */

struct overhead {
	uint64_t reads, read_ns; /* of the profiler, and the processor time that they took */
	double zone_cycles; /* of a zone: what it adds to the time of the code around it; 0: not measured */
	double zone_inside_cycles; /* ... the part of it that its own time shows */
};

struct ttp_dev;

/* Time of this thread, in ns: what others did meanwhile is no cost. */
int64_t overhead_now(void);
/* After the last read: runs a kernel that does nothing but zones. */
void overhead_measure(struct ttp_dev *d);
/* Adds this device to the file.  `last`: and logs the line, no other device is open. */
enum ttp_rc overhead_write(struct ttp_dev *d, bool last, struct ttp_err *e) TTP_CHECKED;

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
	unsigned exhausted;     /* host_exhausted() when it was opened */
	int64_t last_read_ns;   /* when it was read by itself; 0: nothing was launched yet */
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
	struct {
		bool on;
		uint32_t row; /* of the logical grid, behind its last one */
		struct ttp_program *program;
		struct ttp_kernel *kernels[3];
	} dispatch; /* of api/dispatch_cores.c */
};

/* Around a call that uses the device; api/device_life.c */
void host_enter(struct ttp_dev *d);
void host_leave(struct ttp_dev *d);

static inline void device_leave(struct ttp_dev **d)
{
	host_leave(*d);
}

/* A call is not over until its scope ends. */
#define DEVICE_ENTER(d)                                                               \
	struct ttp_dev *entered __attribute__((cleanup(device_leave), unused)) = (d); \
	host_enter(d)

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

/* Host time beside a simulated chip, and the chip's clock beside the host's (chip_pace.c). */
struct ttp_dev;

/* Around time spent inside of a simulator, which host time does not have. */
void clock_enter(void);
void clock_leave(void);
/* Time of the device that the host waited for. */
void clock_pass(double ns);
bool clock_is_scripted(void);

void pace_begin(struct ttp_dev *d);
/* The chip is taken to where the host is; nothing if its clock stands still. */
void pace_device(struct ttp_dev *d);
/* The host is taken to where the chip is, because it waited for it. */
void pace_host(struct ttp_dev *d);

/* The text of ttp_device_error(), of the calling thread. */
int host_fail(const struct ttp_err *e);                 /* -1 */
int host_failed(const char *fmt, ...) TTP_PRINTF(1, 2); /* the same from a text */
/* A handle is NULL: the error that made it so stays; if there was none, this is the first. */
int host_no(const char *handle);
/* A pointer that is needed is NULL. */
int host_null(const char *function, const char *what);

/* The same for functions that return a pointer. */
#define HOST_NONE(...)  (host_failed(__VA_ARGS__), NULL)
#define HOST_NO(handle) (host_no(handle), NULL)

/*
 * What processes of one `ttprof run` share.  It leaves a file beside its socket ($TTP_SESSION.ops); from there each
 * process takes the numbers of its programs, so that none has another's, and learns which logs another one has begun.
 * Its first line is the last number that was taken, then come
 *
 *	ops PID FIRST LAST RANK	numbers that a process took; RANK is "-" without one
 *	device PID NUMBER	a device that a process opened
 *	log FOLDER		a folder whose log was begun
 */
/* The next number of a program, 1 to PROGRAM_ID_MAX; of this process alone where no `ttprof run` records it. */
uint32_t session_next_id(void);
/* This process records a device: it is its own, whatever number others gave theirs (wire/run_processes.h). */
void session_opens(int device);
/*
 * Whether the log of this folder is to be begun anew: not if another process of the run did.  Others wait until
 * session_begun(), and find it begun then.
 */
bool session_begins(const char *folder, int *held);
void session_begun(int held);

#endif /* TTP_HOST_HOST_DEVICE_H */
