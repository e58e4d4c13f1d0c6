// SPDX-License-Identifier: Apache-2.0
/*
 * --warmup and the others.  What is recorded is decided in the programs (docs/guide/client.md), by variables, and by commands
 * that we give to all of them at once through a page of memory.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/number.h"
#include "base/order.h"
#include "base/out.h"
#include "record/run_job.h"

enum { SPANS_MAX = 100 }; /* that run.json lists */
enum {
	PACE_MS = 50,
	FIRST_EVENT_MS = 5
}; /* --duration counts from when we saw the first program */

/* What was not asked for here stays as the environment has it. */
static void set(const char *name, const char *value)
{
	if (value)
		setenv(name, value, 1); // NOLINT(concurrency-mt-unsafe)
}

static bool environment_asks(void)
{
	static const char *const names[] = {
		"TTP_WARMUP",         "TTP_RECORD",       "TTP_EVERY",
		"TTP_START_SIGNPOST", "TTP_END_SIGNPOST", "TTP_PAUSED"
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (getenv(names[i])) // NOLINT(concurrency-mt-unsafe)
			return true;
	return false;
}

static void set_number(const char *name, int64_t n)
{
	char text[32];

	(void)snprintf(text, sizeof(text), "%lld", (long long)n);
	set(name, n ? text : NULL);
}

void run_window_environment(const struct run_request *q)
{
	set_number("TTP_WARMUP", q->warmup);
	set_number("TTP_RECORD", q->record);
	set_number("TTP_EVERY", q->every);
	set("TTP_START_SIGNPOST", q->start_signpost);
	set("TTP_END_SIGNPOST", q->end_signpost);
	set("TTP_STEP_SIGNPOST", q->step_signpost);
	set("TTP_PAUSED", q->paused ? "1" : NULL);
}

enum ttp_rc run_window_begin(struct job *j, struct ttp_err *e)
{
	const struct run_request *q = j->q;
	struct run_window *w = &j->window;
	struct timespec raw;
	int fd;

	w->paused = q->paused;
	run_window_environment(q);
	w->asked = environment_asks() || q->duration > 0;
	buf_printf(&j->control, "%s/control", j->socket_dir.at);
	fd = out_open(j->control.at, O_RDWR | O_CREAT | O_EXCL, 0644);
	if (fd < 0 || ftruncate(fd, sizeof(*w->control))) {
		enum ttp_rc rc = ttp_fail_errno(e, "%s", j->control.at);

		if (fd >= 0)
			close(fd);
		return rc;
	}
	w->control = mmap(NULL, sizeof(*w->control), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (w->control == MAP_FAILED) {
		w->control = NULL;
		return ttp_fail_errno(e, "%s", j->control.at);
	}
	/* A moment on both clocks, so that no program has to wait until it knows its own. */
	clock_gettime(CLOCK_MONOTONIC_RAW, &raw);
#if defined(__x86_64__)
	w->control->ticks = (int64_t)__builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(w->control->ticks));
#endif
	w->control->raw_ns = (int64_t)raw.tv_sec * 1000000000 + raw.tv_nsec;
	w->control->magic = CONTROL_MAGIC;
	set("TTP_CONTROL", j->control.at);
	return TTP_OK;
}

static void command(struct job *j, bool on)
{
	struct control *c = j->window.control;
	struct timespec raw;
	uint64_t n;

	if (!c)
		return;
	clock_gettime(CLOCK_MONOTONIC_RAW, &raw);
	n = atomic_load(&c->n);
	atomic_store(&c->commands[n % CONTROL_COMMANDS],
		     ((uint64_t)raw.tv_sec * 1000000000 + (uint64_t)raw.tv_nsec) << 1 | on);
	atomic_store_explicit(&c->n, n + 1, memory_order_release);
	j->window.paused = !on;
	j->window.asked = true;
}

void run_window_toggle(struct job *j)
{
	SCOPED(buf) struct buf b = { 0 };

	command(j, j->window.paused);
	if (j->window.paused)
		j->window.stop_ns = 0;
	if (!j->q->quiet) {
		buf_printf(&b, "ttprof run: %s\n", j->window.paused ? "paused" : "recording");
		j->q->console->print(&b);
	}
}

void run_window_look(struct job *j, int64_t now_ns)
{
	struct run_window *w = &j->window;
	SCOPED(buf) struct buf b = { 0 };

	if (!(j->q->duration > 0) || w->paused)
		return;
	/* From the moment when there is something to record. */
	if (!w->stop_ns && j->now.clients)
		w->stop_ns = now_ns + (int64_t)(j->q->duration * 1e9);
	if (!w->stop_ns || now_ns < w->stop_ns)
		return;
	command(j, false);
	if (!j->q->quiet) {
		buf_printf(&b,
			   "ttprof run: %g s were recorded; the program goes on, Ctrl-C ends it\n",
			   j->q->duration);
		j->q->console->print(&b);
	}
}

int run_window_pace_ms(const struct job *j, int64_t now_ns)
{
	const struct run_window *w = &j->window;
	int64_t left;

	if (!(j->q->duration > 0) || w->paused)
		return PACE_MS;
	if (!w->stop_ns)
		return j->now.clients ? 0 : FIRST_EVENT_MS;
	left = (w->stop_ns - now_ns + 999999) / 1000000;
	return left < 0 ? 0 : left < PACE_MS ? (int)left : PACE_MS;
}

/* ---- what the programs said ---- */

/* A part that has begun; several programs have theirs at a time, and what began first is taken to end first. */
struct span {
	uint64_t begin_ns, first;
};

typedef VEC(struct span) span_vec;

static void write_span(struct json_writer *json, const struct span *s, bool ended, uint64_t end_ns,
		       uint64_t steps)
{
	json_open_object(json);
	json_put_count(json, "begin_ns", s->begin_ns);
	json_put_count(json, "first_step", s->first);
	if (ended) {
		json_put_count(json, "end_ns", end_ns);
		json_put_count(json, "steps", steps - s->first);
	}
	json_close_object(json);
}

static void end_span(struct run_window *w, span_vec *open, struct json_writer *json, uint64_t ns,
		     uint64_t steps)
{
	struct span first = { 0 };

	if (open->len) {
		first = open->at[0];
		memmove(open->at, open->at + 1, --open->len * sizeof(first));
	} else {
		w->parts++; /* from the beginning */
	}
	if (w->parts <= SPANS_MAX)
		write_span(json, &first, true, ns, steps);
}

static void take_message(struct run_window *w, span_vec *open, struct json_writer *json,
			 const struct window_message *m)
{
	const uint64_t *v = m->report.values;

	if (m->report.kind == SELF_REPORT_WINDOW) {
		w->programs++;
		w->steps = v[0] > w->steps ? v[0] : w->steps;
		w->recorded = v[1] > w->recorded ? v[1] : w->recorded;
	} else if (m->report.kind == SELF_REPORT_RECORDING) {
		*vec_push(open) = (struct span){ (uint64_t)m->time_ns, v[0] };
		w->parts++;
	} else if (m->report.kind == SELF_REPORT_NOT_RECORDING) {
		end_span(w, open, json, (uint64_t)m->time_ns, v[0]);
	}
}

static void on_message(void *ctx, const struct trace_message *m)
{
	struct run_window *w = ctx;
	struct window_message to = { .time_ns = m->time_ns, .number = w->messages.len };

	if (self_report_get(m->text, &to.report))
		*vec_push(&w->messages) = to;
}

struct trace_sink run_window_sink(struct job *j)
{
	return (struct trace_sink){ .ctx = &j->window, .message = on_message };
}

ORDER_BY(by_time, struct window_message, time_ns, number)

void run_window_finish(struct job *j)
{
	struct run_window *w = &j->window;
	struct json_writer json = { .to = &w->spans };
	SCOPED(vec) span_vec open = { 0 };

	if (!w->asked)
		return;
	vec_sort(&w->messages, by_time);
	json_open_array(&json);
	vec_each (m, &w->messages)
		take_message(w, &open, &json, m);
	vec_each (o, &open)
		if (o - open.at < SPANS_MAX)
			write_span(&json, o, false, 0, 0);
	vec_each (o, &open)
		if (w->steps && o->first >= w->steps && (j->q->every || j->q->warmup))
			w->after++;
	w->not_ended = open.len || !w->parts;
	json_close_array(&json);
}

/* "steps 4 and 5 after 3 of warm-up" would be long: what was asked for, in the words of the options. */
static void describe(const struct run_request *q, struct buf *b)
{
	if (q->warmup)
		buf_printf(b, " --warmup %lld", (long long)q->warmup);
	if (q->record)
		buf_printf(b, " --record %lld", (long long)q->record);
	if (q->every)
		buf_printf(b, " --every %lld", (long long)q->every);
	if (q->step_signpost)
		buf_printf(b, " --step-signpost \"%s\"", q->step_signpost);
	if (q->start_signpost)
		buf_printf(b, " --start-signpost \"%s\"", q->start_signpost);
	if (q->end_signpost)
		buf_printf(b, " --end-signpost \"%s\"", q->end_signpost);
	if (q->paused)
		buf_text(b, " --paused");
	if (q->duration > 0)
		buf_printf(b, " --duration %g", q->duration);
}

/* Nothing was recorded because of what was asked for: why. */
static void say_why_nothing(const struct job *j)
{
	const struct run_request *q = j->q;
	const struct run_window *w = &j->window;

	if (!w->programs)
		return; /* killed, or a client of Tracy's, which knows nothing of this */
	if (run_guard_status(&j->guard))
		console_warn(
			j->q->console,
			"nothing was recorded: the program failed after %llu step%s, before what was asked "
			"for began",
			(unsigned long long)w->steps, w->steps == 1 ? "" : "s");
	else if ((q->warmup || q->record || q->every) && w->steps <= (uint64_t)q->warmup)
		console_warn(
			j->q->console,
			"nothing was recorded: the program made %llu step%s, and --warmup leaves %lld "
			"out; a step ends with a frame mark (ttp_frame(NULL), FrameMark, "
			"ttprof.frame()), or with a signpost that --step-signpost names",
			(unsigned long long)w->steps, w->steps == 1 ? "" : "s",
			(long long)q->warmup);
	else if (q->start_signpost)
		console_warn(
			j->q->console,
			"nothing was recorded: no signpost \"%s\" was set (with \"*\" at its end, a name "
			"stands for all that begin so)",
			q->start_signpost);
	else if (q->paused)
		console_warn(
			j->q->console,
			"nothing was recorded: --paused waits for ttp_resume(), ttprof.resume(), or "
			"SIGUSR2 to ttprof (kill -USR2 PID)");
	else
		console_warn(j->q->console, "nothing was recorded in the part that was asked for");
}

void run_window_tell(const struct job *j)
{
	const struct run_window *w = &j->window;
	SCOPED(buf) struct buf b = { 0 };

	if (!w->asked)
		return;
	if (!w->parts && (j->q->warmup || j->q->start_signpost || j->q->paused) && !w->recorded) {
		say_why_nothing(j);
		return;
	}
	describe(j->q, &b);
	if (w->steps)
		buf_printf(&b, "%s %llu of %llu steps", b.len ? ":" : "",
			   (unsigned long long)w->recorded, (unsigned long long)w->steps);
	if (w->parts > w->after)
		buf_printf(&b, "%s %llu part%s", b.len ? "," : "",
			   (unsigned long long)(w->parts - w->after),
			   w->parts - w->after == 1 ? "" : "s");
	if (w->after)
		buf_printf(&b, "%s what came after the last step", b.len ? ", and" : "");
	if (w->programs > 1)
		buf_printf(&b, "%s %llu programs", b.len ? "," : "",
			   (unsigned long long)w->programs);
	if (b.len)
		out_printf(j->q->console->out, "window:%s\n", b.at);
	if (j->q->end_signpost && w->programs && w->not_ended)
		console_warn(
			j->q->console,
			"--end-signpost \"%s\" was not set after the recording began: it went on to the end (with "
			"\"*\" at its end, a name stands for all that begin so)",
			j->q->end_signpost);
}

static void number(struct json_writer *w, struct str key, int64_t n)
{
	if (!n)
		return;
	json_write_key(w, key);
	json_write_u64(w, (uint64_t)n);
}

static void text(struct json_writer *w, struct str key, const char *value)
{
	if (!value)
		return;
	json_write_key(w, key);
	json_write_str(w, str_of(value));
}

void run_window_json(const struct job *j, struct json_writer *w)
{
	const struct run_request *q = j->q;

	if (!j->window.asked)
		return;
	json_put_object(w, "window");
	number(w, STR("warmup"), q->warmup);
	number(w, STR("record"), q->record);
	number(w, STR("every"), q->every);
	text(w, STR("step_signpost"), q->step_signpost);
	text(w, STR("start_signpost"), q->start_signpost);
	text(w, STR("end_signpost"), q->end_signpost);
	number(w, STR("duration_ms"), (int64_t)(q->duration * 1e3));
	if (q->paused)
		json_put_bool(w, "paused", true);
	json_put_count(w, "steps", j->window.steps);
	json_put_count(w, "steps_recorded", j->window.recorded);
	json_put_count(w, "parts", j->window.parts);
	if (j->window.spans.len)
		json_put_raw(w, "recorded", buf_view(&j->window.spans));
	json_close_object(w);
}

void run_window_release(struct job *j)
{
	if (j->window.control)
		(void)munmap(j->window.control, sizeof(*j->window.control));
	if (j->control.len)
		(void)unlink(j->control.at);
	RELEASE(buf, &j->control, &j->window.spans);
	vec_release(&j->window.messages);
}
