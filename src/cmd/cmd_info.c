// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "base/json.h"
#include "base/order.h"
#include "cmd/cmd.h"
#include "cmd/info_text.h"
#include "cmd/open_trace.h"
#include "export/zone_table.h"
#include "trace/trace_units.h"
#include "trace/trace_warnings.h"

struct options {
	int64_t top;
	bool json;
};

#define OPTIONS struct options
static const struct opt opts[] = {
	OPTION_INT('n', "top", top, "N", 0, 1000000, "show the N places with most time",
		   .preset = "10"),
	OPTION_FLAG(0, "json", json, "as JSON"),
	{ 0 },
};

static const struct opt_example examples[] = {
	{ "ttprof info run.tracy", "what is in it" },
	{ "ttprof info run7", "in the trace of the latest run in that folder" },
	{ 0 },
};

const struct opt_spec cmd_info_spec = {
	.prog = "ttprof info",
	.summary = "what is in a trace: programs, tracks, counts, drops",
	.about =
		"Reads all of a trace and says what it holds, what is missing, and where time went.",
	.opts = opts,
	.args = cmd_trace_args,
	.examples = examples,
};

ORDER_MOST(by_total, struct info_zone, total_ns, loc)

/* What programs said of their runs; as many lines as a screen has. */
static VEC(char *) facts; /* one trace at a time */
enum { FACTS_MAX = 40 };

static void fact(void *ctx, uint32_t process, struct str text)
{
	struct buf b = { 0 };

	(void)ctx;
	(void)process;
	if (facts.len == FACTS_MAX)
		return;
	buf_str(&b, text);
	buf_char(&b, 0);
	*vec_push(&facts) = b.at;
}

static void as_json(const struct trace *t, const struct zone_table *z,
		    const struct info_zone *order, size_t n, struct buf *b)
{
	struct json_writer w = { .to = b, .pretty = true };
	SCOPED(buf) struct buf text = { 0 };
	const char *what;
	uint64_t count;

	json_open_object(&w);
	json_put_text(&w, "schema", STR("ttprof.info/1"));
	json_write_key(&w, STR("format"));
	info_format(t, &text);
	json_write_str(&w, buf_view(&text));
	json_put_whole(&w, "span_ns", t->last_ns);
	json_write_key(&w, STR("damage"));
	if (t->damaged)
		json_write_str(&w, str_of(t->damage.msg));
	else
		json_write_null(&w);
	json_put_array(&w, "processes");
	vec_each (p, &t->processes) {
		json_open_object(&w);
		json_put_text(&w, "program", p->program);
		json_put_count(&w, "pid", p->pid);
		json_put_text(&w, "protocol", str_of(p->key));
		json_put_count(&w, "zones", p->zones);
		json_put_bool(&w, "ended", p->ended);
		json_put_whole(&w, "shift_ns", p->shift_ns);
		json_put_whole(&w, "clock_error_ns", p->error_ns);
		json_put_count(&w, "dropped_zones", p->dropped[0]);
		json_put_object(&w, "dropped");
		for (unsigned i = 0; i < TRACE_DROPS; i++)
			if (p->dropped[i])
				json_put_count(&w, trace_drop_text(i), p->dropped[i]);
		if (p->knows_when_dropped) {
			json_put_whole(&w, "first_ns", p->first_drop_ns);
			json_put_whole(&w, "last_ns", p->last_drop_ns);
		}
		json_close_object(&w);
		json_put_text(&w, "host", p->host);
		json_close_object(&w);
	}
	json_close_array(&w);
	json_put_array(&w, "facts");
	vec_each (f, &facts)
		json_write_str(&w, str_of(*f));
	json_close_array(&w);
	json_put_object(&w, "counts");
	json_put_count(&w, "zones", t->zones);
	json_put_count(&w, "device_zones", t->device_zones);
	json_put_count(&w, "messages", t->messages);
	json_put_count(&w, "frames", t->frames);
	json_put_count(&w, "plot_points", t->plot_points);
	json_put_count(&w, "allocations", t->memory_events);
	for (unsigned i = 0; trace_only_tracy(t, i, &what, &count); i++) {
		if (count) {
			buf_clear(&text);
			for (const char *p = what; *p; p++)
				buf_char(&text, *p == ' ' ? '_' : *p);
			json_write_key(&w, buf_view(&text));
			json_write_u64(&w, count);
		}
	}
	json_close_object(&w);
	json_put_object(&w, "skipped");
	for (int i = 0; i < TRACE_SKIPS; i++) {
		if (t->skipped[i])
			json_put_count(&w, trace_skip_text(i), t->skipped[i]);
	}
	json_close_object(&w);
	json_put_array(&w, "tracks");
	for (uint32_t i = 0; i < t->tracks.len; i++) {
		json_open_object(&w);
		json_write_key(&w, STR("name"));
		buf_clear(&text);
		if (t->tracks.at[i].context != TRACE_NONE)
			trace_context_name(t, t->tracks.at[i].context, &text);
		else
			trace_track_name(t, i, &text);
		json_write_str(&w, buf_view(&text));
		json_put_count(&w, "tid", t->tracks.at[i].tid);
		json_put_bool(&w, "device", t->tracks.at[i].context != TRACE_NONE);
		json_close_object(&w);
	}
	json_close_array(&w);
	json_put_array(&w, "top");
	for (size_t i = 0; i < n; i++) {
		json_open_object(&w);
		json_put_text(&w, "name", trace_loc_name(t, order[i].loc));
		json_put_whole(&w, "total_ns", z->places.at[order[i].loc].stats.once_ns);
		json_put_count(&w, "calls", z->places.at[order[i].loc].stats.count);
		json_close_object(&w);
	}
	json_close_array(&w);
	json_close_object(&w);
	buf_char(b, '\n');
}

int cmd_info(int argc, char **argv)
{
	struct options u = { .top = 10 };
	struct trace_sink sink = { 0 };
	SCOPED(vec) VEC(struct info_zone) order = { 0 };
	struct opt_found found;
	struct zone_table z;
	SCOPED(buf) struct buf b = { 0 };
	struct ttp_err e;
	struct trace t;
	int status;

	if (!cmd_options(&cmd_info_spec, argc, argv, &u, &found, &status))
		return status;
	if (open_trace(&t, cmd_info_spec.prog, found.args[0], &e))
		return cmd_fail(cmd_info_spec.prog, &e);
	zone_table_init(&z, &t, (struct zone_want){ 0 });
	zone_table_sink(&z, &sink);
	sink.app_info = fact;
	if (trace_read(&t, &sink, &e)) {
		status = cmd_fail(cmd_info_spec.prog, &e);
	} else {
		size_t n;

		for (uint32_t i = 0; i < z.places.len; i++)
			if (z.places.at[i].stats.count)
				*vec_push(&order) =
					(struct info_zone){ z.places.at[i].stats.once_ns, i };
		vec_sort(&order, by_total);
		n = order.len < (size_t)u.top ? order.len : (size_t)u.top;
		if (u.json) {
			as_json(&t, &z, order.at, n, &b);
			out_buf(cmd_stdout(), &b);
		} else {
			info_print(&(struct info){ &t, &z, order.at, n, facts.at, facts.len });
		}
		status = 0;
	}
	trace_warn(cmd_console(cmd_info_spec.prog), &t);
	zone_table_release(&z);
	vec_each (f, &facts)
		free(*f);
	vec_release(&facts);
	trace_close(&t);
	return status;
}
