// SPDX-License-Identifier: Apache-2.0
/*
 * What is open on a thread is counted, because a program may be told of ends without begins: the function that
 * calls enable() returns, too.  With lines, a bit per open zone says whether it is a line: one ends with the next
 * line of its function, and with its function.
 */
#include "calls.h"

#include <frameobject.h>
#include <stdint.h>

#include "places.h"

struct thread {
	uint64_t *is_line; /* a bit per open zone; NULL until lines are profiled */
	uint32_t depth, room;
	bool here; /* the callback is set on this thread */
};

static _Thread_local struct thread t;
static bool on, with_lines;

static bool top_is_line(void)
{
	uint32_t i = t.depth - 1;

	return t.depth && i / 64 < t.room && t.is_line[i / 64] >> i % 64 & 1;
}

/* The next zone to open is a line, or is not.  Deeper than there is memory for, nothing is a line. */
static void push(bool line)
{
	uint32_t i = t.depth++, n;
	uint64_t *more;

	if (!with_lines)
		return;
	if (i / 64 >= t.room) {
		n = t.room * 2 + 16;
		more = PyMem_RawRealloc(t.is_line, n * sizeof(*more));
		if (!more)
			return;
		for (uint32_t k = t.room; k < n; k++)
			more[k] = 0;
		t.is_line = more;
		t.room = n;
	}
	t.is_line[i / 64] &= ~(UINT64_C(1) << i % 64);
	t.is_line[i / 64] |= (uint64_t)line << i % 64;
}

static void pop(void)
{
	t.depth--;
	ttp_zone_end();
}

void calls_enter(PyCodeObject *code)
{
	push(false);
	place_begin_function(code);
}

void calls_enter_c(PyObject *callable)
{
	push(false);
	place_begin_c(callable);
}

void calls_leave(void)
{
	if (with_lines && top_is_line())
		pop();
	if (t.depth)
		pop();
}

void calls_line(PyCodeObject *code, int line)
{
	if (top_is_line())
		pop();
	if (!t.depth) /* of a function that was there before us */
		return;
	push(true);
	place_begin_line(code, line);
}

void calls_name_op(PyCodeObject *code, PyObject *frame)
{
	struct code_places *p = places_of(code);
	PyObject *locals, *name = NULL;
	char text[1040];
	const char *utf8;
	int n;

	if (!p || !p->wrapper || !t.depth)
		return;
	locals = PyObject_GetAttrString(frame, "f_locals");
	if (locals)
		name = PyMapping_GetItemString(locals, "local_name");
	utf8 = name ? PyUnicode_AsUTF8(name) : NULL;
	if (utf8) {
		n = PyOS_snprintf(text, sizeof(text), "PY_TT_LIB_%.1000s", utf8);
		ttp_zone_name(text, (size_t)n);
	}
	PyErr_Clear();
	Py_XDECREF(name);
	Py_XDECREF(locals);
}

void calls_end_all(void)
{
	while (t.depth)
		pop();
}

#if PY_VERSION_HEX < 0x030C0000
static int on_event(PyObject *self, PyFrameObject *frame, int what, PyObject *arg)
{
	PyCodeObject *code;

	(void)self;
	switch (what) {
	case PyTrace_CALL:
		code = PyFrame_GetCode(frame);
		calls_enter(code);
		Py_DECREF(code);
		break;
	case PyTrace_RETURN:
		code = PyFrame_GetCode(frame);
		calls_name_op(code, (PyObject *)frame);
		Py_DECREF(code);
		calls_leave();
		break;
	case PyTrace_LINE:
		code = PyFrame_GetCode(frame);
		calls_line(code, PyFrame_GetLineNumber(frame));
		Py_DECREF(code);
		break;
	case PyTrace_C_CALL:
		if (place_is_c(arg))
			calls_enter_c(arg);
		break;
	case PyTrace_C_EXCEPTION:
	case PyTrace_C_RETURN:
		if (place_is_c(arg))
			calls_leave();
		break;
	default:
		break;
	}
	return 0;
}

static void set_here(bool set)
{
	if (with_lines)
		PyEval_SetTrace(set ? on_event : NULL, NULL);
	else
		PyEval_SetProfile(set ? on_event : NULL, NULL);
	t.here = set;
}
#endif

static PyObject *enable(PyObject *self, PyObject *args)
{
	int lines = 0;

	(void)self;
	if (!PyArg_ParseTuple(args, "|p:enable", &lines) || !places_init())
		return NULL;
	if (on)
		Py_RETURN_NONE;
	with_lines = lines;
#if PY_VERSION_HEX >= 0x030C0000
	if (!monitor_start(lines))
		return NULL;
#else
	set_here(true);
#endif
	on = true;
	Py_RETURN_NONE;
}

static PyObject *disable(PyObject *self, PyObject *unused)
{
	(void)self;
	(void)unused;
	if (!on)
		Py_RETURN_NONE;
	on = false;
#if PY_VERSION_HEX >= 0x030C0000
	monitor_stop();
#else
	set_here(false);
#endif
	calls_end_all();
	Py_RETURN_NONE;
}

static PyObject *enabled(PyObject *self, PyObject *unused)
{
	(void)self;
	(void)unused;
	return PyBool_FromLong(on);
}

/* threading.setprofile and settrace call this as the first thing in a new thread: it takes over. */
static PyObject *thread_hook(PyObject *self, PyObject *args)
{
#if PY_VERSION_HEX < 0x030C0000
	PyObject *frame, *event, *arg;

	if (!PyArg_ParseTuple(args, "OOO:thread_hook", &frame, &event, &arg))
		return NULL;
	if (on && !t.here) {
		set_here(true);
		if (PyUnicode_Check(event) && !PyUnicode_CompareWithASCIIString(event, "call") &&
		    PyFrame_Check(frame))
			on_event(NULL, (PyFrameObject *)frame, PyTrace_CALL, arg);
	} else if (!on) {
		PyEval_SetProfile(NULL, NULL);
	}
#else
	(void)args;
#endif
	(void)self;
	Py_RETURN_NONE;
}

PyMethodDef calls_methods[] = {
	{ "enable", enable, METH_VARARGS,
	  "enable(lines=False): zones of every call, or of every line, from here on" },
	{ "disable", disable, METH_NOARGS, "disable(): no zones of calls from here on" },
	{ "enabled", enabled, METH_NOARGS, "enabled() -> bool" },
	{ "thread_hook", thread_hook, METH_VARARGS, "for threading.setprofile" },
	{ NULL, NULL, 0, NULL },
};
