// SPDX-License-Identifier: Apache-2.0
/* Calls by sys.monitoring: all threads at once, and cheaper than the callbacks that came before it. */
#include "calls_hot.h"

#if PY_VERSION_HEX >= 0x030C0000

/* The arguments of each event are in the documentation of sys.monitoring; the first is the code object. */
static PyObject *told_start(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
	(void)self;
	if (n >= 1 && PyCode_Check(args[0]) && !hot_enter((PyCodeObject *)args[0]))
		calls_enter((PyCodeObject *)args[0]);
	Py_RETURN_NONE;
}

static PyObject *told_end(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
	(void)self;
	if (n >= 1 && PyCode_Check(args[0]) && !hot_leave((PyCodeObject *)args[0]))
		calls_leave((PyCodeObject *)args[0], NULL);
	Py_RETURN_NONE;
}

/* The same two with lines. */
static PyObject *told_start_lines(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
	(void)self;
	if (n >= 1 && PyCode_Check(args[0]))
		calls_enter((PyCodeObject *)args[0]);
	Py_RETURN_NONE;
}

static PyObject *told_end_lines(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
	(void)self;
	if (n >= 1 && PyCode_Check(args[0]))
		calls_leave((PyCodeObject *)args[0], NULL);
	Py_RETURN_NONE;
}

static inline int small_int(PyObject *number)
{
	if (PyUnstable_Long_IsCompact((PyLongObject *)number))
		return (int)PyUnstable_Long_CompactValue((PyLongObject *)number);
	return (int)PyLong_AsLong(number);
}

static PyObject *told_line(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
	(void)self;
	if (n >= 2 && PyCode_Check(args[0]) && PyLong_Check(args[1]) &&
	    !hot_line((PyCodeObject *)args[0], small_int(args[1])))
		calls_line((PyCodeObject *)args[0], small_int(args[1]));
	Py_RETURN_NONE;
}

/* CALL comes before every call; only those of C functions have an end of their own. */
static PyObject *told_call(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
	(void)self;
	if (n >= 3 && !Py_IS_TYPE(args[2], &PyFunction_Type) && PyCode_Check(args[0]))
		calls_enter_c((PyCodeObject *)args[0], args[2]);
	Py_RETURN_NONE;
}

static PyObject *told_c_end(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
	(void)self;
	if (n >= 3 && PyCode_Check(args[0]))
		calls_leave_c((PyCodeObject *)args[0], args[2]);
	Py_RETURN_NONE;
}

#define FAST(name, function)                                                       \
	{                                                                          \
		name, (PyCFunction)(void (*)(void))(function), METH_FASTCALL, NULL \
	}
static PyMethodDef defs[] = {
	FAST("start", told_start),   FAST("end", told_end),   FAST("start", told_start_lines),
	FAST("end", told_end_lines), FAST("line", told_line), FAST("call", told_call),
	FAST("c_end", told_c_end),
};
enum { START, END, START_LINES, END_LINES, LINE, CALL, C_END, NO };

static const struct {
	const char *event;
	int calls, lines; /* what is reported, with calls and with lines */
} wanted[] = {
	{ "PY_START", START, START_LINES },
	{ "PY_RESUME", START, START_LINES },
	{ "PY_THROW", START, START_LINES },
	{ "PY_RETURN", END, END_LINES },
	{ "PY_YIELD", END, END_LINES },
	{ "PY_UNWIND", END, END_LINES },
	{ "CALL", CALL, NO },
	{ "C_RETURN", C_END, NO },
	{ "C_RAISE", C_END, NO },
	{ "LINE", NO, LINE },
};

static long tool = -1;

/* sys.monitoring.NAME(...); NULL with an exception set. */
static PyObject *monitoring(const char *name, const char *format, ...)
{
	PyObject *m = PySys_GetObject("monitoring"), *f, *args, *out = NULL;
	va_list ap;

	if (!m) {
		PyErr_SetString(PyExc_RuntimeError, "sys.monitoring is missing");
		return NULL;
	}
	f = PyObject_GetAttrString(m, name);
	va_start(ap, format);
	args = Py_VaBuildValue(format, ap);
	va_end(ap);
	if (f && args)
		out = PyObject_CallObject(f, args);
	Py_XDECREF(f);
	Py_XDECREF(args);
	return out;
}

static long event_of(const char *name)
{
	PyObject *m = PySys_GetObject("monitoring");
	PyObject *events = m ? PyObject_GetAttrString(m, "events") : NULL;
	PyObject *e = events ? PyObject_GetAttrString(events, name) : NULL;
	long v = e ? PyLong_AsLong(e) : -1;

	Py_XDECREF(e);
	Py_XDECREF(events);
	return v;
}

/* The profiler's own number, or any other that is free. */
static bool take_tool(void)
{
	static const int ids[] = { 2, 3, 4, 5, 1, 0 };
	PyObject *r;

	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++) {
		r = monitoring("use_tool_id", "(is)", ids[i], "ttprof");
		if (r) {
			Py_DECREF(r);
			tool = ids[i];
			return true;
		}
		if (!PyErr_ExceptionMatches(PyExc_ValueError))
			return false;
		PyErr_Clear();
	}
	PyErr_SetString(
		PyExc_RuntimeError,
		"ttprof: six other tools use sys.monitoring already, and there are no more");
	return false;
}

bool monitor_start(bool lines)
{
	unsigned long mask = 0;

	if (!take_tool())
		return false;
	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		int def = lines ? wanted[i].lines : wanted[i].calls;
		long event;
		PyObject *f, *r = NULL;

		if (def == NO)
			continue;
		event = event_of(wanted[i].event);
		f = event > 0 ? PyCFunction_New(&defs[def], NULL) : NULL;
		if (f)
			r = monitoring("register_callback", "(llO)", tool, event, f);
		Py_XDECREF(f);
		if (!r) {
			monitor_stop();
			return false;
		}
		Py_DECREF(r);
		/* These two come with CALL. */
		if (def != C_END)
			mask |= (unsigned long)event;
	}
	{
		PyObject *r = monitoring("set_events", "(lk)", tool, mask);

		if (!r) {
			monitor_stop();
			return false;
		}
		Py_DECREF(r);
	}
	return true;
}

void monitor_stop(void)
{
	PyObject *type, *value, *traceback;

	if (tool < 0)
		return;
	PyErr_Fetch(&type, &value, &traceback);
	Py_XDECREF(monitoring("set_events", "(li)", tool, 0));
	Py_XDECREF(monitoring("free_tool_id", "(l)", tool));
	PyErr_Clear();
	PyErr_Restore(type, value, traceback);
	tool = -1;
}

#endif
