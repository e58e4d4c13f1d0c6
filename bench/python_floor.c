// SPDX-License-Identifier: Apache-2.0
/* For bench/python, built for each interpreter: callbacks that do nothing, and zones for callbacks in Python. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <frameobject.h>

#include <ttp/client.h>

static PyObject *nothing(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
	(void)self;
	(void)args;
	(void)n;
	Py_RETURN_NONE;
}

static int nothing_told(PyObject *self, PyFrameObject *frame, int what, PyObject *arg)
{
	(void)self;
	(void)frame;
	(void)what;
	(void)arg;
	return 0;
}

/* floor_profile(on), floor_trace(on): the C callback of sys.setprofile and sys.settrace. */
static PyObject *floor_profile(PyObject *self, PyObject *on)
{
	(void)self;
	PyEval_SetProfile(PyObject_IsTrue(on) ? nothing_told : NULL, NULL);
	Py_RETURN_NONE;
}

static PyObject *floor_trace(PyObject *self, PyObject *on)
{
	(void)self;
	PyEval_SetTrace(PyObject_IsTrue(on) ? nothing_told : NULL, NULL);
	Py_RETURN_NONE;
}

/* What a module in C offers to callbacks in Python: a zone of a file, a name and a line. */
static PyObject *zone_start(PyObject *self, PyObject *args)
{
	const char *file, *name;
	Py_ssize_t file_len, name_len;
	unsigned line;

	(void)self;
	if (!PyArg_ParseTuple(args, "s#s#I", &file, &file_len, &name, &name_len, &line))
		return NULL;
	ttp_zone_begin_text(name, (size_t)name_len, name, (size_t)name_len, file, (size_t)file_len,
			    line, 0);
	Py_RETURN_NONE;
}

static PyObject *zone_stop(PyObject *self, PyObject *unused)
{
	(void)self;
	(void)unused;
	ttp_zone_end();
	Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
	{ "nothing", (PyCFunction)(void (*)(void))nothing, METH_FASTCALL, NULL },
	{ "floor_profile", floor_profile, METH_O, NULL },
	{ "floor_trace", floor_trace, METH_O, NULL },
	{ "zone_start", zone_start, METH_VARARGS, NULL },
	{ "zone_stop", zone_stop, METH_NOARGS, NULL },
	{ NULL, NULL, 0, NULL },
};

static struct PyModuleDef module = { PyModuleDef_HEAD_INIT, .m_name = "python_floor",
				     .m_size = -1, .m_methods = methods };

PyMODINIT_FUNC PyInit_python_floor(void)
{
	return PyModule_Create(&module);
}
