// SPDX-License-Identifier: Apache-2.0
#include "draw/timeline.h"

#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/order.h"

struct making {
	struct timeline *t;
	struct run *run;
	struct run_parts *p; /* of the run */
	struct core_times cores;
	struct op_names names;
	struct trace_span span;
	int64_t zero_ns; /* of the log's axis, on the clocks */
	bool has_log, has_names, has_trace;
};

static void note(struct making *m, const char *fmt, ...) TTP_PRINTF(2, 3);
static void note(struct making *m, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&m->t->notes, fmt, ap);
	va_end(ap);
	buf_char(&m->t->notes, '\n');
}

static void add_source(struct making *m, struct str name)
{
	if (m->t->source.len)
		buf_text(&m->t->source, " · ");
	buf_str(&m->t->source, name);
}

/* ---- what there is ---- */

static enum ttp_rc read_trace(struct making *m, struct ttp_err *e)
{
	struct trace t;
	enum ttp_rc rc;

	TTP_TRY(run_trace(m->run, &t, e));
	rc = trace_span_read(&m->span, &t, &m->run->clocks, e);
	run_trace_close(m->run, &t);
	m->has_trace = !rc && m->span.first_ns <= m->span.last_ns;
	if (!rc && !m->has_trace)
		note(m, "the trace has no zones");
	else if (!rc)
		add_source(m, path_name(m->p->trace.at));
	return rc;
}

/* Times of cores and of clocks by one reading; what the trace has of devices is known already. */
static void read_markers(struct making *m, struct device_log *log, const struct core_want *want)
{
	struct clock_map *clocks = &m->run->clocks;
	struct core_times_reading cores;
	struct marker_sink sinks[] = { core_times_begin(&cores, &m->cores, want),
				       clock_map_sink(clocks) };
	struct marker_fold f;

	marker_fold_read(&f, log, sinks, sizeof(sinks) / sizeof(*sinks));
	core_times_end(&cores, &f, log);
	clock_map_fit(clocks, &f, m->cores.freq_mhz);
	marker_fold_release(&f);
}

static enum ttp_rc read_log(struct making *m, struct ttp_err *e)
{
	struct core_want want = { .zone = m->t->ask.zone };
	struct device_log *log = run_log(m->run, e);

	if (!log)
		return e->rc;
	read_markers(m, log, &want);
	m->has_log = m->cores.spans.len > 0;
	if (!m->has_log)
		note(m,
		     m->cores.markers ? "the device log has no whole %s"
				      : "the device log has no markers, nor a whole %s",
		     want.zone.len ? "zone of this name" : "kernel");
	else
		add_source(m, path_name(m->p->log.at));
	if (m->cores.unpaired)
		note(m, "%llu zones of devices have a start or an end only, and are not shown",
		     (unsigned long long)m->cores.unpaired);
	return TTP_OK;
}

/* A file that can't be read is said; the rest is shown. */
static enum ttp_rc read_parts(struct making *m, struct ttp_err *e)
{
	struct run_parts *p = m->p;
	struct ttp_err why;
	const struct ops_table *ops = run_ops(m->run, &calls_timed_want, &why);
	bool any, failed = false;

	if (why.rc) {
		run_parts_leave_out(p, &why);
		failed = true;
	}
	/* logs of 2023 number launches, which are no calls of these ops; without a log the ops are what is drawn */
	op_names_make(&m->names,
		      p->log.len && (p->old_ops.len || (ops && !ops->rows)) ? NULL : ops);
	m->has_names = m->names.table;
	if (p->trace.len && read_trace(m, &why)) {
		run_parts_leave_out(p, &why);
		failed = true;
	}
	if (p->log.len && read_log(m, &why)) {
		run_parts_leave_out(p, &why);
		failed = true;
	}
	any = m->has_log || m->has_trace;
	if (!any && m->has_names)
		return TTP_OK;
	if (!any) {
		if (failed)
			*e = why;
		else
			(void)ttp_fail(e, TTP_FORMAT, "%s: nothing in it has a time%s%.*s",
				       p->given, m->t->notes.len ? ": " : "",
				       (int)(m->t->notes.len ? m->t->notes.len - 1 : 0),
				       m->t->notes.at ? m->t->notes.at : "");
		return e->rc;
	}
	return TTP_OK;
}

/* ---- one clock or two ---- */

/* Do all of the log's devices lie on the trace's clock? */
static bool devices_are_known(const struct making *m)
{
	vec_each (d, &m->cores.devices)
		if (!clock_map_device(&m->run->clocks, d->id)->known)
			return false;
	return m->has_trace;
}

static double log_time(const struct making *m, uint32_t device, uint64_t cycles)
{
	const struct device_clock *c =
		clock_map_device(&m->run->clocks, m->cores.devices.at[device].id);

	return clock_ns_since(c, cycles, m->zero_ns);
}

static double log_span_ns(const struct making *m)
{
	double most = 0;

	for (uint32_t i = 0; i < m->cores.devices.len; i++)
		most = number_max(most, log_time(m, i, m->cores.devices.at[i].last_cycles));
	return most;
}

/* When the ops of all devices ran, with a little before and after. */
static struct window devices_window(const struct making *m, int64_t span_ns)
{
	double first = (double)span_ns, last = 0, margin;

	vec_each (o, &m->cores.ops) {
		if (o->first_cycles > o->last_cycles)
			continue;
		first = number_min(first, log_time(m, o->device, o->first_cycles));
		last = number_max(last, log_time(m, o->device, o->last_cycles));
	}
	margin = (last - first) / 50 + 1;
	return (struct window){ .from_ns = first > margin ? (int64_t)(first - margin) : 0,
				.to_ns = last + margin < (double)span_ns ? (int64_t)(last + margin)
									 : span_ns };
}

static enum ttp_rc open_axis(struct making *m, const char *what, double span_ns, unsigned kinds,
			     struct timeline_axis **out, struct ttp_err *e)
{
	struct timeline_axis *a = &m->t->axis[m->t->axes];
	struct window w;

	if (!(span_ns < (double)(1ll << 60)))
		return ttp_fail(e, TTP_FORMAT, "%s: times of %.3g ns can't be shown on one axis",
				m->p->given, span_ns);
	a->span_ns = (int64_t)ceil(span_ns);
	TTP_TRY(window_of(&m->t->ask.when, a->span_ns, &w, e));
	/* building programs and reading markers may take a thousand times as long as running */
	if (m->has_log && m->has_trace && !*what && !m->t->ask.whole &&
	    !m->t->ask.when.from.given && !m->t->ask.when.to.given) {
		struct window fit = devices_window(m, a->span_ns);

		if (fit.to_ns > fit.from_ns &&
		    fit.to_ns - fit.from_ns < a->span_ns / TIMELINE_SMALL) {
			w = fit;
			m->t->fitted = true;
		}
	}
	m->t->axes++;
	a->what = what;
	lanes_init(&a->lanes, w, m->t->ask.buckets, kinds);
	*out = a;
	return TTP_OK;
}

static enum ttp_rc fill_trace(struct making *m, struct timeline_axis *a, bool host_only,
			      struct ttp_err *e)
{
	struct trace t;
	enum ttp_rc rc;

	TTP_TRY(run_trace(m->run, &t, e));
	rc = lanes_of_trace(&a->lanes, &t, m->span.first_ns, host_only, m->t->ask.device, e);
	trace_close(&t);
	return rc;
}

static unsigned kinds_of(const struct making *m)
{
	unsigned kinds = m->t->ask.kinds;

	if (kinds)
		return kinds;
	kinds = 1u << LANE_HOST | 1u << LANE_OPS;
	if (m->t->ask.device >= 0 || m->cores.devices.len <= TIMELINE_DEVICES_IN_FULL)
		kinds |= 1u << LANE_RISC_SUM;
	return kinds;
}

static enum ttp_rc fill(struct making *m, struct ttp_err *e)
{
	unsigned kinds = kinds_of(m), host = kinds & 1u << LANE_HOST;
	double trace_ns = m->has_trace ? (double)m->span.last_ns - (double)m->span.first_ns : 0;
	struct timeline_axis *a = NULL;
	enum ttp_rc rc;
	bool one;

	if (!m->has_log && !m->has_trace) {
		double first = 0, last = 0;

		if (!report_span(&m->names, &first, &last))
			return ttp_fail(
				e, TTP_USAGE,
				"%s: its rows have no DEVICE FW START CYCLE: when ops ran is not known; name the folder with the device log or the trace",
				m->p->given);
		add_source(m, run_parts_ops_name(m->p));
		rc = open_axis(m, "", last - first, kinds, &a, e);
		if (!rc)
			lanes_of_report(&a->lanes, &m->names, first, m->t->ask.device);
		note(m,
		     "an ops report alone has ops only, here with their firmware (DEVICE FW START to END CYCLE; report and top count kernels); RISCs and cores are in the device log, the host's side in the trace");
		return rc;
	}
	one = !m->has_log || !m->has_trace || devices_are_known(m);
	m->zero_ns = one && m->has_trace ? m->span.first_ns : 0;
	if (one) {
		double span = number_max(trace_ns, log_span_ns(m));

		rc = open_axis(m, "", span, kinds, &a, e);
		if (!rc && m->has_trace && (host || !m->has_log))
			rc = fill_trace(m, a, m->has_log, e);
		if (!rc && m->has_log)
			lanes_of_cores(&a->lanes, &m->cores, &m->names, &m->run->clocks, m->zero_ns,
				       m->t->ask.device);
		if (!rc && !m->has_trace && host && m->t->ask.kinds)
			note(m, "no trace, so no lanes of the host: `ttprof run` records one");
		return rc;
	}
	rc = open_axis(m, "host", trace_ns, kinds, &a, e);
	if (!rc)
		rc = fill_trace(m, a, true, e);
	if (!rc)
		rc = open_axis(m, "devices", log_span_ns(m), kinds, &a, e);
	if (!rc)
		lanes_of_cores(&a->lanes, &m->cores, &m->names, &m->run->clocks, 0,
			       m->t->ask.device);
	note(m,
	     "the trace has no zones of these devices, so their clocks can't be compared: each axis has its own 0");
	return rc;
}

/* ---- which lanes are shown ---- */

/* Of many threads the busiest, in the order of the trace. */
static void choose_lanes(struct timeline_axis *a, const struct timeline_ask *ask)
{
	const struct lanes *l = &a->lanes;
	SCOPED(mem) struct ranked *host = mem_zero(l->all.len + 1, sizeof(*host));
	size_t threads = 0;
	double least = -1;

	for (uint32_t i = 0; i < l->all.len; i++)
		if (l->all.at[i].kind == LANE_HOST)
			host[threads++] = (struct ranked){ l->all.at[i].busy_ns, i };
	qsort(host, threads, sizeof(*host), order_ranked);
	if (threads > TIMELINE_HOST_SHOWN && !ask->filter.len)
		least = host[TIMELINE_HOST_SHOWN - 1].value;
	for (uint32_t i = 0; i < l->all.len; i++) {
		const struct draw_lane *lane = &l->all.at[i];

		if (!str_has_nocase(lane->name, ask->filter) ||
		    (lane->kind == LANE_HOST &&
		     (lane->busy_ns < least || (!lane->count && threads > 1))))
			a->hidden++;
		else
			*vec_push(&a->shown) = i;
	}
	a->hidden += (uint32_t)l->left_out;
}

enum ttp_rc timeline_make(struct timeline *t, struct run *run, const struct timeline_ask *ask,
			  struct ttp_err *e)
{
	struct making m = { .t = t, .run = run, .p = &run->parts };
	enum ttp_rc rc;

	memset(t, 0, sizeof(*t));
	t->ask = *ask;
	rc = read_parts(&m, e);
	if (!rc)
		rc = fill(&m, e);
	for (int i = 0; !rc && i < t->axes; i++) {
		lanes_finish(&t->axis[i].lanes);
		choose_lanes(&t->axis[i], ask);
	}
	core_times_release(&m.cores);
	op_names_release(&m.names);
	return rc;
}

void timeline_release(struct timeline *t)
{
	for (int i = 0; i < t->axes; i++) {
		lanes_release(&t->axis[i].lanes);
		vec_release(&t->axis[i].shown);
	}
	RELEASE(buf, &t->source, &t->notes);
}
