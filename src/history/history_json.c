// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <time.h>

#include "base/json.h"
#include "history/history_out.h"

static void begin(struct json_writer *w, const char *what)
{
	json_open_object(w);
	json_put_text(w, "schema", STR("ttprof.history/1"));
	json_put_text(w, "what", str_of(what));
}

static void end(struct json_writer *w, struct out *out)
{
	json_close_object(w);
	buf_char(w->to, '\n');
	out_buf(out, w->to);
}

static void put_run(struct json_writer *w, const struct history_run *r)
{
	json_open_object(w);
	json_put_whole(w, "id", r->id);
#define X(member) json_put_text(w, #member, r->member);
	HISTORY_TEXT_LIST(X)
#undef X
#define X(member) json_put_whole(w, #member, r->member);
	HISTORY_WHOLE_LIST(X)
#undef X
#define X(member) json_put_number(w, #member, r->member);
	HISTORY_REAL_LIST(X)
#undef X
	json_close_object(w);
}

static void put_runs(struct json_writer *w, const struct history *h)
{
	json_put_array(w, "runs");
	vec_each (r, &h->runs)
		put_run(w, r);
	json_close_array(w);
}

void history_list_json(const struct history *h, struct out *out)
{
	SCOPED(buf) struct buf b = { 0 };
	struct json_writer w = { .to = &b, .pretty = true };

	begin(&w, "list");
	put_runs(&w, h);
	end(&w, out);
}

static double percent_of(double by, double of)
{
	return of > 0 ? 100 * by / of : NAN;
}

static void put_change(struct json_writer *w, const struct trends *t, const struct series *s,
		       const struct trend_change *c)
{
	const struct history_run *good = series_run(t, s, c->last_good),
				 *bad = series_run(t, s, c->at);
	SCOPED(buf) struct buf note = { 0 };

	json_open_object(w);
	json_put_text(w, "verdict", str_of(compare_verdict_names[c->verdict]));
	json_put_whole(w, "last_good_run", good->id);
	json_put_whole(w, "first_bad_run", bad->id);
	json_put_text(w, "last_good_commit", good->commit_id);
	json_put_text(w, "first_bad_commit", bad->commit_id);
	json_put_number(w, "before_ns", c->before_ns);
	json_put_number(w, "after_ns", c->after_ns);
	json_put_count(w, "before_runs", c->before_runs);
	json_put_count(w, "after_runs", c->after_runs);
	json_put_number(w, "shift_ns", c->shift.by);
	json_put_number(w, "low_ns", c->shift.low);
	json_put_number(w, "high_ns", c->shift.high);
	json_put_number(w, "percent", percent_of(c->shift.by, c->before_ns));
	json_put_number(w, "low_percent", percent_of(c->shift.low, c->before_ns));
	json_put_number(w, "high_percent", percent_of(c->shift.high, c->before_ns));
	json_put_number(w, "p", c->p);
	json_put_bool(w, "open", c->is_open);
	json_put_bool(w, "clock", c->is_clock);
	json_put_bool(w, "one_commit", c->at_one_commit);
	json_put_number(w, "before_mhz", c->mhz[BASE] > 0 ? c->mhz[BASE] : NAN);
	json_put_number(w, "after_mhz", c->mhz[NEW] > 0 ? c->mhz[NEW] : NAN);
	change_note(&note, c);
	json_put_text(w, "note", buf_view(&note));
	json_close_object(w);
}

static void put_trend(struct json_writer *w, const struct trends *t, const struct series *s,
		      const struct trend *tr, const struct history_shown *shown, bool values)
{
	SCOPED(buf) struct buf label = { 0 };

	trend_label(&label, t, tr);
	json_open_object(w);
	json_put_text(w, "of", str_of(trend_of_names[tr->of]));
	json_put_text(w, "label", buf_view(&label));
	json_put_count(w, "count", tr->count);
	json_put_text(w, "newest", str_of(compare_verdict_names[tr->now]));
	if (values) {
		json_put_array(w, "ns");
		for (size_t r = 0; r < s->runs.len; r++)
			json_write_double(w, tr->ns[r]); /* null: not known */
		json_close_array(w);
	}
	json_put_array(w, "changes");
	vec_each (c, &tr->changes)
		if (values || change_is_shown(c, shown))
			put_change(w, t, s, c);
	json_close_array(w);
	json_close_object(w);
}

static bool has_shown_change(const struct trend *tr, const struct history_shown *shown)
{
	vec_each (c, &tr->changes)
		if (change_is_shown(c, shown))
			return true;
	return false;
}

static void put_finding(struct json_writer *w, const struct trends *t, const struct series *s)
{
	SCOPED(buf) struct buf b = { 0 };

	series_finding(&b, t, s);
	json_put_whole(w, "status", series_status(s));
	json_put_text(w, "finding", buf_view(&b));
}

static void put_series(struct json_writer *w, const struct trends *t,
		       const struct history_shown *shown, bool regressions)
{
	json_put_array(w, "series");
	vec_each (s, &t->all) {
		json_open_object(w);
		JSON_MEMBERS(w, s, name, branch, machine, chip);
		put_finding(w, t, s);
		json_put_array(w, "runs");
		vec_each (r, &s->runs)
			json_write_i64(w, t->h->runs.at[*r].id);
		json_close_array(w);
		json_put_array(w, "trends");
		vec_each (tr, &s->trends)
			if (regressions ? has_shown_change(tr, shown)
					: trend_is_shown(t, tr, shown)) {
				put_trend(w, t, s, tr, shown, !regressions);
			}
		json_close_array(w);
		json_close_object(w);
	}
	json_close_array(w);
}

void history_show_json(const struct trends *t, const struct history_shown *shown, struct out *out)
{
	SCOPED(buf) struct buf b = { 0 };
	struct json_writer w = { .to = &b, .pretty = true };

	begin(&w, "show");
	put_runs(&w, t->h);
	put_series(&w, t, shown, false);
	end(&w, out);
}

void history_regressions_json(const struct trends *t, const struct history_shown *shown,
			      struct out *out)
{
	SCOPED(buf) struct buf b = { 0 };
	struct json_writer w = { .to = &b, .pretty = true };

	begin(&w, "regressions");
	json_put_whole(&w, "status", history_status(t));
	json_put_number(&w, "min_percent", t->ask.min_percent);
	json_put_number(&w, "min_ns", t->ask.min_ns);
	put_runs(&w, t->h);
	put_series(&w, t, shown, true);
	end(&w, out);
}

void history_page_json(const struct trends *t, const struct history_shown *shown,
		       const struct history_page *page, struct buf *to)
{
	struct json_writer w = { .to = to };
	struct tm tm;
	char made[32] = "";
	time_t at = (time_t)page->made_s;

	if (gmtime_r(&at, &tm))
		strftime(made, sizeof(made), "%Y-%m-%dT%H:%M:%SZ", &tm);
	begin(&w, "show");
	json_put_text(&w, "db", page->db);
	json_put_text(&w, "tool", str_of(page->tool));
	json_put_text(&w, "made", str_of(made));
	json_put_whole(&w, "status", history_status(t));
	json_put_number(&w, "min_percent", t->ask.min_percent);
	json_put_number(&w, "min_ns", t->ask.min_ns);
	put_runs(&w, t->h);
	put_series(&w, t, shown, false);
	json_close_object(&w);
}
