// SPDX-License-Identifier: Apache-2.0
/*
 * What is open on a thread is counted, because a program may see ends without begins: the function that
 * calls enable() returns, too.  With lines, a bit per open zone says whether it is a line: one ends with the next
 * line of its function, and with its function.
 *
 * Zones of a thread end in the order in which they began, reversed; who reads them relies on it.  A zone by hand need not keep to that:
 * it may begin in a function and go on when that has returned.  Then the function's zone ends with it, a little too late.
 */
#include "calls.h"

#include <frameobject.h>
#include <pthread.h>

#include "calls_hot.h"

#define t calls_mine

_Thread_local struct calls_thread calls_mine
	__attribute__((tls_model("initial-exec"), visibility("hidden")));
static bool with_lines;
static bool on;
uint32_t calls_round;
static PyObject *namer; /* a function of Python that names the thread it is called on, or NULL */

static void name_now(void)
{
	PyObject *type, *value, *traceback, *r;

	t.named = true; /* whatever happens, once */
	if (!namer)
		return;
	PyErr_Fetch(&type, &value, &traceback);
	r = PyObject_CallNoArgs(namer);
	Py_XDECREF(r);
	PyErr_Clear();
	PyErr_Restore(type, value, traceback);
}

void calls_name_thread(void)
{
	if (!t.named)
		name_now();
}

/* A child of fork has this thread, as another process. */
static void forked(void)
{
	t.named = false;
}

/* The next zone to open is a line, or is not.  Deeper than there is memory for, nothing is a line. */
static void push_with_lines(bool line)
{
	uint32_t i = t.depth, n;
	uint64_t *more;

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

static inline void push(bool line)
{
	if (with_lines)
		push_with_lines(line);
	t.depth++;
}

/* ---- zones by hand ---- */

static void pop(void)
{
	t.depth--;
	ttp_zone_end();
}

static bool top_is_hand(void)
{
	return t.n_hands && t.hands[t.n_hands - 1].below == t.depth;
}

/* Ends what could not end before, now that something above it has. */
static void settle(void)
{
	while (top_is_hand() && t.hands[t.n_hands - 1].ended) {
		uint32_t returned = t.hands[--t.n_hands].returned;

		ttp_zone_end();
		for (; returned && t.depth && !top_is_hand(); returned--) {
			t.depth--;
			ttp_zone_end();
		}
		if (returned && t.n_hands)
			t.hands[t.n_hands - 1].returned += returned;
	}
	for (; t.owed && !t.depth && !t.n_hands; t.owed--)
		ttp_zone_end();
}

void calls_hand_begin(void)
{
	struct hand *more;

	/* Without calls beneath or beside it, nobody is in its way. */
	if (!t.depth && !t.n_hands && !on)
		return;
	if (t.n_hands == t.hand_room) {
		more = PyMem_RawRealloc(t.hands, (t.hand_room + 16) * sizeof(*more));
		if (!more)
			return;
		t.hands = more;
		t.hand_room += 16;
	}
	t.hands[t.n_hands++] = (struct hand){ .below = t.depth };
}

void calls_hand_end(void)
{
	uint32_t i = t.n_hands;

	while (i && t.hands[i - 1].ended)
		i--;
	if (i) {
		t.hands[i - 1].ended = true;
		settle();
	} else if (t.depth) {
		t.owed++;
	} else {
		ttp_zone_end();
	}
}

void calls_hand_ended(void)
{
	uint32_t i = t.n_hands, returned;
	bool top;

	while (i && t.hands[i - 1].ended)
		i--;
	if (!i)
		return;
	top = i == t.n_hands && top_is_hand();
	returned = t.hands[i - 1].returned;
	t.n_hands--;
	for (i--; i < t.n_hands; i++)
		t.hands[i] = t.hands[i + 1];
	if (!top) {
		t.owed += returned; /* calls above it end first */
		return;
	}
	for (; returned && t.depth && !top_is_hand(); returned--)
		pop();
	settle();
}

/* ---- calls ---- */

static void leave_around_hands(void)
{
	struct hand *top = &t.hands[t.n_hands - 1];

	if (!top_is_hand()) {
		pop();
		settle();
	} else if (top->returned < top->below) {
		top->returned++;
	}
}

static void leave(void)
{
	if (__builtin_expect(t.n_hands || t.owed, 0)) {
		if (with_lines && hot_top_is_line() && !top_is_hand())
			pop();
		if (t.n_hands)
			leave_around_hands();
		else if (t.depth)
			pop();
		settle();
		return;
	}
	if (with_lines && hot_top_is_line())
		pop();
	if (t.depth)
		pop();
}

/* What this thread has open from an earlier round ends now. */
static void join_round(void)
{
	if (hot_is_of_this_round())
		return;
	calls_end_all();
	t.round = calls_round;
}

void calls_enter(PyCodeObject *code)
{
	const struct code_places *p = places_of(code);

	join_round();

	if (p && p->hidden)
		return;
	if (__builtin_expect(!t.depth && !t.named, 0))
		name_now();
	push(false);
	if (p && p->function)
		ttp_zone_begin(p->function);
	else
		place_begin_function(code);
}

/* The zone of ttnn's wrapper is named after the op that it wraps. */
static void name_op(PyFrameObject *frame)
{
	PyObject *locals, *name = NULL;
	char text[1040];
	const char *utf8;
	int n;

	if (!frame)
		frame = PyEval_GetFrame();
	if (!frame || !t.depth)
		return;
	locals = PyObject_GetAttrString((PyObject *)frame, "f_locals");
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

void calls_leave(PyCodeObject *code, PyFrameObject *frame)
{
	const struct code_places *p = places_of(code);

	join_round();
	if (p && p->hidden)
		return;
	if (p && p->wrapper)
		name_op(frame);
	leave();
}

static inline bool shown_c(PyCodeObject *caller, PyObject *callable)
{
	const struct code_places *p;

	if (!place_is_c(callable))
		return false;
	p = places_of(caller);
	return !(p && p->hidden);
}

void calls_enter_c(PyCodeObject *caller, PyObject *callable)
{
	join_round();
	if (!shown_c(caller, callable))
		return;
	push(false);
	place_begin_c(callable);
}

void calls_leave_c(PyCodeObject *caller, PyObject *callable)
{
	join_round();
	if (shown_c(caller, callable))
		leave();
}

void calls_line(PyCodeObject *code, int line)
{
	struct code_places *p = places_of(code);
	const struct ttp_location *place = NULL;

	join_round();
	/* Of a function that was there before us, or around a zone by hand, there are no lines. */
	if ((p && p->hidden) || !t.depth || top_is_hand())
		return;
	if (p && line >= p->first_line && line - p->first_line < p->n_lines)
		place = p->lines[line - p->first_line];
	if (hot_top_is_line() && place) {
		ttp_zone_next(place); /* replaces it */
		return;
	}
	if (hot_top_is_line()) {
		ttp_zone_end();
	} else {
		push_with_lines(true);
		t.depth++;
	}
	if (place)
		ttp_zone_begin(place);
	else
		place_begin_line(code, line);
}

void calls_end_all(void)
{
	while (t.depth && !top_is_hand()) {
		pop();
		settle();
	}
	/* The rest ends with the zone by hand above it. */
	if (t.n_hands)
		t.hands[t.n_hands - 1].returned = t.hands[t.n_hands - 1].below;
}

#if PY_VERSION_HEX < 0x030C0000
#if PY_VERSION_HEX < 0x030B0000
static inline PyCodeObject *code_of(const PyFrameObject *frame)
{
	return frame->f_code;
}

/* Asked for by a function, 3.9 counts it from the begin of the code. */
static inline int line_of(const PyFrameObject *frame)
{
	return frame->f_lineno;
}

static void frames_init(void)
{
}
#else
/* 3.11 hides what its frames begin with; a call and a reference for each event, to learn what they hold, cost more than the rest. */
struct inner_3_11 {
	void *function, *globals, *builtins, *locals;
	PyCodeObject *code;
};

struct frame_3_11 {
	PyObject ob_base;
	void *back;
	const struct inner_3_11 *inner;
};
static bool frames_are_known; /* as found by the frame of who enables us */

static inline PyCodeObject *code_of(PyFrameObject *frame)
{
	PyCodeObject *code;

	if (__builtin_expect(frames_are_known, 1))
		return ((const struct frame_3_11 *)(const void *)frame)->inner->code;
	code = PyFrame_GetCode(frame);
	Py_DECREF(code); /* the frame has one */
	return code;
}

static inline int line_of(PyFrameObject *frame)
{
	return PyFrame_GetLineNumber(frame);
}

static void frames_init(void)
{
	PyFrameObject *frame = PyEval_GetFrame();
	PyCodeObject *code = frame ? PyFrame_GetCode(frame) : NULL;

	frames_are_known =
		code && ((const struct frame_3_11 *)(const void *)frame)->inner->code == code;
	Py_XDECREF(code);
}
#endif

static __attribute__((noinline, cold)) int tell_profile(PyFrameObject *frame, int what,
							PyObject *arg)
{
	if (what == PyTrace_CALL)
		calls_enter(code_of(frame));
	else if (what == PyTrace_RETURN)
		calls_leave(code_of(frame), frame);
	else if (what == PyTrace_C_CALL)
		calls_enter_c(code_of(frame), arg);
	else if (what == PyTrace_C_RETURN || what == PyTrace_C_EXCEPTION)
		calls_leave_c(code_of(frame), arg);
	return 0;
}

static void set_here(bool set);

/* On a thread that was notified of calls in an earlier round: what was open ends; the callback stays for the next round. */
static __attribute__((noinline, cold)) int told_late(bool by_trace)
{
	calls_end_all();
	if (!on)
		return 0;
	if (by_trace)
		PyEval_SetTrace(NULL, NULL);
	else
		PyEval_SetProfile(NULL, NULL);
	set_here(true);
	return 0;
}

static int told_profile(PyObject *self, PyFrameObject *frame, int what, PyObject *arg)
{
	(void)self;
	if (!hot_is_of_this_round())
		return told_late(false);
	if (what == PyTrace_CALL ? hot_enter(code_of(frame))
				 : what == PyTrace_RETURN && hot_leave(code_of(frame)))
		return 0;
	return tell_profile(frame, what, arg);
}

static int told_trace(PyObject *self, PyFrameObject *frame, int what, PyObject *arg)
{
	int line;

	(void)self;
	(void)arg;
	if (!hot_is_of_this_round())
		return told_late(true);
	if (what == PyTrace_LINE) {
		line = line_of(frame);
		if (!hot_line(code_of(frame), line))
			calls_line(code_of(frame), line);
	} else if (what == PyTrace_CALL) {
		calls_enter(code_of(frame));
	} else if (what == PyTrace_RETURN) {
		calls_leave(code_of(frame), frame);
	}
	return 0;
}

static void set_here(bool set)
{
	if (with_lines)
		PyEval_SetTrace(set ? told_trace : NULL, NULL);
	else
		PyEval_SetProfile(set ? told_profile : NULL, NULL);
	t.here = set;
	t.round = calls_round;
}

/* True if the callback that was set here is not the one that is called: the program replaced it. */
static bool taken(void)
{
	const PyThreadState *now = PyThreadState_Get();

	return t.here &&
	       (with_lines ? now->c_tracefunc != told_trace : now->c_profilefunc != told_profile);
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
	calls_round++;
#if PY_VERSION_HEX >= 0x030C0000
	if (!monitor_start(lines))
		return NULL;
#else
	frames_init();
	set_here(true);
#endif
	on = true;
	Py_RETURN_NONE;
}

/* disable() -> bool: False if somebody replaced the callback meanwhile; then it is left alone. */
static PyObject *disable(PyObject *self, PyObject *unused)
{
	bool whole = true;

	(void)self;
	(void)unused;
	if (!on)
		Py_RETURN_TRUE;
	on = false;
#if PY_VERSION_HEX >= 0x030C0000
	monitor_stop();
#else
	whole = !taken();
	if (whole)
		set_here(false);
	t.here = false;
#endif
	calls_end_all();
	t.round = ++calls_round;
	return PyBool_FromLong(whole);
}

static PyObject *enabled(PyObject *self, PyObject *unused)
{
	(void)self;
	(void)unused;
	return PyBool_FromLong(on);
}

static PyObject *name_threads_by(PyObject *self, PyObject *function)
{
	(void)self;
	if (!namer && pthread_atfork(NULL, NULL, forked)) {
		PyErr_NoMemory();
		return NULL;
	}
	Py_INCREF(function);
	Py_XSETREF(namer, function);
	Py_RETURN_NONE;
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
			calls_enter(code_of((PyFrameObject *)frame));
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
	{ "disable", disable, METH_NOARGS, "disable() -> bool: no zones of calls from here on" },
	{ "enabled", enabled, METH_NOARGS, "enabled() -> bool" },
	{ "name_threads_by", name_threads_by, METH_O,
	  "name_threads_by(function): it is called once on each thread that records" },
	{ "thread_hook", thread_hook, METH_VARARGS, "for threading.setprofile" },
	{ NULL, NULL, 0, NULL },
};
