// SPDX-License-Identifier: Apache-2.0
/* Tiles of 32 x 32 values, bf16 or fp32, as the device has them; padded with 0. */
#ifndef TTPROF_PYTHON_TILES_H
#define TTPROF_PYTHON_TILES_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

extern PyMethodDef tiles_methods[];

#endif /* TTPROF_PYTHON_TILES_H */
