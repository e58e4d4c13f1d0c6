// SPDX-License-Identifier: Apache-2.0
#include "places.h"

#include <stdio.h>
#include <string.h>

/* The same three functions, under the names of two times. */
#if PY_VERSION_HEX >= 0x030C0000
#define extra_index PyUnstable_Eval_RequestCodeExtraIndex
#define extra_get   PyUnstable_Code_GetExtra
#define extra_set   PyUnstable_Code_SetExtra
#else
#define extra_index _PyEval_RequestCodeExtraIndex
#define extra_get   _PyCode_GetExtra
#define extra_set   _PyCode_SetExtra
#endif

static Py_ssize_t extra = -1;

static void forget(void *at)
{
	struct code_places *p = at;

	if (p)
		PyMem_RawFree((void *)p->lines);
	PyMem_RawFree(p);
}

Py_ssize_t places_index = -1;

/* Whether code_extras is what this interpreter has: as found by a code object of its own. */
static bool layout_is_known(void)
{
	PyCodeObject *code = PyCode_NewEmpty("ttprof", "probe", 1);
	const struct code_extras *all;
	void *probe = PyMem_RawCalloc(1, sizeof(struct code_places)), *got = NULL;
	bool known = false;

	if (code && probe && !extra_set((PyObject *)code, extra, probe)) {
		all = code->co_extra;
		known = all && all->n > extra && all->at[extra] == probe &&
			!extra_get((PyObject *)code, extra, &got) && got == probe;
	} else {
		PyMem_RawFree(probe);
	}
	PyErr_Clear();
	Py_XDECREF(code);
	return known;
}

bool places_init(void)
{
	if (extra < 0) {
		extra = extra_index(forget);
		if (extra >= 0 && layout_is_known())
			places_index = extra;
	}
	if (extra < 0)
		PyErr_SetString(PyExc_RuntimeError,
				"ttprof: this interpreter has no room for a profiler's data");
	return extra >= 0;
}

struct text {
	const char *at;
	size_t len;
};

/* ---- what is hidden: zones of our own functions would lie between those of the program ---- */

static PyObject *hidden_folders, *shown_files; /* tuples of str, or NULL */
static PyObject *our_module;

void places_module(PyObject *module)
{
	our_module = module;
}

static bool any_begins(struct text file, PyObject *with)
{
	for (Py_ssize_t i = 0; with && i < PyTuple_GET_SIZE(with); i++) {
		Py_ssize_t n;
		const char *at = PyUnicode_AsUTF8AndSize(PyTuple_GET_ITEM(with, i), &n);

		if (at && file.len >= (size_t)n && !memcmp(file.at, at, (size_t)n))
			return true;
		PyErr_Clear();
	}
	return false;
}

static PyObject *hide(PyObject *self, PyObject *args)
{
	PyObject *folders, *but;

	(void)self;
	if (!PyArg_ParseTuple(args, "O!O!:hide", &PyTuple_Type, &folders, &PyTuple_Type, &but))
		return NULL;
	for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(folders) + PyTuple_GET_SIZE(but); i++) {
		Py_ssize_t n = PyTuple_GET_SIZE(folders);

		if (!PyUnicode_Check(i < n ? PyTuple_GET_ITEM(folders, i)
					   : PyTuple_GET_ITEM(but, i - n))) {
			PyErr_SetString(PyExc_TypeError, "folders and files are str");
			return NULL;
		}
	}
	Py_INCREF(folders);
	Py_INCREF(but);
	Py_XSETREF(hidden_folders, folders);
	Py_XSETREF(shown_files, but);
	Py_RETURN_NONE;
}

PyMethodDef places_methods[] = {
	{ "hide", hide, METH_VARARGS, "hide(folders, but): no zones of functions in there" },
	{ NULL, NULL, 0, NULL },
};

/* The UTF-8 of a str; lone surrogates have none, and are not worth losing a zone for. */
static struct text text_of(PyObject *str)
{
	Py_ssize_t n = 0;
	const char *at = str && PyUnicode_Check(str) ? PyUnicode_AsUTF8AndSize(str, &n) : NULL;

	if (!at) {
		PyErr_Clear();
		return (struct text){ "?", 1 };
	}
	return (struct text){ at, (size_t)n };
}

/* PREFIX and a name of any length; what is too long for a name is cut. */
static struct text prefixed(const char *prefix, struct text name, char *room, size_t size)
{
	int n = snprintf(room, size, "%s%.*s", prefix, (int)(name.len < 1000 ? name.len : 1000),
			 name.at);

	return (struct text){ room, n < (int)size ? (size_t)n : size - 1 };
}

static struct text function_of(PyCodeObject *code)
{
#if PY_VERSION_HEX >= 0x030B0000
	return text_of(code->co_qualname);
#else
	return text_of(code->co_name);
#endif
}

static bool is_wrapper(struct text file)
{
	static const char end[] = "ttnn_profiler_wrapper.py";

	return file.len >= sizeof(end) - 1 &&
	       !memcmp(file.at + file.len - (sizeof(end) - 1), end, sizeof(end) - 1);
}

/* A source location for ever; NULL when there are too many, so that who asks gives the text each time and the name is not lost. */
static const struct ttp_location *made(struct text name, struct text function, struct text file,
				       int line)
{
	const struct ttp_location *l =
		ttp_location_intern(name.at, name.len, function.at, function.len, file.at, file.len,
				    line > 0 ? (uint32_t)line : 0, 0);

	return l && l->name && !strncmp(l->name, name.at, name.len) ? l : NULL;
}

struct code_places *places_find(PyCodeObject *code)
{
	struct code_places *p = NULL;
	struct text name, function, file;
	char room[1040];

	if (!extra_get((PyObject *)code, extra, (void **)&p) && p)
		return p;
	p = PyMem_RawCalloc(1, sizeof(*p));
	if (!p)
		return NULL;
	function = function_of(code);
	file = text_of(code->co_filename);
	name = prefixed("PY_FUNC_", text_of(code->co_name), room, sizeof(room));
	p->function = made(name, function, file, code->co_firstlineno);
	p->first_line = code->co_firstlineno;
	p->wrapper = is_wrapper(file);
	p->hidden = any_begins(file, hidden_folders) && !any_begins(file, shown_files);
	p->plain = p->hidden || p->wrapper ? NULL : p->function;
	if (extra_set((PyObject *)code, extra, p)) {
		PyErr_Clear();
		PyMem_RawFree(p);
		return NULL;
	}
	return p;
}

/* Without a source location of its own: the text goes with each zone. */
static void begin_by_text(const char *prefix, PyCodeObject *code, int line)
{
	struct text function = function_of(code), file = text_of(code->co_filename), name;
	char room[1040];

	name = prefixed(prefix, text_of(code->co_name), room, sizeof(room));
	ttp_zone_begin_text(name.at, name.len, function.at, function.len, file.at, file.len,
			    (uint32_t)line, 0);
}

void place_begin_function(PyCodeObject *code)
{
	struct code_places *p = places_of(code);

	if (p && p->function)
		ttp_zone_begin(p->function);
	else
		begin_by_text("PY_FUNC_", code, code->co_firstlineno);
}

/* The slot of a line; NULL where there is none. */
static const struct ttp_location **slot_of(struct code_places *p, int line)
{
	int at = line - p->first_line, n;
	const struct ttp_location **more;

	/* A generated function may claim any line. */
	if (at < 0 || at >= 1 << 16)
		return NULL;
	if (at >= p->n_lines) {
		n = at + 16 + p->n_lines;
		more = PyMem_RawRealloc((void *)p->lines, (size_t)n * sizeof(*more));
		if (!more)
			return NULL;
		memset((void *)(more + p->n_lines), 0, (size_t)(n - p->n_lines) * sizeof(*more));
		p->lines = more;
		p->n_lines = n;
	}
	return &p->lines[at];
}

void place_begin_line(PyCodeObject *code, int line)
{
	struct code_places *p = places_of(code);
	const struct ttp_location **slot = p ? slot_of(p, line) : NULL;
	struct text name, function, file;
	char room[1040];

	if (!slot) {
		begin_by_text("PY_LINE_", code, line);
		return;
	}
	if (!*slot) {
		function = function_of(code);
		file = text_of(code->co_filename);
		name = prefixed("PY_LINE_", text_of(code->co_name), room, sizeof(room));
		*slot = made(name, function, file, line);
	}
	if (*slot)
		ttp_zone_begin(*slot);
	else
		begin_by_text("PY_LINE_", code, line);
}

bool place_is_c(PyObject *callable)
{
	/* Most are these; to ask for a subtype takes longer than all the rest. */
	if (Py_IS_TYPE(callable, &PyFunction_Type))
		return false;
	if (PyCFunction_Check(callable))
		return PyCFunction_GET_SELF(callable) != our_module || !our_module;
	return Py_IS_TYPE(callable, &PyMethodDescr_Type);
}

/* Source locations of C functions, by the address of their definition.  A library that is unloaded may make room for another one
 * at the same address, so the name is compared as well. */
#define C_PLACES 1024
static struct c_place {
	const PyMethodDef *of;
	const char *name;
	const struct ttp_location *place;
} c_places[C_PLACES];

static const char *module_of(PyObject *callable)
{
	PyObject *self;

	if (!PyCFunction_Check(callable))
		return ((PyDescrObject *)callable)->d_type->tp_name;
	self = PyCFunction_GET_SELF(callable);
	if (self && PyModule_Check(self))
		return PyModule_GetName(self);
	return self ? (PyType_Check(self) ? ((PyTypeObject *)self)->tp_name
					  : Py_TYPE(self)->tp_name)
		    : "builtins";
}

void place_begin_c(PyObject *callable)
{
	const PyMethodDef *def = PyCFunction_Check(callable)
					 ? ((PyCFunctionObject *)callable)->m_ml
					 : ((PyMethodDescrObject *)callable)->d_method;
	uintptr_t hash = (uintptr_t)def;
	struct c_place *c = &c_places[(hash >> 5 ^ hash >> 15) % C_PLACES];
	const char *module;
	struct text name;
	char room[1040];

	if (c->of == def && c->name == def->ml_name && c->place) {
		ttp_zone_begin(c->place);
		return;
	}
	module = module_of(callable);
	if (!module) {
		PyErr_Clear();
		module = "?";
	}
	name = prefixed("PY_FUNC_", (struct text){ def->ml_name, strlen(def->ml_name) }, room,
			sizeof(room));
	c->place = made(name, (struct text){ def->ml_name, strlen(def->ml_name) },
			(struct text){ module, strlen(module) }, 0);
	c->of = def;
	c->name = def->ml_name;
	if (c->place)
		ttp_zone_begin(c->place);
	else
		ttp_zone_begin_text(name.at, name.len, def->ml_name, strlen(def->ml_name), module,
				    strlen(module), 0, 0);
}
