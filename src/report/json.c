// SPDX-License-Identifier: Apache-2.0
/* Everything as JSON; docs/reference/formats/report-json.md is the schema. */
#include "base/json.h"

#include <math.h>

#include "ops/account_json.h"
#include "report/chip_fit.h"
#include "report/groups.h"
#include "report/headline.h"
#include "report/processes.h"
#include "report/report.h"
#include "report/steps.h"
#include "report/time_parts.h"

enum { FLUSH_BYTES = 1 << 16 };

/* "time" in us is "time_us", "total" in % is "total_percent". */
void report_json_key(enum field field, struct buf *to)
{
	const struct field_info *f = &field_info[field];
	static const struct {
		const char *unit, *tail;
	} tails[] = {
		{ "us", "_us" },          { "%", "_percent" }, { "GB/s", "_gbps" },
		{ "TFLOP/s", "_tflops" }, { "MB", "_mb" },     { "GFLOP", "_gflop" },
	};

	buf_text(to, f->key);
	for (size_t i = 0; i < sizeof(tails) / sizeof(tails[0]); i++)
		if (!strcmp(f->unit, tails[i].unit) &&
		    !str_ends(buf_view(to), str_of(tails[i].tail)))
			buf_text(to, tails[i].tail);
}

static void write_source(struct json_writer *w, const struct report *r)
{
	const struct calls *c = &r->calls;
	SCOPED(buf) struct buf part = { 0 };
	struct str between = STR(" · ");

	json_put_object(w, "source");
	json_put_array(w, "files");
	vec_each (f, &r->table->files)
		json_write_str(w, str_of(f->in.name));
	json_close_array(w);
	json_put_count(w, "rows", r->table->rows);
	if (c->start.len)
		json_put_text(w, "start_signpost", c->start);
	if (c->end.len)
		json_put_text(w, "end_signpost", c->end);
	report_part_text(r, &part);
	if (part.len)
		json_put_text(w, "part", str_from(buf_view(&part), between.len));
	if (c->by_process && c->start.len)
		json_put_bool(w, "signposts_of_each_process", true);
	if (c->is_steady) {
		json_put_object(w, "steady");
		if (c->steady.repeats) {
			json_put_count(w, "repeats", c->steady.repeats);
			json_put_count(w, "ops", c->steady.period);
		}
		json_put_number(w, "warm_up_us", c->steady.warm_up_ns / 1e3);
		json_close_object(w);
	}
	json_close_object(w);
}

static void write_process(void *ctx, const struct report_process *p)
{
	SCOPED(buf) struct buf headline = { 0 };
	struct json_writer *w = ctx;

	headline_add(&headline, p->report);
	json_open_object(w);
	json_put_count(w, "process", (uint64_t)p->pid);
	if (p->program.len)
		json_put_text(w, "program", p->program);
	json_put_text(w, "headline", buf_view(&headline));
	json_put_count(w, "ops", p->report->calls.all.len);
	json_put_number(w, "device_us", p->report->findings.totals.device_ns / 1e3);
	json_close_object(w);
}

static void write_processes(struct json_writer *w, const struct report *r)
{
	if (!r->calls.programs_apart)
		return;
	json_put_array(w, "processes");
	processes_each(r, SIZE_MAX, write_process, w);
	json_close_array(w);
}

static void write_roofs(struct json_writer *w, const struct roof_chip *on)
{
	struct roof_line all[ROOF_LINES_MOST];
	size_t n = roof_lines(on, all);

	json_put_array(w, "roofs");
	for (size_t i = 0; i < n; i++) {
		json_open_object(w);
		json_put_text(w, "of", str_of(all[i].of));
		if (all[i].gbps > 0)
			json_put_number(w, "gbps", all[i].gbps);
		else
			json_put_number(w, "tflops", all[i].tflops);
		json_close_object(w);
	}
	json_close_array(w);
}

static void write_chip(struct json_writer *w, const struct report *r)
{
	const struct chip *c = r->calls.on.chip, *fits;
	uint64_t over;

	json_put_object(w, "chip");
	json_put_text(w, "id", str_of(c->id));
	json_put_text(w, "name", str_of(c->name));
	if (r->calls.arch.len)
		json_put_text(w, "arch", r->calls.arch);
	json_put_bool(w, "card_known", r->calls.chip_named);
	json_put_bool(w, "sure", r->calls.chip_sure);
	if (r->findings.totals.over_roof && (fits = chip_that_fits(&r->calls, &over)))
		json_put_text(w, "fits", str_of(fits->id));
	json_put_count(w, "devices", r->calls.devices);
	if (r->calls.on.workers > 0)
		json_put_count(w, "worker_cores", (uint64_t)r->calls.on.workers);
	if (r->calls.chip_figures) {
		json_put_number(w, "dram_gbps", c->dram_gbps);
		json_put_number(w, "clock_mhz", c->clock_mhz);
		json_put_count(w, "flop_per_clock_per_core", (uint64_t)c->flop_per_clock);
		if (r->calls.on.workers > 0)
			write_roofs(w, &r->calls.on);
	}
	json_close_object(w);
}

/* The same count by device, core and RISC, where they are known. */
static void write_where(struct json_writer *w, struct account *a, enum account_what what)
{
	bool begun = false;
	size_t n;
	const struct account_entry *entry = account_sorted(a, &n);

	for (size_t i = 0; i < n; i++) {
		if (entry[i].what != what || entry[i].place.core_x < 0)
			continue;
		if (!begun)
			json_put_array(w, "where");
		begun = true;
		json_open_object(w);
		account_json_place(w, &entry[i].place);
		json_put_count(w, "count", entry[i].count);
		json_close_object(w);
	}
	if (begun)
		json_close_array(w);
}

static void write_account(struct json_writer *w, const struct report *r)
{
	struct account *a = (struct account *)(uintptr_t)&r->calls.account;

	json_put_object(w, "account");
	json_put_count(w, "seen", account_total(a, ACCOUNT_TOTAL_SEEN));
	json_put_count(w, "timed", account_total(a, ACCOUNT_TOTAL_TIMED));
	json_put_count(w, "partial", account_total(a, ACCOUNT_TOTAL_PARTIAL));
	json_put_count(w, "dropped", account_total(a, ACCOUNT_TOTAL_DROPPED));
	json_put_array(w, "causes");
	for (int i = ACCOUNT_FIRST_CAUSE; i < ACCOUNT_WHATS; i++) {
		enum account_what what = (enum account_what)i;
		uint64_t n = account_count(a, what);
		const struct account_rows *rows = account_rows(a, what);

		if (!n)
			continue;
		json_open_object(w);
		json_put_text(w, "cause", str_of(account_text(what, n)));
		json_put_count(w, "count", n);
		json_put_array(w, "rows");
		for (unsigned k = 0; k < rows->kept; k++)
			json_write_u64(w, rows->row[k]);
		json_close_array(w);
		write_where(w, a, what);
		json_put_text(w, "hint", str_of(account_hint(what)));
		json_close_object(w);
	}
	json_close_array(w);
	json_close_object(w);
}

static void write_totals(struct json_writer *w, const struct report *r)
{
	static const char *const verdicts[] = { "no device time", "device-bound", "host-bound",
						"building", "dispatch-bound" };
	const struct totals *t = &r->findings.totals;
	uint32_t steps = steps_count(&r->calls);

	struct buf b = { 0 };

	json_put_text(w, "verdict", str_of(verdicts[verdict_of(t)]));
	headline_add(&b, r);
	json_put_text(w, "headline", buf_view(&b));
	buf_release(&b);
	json_put_object(w, "totals");
	json_put_count(w, "ops", report_ops(r));
	if (t->markers)
		json_put_count(w, "markers", t->markers);
	if (steps)
		json_put_count(w, "steps", steps);
	json_put_number(w, "device_us", t->device_ns / 1e3);
	json_put_number(w, "gap_us", totals_gap(t) / 1e3);
	json_put_number(w, "build_gap_us", t->build_gap_ns / 1e3);
	json_put_number(w, "profiler_us", totals_profiler(t) / 1e3);
	json_put_number(w, "pause_us", t->pause_ns / 1e3);
	json_put_number(w, "host_us", t->host_ns / 1e3);
	json_put_count(w, "long_gaps", t->long_gaps);
	if (r->calls.tells_cache)
		json_put_count(w, "program_cache_misses", t->cache_misses);
	json_put_number(w, "collective_wait_us", t->wait_ns / 1e3);
	json_put_number(w, "with_tensors_us", t->tensor_ns / 1e3);
	json_put_number(w, "with_figure_us", t->figured_ns / 1e3);
	json_put_count(w, "above_roof", t->over_roof);
	json_close_object(w);
}

static void write_findings(struct json_writer *w, const struct report *r)
{
	json_put_array(w, "findings");
	vec_each (f, &r->findings.all) {
		json_open_object(w);
		json_put_text(w, "what", str_of(finding_name(f->what)));
		if (f->cause != CAUSE_NONE)
			json_put_text(w, "cause", str_of(cause_name(f->cause)));
		json_put_number(w, "saves_us", f->saves_ns / 1e3);
		json_put_count(w, "calls", f->calls);
		json_put_number(w, "time_us", f->time_ns / 1e3);
		json_put_count(w, "example_id", f->id);
		json_put_text(w, "text", str_of(f->text));
		if (f->advice)
			json_put_text(w, "advice", str_of(f->advice));
		json_close_object(w);
	}
	json_close_array(w);
}

static void write_call(struct json_writer *w, const struct report *r, const struct call *call)
{
	SCOPED(buf) struct buf b = { 0 }, name = { 0 };

	json_open_object(w);
	for (int i = 0; i < FIELDS; i++) {
		const struct field_info *f = &field_info[i];
		double v = 0;

		buf_clear(&b);
		if (!report_field(r, call, (enum field)i, &b, &v))
			continue;
		buf_clear(&name);
		report_json_key((enum field)i, &name);
		json_write_key(w, buf_view(&name));
		if (f->decimals == FIELD_TEXT)
			json_write_str(w, buf_view(&b));
		else if (f->decimals == FIELD_WHOLE && v >= 0 && v < 1e18)
			json_write_u64(w, (uint64_t)v);
		else
			json_write_double(w, v);
	}
	if (call_builds(call))
		json_put_bool(w, "built", true);
	if (call->flags & CALL_PAUSE)
		json_put_bool(w, "pause", true);
	if (call->flags & CALL_MARKER)
		json_put_bool(w, "marker", true);
	if (call->flags & CALL_PARTIAL)
		json_put_bool(w, "partial", true);
	json_close_object(w);
}

static void write_groups(struct json_writer *w, const struct report *r)
{
	struct groups g;

	groups_make(&g, r, r->o->group);
	json_put_array(w, "groups");
	vec_each (x, &g.all) {
		json_open_object(w);
		json_put_text(w, "group", x->name);
		json_put_count(w, "calls", x->calls);
		json_put_number(w, "time_us", x->time_ns / 1e3);
		json_put_number(w, "min_us", x->min_ns / 1e3);
		json_put_number(w, "max_us", x->max_ns / 1e3);
		json_put_number(w, "gap_us", x->gap_ns / 1e3);
		json_put_number(w, "build_gap_us", x->build_ns / 1e3);
		json_put_number(w, "roof_percent",
				x->figured_ns > 0 ? 100 * x->ideal_ns / x->figured_ns
						  : (double)NAN);
		json_put_number(w, "saves_us", x->saves_ns / 1e3);
		json_close_object(w);
	}
	json_close_array(w);
	groups_release(&g);
}

/* All but the ops. */
static void write_head(struct json_writer *w, const struct report *r)
{
	json_put_text(w, "schema", STR("ttprof.report/1"));
	write_source(w, r);
	write_processes(w, r);
	write_chip(w, r);
	write_account(w, r);
	write_totals(w, r);
	time_parts_json(&r->calls, w);
	write_findings(w, r);
	if (r->o->group != GROUP_NONE)
		write_groups(w, r);
}

void report_json_head(const struct report *r, struct buf *to)
{
	struct json_writer w = { .to = to };

	json_open_object(&w);
	write_head(&w, r);
	json_close_object(&w);
}

void report_json(const struct report *r, struct str host, struct out *out)
{
	SCOPED(buf) struct buf b = { 0 };
	struct json_writer w = { .to = &b, .pretty = true };

	json_open_object(&w);
	write_head(&w, r);
	json_put_array(&w, "ops");
	vec_each (i, &r->shown) {
		write_call(&w, r, &r->lines[*i]);
		if (b.len > FLUSH_BYTES)
			out_buf(out, &b);
		if (!out_ok(out))
			break;
	}
	json_close_array(&w);
	if (host.len)
		json_put_raw(&w, "host", host);
	json_close_object(&w);
	buf_char(&b, '\n');
	out_buf(out, &b);
}
