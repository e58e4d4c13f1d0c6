// SPDX-License-Identifier: Apache-2.0
/*
 * Several programs in one .tracy file, which has room for one: their list stands as lines in the text about the machine
 *
 *	ttprof process: pid=7 protocol=TT66 zones=20 starts_ns=1500 error_ns=2000 ended=1 program=name
 *
 * their threads have numbers from process * 2^40 on, and what has a name is called "name[7] " and that name.
 */
#ifndef TTP_TRACE_TRACY_TRACY_PROCESSES_H
#define TTP_TRACE_TRACY_TRACY_PROCESSES_H

#include "trace/trace.h"

enum { PROCESS_SHIFT = 40 };

/* The first process's text about the machine, and the list if there are several. */
void processes_put(const struct trace *t, struct buf *to);
/* Takes the list out of that text again. */
void processes_get(struct trace *t);
/* "name[7] " before a name: the process, and the name without it.  Of one program all names stay as they are. */
uint32_t processes_strip(struct trace *t, uint32_t string, uint32_t *process);

#endif /* TTP_TRACE_TRACY_TRACY_PROCESSES_H */
