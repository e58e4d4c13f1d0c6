// SPDX-License-Identifier: Apache-2.0
#include "cmd/view_runs.h"

#include <stdlib.h>
#include <time.h>

#include "base/json.h"
#include "cmd/cmd.h"
#include "cmd/compare_inputs.h"
#include "web/build.h"

enum { RUNS_MAX = 16 }; /* that are shown; all are compared */

static bool is_noted(const struct view_runs *v, const struct ttp_err *note)
{
	vec_each (n, &v->notes)
		if (!strcmp(n->msg, note->msg))
			return true;
	return false;
}

/* The same file may have been read for the comparison already. */
static void keep_notes(struct view_runs *v, const struct ttp_err *notes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!is_noted(v, &notes[i]))
			*vec_push(&v->notes) = notes[i];
}

enum ttp_rc view_runs_one(struct view_runs *v, const char *run, struct view_span span,
			  struct ttp_err *e)
{
	struct page_request q = { .run = run, .from_ns = span.from_ns, .to_ns = span.to_ns };
	enum ttp_rc rc;
	struct page p;

	page_init(&p);
	rc = page_build(&p, &q, e);
	if (!rc)
		rc = page_fits_file(&p, run, e);
	if (!rc) {
		struct packed_page *k = vec_push(&v->pages.runs);

		*k = (struct packed_page){ 0 };
		page_pack(k, &p, cmd_version_text(), (int64_t)time(NULL), false);
		v->rows += p.ops_n;
		v->zones += p.zones;
		if ((double)p.span_ns / 1e6 > v->longest_ms)
			v->longest_ms = (double)p.span_ns / 1e6;
		vec_each (f, &p.files)
			*vec_push(&v->files) = mem_text(f->path);
	}
	keep_notes(v, p.left_out.at, p.left_out.len);
	page_release(&p);
	return rc;
}

/* ---- several ---- */

/* A run that the page shows. */
struct shown_run {
	char *name;
	enum compare_side side;
};
typedef VEC(struct shown_run) shown_runs;

/* The first ones of each side, BASE before NEW, so that neither is missing. */
static void choose_runs(const struct compare_inputs *in, shown_runs *to)
{
	size_t n = in[BASE].all.len, m = in[NEW].all.len;
	size_t of_new = m < RUNS_MAX / 2 ? m : RUNS_MAX / 2;
	size_t of_base = n < RUNS_MAX - of_new ? n : RUNS_MAX - of_new;

	of_new = m < RUNS_MAX - of_base ? m : RUNS_MAX - of_base;
	for (size_t i = 0; i < of_base; i++)
		*vec_push(to) = (struct shown_run){ mem_text(in[BASE].all.at[i]->name.at), BASE };
	for (size_t i = 0; i < of_new; i++)
		*vec_push(to) = (struct shown_run){ mem_text(in[NEW].all.at[i]->name.at), NEW };
}

struct page_parts {
	const struct compare *compare;
	const shown_runs *runs;
};

/* What the page needs beside the comparison: which runs it has, and which of their ops stand side by side. */
static void put_page_parts(const void *what, struct json_writer *w)
{
	static const char *const sides[] = { "base", "new" };
	const struct page_parts *parts = what;

	json_put_array(w, "runs");
	vec_each (r, parts->runs) {
		json_open_object(w);
		json_put_text(w, "name", str_of(r->name));
		json_put_text(w, "side", str_of(sides[r->side]));
		json_close_object(w);
	}
	json_close_array(w);
	compare_pairs_json(parts->compare, w);
}

static void add_comparison(struct view_runs *v, const struct compare_inputs *in,
			   const shown_runs *runs)
{
	struct compare_ask ask = { .min_percent = COMPARE_MIN_PERCENT, .min_ns = COMPARE_MIN_NS };
	SCOPED(buf) struct buf base = { 0 }, new_one = { 0 };
	const char *names[SIDES];
	struct page_parts parts;
	struct compare c;

	compare_inputs_ask(&ask, in);
	compare_inputs_name(&base, &in[BASE]);
	compare_inputs_name(&new_one, &in[NEW]);
	names[BASE] = base.at;
	names[NEW] = new_one.at;
	compare_make(&c, &ask);
	parts = (struct page_parts){ &c, runs };
	compare_json_add(&v->pages.compare, &c, names, put_page_parts, &parts);
	page_json_without_markup(&v->pages.compare);
	compare_release(&c);
}

enum ttp_rc view_runs_compare(struct view_runs *v, const struct opt_list sides[SIDES],
			      struct ttp_err *e)
{
	const struct call_options o = { 0 };
	struct compare_inputs in[SIDES] = { 0 };
	shown_runs runs = { 0 };
	enum ttp_rc rc = TTP_OK;

	for (int side = BASE; side < SIDES && !rc; side++)
		rc = compare_inputs_open(&in[side], sides[side].at, sides[side].len, &o, e);
	if (!rc) {
		choose_runs(in, &runs);
		add_comparison(v, in, &runs);
	}
	for (int side = BASE; side < SIDES; side++) {
		vec_each (i, &in[side].all) {
			run_find_damage(&(*i)->run);
			keep_notes(v, (*i)->run.parts.left_out.at, (*i)->run.parts.left_out.len);
		}
		compare_inputs_release(&in[side]);
	}
	vec_each (r, &runs) {
		if (!rc)
			rc = view_runs_one(v, r->name, (struct view_span){ 0, 0 }, e);
		free(r->name);
	}
	vec_release(&runs);
	return rc;
}

void view_runs_release(struct view_runs *v)
{
	packed_pages_release(&v->pages);
	vec_each (f, &v->files)
		free(*f);
	vec_release(&v->files);
	vec_release(&v->notes);
}
