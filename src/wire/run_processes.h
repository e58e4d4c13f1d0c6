// SPDX-License-Identifier: Apache-2.0
/*
 * Which processes of a run opened which devices, and which programs are theirs (docs/reference/formats/run-processes.md).
 *
 * A device belongs to its process: eight ranks that open device 0 each have eight chips.  Logs know devices by the numbers that
 * processes gave them, and programs by numbers that are each process's own.  Where two processes gave one number, devices are
 * numbered anew as the run's chips, in the order of ranks, else of first programs; else they keep their numbers.
 */
#ifndef TTP_WIRE_RUN_PROCESSES_H
#define TTP_WIRE_RUN_PROCESSES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/input.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"

struct run_process {
	int64_t pid;
	int64_t rank; /* -1: it has none */
	uint64_t first;
	char program[48]; /* its name; empty: not known */
};

/* When a process sent a message that does not say whose it is, on the host's clock of the logs. */
struct run_moment {
	int64_t time_ns;
	uint32_t process;
};

enum run_moment_kind {
	RUN_SIGNPOST,
	RUN_TRACE_MESSAGE /* begin, end or replay of a trace */,
	RUN_MOMENT_KINDS
};

/* Programs from `first` to `last`, as run ids: number << 10 | device. */
struct run_programs {
	uint64_t first, last;
	uint32_t process;
};

struct run_device {
	uint32_t process, device;
};

struct run_processes {
	VEC(struct run_process) all;       /* in the order of chips */
	VEC(struct run_programs) programs; /* by number */
	VEC(struct run_device) devices;
	struct run_moments {
		VEC(struct run_moment) list; /* by time, after run_processes_named() */
	} moments[RUN_MOMENT_KINDS];
	uint32_t stride;         /* chips of a process; 0: devices keep their numbers */
	struct u64map by_pid;    /* to `all` */
	struct u64map by_device; /* process and device that are in `devices` */
};

/* A line of $TTP_SESSION.ops (src/host/api/run_session.c); others are skipped. */
void run_processes_take(struct run_processes *p, struct str line);
/* After the last line. */
void run_processes_finish(struct run_processes *p);
/* After that: what a process is called, and when it sent what; of processes that are not known nothing is kept. */
void run_processes_name(struct run_processes *p, int64_t pid, struct str program);
void run_processes_moment(struct run_processes *p, enum run_moment_kind kind, int64_t pid,
			  int64_t time_ns);
/* And after those. */
void run_processes_named(struct run_processes *p);
void run_processes_put(const struct run_processes *p, struct buf *to);
void run_processes_release(struct run_processes *p);
/* What was put, of the file in a folder; NULL: there is none, it says nothing, or, with e->rc, it can't be read.  To be freed. */
struct run_processes *run_processes_find(struct inputs *files, const char *folder,
					 struct ttp_err *e);
void run_processes_free(struct run_processes *p);

/* For NULL, too: then there is one process, and devices keep their numbers. */

/* Of a program; NULL: not known. */
const struct run_process *run_process_of(const struct run_processes *p, uint64_t run_id);
/* Of a signpost or a message of a trace, by its time; NULL: not known. */
const struct run_process *run_process_at(const struct run_processes *p, enum run_moment_kind kind,
					 int64_t time_ns);
bool run_has_processes(const struct run_processes *p); /* more than one */
/* The number of a chip in the run, of the device that the process of a program calls so. */
uint32_t run_chip(const struct run_processes *p, uint64_t run_id, uint32_t device);
/* The same by the process. */
uint32_t run_chip_of(const struct run_processes *p, int64_t pid, uint32_t device);

#endif /* TTP_WIRE_RUN_PROCESSES_H */
