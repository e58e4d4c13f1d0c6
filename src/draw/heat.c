// SPDX-License-Identifier: Apache-2.0
#include "draw/heat.h"

#include <math.h>
#include <stdlib.h>

#include "base/keyed.h"
#include "base/number.h"
#include "base/order.h"
#include "base/suggest.h"
#include "report/label.h"

const struct heat_metric_info heat_metric_info[HEAT_METRICS] = {
#define X(id, name, unit, says) { name, says, unit },
	HEAT_METRIC_LIST(X)
#undef X
};

const char *const heat_metric_names[HEAT_METRICS + 1] = { HEAT_METRIC_LIST(LIST_2ND) NULL };

const struct heat_cell *heat_cell_of(char cell)
{
	static const struct heat_cell known[] = { HEAT_CELL_LIST(LIST_ROW) };
	static const struct heat_cell other = { 0, "", "", "", "" };

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (known[i].cell == cell)
			return &known[i];
	return &other;
}

void heat_value(struct buf *b, double v, enum heat_metric m, bool fine)
{
	enum heat_unit unit = heat_metric_info[m].unit;

	if (unit == HEAT_TIME)
		label_ns(b, v);
	else
		number_fixed(b, v, fine && (unit == HEAT_PERCENT || v >= floor(v) + 0.05), 0);
	if (unit == HEAT_PERCENT)
		buf_text(b, " %");
}

bool heat_is_work(enum heat_metric m)
{
	return m == HEAT_BUSY || m == HEAT_SPAN || m == HEAT_SUM;
}

/* Window of a device in its own cycles. */
struct cycles {
	uint64_t from, to;
};

struct making {
	struct heat *h;
	const struct core_times *t;
	struct cycles *window;       /* per device */
	int32_t *core_number;        /* per position: number in its device's cores, -1 */
	struct heat_device **device; /* per device of the log, NULL: not chosen */
	uint64_t run_id;             /* that was asked for by id */
	int64_t session;
	bool by_run, exact;
	struct u64map op_of_like; /* numbers in h->ops */
};

static bool is_chosen(const struct making *k, const struct core_op *o, struct op_name name)
{
	const struct heat_ask *ask = &k->h->ask;

	if (ask->id && k->by_run) {
		/* an op on several devices has a number for each, alike but for the device */
		bool same =
			o->key.run_id == k->run_id ||
			(!k->exact && o->key.run_id >> 10 == k->run_id >> 10 && k->run_id >> 10);

		if (!same || (k->session >= 0 && o->key.session != k->session))
			return false;
	} else if (ask->id && o->key.run_id != ask->id && o->key.run_id >> 10 != ask->id) {
		return false;
	}
	return str_has_nocase(name.label, ask->op);
}

static struct heat_core *core_of(struct making *k, struct heat_device *d, uint32_t place)
{
	const struct fold_core *p = &k->t->cores.at[place];

	if (k->core_number[place] < 0) {
		k->core_number[place] = (int32_t)d->cores.len;
		*vec_push(&d->cores) = (struct heat_core){ .x = p->x, .y = p->y };
	}
	return &d->cores.at[k->core_number[place]];
}

static struct heat_op *row_of(struct making *k, struct op_name name)
{
	return keyed_item(&k->op_of_like, name.like, &k->h->ops,
			  (struct heat_op){ .like = name.like, .label = name.label });
}

static void add_row(struct making *k, struct op_name name, const struct core_balance *b)
{
	struct heat_op *row = row_of(k, name);
	double lost = core_ns(k->t, (double)core_lost(b));

	row->calls++;
	row->cores += b->cores;
	row->time_ns += core_ns(k->t, (double)b->busy);
	row->lost_ns += lost;
	if (lost > row->worst_ns || !row->id) {
		row->worst_ns = lost;
		row->id = name.id;
	}
}

static void add_op(struct making *k, const struct core_op *o, struct op_name name)
{
	const struct core_times *t = k->t;
	struct heat_device *d = k->device[o->device];
	struct cycles w = k->window[o->device];
	struct core_balance b = core_op_balance(t, o, w.from, w.to);

	if (!b.cores)
		return;
	for (uint32_t i = 0; i < o->parts; i++) {
		const struct core_part *p = &t->parts.at[o->first_part + i];
		struct core_sum s = core_part_sum(t, p, w.from, w.to);
		struct heat_core *c;

		if (!s.any)
			continue;
		c = core_of(k, d, p->core);
		c->calls++;
		c->value[HEAT_BUSY] += core_ns(t, (double)s.busy);
		c->value[HEAT_SPAN] += core_ns(t, (double)(s.last - s.first));
		c->value[HEAT_SUM] += core_ns(t, (double)s.sum);
		c->value[HEAT_SKEW] += core_ns(t, (double)(s.first - b.first));
		c->value[HEAT_TAIL] += core_ns(t, (double)(b.last - s.last));
		c->value[HEAT_OVER] += core_ns(t, core_over(&s, &b));
		c->value[HEAT_SLOWEST] += core_is_slowest(&s, &b);
		c->value[HEAT_WAIT] += core_ns(t, (double)p->wait_cycles);
		k->h->tells_wait |= p->tells_wait;
	}
	d->ops++;
	d->ops_ns += core_ns(t, (double)(b.last - b.first));
	k->h->calls++;
	add_row(k, name, &b);
}

ORDER_BY(by_place, struct heat_core, y, x)

static void finish_cores(struct heat_device *d, enum heat_metric metric)
{
	double sum = 0, squares = 0;
	size_t n = d->cores.len;

	vec_sort(&d->cores, by_place);
	vec_each (c, &d->cores) {
		double v;

		c->value[HEAT_SKEW] /= c->calls;
		c->value[HEAT_TAIL] /= c->calls;
		c->value[HEAT_USE] = d->ops_ns > 0 ? 100 * c->value[HEAT_BUSY] / d->ops_ns : 0;
		c->value[HEAT_CALLS] = c->calls;
		v = c->value[metric];
		sum += v;
		d->max = c == d->cores.at || v > d->max ? v : d->max;
		d->min = c == d->cores.at || v < d->min ? v : d->min;
	}
	d->mean = n ? sum / (double)n : 0;
	vec_each (c, &d->cores)
		squares += (c->value[metric] - d->mean) * (c->value[metric] - d->mean);
	d->imbalance = d->mean > 0 ? d->max / d->mean - 1 : 0;
	d->variation = d->mean > 0 ? sqrt(squares / (double)n) / d->mean : 0;
	d->lost = d->max * (double)n - sum;
}

static void rank_cores(struct heat_device *d, enum heat_metric metric)
{
	SCOPED(mem) struct ranked *order = mem_zero(d->cores.len + 1, sizeof(*order));

	for (uint32_t i = 0; i < d->cores.len; i++)
		order[i] = (struct ranked){ d->cores.at[i].value[metric], i };
	qsort(order, d->cores.len, sizeof(*order), order_ranked);
	for (uint32_t i = 0; i < d->cores.len; i++)
		*vec_push(&d->slowest) = order[i].number;
}

/* Rows or columns of workers without a single marker: switched off, or kept for dispatch, if the log has room for so many. */
static void mark_off(struct heat_device *d, const struct chip_grid *g, const struct core_times *t,
		     uint32_t device)
{
	uint64_t seen = 0, off;

	for (uint32_t i = 0; i < t->devices.at[device].cores; i++) {
		const struct fold_core *p = device_core(t, device, i);

		if (p->x < GRID_MAX && p->y < GRID_MAX)
			seen |= 1ull << (g->columns_fail ? p->x : p->y);
	}
	off = chip_grid_off(g, seen, t->compute_cores);
	for (int y = 0; y < d->height; y++)
		for (int x = 0; x < d->width; x++)
			if (d->cell[y][x] == '-' && off >> (g->columns_fail ? x : y) & 1) {
				d->cell[y][x] = 'x';
				d->off++;
			}
}

/* Cores lie where the chip has cores; else coordinates are logical, or it is another chip. */
static bool fits(const struct core_times *t, uint32_t device, const struct chip_grid *g)
{
	for (uint32_t i = 0; i < t->devices.at[device].cores; i++) {
		const struct fold_core *p = device_core(t, device, i);
		char tile = chip_grid_tile(g, p->x, p->y);

		if (tile != 'w' && tile != 'e')
			return false;
	}
	return true;
}

static void lay_out(struct heat_device *d, const struct core_times *t, uint32_t device)
{
	struct chip_grid g;

	d->grid_known = chip_grid_find(t->arch, &g);
	d->workers = t->compute_cores > 0 ? (unsigned)t->compute_cores : (unsigned)g.workers;
	if (d->grid_known && !fits(t, device, &g)) {
		d->grid_known = false;
		d->misplaced = true;
		memset(&g, 0, sizeof(g));
	}
	memset(d->cell, '.', sizeof(d->cell));
	memset(d->core_at, -1, sizeof(d->core_at));
	d->width = g.width;
	d->height = g.height;
	for (uint32_t i = 0; i < t->devices.at[device].cores; i++) {
		const struct fold_core *p = device_core(t, device, i);

		if (p->x >= GRID_MAX || p->y >= GRID_MAX)
			continue;
		d->width = p->x >= d->width ? p->x + 1 : d->width;
		d->height = p->y >= d->height ? p->y + 1 : d->height;
	}
	for (int y = 0; y < d->height; y++)
		for (int x = 0; x < d->width; x++) {
			char tile = chip_grid_tile(&g, x, y);

			d->cell[y][x] = tile == 'w' ? '-' : tile;
		}
	for (uint32_t i = 0; i < t->devices.at[device].cores; i++) {
		const struct fold_core *p = device_core(t, device, i);

		/* whatever the picture says, here was a core */
		if (p->x < GRID_MAX && p->y < GRID_MAX && d->cell[p->y][p->x] != 'e')
			d->cell[p->y][p->x] = '-';
	}
	if (d->grid_known)
		mark_off(d, &g, t, device);
	for (size_t i = 0; i < d->cores.len; i++)
		if (d->cores.at[i].x < GRID_MAX && d->cores.at[i].y < GRID_MAX) {
			d->cell[d->cores.at[i].y][d->cores.at[i].x] = 'w';
			d->core_at[d->cores.at[i].y][d->cores.at[i].x] = (int32_t)i;
		}
}

ORDER_MOST(by_lost, struct heat_op, lost_ns, like)

static enum ttp_rc choose_window(struct making *k, struct ttp_err *e)
{
	struct heat *h = k->h;
	const struct core_times *t = k->t;
	enum ttp_rc rc;

	vec_each (d, &t->devices) {
		double ns = core_ns(t, (double)(d->last_cycles - d->first_cycles));

		if (d->last_cycles > d->first_cycles && ns < (double)(1ll << 62) &&
		    ns > (double)h->span_ns)
			h->span_ns = (int64_t)ceil(ns);
	}
	rc = window_of(&h->ask.when, h->span_ns, &h->window, e);
	for (size_t i = 0; !rc && i < t->devices.len; i++) {
		double per_ns = (double)t->freq_mhz / 1000;

		k->window[i] = (struct cycles){
			.from = t->devices.at[i].first_cycles +
				(uint64_t)((double)h->window.from_ns * per_ns),
			.to = h->window.to_ns >= h->span_ns
				      ? UINT64_MAX
				      : t->devices.at[i].first_cycles +
						(uint64_t)((double)h->window.to_ns * per_ns),
		};
	}
	return rc;
}

static enum ttp_rc choose_devices(struct making *k, struct ttp_err *e)
{
	struct heat *h = k->h;

	vec_each (d, &k->t->devices)
		if (h->ask.device < 0 || h->ask.device == d->id)
			*vec_push(&h->devices) = (struct heat_device){ .id = d->id };
	if (!h->devices.len && k->t->devices.len)
		return ttp_fail(e, TTP_USAGE,
				"--device: the log has no device %lld; its first is %u",
				(long long)h->ask.device, k->t->devices.at[0].id);
	for (size_t i = 0, n = 0; i < k->t->devices.len; i++)
		k->device[i] = n < h->devices.len && h->devices.at[n].id == k->t->devices.at[i].id
				       ? &h->devices.at[n++]
				       : NULL;
	return TTP_OK;
}

static enum ttp_rc choose_op(struct making *k, struct ttp_err *e)
{
	const struct heat_ask *ask = &k->h->ask;

	if (!ask->id || !k->h->names->table)
		return TTP_OK;
	k->by_run = op_names_run(k->h->names, ask->id, &k->run_id, &k->session);
	if (k->by_run)
		return TTP_OK;
	return ttp_fail(e, TTP_USAGE,
			"--id: there is no op %u on a device; ttprof report --each lists them",
			ask->id);
}

enum ttp_rc heat_make(struct heat *h, const struct core_times *t, struct op_names *names,
		      const struct heat_ask *ask, struct ttp_err *e)
{
	struct making k = {
		.h = h,
		.t = t,
		.window = mem_zero(t->devices.len + 1, sizeof(*k.window)),
		.core_number = mem_alloc(t->cores.len + 1, sizeof(*k.core_number)),
		.device = mem_zero(t->devices.len + 1, sizeof(*k.device)),
		.session = -1,
	};
	enum ttp_rc rc;

	*h = (struct heat){ .source = h->source, .t = t, .names = names, .ask = *ask };
	memset(k.core_number, -1, (t->cores.len + 1) * sizeof(*k.core_number));
	rc = choose_window(&k, e);
	if (!rc)
		rc = choose_devices(&k, e);
	if (!rc)
		rc = choose_op(&k, e);
	for (size_t i = 0; !rc && i < t->ops.len; i++) {
		const struct core_op *o = &t->ops.at[i];
		struct op_name name;

		if (!k.device[o->device] || o->first_cycles > o->last_cycles)
			continue;
		name = op_names_find(names, &o->key);
		if (is_chosen(&k, o, name))
			add_op(&k, o, name);
	}
	for (uint32_t i = 0; !rc && i < t->devices.len; i++) {
		struct heat_device *d = k.device[i];

		if (!d)
			continue;
		finish_cores(d, ask->metric);
		rank_cores(d, ask->metric);
		lay_out(d, t, i);
		h->max = number_max(h->max, d->max);
	}
	vec_each (row, &h->ops) {
		row->imbalance = row->time_ns > 0 ? row->lost_ns / row->time_ns : 0;
		row->cores /= row->calls;
	}
	vec_sort(&h->ops, by_lost);
	RELEASE(mem, &k.window, &k.core_number, &k.device);
	u64map_release(&k.op_of_like);
	return rc;
}

void heat_release(struct heat *h)
{
	vec_each (d, &h->devices)
		RELEASE(vec, &d->cores, &d->slowest);
	RELEASE(vec, &h->devices, &h->ops);
}

/* ---- what there is instead ---- */

enum { NEAR_MOST = 5 };

struct near_name {
	struct str name; /* of op_names */
	size_t distance;
	uint32_t number;
};

static void lower(struct buf *to, struct str s)
{
	buf_clear(to);
	for (size_t i = 0; i < s.len; i++)
		buf_char(to, s.at[i] >= 'A' && s.at[i] <= 'Z' ? (char)(s.at[i] | 32) : s.at[i]);
}

ORDER_BY(nearest_first, struct near_name, distance, number)

void heat_near_ops(const struct core_times *t, struct op_names *names, struct str op,
		   struct buf *to)
{
	SCOPED(vec) VEC(struct near_name) all = { 0 };
	SCOPED(buf) struct buf asked = { 0 }, mine = { 0 };
	SCOPED(intern) struct intern known = { 0 };

	lower(&asked, op);
	vec_each (o, &t->ops) {
		if (o->first_cycles > o->last_cycles)
			continue;
		struct op_name n = op_names_find(names, &o->key);
		/* the name without its sizes; of "program 7" the number is the name */
		struct str word =
			n.numbered ? n.label : str_head(n.label, str_find_char(n.label, ' '));
		uint32_t number = intern_copy(&known, word);

		if (number < all.len)
			continue;
		lower(&mine, word);
		*vec_push(&all) =
			(struct near_name){ intern_get(&known, number),
					    suggest_distance(buf_view(&asked), buf_view(&mine)),
					    number };
	}
	vec_sort(&all, nearest_first);
	for (size_t i = 0; i < all.len && i < NEAR_MOST; i++) {
		buf_text(to, i ? ", " : "");
		buf_str(to, str_head(all.at[i].name, 60));
	}
	if (all.len > NEAR_MOST)
		buf_printf(to, " and %zu more", all.len - NEAR_MOST);
}
