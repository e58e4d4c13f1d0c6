// SPDX-License-Identifier: Apache-2.0
#include "draw/zone_sums.h"

#include <stdlib.h>

#include "base/width.h"

struct open_zone {
	int64_t start;
	double inside; /* time of what is inside of it */
	uint32_t what;
};

struct stack {
	VEC(struct open_zone) open;
};

/* Sums by the number of a source location. */
struct tally {
	VEC(struct zone_sum) host, device;
	VEC(struct stack) tracks;
	uint64_t unpaired;
};

static struct zone_sum *sum_of(struct tally *t, bool device, uint32_t what)
{
	if (device) {
		while (t->device.len <= what)
			*vec_push(&t->device) = (struct zone_sum){ 0 };
		return &t->device.at[what];
	}
	while (t->host.len <= what)
		*vec_push(&t->host) = (struct zone_sum){ 0 };
	return &t->host.at[what];
}

static void add(struct zone_sum *s, double took, double self)
{
	s->calls++;
	s->total_ns += took;
	s->self_ns += self > 0 ? self : 0;
	s->max_ns = took > s->max_ns ? took : s->max_ns;
}

static struct stack *track_of(struct tally *t, uint32_t track)
{
	while (t->tracks.len <= track)
		*vec_push(&t->tracks) = (struct stack){ 0 };
	return &t->tracks.at[track];
}

static void close_zone(struct tally *t, struct stack *k, int64_t end)
{
	struct open_zone o = k->open.at[--k->open.len];
	double took = (double)ns_minus(end, o.start);

	if (end < o.start) {
		t->unpaired++;
		return;
	}
	add(sum_of(t, false, o.what), took, took - o.inside);
	if (k->open.len)
		k->open.at[k->open.len - 1].inside += took;
}

/* ---- of a trace ---- */

static void zone_begin(void *ctx, uint32_t track, int64_t ns, uint32_t loc)
{
	*vec_push(&track_of(ctx, track)->open) =
		(struct open_zone){ .start = ns, .what = loc == TRACE_NONE ? 0 : loc };
}

static void zone_end(void *ctx, uint32_t track, int64_t ns, const struct trace_extra *x)
{
	struct tally *t = ctx;
	struct stack *k = track_of(t, track);

	(void)x;
	if (!k->open.len)
		return;
	if (ns == TRACE_OPEN) {
		k->open.len--;
		t->unpaired++;
	} else {
		close_zone(t, k, ns);
	}
}

static void zone_leaf(void *ctx, uint32_t track, int64_t start, int64_t end, uint32_t loc)
{
	zone_begin(ctx, track, start, loc);
	zone_end(ctx, track, end, NULL);
}

/* Parents come before children, each with the number of its direct ones. */
static void device_tree(void *ctx, uint32_t lane, const struct trace_device_zone *at, size_t n)
{
	struct tally *t = ctx;
	VEC(size_t) parents = { 0 };
	double *self = mem_zero(n + 1, sizeof(*self));
	uint32_t *left = mem_zero(n + 1, sizeof(*left));

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
			    (double)ns_minus(at[i].gpu_end_ns, at[i].gpu_start_ns), self[i]);
		else
			t->unpaired++;
	}
	free(self);
	free(left);
	vec_release(&parents);
}

/* Puts what has the same name together, in the order of first sight. */
static void name_sum(struct zone_sums *z, struct u64map *index, struct str name, struct str where,
		     const struct zone_sum *s)
{
	struct buf clean = { 0 };
	struct zone_sum *to;
	uint32_t text, place, line;
	bool added;

	if (!s->calls)
		return;
	width_clean(&clean, str_head(name, 400));
	text = intern_copy(&z->texts, clean.len ? buf_view(&clean) : STR("(no name)"));
	place = intern_copy(&z->texts, where);
	line = u64map_get_or_put(index, (uint64_t)text << 32 | place, (uint32_t)z->all.len, &added);
	if (added)
		*vec_push(&z->all) = (struct zone_sum){ .name = text, .where = place };
	to = &z->all.at[line];
	to->calls += s->calls;
	to->total_ns += s->total_ns;
	to->self_ns += s->self_ns;
	to->max_ns = s->max_ns > to->max_ns ? s->max_ns : to->max_ns;
	z->zones += s->calls;
	buf_release(&clean);
}

static void tally_release(struct tally *t)
{
	vec_each (k, &t->tracks)
		vec_release(&k->open);
	vec_release(&t->tracks);
	vec_release(&t->host);
	vec_release(&t->device);
}

enum ttp_rc zone_sums_of_trace(struct zone_sums *z, struct trace *t, struct ttp_err *e)
{
	struct tally tally = { 0 };
	struct trace_sink sink = { .ctx = &tally,
				   .zone_begin = zone_begin,
				   .zone_end = zone_end,
				   .zone_leaf = zone_leaf,
				   .device_tree = device_tree };
	struct u64map index = { 0 };
	enum ttp_rc rc;

	memset(z, 0, sizeof(*z));
	rc = trace_read(t, &sink, e);
	if (!rc) {
		for (uint32_t i = 0; i < tally.host.len; i++)
			name_sum(z, &index, trace_loc_name(t, i), STR("host"), &tally.host.at[i]);
		for (uint32_t i = 0; i < tally.device.len; i++)
			name_sum(z, &index, trace_loc_name(t, i), STR("device"),
				 &tally.device.at[i]);
		z->unpaired = tally.unpaired;
	}
	u64map_release(&index);
	tally_release(&tally);
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
	add(&t->all.at[i], (double)(z->end_cycles - z->start_cycles), (double)z->self_cycles);
}

void zone_sums_of_log(struct zone_sums *z, struct device_log *log)
{
	struct log_tally t = { 0 };
	struct marker_sink sink = { .ctx = &t, .zone = log_zone };
	double ns = 1000.0 / (double)(log->freq_mhz > 0 ? log->freq_mhz : 1000);
	struct u64map index = { 0 };
	struct marker_fold f;

	memset(z, 0, sizeof(*z));
	marker_fold_read(&f, log, &sink, 1);
	for (uint32_t i = 0; i < t.all.len; i++) {
		struct zone_sum s = t.all.at[i];

		s.total_ns *= ns;
		s.self_ns *= ns;
		s.max_ns *= ns;
		name_sum(z, &index, intern_get(&f.names->zones, t.keys.at[i] & 0xffff),
			 intern_get(&f.names->riscs, t.keys.at[i] >> 16), &s);
	}
	z->unpaired = f.unpaired;
	marker_fold_release(&f);
	vec_release(&t.all);
	vec_release(&t.keys);
	u64map_release(&t.index);
	u64map_release(&index);
}

void zone_sums_release(struct zone_sums *z)
{
	intern_release(&z->texts);
	vec_release(&z->all);
}
