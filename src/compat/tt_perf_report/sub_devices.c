// SPDX-License-Identifier: Apache-2.0
/* The cores that ops were given: budgets per op, and the sub-devices that they belong to. */
#include "base/keyed.h"
#include "base/number.h"
#include "base/order.h"
#include "compat/tt_perf_report/py.h"
#include "compat/tt_perf_report/steps_of_run.h"

enum { ID_CHARS_MAX = 32 };

struct budget {
	uint32_t cores;
};
typedef VEC(struct budget) budgets;

ORDER_MOST(largest_first, struct budget, cores, cores)

static void list_budgets(struct buf *b, budgets *all)
{
	if (all->len)
		vec_sort(all, largest_first);
	vec_each (x, all)
		buf_printf(b, "%s%u", x == all->at ? "[" : ", ", x->cores);
	buf_char(b, ']');
}

double compat_budgets_in_files(struct compat_run *r, const struct arch *arch)
{
	const struct ops_column *c = &r->t.column[OPS_WORKER_CORES];
	SCOPED(u64map) struct u64map seen = { 0 };
	SCOPED(vec) budgets all = { 0 };
	SCOPED(buf) struct buf list = { 0 };
	size_t unreadable = 0, unusable = 0;
	uint32_t last = 0;
	double most;

	if (!ops_has_column(&r->t, OPS_WORKER_CORES)) {
		compat_say(
			r, COLOUR_YELLOW,
			"AVAILABLE WORKER CORE COUNT column not found. Defaulting to %d %s cores.",
			arch ? arch->cores : 0, arch ? arch->name : "unknown");
		return arch ? arch->cores : (double)NAN;
	}
	for (size_t row = 0; row < r->t.rows; row++) {
		double v;
		uint32_t cores;

		if (c->kind[row] == CELL_NONE)
			continue;
		v = compat_finite(r, OPS_WORKER_CORES, compat_kinds(r, row)->worker_cores, row);
		cores = compat_core_count(v);
		if (isnan(v))
			unreadable++;
		else if (!cores)
			unusable++;
		else if (cores != last && keyed_is_new(&seen, cores))
			*vec_push(&all) = (struct budget){ cores };
		last = cores;
	}
	if (unreadable)
		compat_say(r, COLOUR_YELLOW,
			   "Ignoring %zu unreadable AVAILABLE WORKER CORE COUNT value(s).",
			   unreadable);
	if (unusable)
		compat_say(
			r, COLOUR_YELLOW,
			"Ignoring %zu AVAILABLE WORKER CORE COUNT value(s) that are not a core count.",
			unusable);
	r->budgets = all.len;
	if (!all.len) {
		compat_say(
			r, COLOUR_YELLOW,
			"No usable AVAILABLE WORKER CORE COUNT values found. Defaulting to %d %s cores.",
			arch ? arch->cores : 0, arch ? arch->name : "unknown");
		return arch ? arch->cores : (double)NAN;
	}
	list_budgets(&list, &all);
	most = all.at[0].cores;
	if (all.len > 1)
		compat_say(
			r, COLOUR_CYAN,
			"Detected multiple worker core budgets %s - using per-op values; largest observed budget is %.0f.",
			list.at, most);
	return most;
}

/* As text: whole numbers without a point, what is none as it stands, but cleaned and cut. */
static struct sub_device sub_device_of(const struct compat_run *r, size_t row, struct buf *text)
{
	const struct ops_column *c = &r->t.column[OPS_SUB_DEVICE_ID];
	enum pandas_kind kind = compat_kinds(r, row)->sub_device;
	SCOPED(buf) struct buf scratch = { 0 };
	struct str s;
	size_t end = 0;
	double v;

	buf_clear(text);
	if (kind == PANDAS_TEXT) {
		compat_clean(text, ops_source_text(&r->t, row, ops_col_info[OPS_SUB_DEVICE_ID].name,
						   &scratch));
		s = py_strip(buf_view(text));
		if (!py_float(s, &v))
			v = (double)NAN;
	} else {
		v = compat_real(r, OPS_SUB_DEVICE_ID, kind, row);
		if (c->kind[row] == CELL_NONE || isnan(v))
			return (struct sub_device){ 0 };
		number_shortest(text, v);
		s = buf_view(text);
	}
	if (compat_is_whole(v)) {
		buf_clear(text);
		number_fixed(text, v + 0.0, 0, 0);
		return (struct sub_device){ buf_view(text), true };
	}
	for (size_t chars = 0; end < s.len; end++)
		if (((unsigned char)s.at[end] & 0xC0) != 0x80 && chars++ == ID_CHARS_MAX)
			break;
	return (struct sub_device){ str_head(s, end), false };
}

void compat_read_sub_device(struct compat_run *r, struct op *op)
{
	const struct ops_column *c = &r->t.column[OPS_SUB_DEVICE_ID];
	SCOPED(buf) struct buf text = { 0 };
	struct sub_device d;
	uint32_t id;

	op->budget = compat_core_count(compat_finite(
		r, OPS_WORKER_CORES, compat_kinds(r, op->row)->worker_cores, op->row));
	if (!op->budget && !isnan(r->worker_cores))
		op->budget = (uint32_t)r->worker_cores;
	if (!c->kind || c->kind[op->row] == CELL_NONE)
		return;
	d = sub_device_of(r, op->row, &text);
	if (!d.text.len)
		return;
	id = intern_copy(&r->sub_device_texts, d.text);
	if (id == r->sub_devices.len)
		*vec_push(&r->sub_devices) =
			(struct sub_device){ intern_get(&r->sub_device_texts, id), d.whole };
	op->sub_device = id + 1;
}

void compat_count_sub_devices(struct compat_run *r)
{
	SCOPED(u64map) struct u64map ids = { 0 }, cores = { 0 };
	SCOPED(vec) budgets all = { 0 };
	SCOPED(buf) struct buf list = { 0 };
	struct op last = { 0 };

	if (!r->v->own_budget)
		return;
	vec_each (op, &r->ops) {
		if (op->sub_device && op->sub_device != last.sub_device)
			u64map_put(&ids, op->sub_device, 0);
		if (op->budget && op->budget != last.budget && keyed_is_new(&cores, op->budget))
			*vec_push(&all) = (struct budget){ op->budget };
		last = *op;
	}
	r->shows_sub_devices = ids.entries.len > 0;
	r->shows_budgets = r->shows_sub_devices || all.len > 1;
	if (!r->shows_budgets)
		return;
	list_budgets(&list, &all);
	if (r->shows_sub_devices)
		compat_say(r, COLOUR_CYAN, "Subdevices: %zu - using per-op worker core budgets.",
			   ids.entries.len);
	else
		compat_say(r, COLOUR_CYAN,
			   "Worker core budgets vary across ops %s - using per-op values.",
			   list.at);
	compat_say(
		r, COLOUR_YELLOW,
		"Warning: totals assume ops ran sequentially. Ops on disjoint subdevices can run "
		"concurrently, so every figure that sums durations overcounts overlapped work: "
		"summed device time, Total %%, the op-to-op gap totals, the overall DRAM roofline "
		"(so its achieved GB/s is understated), the tracing-savings estimate, and the "
		"summary report's Device Time Sum, its Total %% and its device-time-weighted mean "
		"FLOPs %%. Per-op FLOPs %% is unaffected: it is a rate against the cores the op "
		"actually used, which concurrency does not enter.");
}
