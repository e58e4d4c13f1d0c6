// SPDX-License-Identifier: Apache-2.0
#include "web/page_window.h"

#include "base/json.h"
#include "base/number.h"

enum ttp_rc page_window_parse(struct page_window *w, const char *lane, const char *t0,
			      const char *t1, const char *px, struct ttp_err *e)
{
	struct str rest = str_of(lane), piece;
	int64_t v;

	*w = (struct page_window){ 0 };
	if (!lane || !t0 || !t1 || !px)
		return ttp_fail(e, TTP_USAGE, "a window has lane, t0, t1 and px");
	while (str_split(&rest, ',', &piece)) {
		if (w->lanes == WINDOW_LANES_MAX)
			return ttp_fail(e, TTP_LIMIT, "at most %d lanes", WINDOW_LANES_MAX);
		if (!number_digits(piece, 18, &v) || v > UINT32_MAX)
			return ttp_fail(e, TTP_USAGE, "lane: numbers with commas between them");
		w->lane[w->lanes++] = (uint32_t)v;
	}
	if (!number_digits(str_of(t0), 18, &w->from_ns) ||
	    !number_digits(str_of(t1), 18, &w->to_ns) || w->to_ns <= w->from_ns)
		return ttp_fail(e, TTP_USAGE, "t0 and t1: ns, the first below the second");
	if (!number_digits(str_of(px), 18, &v) || !v || v > WINDOW_PX_MAX)
		return ttp_fail(e, TTP_USAGE, "px: 1 to %d", WINDOW_PX_MAX);
	w->px = (uint32_t)v;
	return TTP_OK;
}

struct entry {
	int64_t start_ns, dur_ns, busy_ns;
	uint32_t name, op;
};

/* The first zone that ends after `ns`: starts and ends of a lane both rise. */
static size_t first_after(const struct page_lane *l, int64_t ns)
{
	size_t low = 0, high = l->zones.len;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct page_zone *z = &l->zones.at[middle];

		if (z->start_ns + z->dur_ns <= ns && z->start_ns < ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Zones narrower than a pixel, as long as they begin within one: one entry. */
static size_t together(const struct page_lane *l, size_t i, int64_t pixel, int64_t to_ns,
		       struct entry *out)
{
	const struct page_zone *z = &l->zones.at[i];
	int64_t end = z->start_ns + pixel, longest = z->dur_ns;

	*out = (struct entry){ z->start_ns, z->dur_ns, z->dur_ns, z->name, z->op };
	if (z->dur_ns >= pixel)
		return i + 1;
	for (i++; i < l->zones.len; i++) {
		z = &l->zones.at[i];
		if (z->start_ns >= end || z->start_ns >= to_ns || z->dur_ns >= pixel)
			break;
		out->busy_ns += z->dur_ns;
		out->dur_ns = z->start_ns + z->dur_ns - out->start_ns;
		if (z->dur_ns > longest) {
			longest = z->dur_ns;
			out->name = z->name;
			out->op = z->op;
		}
	}
	return i;
}

static void lane_json(const struct page *p, const struct page_window *w, uint32_t id,
		      struct json_writer *j)
{
	static const char *const keys[] = { "start", "dur", "name", "op", "busy" };
	const struct page_lane *l = &p->lanes.at[p->order.at[id]];
	int64_t pixel = (w->to_ns - w->from_ns) / w->px + 1; /* at least one ns */
	SCOPED(vec) VEC(struct entry) all = { 0 };

	for (size_t i = first_after(l, w->from_ns);
	     i < l->zones.len && l->zones.at[i].start_ns < w->to_ns;) {
		struct entry e;

		i = together(l, i, pixel, w->to_ns, &e);
		*vec_push(&all) = e;
	}
	json_open_object(j);
	json_put_count(j, "id", id);
	for (int k = 0; k < 5; k++) {
		json_put_array(j, keys[k]);
		vec_each (e, &all)
			json_write_i64(j, k == 0   ? e->start_ns
					  : k == 1 ? e->dur_ns
					  : k == 2 ? (int64_t)e->name
					  : k == 3 ? (int64_t)e->op
						   : e->busy_ns);
		json_close_array(j);
	}
	json_close_object(j);
}

void page_window_json(const struct page *p, const struct page_window *w, struct buf *to)
{
	struct json_writer j = { .to = to };

	json_open_object(&j);
	json_put_whole(&j, "t0", w->from_ns);
	json_put_whole(&j, "t1", w->to_ns);
	json_put_array(&j, "lanes");
	for (size_t i = 0; i < w->lanes; i++)
		if (w->lane[i] < p->order.len)
			lane_json(p, w, w->lane[i], &j);
	json_close_array(&j);
	json_close_object(&j);
}
