// SPDX-License-Identifier: Apache-2.0
/* ttprof._client: libttp for Python.  ttprof/__init__.py is what users see. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "calls.h"
#include "places.h"
#include "term.h"
#include "tiles.h"

/* Names of frames and plots are read later: each is kept for ever, once. */
static PyObject *literals;

static const char *literal(PyObject *name)
{
	PyObject *kept;

	if (name == Py_None)
		return NULL;
	if (!PyUnicode_Check(name)) {
		PyErr_Format(PyExc_TypeError, "a name must be str, not %.100s",
			     Py_TYPE(name)->tp_name);
		return NULL;
	}
	kept = PyDict_SetDefault(literals, name, name);
	return kept ? PyUnicode_AsUTF8(kept) : NULL;
}

static PyObject *message(PyObject *self, PyObject *args)
{
	const char *text;
	Py_ssize_t n;
	unsigned color = 0;

	(void)self;
	if (!PyArg_ParseTuple(args, "s#|I:message", &text, &n, &color))
		return NULL;
	calls_name_thread();
	if (color)
		ttp_message_color(text, (size_t)n, color);
	else
		ttp_message(text, (size_t)n);
	Py_RETURN_NONE;
}

static PyObject *signpost(PyObject *self, PyObject *args)
{
	const char *header, *text = NULL;

	(void)self;
	if (!PyArg_ParseTuple(args, "s|z:signpost", &header, &text))
		return NULL;
	calls_name_thread();
	ttp_signpost(header, text);
	Py_RETURN_NONE;
}

static PyObject *zone_begin(PyObject *self, PyObject *args)
{
	const char *name, *file, *function;
	Py_ssize_t name_len, file_len, function_len;
	unsigned line = 0, color = 0;

	(void)self;
	if (!PyArg_ParseTuple(args, "s#s#s#|II:zone_begin", &name, &name_len, &function,
			      &function_len, &file, &file_len, &line, &color))
		return NULL;
	calls_name_thread();
	calls_hand_begin();
	ttp_zone_begin_text(name, (size_t)name_len, function, (size_t)function_len, file,
			    (size_t)file_len, line, color);
	Py_RETURN_NONE;
}

static PyObject *zone_end(PyObject *self, PyObject *unused)
{
	(void)self;
	(void)unused;
	calls_hand_end();
	Py_RETURN_NONE;
}

static PyObject *zone_opened(PyObject *self, PyObject *unused)
{
	(void)self;
	(void)unused;
	calls_hand_begin();
	Py_RETURN_NONE;
}

static PyObject *zone_closed(PyObject *self, PyObject *unused)
{
	(void)self;
	(void)unused;
	calls_hand_ended();
	Py_RETURN_NONE;
}

static PyObject *zone_text(PyObject *self, PyObject *args)
{
	const char *text;
	Py_ssize_t n;

	(void)self;
	if (!PyArg_ParseTuple(args, "s#:zone_text", &text, &n))
		return NULL;
	ttp_zone_text(text, (size_t)n);
	Py_RETURN_NONE;
}

static PyObject *zone_name(PyObject *self, PyObject *args)
{
	const char *text;
	Py_ssize_t n;

	(void)self;
	if (!PyArg_ParseTuple(args, "s#:zone_name", &text, &n))
		return NULL;
	ttp_zone_name(text, (size_t)n);
	Py_RETURN_NONE;
}

static PyObject *zone_color(PyObject *self, PyObject *args)
{
	unsigned color;

	(void)self;
	if (!PyArg_ParseTuple(args, "I:zone_color", &color))
		return NULL;
	ttp_zone_color(color);
	Py_RETURN_NONE;
}

static PyObject *zone_value(PyObject *self, PyObject *args)
{
	unsigned long long value;

	(void)self;
	if (!PyArg_ParseTuple(args, "K:zone_value", &value))
		return NULL;
	ttp_zone_value(value);
	Py_RETURN_NONE;
}

static PyObject *frame(PyObject *self, PyObject *args)
{
	PyObject *name = Py_None;
	const char *text;

	(void)self;
	if (!PyArg_ParseTuple(args, "|O:frame", &name))
		return NULL;
	text = literal(name);
	if (PyErr_Occurred())
		return NULL;
	ttp_frame(text);
	Py_RETURN_NONE;
}

static PyObject *plot(PyObject *self, PyObject *args)
{
	PyObject *name, *value;
	const char *text;

	(void)self;
	if (!PyArg_ParseTuple(args, "UO:plot", &name, &value))
		return NULL;
	text = literal(name);
	if (!text)
		return NULL;
	if (PyLong_Check(value)) {
		int over;
		long long whole = PyLong_AsLongLongAndOverflow(value, &over);

		if (over)
			ttp_plot(text, PyLong_AsDouble(value));
		else
			ttp_plot_int(text, whole);
	} else {
		double number = PyFloat_AsDouble(value);

		if (!PyErr_Occurred())
			ttp_plot(text, number);
	}
	if (PyErr_Occurred())
		return NULL;
	Py_RETURN_NONE;
}

static PyObject *plot_config(PyObject *self, PyObject *args)
{
	PyObject *name;
	const char *text;
	int format = 0, step = 0, fill = 0;
	unsigned color = 0;

	(void)self;
	if (!PyArg_ParseTuple(args, "U|ippI:plot_config", &name, &format, &step, &fill, &color))
		return NULL;
	text = literal(name);
	if (!text)
		return NULL;
	ttp_plot_config(text, (enum ttp_plot_format)format, step, fill, color);
	Py_RETURN_NONE;
}

static PyObject *app_info(PyObject *self, PyObject *args)
{
	const char *text;
	Py_ssize_t n;

	(void)self;
	if (!PyArg_ParseTuple(args, "s#:app_info", &text, &n))
		return NULL;
	ttp_app_info(text, (size_t)n);
	Py_RETURN_NONE;
}

static PyObject *thread_name(PyObject *self, PyObject *args)
{
	const char *text;

	(void)self;
	if (!PyArg_ParseTuple(args, "s:thread_name", &text))
		return NULL;
	ttp_thread_name(text);
	Py_RETURN_NONE;
}

static PyObject *start_file(PyObject *self, PyObject *args)
{
	PyObject *path;
	bool started;

	(void)self;
	if (!PyArg_ParseTuple(args, "O&:start_file", PyUnicode_FSConverter, &path))
		return NULL;
	started = ttp_start_file(PyBytes_AS_STRING(path));
	Py_DECREF(path);
	return PyBool_FromLong(started);
}

static PyObject *start(PyObject *self, PyObject *unused)
{
	(void)self;
	(void)unused;
	ttp_start();
	Py_RETURN_NONE;
}

static PyObject *flush(PyObject *self, PyObject *args)
{
	int ms = 5000;
	bool done;

	(void)self;
	if (!PyArg_ParseTuple(args, "|i:flush", &ms))
		return NULL;
	Py_BEGIN_ALLOW_THREADS;
	done = ttp_flush(ms);
	Py_END_ALLOW_THREADS;
	return PyBool_FromLong(done);
}

static PyObject *stop(PyObject *self, PyObject *unused)
{
	(void)self;
	(void)unused;
	Py_BEGIN_ALLOW_THREADS;
	ttp_stop();
	Py_END_ALLOW_THREADS;
	Py_RETURN_NONE;
}

static PyObject *connected(PyObject *self, PyObject *unused)
{
	(void)self;
	(void)unused;
	return PyBool_FromLong(ttp_connected());
}

static PyObject *problem(PyObject *self, PyObject *unused)
{
	const char *text = ttp_problem();

	(void)self;
	(void)unused;
	if (text)
		return PyUnicode_DecodeFSDefault(text);
	Py_RETURN_NONE;
}

/* Older ones of libttp, with which this may be loaded, do not have them. */
extern void ttp_pause(void) __attribute__((weak));
extern void ttp_resume(void) __attribute__((weak));
extern bool ttp_recording(void) __attribute__((weak));

static PyObject *no_pause(void)
{
	PyErr_SetString(PyExc_RuntimeError, "ttprof: this libttp can't pause");
	return NULL;
}

static PyObject *pause_(PyObject *self, PyObject *unused)
{
	(void)self;
	(void)unused;
	if (!ttp_pause)
		return no_pause();
	ttp_pause();
	Py_RETURN_NONE;
}

static PyObject *resume(PyObject *self, PyObject *unused)
{
	(void)self;
	(void)unused;
	if (!ttp_resume)
		return no_pause();
	ttp_resume();
	Py_RETURN_NONE;
}

static PyObject *recording(PyObject *self, PyObject *unused)
{
	(void)self;
	(void)unused;
	return PyBool_FromLong(!ttp_recording || ttp_recording());
}

static PyObject *stats(PyObject *self, PyObject *unused)
{
	struct ttp_stats s = { 0 };

	(void)self;
	(void)unused;
	ttp_stats(&s, sizeof(s));
	return Py_BuildValue("{sKsKsKsKsKsKsKsKsK}", "zones_dropped", s.zones_dropped,
			     "texts_dropped", s.texts_dropped, "messages_dropped",
			     s.messages_dropped, "plots_dropped", s.plots_dropped, "frames_dropped",
			     s.frames_dropped, "in_signal_dropped", s.in_signal_dropped,
			     "unmatched_ends", s.unmatched_ends, "bytes_pooled", s.bytes_pooled,
			     "sessions", s.sessions);
}

static PyMethodDef methods[] = {
	{ "message", message, METH_VARARGS, "message(text, color=0)" },
	{ "signpost", signpost, METH_VARARGS, "signpost(header, message=None)" },
	{ "zone_begin", zone_begin, METH_VARARGS,
	  "zone_begin(name, function, file, line=0, color=0)" },
	{ "zone_end", zone_end, METH_NOARGS, "zone_end()" },
	{ "zone_opened", zone_opened, METH_NOARGS,
	  "zone_opened(): another library has begun a zone that stays open; see zone_closed()" },
	{ "zone_closed", zone_closed, METH_NOARGS, "zone_closed(): it has ended it" },
	{ "zone_text", zone_text, METH_VARARGS, "zone_text(text)" },
	{ "zone_name", zone_name, METH_VARARGS, "zone_name(name)" },
	{ "zone_color", zone_color, METH_VARARGS, "zone_color(rgb)" },
	{ "zone_value", zone_value, METH_VARARGS, "zone_value(number)" },
	{ "frame", frame, METH_VARARGS, "frame(name=None)" },
	{ "plot", plot, METH_VARARGS, "plot(name, value)" },
	{ "plot_config", plot_config, METH_VARARGS,
	  "plot_config(name, format=0, step=False, fill=False, color=0)" },
	{ "app_info", app_info, METH_VARARGS, "app_info(text)" },
	{ "thread_name", thread_name, METH_VARARGS, "thread_name(name)" },
	{ "start", start, METH_NOARGS, "start()" },
	{ "start_file", start_file, METH_VARARGS, "start_file(path) -> bool" },
	{ "flush", flush, METH_VARARGS, "flush(timeout_ms=5000) -> bool" },
	{ "stop", stop, METH_NOARGS, "stop(): sends what is left; nothing is recorded any more" },
	{ "connected", connected, METH_NOARGS, "connected() -> bool" },
	{ "problem", problem, METH_NOARGS, "problem() -> str or None" },
	{ "pause", pause_, METH_NOARGS, "pause(): nothing is recorded from here on" },
	{ "resume", resume, METH_NOARGS, "resume(): it is again" },
	{ "recording", recording, METH_NOARGS, "recording() -> bool" },
	{ "stats", stats, METH_NOARGS, "stats() -> dict" },
	{ NULL, NULL, 0, NULL },
};

static struct PyModuleDef module = {
	PyModuleDef_HEAD_INIT, .m_name = "ttprof._client", .m_doc = "libttp for Python",
	.m_size = -1,          .m_methods = methods,
};

PyMODINIT_FUNC PyInit__client(void); /* for the compiler's sake */

PyMODINIT_FUNC PyInit__client(void)
{
	PyObject *m = PyModule_Create(&module);

	if (!m)
		return NULL;
	if (!literals && !(literals = PyDict_New())) {
		Py_DECREF(m);
		return NULL;
	}
	places_module(m);
	if (PyModule_AddFunctions(m, calls_methods) || PyModule_AddFunctions(m, places_methods) ||
	    PyModule_AddFunctions(m, tiles_methods) || PyModule_AddFunctions(m, term_methods)) {
		Py_DECREF(m);
		return NULL;
	}
	return m;
}
