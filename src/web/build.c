// SPDX-License-Identifier: Apache-2.0
#include "web/build.h"

#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/input.h"
#include "base/json.h"
#include "base/out.h"
#include "base/paths.h"
#include "markers/analyses/device_export.h"
#include "markers/analyses/marker_log.h"
#include "ops/account_json.h"
#include "ops/ops_logs.h"
#include "report/calls.h"
#include "runs/host_verdict.h"
#include "runs/run_clock.h"
#include "wire/run_names.h"

enum { STACK_MAX = 16, JSON_FILE_MAX = 4 << 20, ANALYSIS_LOG_MAX = 256 << 20 };

/* ---- lanes ---- */

struct page_device *page_device(struct page *p, uint32_t device)
{
	bool added;
	uint32_t i = u64map_get_or_put(&p->device_index, device, (uint32_t)p->devices.len, &added);
	SCOPED(buf) struct buf name = { 0 };
	struct page_device *d;

	if (!added)
		return &p->devices.at[i];
	d = vec_push(&p->devices);
	*d = (struct page_device){ .id = device, .arch = str_n("", 0) };
	buf_printf(&name, "device %u", device);
	d->lane = page_lane(p, LANE_DEVICE, PAGE_NONE, page_text(p, buf_view(&name)),
			    (1ull << 40) + device);
	p->lanes.at[d->lane].device = (int32_t)device;
	return d;
}

uint32_t page_device_lane(struct page *p, uint32_t device)
{
	return page_device(p, device)->lane;
}

uint32_t page_risc_lane(struct page *p, uint32_t device, struct str risc)
{
	uint32_t text = page_text(p, risc), lane;
	struct page_device *d = page_device(p, device);
	uint64_t order = 1 + RISC_KNOWN;

	vec_each (k, &d->riscs)
		if (k->risc == text)
			return k->lane;
	for (unsigned i = 0; i < RISC_KNOWN; i++)
		if (str_eq(risc, str_of(risc_log_name((enum risc)i))))
			order = 1 + i;
	lane = page_lane(p, LANE_RISC, d->lane, text, order);
	p->lanes.at[lane].device = (int32_t)device;
	p->lanes.at[lane].risc = text;
	*vec_push(&d->riscs) = (struct risc_lane){ text, lane };
	return lane;
}

uint32_t page_core_lane(struct page *p, uint32_t device, struct str risc, int x, int y)
{
	SCOPED(buf) struct buf b = { 0 };
	uint32_t name, lane;

	buf_printf(&b, "core %d,%d", x, y);
	name = x < 0 ? 0 : page_text(p, buf_view(&b));
	lane = page_lane(p, LANE_CORE, page_risc_lane(p, device, risc), name,
			 (uint64_t)y << 16 | (uint64_t)x);
	p->lanes.at[lane].device = (int32_t)device;
	p->lanes.at[lane].x = x;
	p->lanes.at[lane].y = y;
	p->lanes.at[lane].risc = page_text(p, risc);
	return lane;
}

uint32_t page_stack_zone(struct page *p, struct page_stack *k, int64_t start_ns, int64_t end_ns,
			 uint32_t name, uint32_t op)
{
	size_t depth = 0;

	for (; depth < k->lanes.len; depth++) {
		const struct page_lane *l = &p->lanes.at[k->lanes.at[depth]];
		const struct page_zone *last = l->zones.len ? &l->zones.at[l->zones.len - 1] : NULL;

		if (!last || last->start_ns + last->dur_ns <= start_ns || depth + 1 == STACK_MAX)
			break;
	}
	if (depth == k->lanes.len) {
		uint32_t below = page_lane_below(p, k->lanes.at[depth - 1]);

		*vec_push(&k->lanes) = below;
	}
	return page_zone(p, k->lanes.at[depth], start_ns, end_ns, name, op) ? k->lanes.at[depth]
									    : PAGE_NONE;
}

/* ---- small parts ---- */

/* What was skipped since the last time, as notes on that part of the page. */
static void note_left_out(struct page *p, const struct run_parts *parts, const char *part)
{
	for (size_t i = p->left_out.len; i < parts->left_out.len; i++) {
		page_note(p, part, "%s", parts->left_out.at[i].msg);
		*vec_push(&p->left_out) = parts->left_out.at[i];
	}
}

/* A JSON file as it is, if it is JSON. */
static void add_json(struct page *p, struct run_parts *parts, const char *part, const char *path,
		     struct buf *to)
{
	struct json_reader r;
	enum json_event ev;
	struct input in;
	struct ttp_err e;

	if (inputs_open(&parts->inputs, path, NULL, &in, &e)) {
		run_parts_leave_out(parts, &e);
		note_left_out(p, parts, part);
		return;
	}
	r = json_reader_of(in.data);
	do
		ev = json_next(&r);
	while (ev > JSON_END);
	if (ev == JSON_ERROR || in.data.len > JSON_FILE_MAX || !str_is_utf8(in.data)) {
		(void)ttp_fail(&e, TTP_FORMAT, "%s: is damaged, or no JSON", path);
		run_parts_leave_out(parts, &e);
		note_left_out(p, parts, part);
	} else {
		buf_str(to, in.data);
	}
}

/* A run without ops has no report that run.json could lie beside: that of the newest run of the folder, whose names are times. */
static void find_run_json(struct run_parts *parts)
{
	SCOPED(buf) struct buf reports = { 0 }, path = { 0 }, best = { 0 };
	struct dirent *entry;
	SCOPED(dir) DIR *dir = NULL;

	if (parts->run_json.len || parts->ops.len || parts->alone)
		return;
	buf_printf(&reports, "%s/" RUN_REPORTS_FOLDER, parts->folder.at);
	dir = opendir(reports.at);
	while (dir && (entry = readdir(dir))) {
		if (*entry->d_name == '.' || (best.len && strcmp(entry->d_name, best.at) < 0))
			continue;
		buf_set(&path, "%s/%s/" RUN_JSON, reports.at, entry->d_name);
		if (!path_is_file(path.at))
			continue;
		buf_set_str(&best, str_of(entry->d_name));
		buf_set_str(&parts->run_json, str_of(path.at));
	}
}

/* The program is known by its name; where it lay is on the screen Capture. */
static void keep_file_name(struct buf *title)
{
	size_t slash = str_rfind_char(buf_view(title), '/');

	if (slash == STR_NONE || slash + 1 == title->len)
		return;
	memmove(title->at, title->at + slash + 1, title->len - slash);
	title->len -= slash + 1;
}

static void title_of_command(struct page *p)
{
	struct json_reader r = json_reader_of(buf_view(&p->run));
	enum json_event ev;
	bool inside = false;

	while ((ev = json_next(&r)) > JSON_END) {
		if (ev == JSON_KEY && r.nest.depth == 1)
			inside = json_text_is(&r, STR("command"));
		else if (ev == JSON_STRING && inside) {
			size_t before = p->title.len;

			if (before)
				buf_char(&p->title, ' ');
			json_unescape(&r, &p->title);
			if (!before)
				keep_file_name(&p->title);
		}
	}
	if (p->title.len > 200) {
		/* not within a character */
		for (p->title.len = 200;
		     p->title.len && ((unsigned char)p->title.at[p->title.len] & 0xc0) == 0x80;)
			p->title.len--;
		p->title.at[p->title.len] = 0;
	}
}

static void make_title(struct page *p, const struct run_parts *parts)
{
	SCOPED(mem) char *real = NULL;
	struct str name;

	title_of_command(p);
	if (p->title.len)
		return;
	real = realpath(parts->folder.at, NULL);
	name = path_name(real ? real : parts->folder.at);
	buf_add_utf8(&p->title, name.len ? name : str_of(real ? real : parts->folder.at));
}

/* ---- what the logs as a whole say ---- */

/* Statistics that need all markers at once. */
static void add_analysis(struct page *p, struct run *run)
{
	const struct setup *s = setup_find(STR("default_setup"));
	struct marker_log markers;
	analysis_vec list = { 0 };
	SCOPED(arena) struct arena texts = { 0 };
	struct ttp_err e;

	setup_analyses(s, &list);
	marker_log_read(&markers, run_log(run, &e), s->detect_ops);
	zone_analyses(&markers, &list, &texts);
	marker_log_analyse(&markers, list.at, list.len);
	device_export_json(&markers, list.at, list.len, &p->device_analysis);
	marker_log_release(&markers);
	vec_release(&list);
}

/* ---- what is missing ---- */

static void note_missing(struct page *p, const struct run_parts *r)
{
	const char *folder = r->alone ? "the run's folder" : r->folder.at;

	if (r->alone)
		page_note(p, "run", "only %s was read; name %s to see all that there is of the run",
			  r->folder.at, folder);
	if (!r->trace.len)
		page_note(
			p, "host",
			"no trace of the host (.tracy, .ttpr): threads, Python, messages and plots "
			"are not known; `ttprof run -r PROGRAM` records them");
	if (!r->log.len)
		page_note(p, "device",
			  "no device log (" RUN_DEVICE_LOG
			  "): %swaits of cores and statistics need it; "
			  "TT_METAL_DEVICE_PROFILER=1 or `ttprof run` makes one",
			  p->devices.len ? "" : "lanes of devices and ");
	if (!p->has_ops && !r->ops.len)
		page_note(p, "ops", "no ops report (ops_perf_results*.csv), and %s",
			  r->host.len || r->log.len || r->trace.len
				  ? "what was recorded names no op of tt-metal to make one of"
				  : "no logs to make one from");
	if (!r->run_json.len)
		page_note(
			p, "run",
			"no run.json: command and environment are not known; `ttprof run` writes it");
	if (!r->cost.len)
		page_note(p, "cost",
			  "no " RUN_OVERHEAD
			  ": the cost of profiling and the error of clocks are not "
			  "known");
}

/*
 * A run.json may name any file of this machine, and come from anybody.  What it names is looked at, as the user asked for it, but is
 * given away by a server only if it lies with it: in its folder, or in the profiler's around reports/TIME/run.json.
 */
static bool lies_with(const char *run_json, const char *path)
{
	char root[PATH_MAX], file[PATH_MAX], *slash;
	size_t n;

	if (!realpath(run_json, root) || !realpath(path, file))
		return false;
	slash = strrchr(root, '/');
	*slash = 0;
	slash = strrchr(root, '/');
	if (slash) {
		*slash = 0;
		if (str_eq(path_name(root), STR(RUN_REPORTS_FOLDER)))
			*strrchr(root, '/') = 0;
		else
			*slash = '/';
	}
	n = strlen(root);
	return !strncmp(file, root, n) && file[n] == '/';
}

static void add_files(struct page *p, const struct run_parts *r)
{
	const struct buf *all[] = { &r->ops, &r->log, &r->trace, &r->run_json, &r->cost };

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		if (all[i]->len && (!r->run_json.len || lies_with(r->run_json.at, all[i]->at)))
			page_add_file(p, path_name(all[i]->at).at, all[i]->at);
	}
}

static bool has_file(const struct page *p, const char *name)
{
	vec_each (f, &p->files)
		if (!strcmp(f->name, name))
			return true;
	return false;
}

/* What was made of the run, by name. */
static void add_results(struct page *p, const char *folder)
{
	struct dirent **found = NULL;
	int n = folder ? scandir(folder, &found, NULL, alphasort) : 0;
	SCOPED(buf) struct buf path = { 0 };

	for (int i = 0; i < n; i++) {
		struct stat st;

		buf_set(&path, "%s/%s", folder, found[i]->d_name);
		if (found[i]->d_name[0] != '.' && !has_file(p, found[i]->d_name) &&
		    !lstat(path.at, &st) && S_ISREG(st.st_mode))
			page_add_file(p, found[i]->d_name, path.at);
		free(found[i]);
	}
	free(found);
}

static void release_sources(struct page_sources *s)
{
	vec_release(&s->rows);
	launch_rows_release(&s->ops);
}

/* How much of the run could be read; a part that can't be is a note, and the error where nothing else is left. */
struct building {
	struct page *p;
	struct run *run;
	struct page_sources s;
	const struct ops_table *table; /* NULL: none */
	int tried, failed;
	struct ttp_err last;
};

static void part_failed(struct building *b, const char *part, const struct ttp_err *why)
{
	run_parts_leave_out(&b->run->parts, why);
	note_left_out(b->p, &b->run->parts, part);
	b->last = *why;
	b->failed++;
}

static void add_ops(struct building *b)
{
	struct run_parts *parts = &b->run->parts;
	struct ttp_err why;
	const struct ops_table *t = run_ops(b->run, &calls_timed_want, &why);
	struct account *account = run_account(b->run);
	struct json_writer w = { .to = &b->p->account };

	if (account)
		account_json_write(&w, account);
	note_left_out(b->p, parts, "ops");
	if (t && !why.rc && ops_table_check(t, &why))
		t = NULL;
	b->tried += t || (why.rc && !parts->made);
	if (why.rc && !parts->made)
		part_failed(b, "ops", &why);
	if (!t)
		return;
	page_add_ops(b->p, &b->s, t);
	b->table = t;
	host_gaps_find(&b->run->gaps, t);
	b->s.host = &b->run->gaps;
	run_find_damage(b->run);
	note_left_out(b->p, parts, "ops");
	if (parts->made)
		page_note(b->p, "ops",
			  "there was no ops report: this one was made from the logs, as "
			  "`ttprof ops` makes it");
}

static void add_trace(struct building *b)
{
	const struct run_parts *parts = &b->run->parts;
	struct ttp_err why;
	enum ttp_rc rc;
	struct trace t;

	if (!parts->trace.len)
		return;
	b->tried++;
	rc = run_trace(b->run, &t, &why);
	if (!rc) {
		rc = page_add_trace(b->p, &b->s, &t, !parts->log.len, &why);
		run_trace_close(b->run, &t);
		note_left_out(b->p, parts, "host");
	}
	if (rc)
		part_failed(b, "host", &why);
}

/* Without ops the verdict is on the host, as `ttprof report` has it. */
static void add_host(struct building *b)
{
	struct json_writer w = { .to = &b->p->host };
	struct host_verdict v;
	struct ttp_err why;

	if ((b->table && b->table->rows) || !b->run->parts.trace.len)
		return;
	if (!host_verdict_make(&v, b->run, &why))
		host_verdict_json(&v, &w);
	host_verdict_release(&v);
}

static void add_log(struct building *b)
{
	struct ttp_err why;
	struct device_log *log = run_log(b->run, &why);

	b->tried += log || why.rc;
	if (!log && why.rc)
		part_failed(b, "device", &why);
	if (!log)
		return;
	if (log->in.data.len > ANALYSIS_LOG_MAX) {
		page_add_log(b->p, &b->s, log, NULL);
		run_find_damage(b->run);
		note_left_out(b->p, &b->run->parts, "device");
		page_note(b->p, "device_analysis",
			  "the device log is large (%zu MB): its statistics are left out; `ttprof "
			  "device` has them",
			  log->in.data.len >> 20);
		return;
	}
	page_add_log(b->p, &b->s, log, &b->p->device_analysis);
	run_find_damage(b->run);
	note_left_out(b->p, &b->run->parts, "device");
	if (!b->p->device_analysis.len)
		add_analysis(b->p, b->run);
}

static enum ttp_rc build(struct building *b, const struct page_request *q, struct ttp_err *e)
{
	struct run_parts *parts = &b->run->parts;
	struct page *p = b->p;

	note_left_out(p, parts, "");
	find_run_json(parts);
	if (parts->run_json.len)
		add_json(p, parts, "run", parts->run_json.at, &p->run);
	if (parts->cost.len)
		add_json(p, parts, "cost", parts->cost.at, &p->cost);
	if (p->cost.len)
		p->clock_note = run_clock_note(buf_view(&p->cost));
	make_title(p, parts);
	add_ops(b);
	if (parts->old_ops.len)
		launch_rows_release(&b->s.ops);
	add_trace(b);
	add_host(b);
	if (b->table)
		page_add_report(p, &b->s, b->table);
	add_log(b);
	if (!b->tried && parts->left_out.len)
		b->last = parts->left_out.at[0];
	else if (!b->tried)
		(void)ttp_fail(&b->last, TTP_FORMAT, "%s: the logs name no op", q->run);
	if (b->tried == b->failed) {
		*e = b->last;
		return e->rc;
	}
	page_place_ops(p, &b->s);
	note_missing(p, parts);
	add_files(p, parts);
	add_results(p, q->results);
	page_finish(p);
	if (p->from_ns > 0 && p->from_ns >= p->span_ns)
		return ttp_fail(e, TTP_USAGE,
				"--from: nothing lies behind it; the run is %.3f ms long",
				(double)p->span_ns / 1e6);
	return TTP_OK;
}

enum ttp_rc page_build(struct page *p, const struct page_request *q, struct ttp_err *e)
{
	struct run run;
	struct building b = { .p = p, .run = &run, .s = { .clocks = &run.clocks } };
	enum ttp_rc rc = run_open(&run, q->run, e);

	p->from_ns = q->from_ns;
	p->to_ns = q->to_ns;
	if (!rc)
		rc = build(&b, q, e);
	release_sources(&b.s);
	run_close(&run);
	return rc;
}
