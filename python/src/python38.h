// SPDX-License-Identifier: Apache-2.0
/* What Python 3.8 lacks of the names that 3.9 and later have; behind Python.h. */
#ifndef TTPROF_PYTHON_PYTHON38_H
#define TTPROF_PYTHON_PYTHON38_H

#if PY_VERSION_HEX < 0x03090000
#include <frameobject.h>
/* The linker is to show it, whatever is hidden by default. */
#undef PyMODINIT_FUNC
#define PyMODINIT_FUNC                __attribute__((visibility("default"))) PyObject *
#define Py_IS_TYPE(object, type)      (Py_TYPE(object) == (type))
#define PyObject_CallNoArgs(callable) PyObject_CallObject(callable, NULL)
static inline PyCodeObject *PyFrame_GetCode(PyFrameObject *frame)
{
	Py_INCREF(frame->f_code);
	return frame->f_code;
}
#endif

#endif /* TTPROF_PYTHON_PYTHON38_H */
