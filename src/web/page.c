// SPDX-License-Identifier: Apache-2.0
#include "web/page.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/order.h"

enum { TEXT_MAX = 64 << 10, LONGEST_MAX = 10000 };
#define FAR_NS (1ll << 52) /* 52 days: numbers of a page are exact up to 2^53 */

void page_init(struct page *p)
{
	*p = (struct page){ 0 };
	(void)intern_copy(&p->strings, STR(""));
}

void page_release(struct page *p)
{
	intern_release(&p->strings);
	vec_each (l, &p->lanes)
		RELEASE(vec, &l->zones, &l->texts);
	arena_release(&p->texts);
	vec_each (f, &p->fields)
		RELEASE(mem, &f->number, &f->text);
	vec_release_with(&p->plots, points);
	vec_release_with(&p->devices, riscs);
	RELEASE(vec, &p->left_out, &p->lanes, &p->notes, &p->files);
	u64map_release(&p->device_index);
	RELEASE(vec, &p->fields, &p->op_cores, &p->messages, &p->signposts, &p->frames, &p->memory,
		&p->pools, &p->flows, &p->flame, &p->order, &p->longest);
	RELEASE(buf, &p->title, &p->run, &p->programs, &p->facts, &p->cost, &p->report, &p->host);
	RELEASE(buf, &p->parts, &p->usual, &p->steps, &p->core_findings, &p->account,
		&p->device_analysis, &p->scratch);
}

uint32_t page_text(struct page *p, struct str s)
{
	bool cut = s.len > TEXT_MAX;

	if (!s.len)
		return 0;
	if (!cut && !memchr(s.at, 0, s.len) && str_is_utf8(s))
		return intern_copy(&p->strings, s);
	if (cut)
		for (s.len = TEXT_MAX; s.len && ((unsigned char)s.at[s.len] & 0xc0) == 0x80;
		     s.len--)
			;
	buf_clear(&p->scratch);
	while (s.len) {
		const char *nul = memchr(s.at, 0, s.len);
		size_t n = nul ? (size_t)(nul - s.at) : s.len;

		buf_add_utf8(&p->scratch, str_n(s.at, n));
		if (nul)
			buf_text(&p->scratch, "\xEF\xBF\xBD");
		s = str_from(s, nul ? n + 1 : n);
	}
	if (cut)
		buf_text(&p->scratch, "…");
	return intern_copy(&p->strings, buf_view(&p->scratch));
}

uint32_t page_text_of(struct page *p, const char *z)
{
	return page_text(p, str_of(z));
}

void page_note(struct page *p, const char *part, const char *fmt, ...)
{
	SCOPED(buf) struct buf b = { 0 };
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	*vec_push(&p->notes) = (struct page_note){ part, arena_dup(&p->texts, b.at, b.len) };
}

void page_add_file(struct page *p, const char *name, const char *path)
{
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return;
	vec_each (f, &p->files)
		if (!strcmp(f->path, path))
			return;
	*vec_push(&p->files) = (struct page_file){ arena_dup(&p->texts, name, strlen(name)),
						   arena_dup(&p->texts, path, strlen(path)),
						   (uint64_t)st.st_size };
}

uint32_t page_lane(struct page *p, enum lane_kind kind, uint32_t parent, uint32_t name,
		   uint64_t order)
{
	*vec_push(&p->lanes) = (struct page_lane){ .parent = parent,
						   .name = name,
						   .track = p->tracks++,
						   .kind = (uint8_t)kind,
						   .device = -1,
						   .x = -1,
						   .y = -1,
						   .order = order };
	return (uint32_t)p->lanes.len - 1;
}

uint32_t page_lane_below(struct page *p, uint32_t lane)
{
	struct page_lane l = p->lanes.at[lane];

	l.depth++;
	memset(&l.zones, 0, sizeof(l.zones));
	memset(&l.texts, 0, sizeof(l.texts));
	*vec_push(&p->lanes) = l;
	return (uint32_t)p->lanes.len - 1;
}

bool page_time_ok(struct page *p, int64_t ns)
{
	if (!p->any_time) {
		p->any_time = true;
		p->first_ns = ns > -FAR_NS && ns < FAR_NS ? ns : 0;
	}
	return ns > -2 * FAR_NS && ns < 2 * FAR_NS && ns - p->first_ns < FAR_NS &&
	       p->first_ns - ns < FAR_NS;
}

bool page_zone(struct page *p, uint32_t lane, int64_t start_ns, int64_t end_ns, uint32_t name,
	       uint32_t op)
{
	if (!page_time_ok(p, start_ns) || !page_time_ok(p, end_ns)) {
		p->far_off++;
		return false;
	}
	*vec_push(&p->lanes.at[lane].zones) =
		(struct page_zone){ start_ns, end_ns > start_ns ? end_ns - start_ns : 0, name, op };
	return true;
}

void page_zone_text(struct page *p, uint32_t lane, uint32_t text)
{
	struct page_lane *l = &p->lanes.at[lane];

	if (!text || !l->zones.len)
		return;
	while (l->texts.len < l->zones.len)
		*vec_push(&l->texts) = 0;
	l->texts.at[l->zones.len - 1] = text;
}

struct page_field *page_field(struct page *p, struct str key, const char *unit,
			      enum field_from from, const char *says, bool number)
{
	double *numbers = number ? mem_alloc(p->ops_n + 1, sizeof(*numbers)) : NULL;

	for (size_t i = 0; number && i < p->ops_n; i++)
		numbers[i] = (double)NAN;
	page_field_take(p, key, unit, from, numbers,
			number ? NULL : mem_zero(p->ops_n + 1, sizeof(uint32_t)));
	p->fields.at[p->fields.len - 1].says = says;
	return &p->fields.at[p->fields.len - 1];
}

void page_field_take(struct page *p, struct str key, const char *unit, enum field_from from,
		     double *number, uint32_t *text)
{
	*vec_push(&p->fields) =
		(struct page_field){ .key = str_n(arena_dup(&p->texts, key.at, key.len), key.len),
				     .unit = unit,
				     .from = from,
				     .number = number,
				     .text = text };
}

struct page_field *page_own(struct page *p, const char *key)
{
	vec_each (f, &p->fields)
		if (f->from == FROM_PAGE && str_eq(f->key, str_of(key)))
			return f;
	return NULL;
}

/* ---- finishing ---- */

struct sortable {
	struct page_zone zone;
	uint32_t text;
	size_t number;
};

ORDER_BY(by_start, struct sortable, zone.start_ns, number)

static void sort_zones(struct page_lane *l)
{
	SCOPED(mem) struct sortable *s = mem_alloc(l->zones.len, sizeof(*s));
	bool texts = l->texts.len;

	for (size_t i = 0; i < l->zones.len; i++)
		s[i] = (struct sortable){ l->zones.at[i], i < l->texts.len ? l->texts.at[i] : 0,
					  i };
	qsort(s, l->zones.len, sizeof(*s), by_start);
	vec_clear(&l->texts);
	for (size_t i = 0; i < l->zones.len; i++) {
		l->zones.at[i] = s[i].zone;
		if (texts)
			*vec_push(&l->texts) = s[i].text;
	}
}

/* Sorted, and none reaches into the next. */
static void mend_lane(struct page *p, struct page_lane *l)
{
	bool sorted = true;

	for (size_t i = 1; i < l->zones.len && sorted; i++)
		sorted = l->zones.at[i - 1].start_ns <= l->zones.at[i].start_ns;
	if (!sorted)
		sort_zones(l);
	for (size_t i = 1; i < l->zones.len; i++) {
		struct page_zone *z = &l->zones.at[i - 1];
		int64_t room = l->zones.at[i].start_ns - z->start_ns;

		if (z->dur_ns > room) {
			z->dur_ns = room;
			p->mended++;
		}
	}
}

struct range {
	int64_t min, max;
	bool any;
};

static void widen(struct range *r, int64_t from, int64_t to)
{
	r->min = r->any && r->min < from ? r->min : from;
	r->max = r->any && r->max > to ? r->max : to;
	r->any = true;
}

static struct range whole_range(struct page *p)
{
	struct range r = { 0 };

	vec_each (l, &p->lanes)
		if (l->zones.len) {
			const struct page_zone *last = &l->zones.at[l->zones.len - 1];

			widen(&r, l->zones.at[0].start_ns, last->start_ns + last->dur_ns);
		}
	vec_each (m, &p->messages)
		widen(&r, m->time_ns, m->time_ns);
	vec_each (m, &p->frames)
		widen(&r, m->time_ns, m->time_ns);
	vec_each (m, &p->signposts)
		widen(&r, m->time_ns, m->time_ns);
	vec_each (k, &p->plots)
		vec_each (v, &k->points)
			widen(&r, v->time_ns, v->time_ns);
	return r;
}

/* What touches [from, to) stays; from and to are on the page's clock. */
static void crop(struct page *p)
{
	int64_t from = p->from_ns, to = p->to_ns ? p->to_ns : INT64_MAX;
	size_t n;

#define KEEP(vec)                                                      \
	do {                                                           \
		n = 0;                                                 \
		vec_each (it_, &(vec))                                 \
			if (it_->time_ns >= from && it_->time_ns < to) \
				(vec).at[n++] = *it_;                  \
		(vec).len = n;                                         \
	} while (0)

	vec_each (l, &p->lanes) {
		n = 0;
		for (size_t i = 0; i < l->zones.len; i++) {
			struct page_zone z = l->zones.at[i];

			if (z.start_ns >= to || z.start_ns + z.dur_ns < from)
				continue;
			if (i < l->texts.len)
				l->texts.at[n] = l->texts.at[i];
			l->zones.at[n++] = z;
		}
		l->texts.len = l->texts.len < n ? l->texts.len : n;
		l->zones.len = n;
	}
	KEEP(p->messages);
	KEEP(p->signposts);
	KEEP(p->frames);
	KEEP(p->flows);
	vec_each (k, &p->plots)
		KEEP(k->points);
#undef KEEP
}

static void shift_all(struct page *p, int64_t by)
{
	struct page_field *f[] = { page_own(p, "start_ns"), page_own(p, "end_ns") };

	vec_each (l, &p->lanes)
		vec_each (z, &l->zones)
			z->start_ns -= by;
	vec_each (m, &p->messages)
		m->time_ns -= by;
	vec_each (m, &p->signposts)
		m->time_ns -= by;
	vec_each (m, &p->frames)
		m->time_ns -= by;
	vec_each (m, &p->flows)
		m->time_ns -= by;
	vec_each (k, &p->plots)
		vec_each (v, &k->points)
			v->time_ns -= by;
	vec_each (m, &p->memory) {
		m->alloc_ns -= by;
		if (m->free_ns != INT64_MAX)
			m->free_ns -= by;
	}
	vec_each (k, &p->pools)
		k->peak_ns -= by;
	for (int i = 0; i < 2; i++)
		for (size_t row = 0; f[i] && row < p->ops_n; row++)
			f[i]->number[row] -= (double)by;
}

struct sibling {
	const struct page_lane *lane;
	uint32_t number;
};

ORDER_BY(by_order, struct sibling, lane->order, lane->track, lane->depth)

/* Lanes by their parent: those of lane i, from first[i] to first[i + 1]; those without one are at the end. */
struct children {
	struct sibling *all;
	size_t *first;
};

static size_t parent_of(const struct page *p, const struct page_lane *l)
{
	return l->parent < p->lanes.len ? l->parent : p->lanes.len;
}

static struct children find_children(const struct page *p)
{
	size_t n = p->lanes.len;
	struct children c = { mem_alloc(n + 1, sizeof(*c.all)), mem_zero(n + 3, sizeof(*c.first)) };

	/* Counted one index further on, so that filling moves each to its own beginning. */
	vec_each (l, &p->lanes)
		c.first[parent_of(p, l) + 2]++;
	for (size_t i = 2; i < n + 3; i++)
		c.first[i] += c.first[i - 1];
	for (uint32_t i = 0; i < n; i++)
		c.all[c.first[parent_of(p, &p->lanes.at[i]) + 1]++] =
			(struct sibling){ &p->lanes.at[i], i };
	return c;
}

/* A tree is as deep as device, RISC, core. */
static void order_lanes(struct page *p, const struct children *c, size_t parent)
{
	struct sibling *at = c->all + c->first[parent], *end = c->all + c->first[parent + 1];

	qsort(at, (size_t)(end - at), sizeof(*at), by_order);
	while (at < end) {
		const struct sibling *first = at;
		unsigned kind = first->lane->kind;

		/* all depths of a track, then what is below it */
		do {
			p->lanes.at[at->number].id = (uint32_t)p->order.len;
			*vec_push(&p->order) = at->number;
			at++;
		} while (at < end && at->lane->depth && at->lane->track == first->lane->track);
		if (!first->lane->depth &&
		    (kind == LANE_PROCESS || kind == LANE_DEVICE || kind == LANE_RISC))
			order_lanes(p, c, first->number);
	}
}

struct long_zone {
	int64_t dur_ns;
	uint64_t zone;
};

/* Longer first, then earlier in the page. */
ORDER_MOST(by_length, struct long_zone, dur_ns, zone)

/* A heap whose root is the one that would stand last. */
static void sift(struct long_zone *heap, size_t n, size_t i)
{
	for (;;) {
		size_t last = i, child = 2 * i + 1;

		for (size_t k = child; k < child + 2 && k < n; k++)
			if (by_length(&heap[last], &heap[k]) < 0)
				last = k;
		if (last == i)
			return;
		struct long_zone t = heap[i];

		heap[i] = heap[last];
		heap[last] = t;
		i = last;
	}
}

static void find_longest(struct page *p)
{
	SCOPED(mem) struct long_zone *heap = mem_alloc(LONGEST_MAX, sizeof(*heap));
	size_t n = 0;

	vec_each (o, &p->order) {
		const struct page_lane *l = &p->lanes.at[*o];

		for (size_t i = 0; i < l->zones.len; i++) {
			struct long_zone z = { l->zones.at[i].dur_ns, l->first + i };

			if (n < LONGEST_MAX) {
				heap[n++] = z;
				if (n == LONGEST_MAX)
					for (size_t k = n / 2; k-- > 0;)
						sift(heap, n, k);
			} else if (by_length(&z, &heap[0]) < 0) {
				heap[0] = z;
				sift(heap, n, 0);
			}
		}
	}
	qsort(heap, n, sizeof(*heap), by_length);
	for (size_t i = 0; i < n; i++)
		*vec_push(&p->longest) = (uint32_t)heap[i].zone;
}

void page_finish(struct page *p)
{
	struct children c;
	struct range r;

	vec_each (l, &p->lanes)
		mend_lane(p, l);
	r = whole_range(p);
	p->origin_ns = r.any ? r.min : 0;
	p->span_ns = r.any ? r.max - r.min : 0;
	shift_all(p, p->origin_ns);
	if (p->from_ns || p->to_ns)
		crop(p);
	c = find_children(p);
	order_lanes(p, &c, p->lanes.len);
	RELEASE(mem, &c.all, &c.first);
	vec_each (o, &p->order) {
		struct page_lane *l = &p->lanes.at[*o];

		l->first = p->zones;
		l->t0_ns = l->zones.len ? l->zones.at[0].start_ns : 0;
		p->zones += l->zones.len;
		p->has_texts |= l->texts.len > 0;
		vec_each (z, &l->zones) {
			l->busy_ns += z->dur_ns;
			p->has_zone_ops |= z->op > 0;
		}
	}
	find_longest(p);
	if (p->far_off)
		page_note(
			p, "time",
			"%llu zones or marks have times that can't be (days away from the first), "
			"and are left out",
			(unsigned long long)p->far_off);
	if (p->mended)
		page_note(p, "time",
			  "%llu zones reach into the next one of their lane, and end there",
			  (unsigned long long)p->mended);
}
