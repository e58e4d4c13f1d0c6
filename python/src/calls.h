// SPDX-License-Identifier: Apache-2.0
/* Zones of every call, and of every line, of a Python program. */
#ifndef TTPROF_PYTHON_CALLS_H
#define TTPROF_PYTHON_CALLS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>

#include "python38.h"

/* What the interpreter tells, by whatever way; per thread. */
void calls_enter(PyCodeObject *code);
/* `frame` is only needed for ttnn's wrapper, which names its zone by its locals; NULL: it is found. */
void calls_leave(PyCodeObject *code, PyFrameObject *frame);
/* A function in C, called by `caller`. */
void calls_enter_c(PyCodeObject *caller, PyObject *callable);
void calls_leave_c(PyCodeObject *caller, PyObject *callable);
void calls_line(PyCodeObject *code, int line);
/* Ends the zones that are open on this thread: nobody will tell of their ends. */
void calls_end_all(void);

/* What records by hand calls this first: a thread gets its name when it records for the first time. */
void calls_name_thread(void);

/* A zone that the program begins and ends by itself.  It may end in another function than it began in. */
void calls_hand_begin(void);
void calls_hand_end(void);
/* The same of one that another library ends itself: it has. */
void calls_hand_ended(void);

/* enable(lines), disable(), enabled(), depth_lost(), thread_hook(frame, event, arg); see ttprof/profiler.py. */
extern PyMethodDef calls_methods[];

/* Of 3.12 on: by sys.monitoring.  False with an exception set. */
bool monitor_start(bool lines);
void monitor_stop(void);

#endif /* TTPROF_PYTHON_CALLS_H */
