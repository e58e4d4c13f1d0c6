// SPDX-License-Identifier: Apache-2.0
/* Where in Python something happens, as source locations of libttp: looked up once per function or line, then found again by pointer. */
#ifndef TTPROF_PYTHON_PLACES_H
#define TTPROF_PYTHON_PLACES_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>

#include <ttp/client.h>

#include "python38.h"

/* What is kept with a code object.  Those of lines are made when a line is first run. */
struct code_places {
	const struct ttp_location *plain;    /* the function, if it is neither of what is below */
	const struct ttp_location *function; /* NULL: there are too many, give the text each time */
	const struct ttp_location **lines;   /* from first_line on; NULL until lines are profiled */
	int first_line, n_lines;
	bool wrapper; /* ttnn's own: zones are named by the op that it wraps */
	bool hidden;  /* of our own packages: no zones */
};

/* False with an exception set. */
bool places_init(void);
/* NULL only without memory.  Lives as long as the code object. */
struct code_places *places_find(PyCodeObject *code);

/*
 * The same, for each call and line.  What tools keep with a code object lies behind a public field, in an array that
 * the interpreter only reads by a function; places_init() has compared the two.
 */
struct code_extras {
	Py_ssize_t n;
	void *at[];
};
extern Py_ssize_t places_index
	__attribute__((visibility("hidden"))); /* ours in that array; -1: ask the function */

/* NULL: places_find() may know more. */
static inline struct code_places *places_known(const PyCodeObject *code)
{
	const struct code_extras *all = code->co_extra;

	/* -1 is more than any. */
	if (__builtin_expect(all && (size_t)all->n > (size_t)places_index, 1))
		return all->at[places_index];
	return NULL;
}

static inline struct code_places *places_of(PyCodeObject *code)
{
	struct code_places *p = places_known(code);

	return __builtin_expect(p != NULL, 1) ? p : places_find(code);
}

void place_begin_function(PyCodeObject *code);
void place_begin_line(PyCodeObject *code, int line);
/* Of a function in C; `callable` is a PyCFunction or a method of a C type, and none of ours. */
void place_begin_c(PyObject *callable);
bool place_is_c(PyObject *callable);

/* hide(folders, but): functions of files in there have no zones. */
extern PyMethodDef places_methods[];
/* Our own module, whose functions are hidden. */
void places_module(PyObject *module);

#endif /* TTPROF_PYTHON_PLACES_H */
