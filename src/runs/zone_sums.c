// SPDX-License-Identifier: Apache-2.0
#include "runs/zone_sums.h"

#include <stdlib.h>

#include "base/keyed.h"
#include "base/paths.h"
#include "base/width.h"

struct open_zone {
	int64_t start;
	double inside; /* time of what is inside of it */
	uint32_t what;
};

struct stack {
	VEC(struct open_zone) open;
	VEC(uint32_t) nested; /* per source location: how many of its zones are open */
};

/* Sums by the number of a source location. */
struct tally {
	VEC(struct zone_sum) sums[2]; /* of the host, of devices */
	VEC(struct stack) tracks;
	uint64_t unpaired;
};

static struct zone_sum *sum_of(struct tally *t, bool device, uint32_t what)
{
	vec_reach(&t->sums[device], what, (struct zone_sum){ 0 });
	return &t->sums[device].at[what];
}

/* `inner`: in another zone of the same source location, whose time has this one's already. */
static void add(struct zone_sum *s, double took, double self, bool inner)
{
	s->calls++;
	s->total_ns += inner ? 0 : took;
	s->all_ns += took;
	s->self_ns += self > 0 ? self : 0;
	s->min_ns = s->calls == 1 || took < s->min_ns ? took : s->min_ns;
	s->max_ns = took > s->max_ns ? took : s->max_ns;
}

static struct stack *track_of(struct tally *t, uint32_t track)
{
	vec_reach(&t->tracks, track, (struct stack){ 0 });
	return &t->tracks.at[track];
}

static void close_zone(struct tally *t, struct stack *k, int64_t end)
{
	struct open_zone o = k->open.at[--k->open.len];
	double took = (double)ns_minus(end, o.start);

	if (end < o.start) {
		k->nested.at[o.what]--;
		t->unpaired++;
		return;
	}
	add(sum_of(t, false, o.what), took, took - o.inside, --k->nested.at[o.what] > 0);
	if (k->open.len)
		k->open.at[k->open.len - 1].inside += took;
}

/* ---- of a trace ---- */

static void zone_begin(void *ctx, uint32_t track, int64_t ns, uint32_t loc)
{
	struct open_zone o = { .start = ns, .what = loc == TRACE_NONE ? 0 : loc };
	struct stack *k = track_of(ctx, track);

	vec_reach(&k->nested, o.what, 0);
	k->nested.at[o.what]++;
	*vec_push(&k->open) = o;
}

static void zone_end(void *ctx, uint32_t track, int64_t ns, const struct trace_extra *x)
{
	struct tally *t = ctx;
	struct stack *k = track_of(t, track);

	(void)x;
	if (!k->open.len)
		return;
	if (ns == TRACE_OPEN) {
		k->nested.at[k->open.at[--k->open.len].what]--;
		t->unpaired++;
	} else {
		close_zone(t, k, ns);
	}
}

/* Parents come before children, each with the number of its direct ones. */
static void device_tree(void *ctx, uint32_t lane, const struct trace_device_zone *at, size_t n)
{
	struct tally *t = ctx;
	SCOPED(vec) VEC(size_t) parents = { 0 };
	SCOPED(mem) double *self = mem_zero(n + 1, sizeof(*self));
	SCOPED(mem) uint32_t *left = mem_zero(n + 1, sizeof(*left));

	(void)lane;
	for (size_t i = 0; i < n; i++) {
		bool timed = at[i].gpu_start_ns >= 0 && at[i].gpu_end_ns >= at[i].gpu_start_ns;
		double took = timed ? (double)ns_minus(at[i].gpu_end_ns, at[i].gpu_start_ns) : -1;

		self[i] += took;
		left[i] = at[i].children;
		while (parents.len && !left[parents.at[parents.len - 1]])
			parents.len--;
		if (parents.len) {
			left[parents.at[parents.len - 1]]--;
			self[parents.at[parents.len - 1]] -= timed ? took : 0;
		}
		*vec_push(&parents) = i;
	}
	for (size_t i = 0; i < n; i++) {
		if (at[i].gpu_start_ns >= 0 && at[i].gpu_end_ns >= at[i].gpu_start_ns)
			add(sum_of(t, true, at[i].loc == TRACE_NONE ? 0 : at[i].loc),
			    (double)ns_minus(at[i].gpu_end_ns, at[i].gpu_start_ns), self[i], false);
		else
			t->unpaired++;
	}
}

/* Puts what has the same name together, in the order of first sight. */
static void name_sum(struct zone_sums *z, struct u64map *index, struct str name, struct str where,
		     struct str at, struct str function, const struct zone_sum *s)
{
	SCOPED(buf) struct buf clean = { 0 };
	struct zone_sum *to;
	uint32_t text, place, line;

	if (!s->calls)
		return;
	width_clean(&clean, str_head(name, 400));
	text = intern_copy(&z->texts, clean.len ? buf_view(&clean) : STR("(no name)"));
	place = intern_copy(&z->texts, where);
	line = keyed_at(index, (uint64_t)text << 32 | place, &z->all,
			(struct zone_sum){ .name = text,
					   .where = place,
					   .at = intern_copy(&z->texts, at),
					   .function = text });
	if (function.len) {
		buf_clear(&clean);
		width_clean(&clean, str_head(function, 400));
		z->all.at[line].function = intern_copy(&z->texts, buf_view(&clean));
	}
	to = &z->all.at[line];
	to->min_ns = !to->calls || s->min_ns < to->min_ns ? s->min_ns : to->min_ns;
	to->calls += s->calls;
	to->total_ns += s->total_ns;
	to->all_ns += s->all_ns;
	to->self_ns += s->self_ns;
	to->max_ns = s->max_ns > to->max_ns ? s->max_ns : to->max_ns;
	z->zones += s->calls;
}

void zone_place(struct buf *b, const struct trace *t, uint32_t loc)
{
	const struct trace_loc *l = trace_loc_at(t, loc);
	SCOPED(buf) struct buf file = { 0 };

	buf_str(&file, trace_str(t, l->file));
	if (!file.len)
		return;
	width_clean(b, str_head(path_name(file.at), 200));
	if (l->line)
		buf_printf(b, ":%u", l->line);
}

/*
 * "Model.forward" of a zone PY_FUNC_forward, where the interpreter says so; "time.sleep" of what is written in C, which has its module for a
 * file, and no line.  Empty: no function of Python's.
 */
static void python_function(struct buf *b, const struct trace *t, uint32_t loc)
{
	const struct trace_loc *l = trace_loc_at(t, loc);
	struct str name = trace_loc_name(t, loc), function = trace_str(t, l->function);

	buf_clear(b);
	if (!str_starts(name, STR("PY_FUNC_")) && !str_starts(name, STR("PY_LINE_")))
		return;
	if (!l->line && trace_str(t, l->file).len && function.len) {
		buf_str(b, trace_str(t, l->file));
		buf_char(b, '.');
	}
	buf_str(b, function);
}

/* Functions of one name in several files are not one function: these are named by their files, too. */
static void name_host(struct zone_sums *z, struct u64map *index, const struct trace *t,
		      const struct tally *tally)
{
	SCOPED(intern) struct intern names = { 0 };
	SCOPED(vec) VEC(uint32_t) first = { 0 };
	SCOPED(vec) VEC(uint8_t) several = { 0 };
	SCOPED(buf) struct buf name = { 0 }, place = { 0 }, function = { 0 };

	for (int pass = 0; pass < 2; pass++)
		for (uint32_t i = 0; i < tally->sums[0].len; i++) {
			const struct trace_loc *l, *f;
			uint32_t n;

			if (!tally->sums[0].at[i].calls)
				continue;
			n = intern_copy(&names, trace_loc_name(t, i));
			if (!pass) {
				if (n == first.len) {
					*vec_push(&first) = i;
					*vec_push(&several) = false;
				}
				l = trace_loc_at(t, i);
				f = trace_loc_at(t, first.at[n]);
				several.at[n] |=
					l->line != f->line ||
					!str_eq(trace_str(t, l->file), trace_str(t, f->file));
				continue;
			}
			buf_set_str(&name, trace_loc_name(t, i));
			buf_clear(&place);
			zone_place(&place, t, i);
			if (several.at[n] && place.len)
				buf_printf(&name, " %s", place.at);
			python_function(&function, t, i);
			name_sum(z, index, buf_view(&name), STR("host"), buf_view(&place),
				 buf_view(&function), &tally->sums[0].at[i]);
		}
}

static void tally_release(struct tally *t)
{
	vec_each (k, &t->tracks)
		vec_release(&k->nested);
	vec_release_with(&t->tracks, open);
	RELEASE(vec, &t->sums[0], &t->sums[1]);
}

enum ttp_rc zone_sums_of_trace(struct zone_sums *z, struct trace *t, struct ttp_err *e)
{
	SCOPED(tally) struct tally tally = { 0 };
	struct trace_sink sink = { .ctx = &tally,
				   .zone_begin = zone_begin,
				   .zone_end = zone_end,
				   .device_tree = device_tree };
	SCOPED(u64map) struct u64map index = { 0 };
	enum ttp_rc rc;

	memset(z, 0, sizeof(*z));
	rc = trace_read(t, &sink, e);
	if (!rc) {
		name_host(z, &index, t, &tally);
		for (uint32_t i = 0; i < tally.sums[1].len; i++)
			name_sum(z, &index, trace_loc_name(t, i), STR("device"), STR(""), STR(""),
				 &tally.sums[1].at[i]);
		z->unpaired = tally.unpaired;
	}
	return rc;
}

/* ---- of a device log ---- */

/* Sums by RISC and name, in cycles. */
struct log_tally {
	VEC(struct zone_sum) all;
	VEC(uint32_t) keys;
	struct u64map index;
};

static void log_zone(void *ctx, const struct marker_fold *f, const struct fold_zone *z)
{
	struct log_tally *t = ctx;
	uint32_t key = (uint32_t)z->risc << 16 | z->zone, i;
	bool added;

	(void)f;
	i = u64map_get_or_put(&t->index, key, (uint32_t)t->all.len, &added);
	if (added) {
		*vec_push(&t->all) = (struct zone_sum){ 0 };
		*vec_push(&t->keys) = key;
	}
	add(&t->all.at[i], (double)(z->end_cycles - z->start_cycles), (double)z->self_cycles,
	    false);
}

void zone_sums_of_log(struct zone_sums *z, struct device_log *log)
{
	struct log_tally t = { 0 };
	struct marker_sink sink = { .ctx = &t, .zone = log_zone };
	double ns = 1000.0 / (double)(log->freq_mhz > 0 ? log->freq_mhz : 1000);
	SCOPED(u64map) struct u64map index = { 0 };
	struct marker_fold f;

	memset(z, 0, sizeof(*z));
	marker_fold_read(&f, log, &sink, 1);
	for (uint32_t i = 0; i < t.all.len; i++) {
		struct zone_sum s = t.all.at[i];

		s.total_ns *= ns;
		s.all_ns *= ns;
		s.self_ns *= ns;
		s.min_ns *= ns;
		s.max_ns *= ns;
		name_sum(z, &index, intern_get(&f.names->zones, t.keys.at[i] & 0xffff),
			 intern_get(&f.names->riscs, t.keys.at[i] >> 16), STR(""), STR(""), &s);
	}
	z->unpaired = f.unpaired;
	marker_fold_release(&f);
	RELEASE(vec, &t.all, &t.keys);
	u64map_release(&t.index);
}

/* ---- of a run ---- */

static enum ttp_rc of_its_trace(struct zone_sums *z, struct run *run, struct ttp_err *e)
{
	struct trace t;
	enum ttp_rc rc;

	TTP_TRY(run_trace(run, &t, e));
	rc = zone_sums_of_trace(z, &t, e);
	if (rc)
		zone_sums_release(z);
	run_trace_close(run, &t);
	return rc;
}

enum ttp_rc zone_sums_of_run(struct zone_sums *z, struct run *run, struct ttp_err *e)
{
	struct device_log *log;
	enum ttp_rc rc = TTP_OK;

	memset(z, 0, sizeof(*z));
	if (run->parts.trace.len)
		rc = of_its_trace(z, run, e);
	if (rc && run->parts.log.len) {
		run_parts_leave_out(&run->parts, e);
		buf_clear(&run->parts.trace);
	}
	if (run->parts.trace.len)
		return rc;
	log = run_log(run, e);
	if (!log)
		return e->rc;
	zone_sums_of_log(z, log);
	return TTP_OK;
}

void zone_sums_release(struct zone_sums *z)
{
	intern_release(&z->texts);
	vec_release(&z->all);
}
