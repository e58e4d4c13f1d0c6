// SPDX-License-Identifier: Apache-2.0
/* Workers that are ended by SIGTERM keep what they recorded. */
#ifndef TTPROF_PYTHON_TERM_H
#define TTPROF_PYTHON_TERM_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>

/* keep_at_term(); see ttprof/backend.py. */
extern PyMethodDef term_methods[];

#endif /* TTPROF_PYTHON_TERM_H */
