// SPDX-License-Identifier: Apache-2.0
/* Zones of every call, and of every line, of a Python program. */
#ifndef TTPROF_PYTHON_CALLS_H
#define TTPROF_PYTHON_CALLS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>

/* What the interpreter tells, by whatever way; per thread. */
void calls_enter(PyCodeObject *code);
void calls_leave(void);
void calls_enter_c(PyObject *callable);
void calls_line(PyCodeObject *code, int line);
/* The innermost zone of a function that wraps an op is named after it. */
void calls_name_op(PyCodeObject *code, PyObject *frame);
/* Ends the zones that are open on this thread: nobody will tell of their ends. */
void calls_end_all(void);

/* enable(lines), disable(), enabled(), thread_hook(frame, event, arg); see ttprof/profiler.py. */
extern PyMethodDef calls_methods[];

/* Of 3.12 on: by sys.monitoring.  False with an exception set. */
bool monitor_start(bool lines);
void monitor_stop(void);

#endif /* TTPROF_PYTHON_CALLS_H */
