// SPDX-License-Identifier: Apache-2.0
/* Chrome's trace events: a JSON object per line, begins and ends as they come; times in µs with three decimals. */
#include "base/json.h"
#include "export/chrome_perfetto.h"

enum { ENOUGH = 64 << 10 };

struct chrome {
	struct trace *t;
	struct out *to;
	struct buf b;
	bool any;
	seen_vec tracks, contexts; /* whose names are written */
};

static void begin(struct chrome *c, const char *ph)
{
	buf_text(&c->b, c->any ? ",\n{\"ph\":\"" : "\n{\"ph\":\"");
	c->any = true;
	buf_text(&c->b, ph);
	buf_char(&c->b, '"');
}

static void end(struct chrome *c)
{
	buf_char(&c->b, '}');
	if (c->b.len >= ENOUGH)
		out_buf(c->to, &c->b);
}

static void when(struct chrome *c, const char *key, int64_t ns)
{
	uint64_t u = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;

	buf_printf(&c->b, ",\"%s\":%s%llu.%03llu", key, ns < 0 ? "-" : "",
		   (unsigned long long)(u / 1000), (unsigned long long)(u % 1000));
}

static uint64_t pid_of(const struct chrome *c, uint32_t track)
{
	const struct trace_track *k = &c->t->tracks.at[track];

	if (k->context != TRACE_NONE)
		return (uint64_t)TIMELINE_CONTEXT_PID + k->context;
	return c->t->processes.at[k->process].pid;
}

static void name(struct chrome *c, const char *what, uint64_t pid, uint64_t tid, struct str text)
{
	begin(c, "M");
	buf_printf(&c->b, ",\"name\":\"%s\",\"pid\":%llu,\"tid\":%llu,\"args\":{\"name\":", what,
		   (unsigned long long)pid, (unsigned long long)tid);
	json_quote(&c->b, text);
	buf_char(&c->b, '}');
	end(c);
}

static void where(struct chrome *c, uint32_t track)
{
	const struct trace_track *k = &c->t->tracks.at[track];

	buf_printf(&c->b, ",\"pid\":%llu,\"tid\":%llu", (unsigned long long)pid_of(c, track),
		   (unsigned long long)k->tid);
}

static void name_track(struct chrome *c, uint32_t track)
{
	const struct trace_track *k = &c->t->tracks.at[track];
	SCOPED(buf) struct buf b = { 0 };

	if (!first_time(&c->tracks, track))
		return;
	if (k->context != TRACE_NONE) {
		if (first_time(&c->contexts, k->context))
			name(c, "process_name", pid_of(c, track), 0,
			     timeline_name(c->t, c->t->contexts.at[k->context].name,
					   STR("device")));
		return;
	}
	timeline_thread(c->t, k, &b);
	name(c, "thread_name", pid_of(c, track), k->tid, buf_view(&b));
}

static void zone_begin(void *ctx, uint32_t track, int64_t ns, uint32_t loc)
{
	struct chrome *c = ctx;

	name_track(c, track);
	begin(c, "B");
	buf_text(&c->b, ",\"name\":");
	json_quote(&c->b, trace_loc_name(c->t, loc));
	where(c, track);
	when(c, "ts", ns);
	if (loc < c->t->locs.len) {
		buf_text(&c->b, ",\"args\":{\"file\":");
		json_quote(&c->b, trace_str(c->t, trace_loc_at(c->t, loc)->file));
		buf_printf(&c->b, ",\"line\":%u}", trace_loc_at(c->t, loc)->line);
	}
	end(c);
}

static void zone_end(void *ctx, uint32_t track, int64_t ns, const struct trace_extra *x)
{
	struct chrome *c = ctx;

	begin(c, "E");
	where(c, track);
	when(c, "ts", ns == TRACE_OPEN ? c->t->last_ns : ns);
	if (x && (x->text.at || x->name.at)) {
		buf_text(&c->b, ",\"args\":{\"text\":");
		json_quote(&c->b, x->text.at ? x->text : STR(""));
		if (x->name.at) {
			buf_text(&c->b, ",\"name\":");
			json_quote(&c->b, x->name);
		}
		buf_char(&c->b, '}');
	}
	end(c);
}

static void device_tree(void *ctx, uint32_t lane, const struct trace_device_zone *z, size_t n)
{
	struct chrome *c = ctx;

	name_track(c, lane);
	for (size_t i = 0; i < n; i++) {
		if (z[i].gpu_start_ns < 0 || z[i].gpu_end_ns < z[i].gpu_start_ns)
			continue;
		begin(c, "X");
		buf_text(&c->b, ",\"name\":");
		json_quote(&c->b, trace_loc_name(c->t, z[i].loc));
		where(c, lane);
		when(c, "ts", z[i].gpu_start_ns);
		when(c, "dur", ns_minus(z[i].gpu_end_ns, z[i].gpu_start_ns));
		if (z[i].loc < c->t->locs.len) {
			buf_text(&c->b, ",\"args\":{\"function\":");
			json_quote(&c->b, trace_str(c->t, trace_loc_at(c->t, z[i].loc)->function));
			buf_char(&c->b, '}');
		}
		end(c);
	}
}

static void message(void *ctx, const struct trace_message *m)
{
	struct chrome *c = ctx;

	if (m->track != TRACE_NONE)
		name_track(c, m->track);
	begin(c, "i");
	buf_text(&c->b, ",\"name\":");
	json_quote(&c->b, m->text);
	if (m->track != TRACE_NONE)
		where(c, m->track);
	else
		buf_text(&c->b, ",\"pid\":0,\"tid\":0");
	when(c, "ts", m->time_ns);
	buf_text(&c->b, ",\"s\":\"t\"");
	end(c);
}

static void plot(void *ctx, uint32_t id, int64_t ns, double v)
{
	struct chrome *c = ctx;
	const struct trace_plot *p = &c->t->plots.at[id];

	begin(c, "C");
	buf_text(&c->b, ",\"name\":");
	json_quote(&c->b, timeline_name(c->t, p->name, STR("CPU usage")));
	buf_printf(&c->b, ",\"pid\":%llu", (unsigned long long)c->t->processes.at[p->process].pid);
	when(c, "ts", ns);
	buf_printf(&c->b, ",\"args\":{\"value\":%.17g}", v);
	end(c);
}

static void frame(void *ctx, uint32_t set, int64_t start_ns, int64_t end_ns)
{
	struct chrome *c = ctx;
	const struct trace_frames *f = &c->t->frame_sets.at[set];

	begin(c, end_ns == TRACE_OPEN ? "i" : "X");
	buf_text(&c->b, ",\"name\":");
	json_quote(&c->b, timeline_name(c->t, f->name, STR("Frame")));
	buf_printf(&c->b, ",\"pid\":%llu,\"tid\":%u",
		   (unsigned long long)c->t->processes.at[f->process].pid, set);
	when(c, "ts", start_ns);
	if (end_ns == TRACE_OPEN)
		buf_text(&c->b, ",\"s\":\"p\"");
	else
		when(c, "dur", ns_minus(end_ns, start_ns));
	end(c);
}

enum ttp_rc export_chrome(struct trace *t, struct out *to, struct ttp_err *e)
{
	struct chrome c = { .t = t, .to = to };
	struct trace_sink sink = { .ctx = &c,
				   .zone_begin = zone_begin,
				   .zone_end = zone_end,
				   .device_tree = device_tree,
				   .message = message,
				   .plot = plot,
				   .frame = frame };
	enum ttp_rc rc;

	TTP_TRY(trace_names(t, e));
	buf_text(&c.b, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
	vec_each (p, &t->processes)
		name(&c, "process_name", p->pid, 0, p->program);
	rc = trace_read(t, &sink, e);
	buf_text(&c.b, "\n]}\n");
	out_buf(to, &c.b);
	buf_release(&c.b);
	RELEASE(vec, &c.tracks, &c.contexts);
	return rc;
}
