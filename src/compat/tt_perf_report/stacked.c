// SPDX-License-Identifier: Apache-2.0
#include "compat/tt_perf_report/stacked.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/csv.h"
#include "base/keyed.h"
#include "base/number.h"
#include "compat/tt_perf_report/output.h"
#include "compat/tt_perf_report/py.h"

const char *const compat_category_names[] = {
#define X(id, name) name,
	COMPAT_CATEGORY_LIST(X)
#undef X
};

#define KEY_NONE UINT32_MAX

struct stacking {
	struct compat_run *r;
	struct stacked *s;
	struct intern keys;
	struct u64map key_of;   /* name and memory -> key, or KEY_NONE */
	struct u64map group_of; /* key and device -> group */
	struct u64map devices;  /* device -> number */
	struct u64map warned;   /* first words, by their text */
	VEC(size_t) weights;    /* per key: the group that has its weighted sums */
	struct buf text;
};

/* ---- grouping ---- */

/* "Tilize (in0:l1_interleaved)": the last two pieces of the memory's name.  False: it has only one. */
static bool memory_key(struct buf *b, struct str word, struct str memory)
{
	size_t last = str_rfind_char(memory, '_'), before;

	buf_str(b, word);
	if (last == STR_NONE)
		return false;
	before = str_rfind_char(str_head(memory, last), '_');
	buf_text(b, " (in0:");
	for (size_t i = before == STR_NONE ? 0 : before + 1; i < memory.len; i++) {
		char c = memory.at[i];

		buf_char(b, c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c);
	}
	buf_char(b, ')');
	return true;
}

static uint32_t find_key(struct stacking *g, const struct op *op)
{
	struct compat_run *r = g->r;
	const struct text *name = op_name(r, op);
	uint32_t memory = r->args.group_by == GROUP_MEMORY
				  ? compat_tensor_part(r, IN0, TENSOR_MEMORY, op->row)
				  : 0;
	uint64_t pair = (uint64_t)op->name << 32 | memory;
	uint32_t key;
	bool kept = true;

	if (u64map_get(&g->key_of, pair, &key))
		return key;
	buf_clear(&g->text);
	if (r->args.group_by == GROUP_CATEGORY)
		buf_text(&g->text, compat_category_names[name->category]);
	else if (memory)
		kept = memory_key(&g->text, name->first_word, ops_string(&r->t, memory));
	else
		buf_str(&g->text, name->first_word);
	key = kept ? intern_copy(&g->keys, buf_view(&g->text)) : KEY_NONE;
	u64map_put(&g->key_of, pair, key);
	return key;
}

static struct stack *find_group(struct stacking *g, const struct op *op)
{
	uint32_t key = find_key(g, op), device = 0, group;
	bool added;

	if (key == KEY_NONE || (g->s->by_device && !(op->has & OP_DEVICE)))
		return NULL;
	if (g->s->by_device)
		device = u64map_get_or_put(&g->devices, (uint64_t)op->device,
					   (uint32_t)g->devices.entries.len, NULL);
	group = u64map_get_or_put(&g->group_of, (uint64_t)key << 32 | device,
				  (uint32_t)g->s->all.len, &added);
	if (added) {
		struct stack *s = vec_push(&g->s->all);

		*s = (struct stack){ .device = op->device,
				     .category = (enum category)op_name(g->r, op)->category };
		s->key = intern_get(&g->keys, key);
		vec_reach(&g->weights, key, SIZE_MAX);
		if (g->weights.at[key] == SIZE_MAX)
			g->weights.at[key] = group;
		s->first_of_key = g->weights.at[key];
	}
	return &g->s->all.at[group];
}

static void kahan(double *sum, double *lost, double v)
{
	double y = v - *lost, t = *sum + y;

	*lost = t - *sum - y;
	if (isnan(*lost))
		*lost = 0;
	*sum = t;
}

static void add_rate(struct stacking *g, struct stack *s, double pct, double time_us)
{
	double before = s->welford_mean;
	struct stack *w = &g->s->all.at[s->first_of_key];

	if (!s->rated || pct < s->min)
		s->min = pct;
	if (!s->rated || pct > s->max)
		s->max = pct;
	s->rated++;
	kahan(&s->mean_sum, &s->mean_lost, pct);
	s->welford_mean += (pct - before) / (double)s->rated;
	s->welford_m2 += (pct - s->welford_mean) * (pct - before);
	w->weighted += isnan(pct * time_us) ? 0 : pct * time_us;
	w->weight += time_us;
}

/* False when no op is left. */
static bool group_ops(struct stacking *g)
{
	struct compat_run *r = g->r;

	bool hosts = false, blanks = false, reals = false;

	vec_each (op, &r->ops) {
		const struct text *name = op_name(r, op);
		bool host = name->flags & TEXT_TORCH;
		bool timed = !host && op->has & OP_TIME;
		double time_us = timed ? op->time_us : 0;
		struct stack *s;

		if (name->flags & TEXT_SIGNPOST || (host && r->args.no_host_ops))
			continue;
		if (!r->v->tags_ops)
			compat_warn_unclassified(r, &g->warned, op);
		s = find_group(g, op);
		hosts |= host || op->has & OP_TIME_ZERO;
		blanks |= !host && !(op->has & OP_TIME);
		reals |= timed && !(op->has & OP_TIME_ZERO);
		if (!s)
			continue;
		s->count++;
		if (timed || !r->v->careful)
			kahan(&s->time_us, &s->time_lost, time_us);
		if (op->has & OP_FLOPS_PCT && !isnan(op->flops_pct))
			add_rate(g, s, op->flops_pct, time_us);
	}
	/* zeros beside times that are missing are floats to pandas, either alone is not */
	g->s->whole_time = !reals && !(hosts && blanks);
	return g->s->all.len > 0;
}

static int by_key(const void *a, const void *b)
{
	const struct stack *x = a, *y = b;
	int order = str_cmp(x->key, y->key);

	return order ? order : (x->device > y->device) - (x->device < y->device);
}

/* Longest first.  As the original does it: the reverse of what ascends in the reversed list. */
static void sort_by_time(struct stacked *s)
{
	size_t n = s->all.len;
	SCOPED(mem) double *key = mem_alloc(n ? n : 1, sizeof(*key));
	SCOPED(mem) uint32_t *order = mem_alloc(n ? n : 1, sizeof(*order));
	SCOPED(mem) struct stack *sorted = mem_alloc(n ? n : 1, sizeof(*sorted));

	for (size_t i = 0; i < n; i++) {
		key[i] = s->all.at[n - 1 - i].time_us;
		order[i] = (uint32_t)i;
	}
	numpy_argsort(key, order, n);
	for (size_t i = 0; i < n; i++)
		sorted[n - 1 - i] = s->all.at[n - 1 - order[i]];
	memcpy(s->all.at, sorted, n * sizeof(*sorted));
}

struct total {
	double us, lost; /* Kahan's sum */
};

/* Devices in the order of their first group; all are one when they were merged. */
static uint32_t device_number(const struct stacked *s, struct u64map *numbers,
			      const struct stack *x)
{
	return u64map_get_or_put(numbers, s->by_device ? (uint64_t)x->device : 0,
				 (uint32_t)numbers->entries.len, NULL);
}

/* Means, deviations and shares, then the order. */
static void finish(struct stacked *s)
{
	SCOPED(u64map) struct u64map number_of_device = { 0 };
	SCOPED(mem) struct total *total = mem_zero(s->all.len + 1, sizeof(*total));

	vec_each (x, &s->all) {
		const struct stack *w = &s->all.at[x->first_of_key];
		uint32_t n = device_number(s, &number_of_device, x);

		if (!x->rated)
			x->min = x->max = (double)NAN;
		x->mean = x->mean_sum / (double)x->rated;
		x->std = x->rated > 1 ? sqrt(x->welford_m2 / ((double)x->rated - 1)) : (double)NAN;
		x->weighted_mean = w->weight != 0 ? w->weighted / w->weight : (double)NAN;
		kahan(&total[n].us, &total[n].lost, x->time_us);
	}
	vec_each (x, &s->all) {
		double us = total[device_number(s, &number_of_device, x)].us;

		x->pct = us != 0 ? x->time_us / us * 100 : 0;
		if (isnan(x->pct))
			x->pct = 0;
	}
	s->total_us = total[0].us;
	if (s->all.len) {
		vec_sort(&s->all, by_key);
		sort_by_time(s);
	}
}

/* ---- printed ---- */

enum stacked_column {
	S_PCT,
	S_KEY,
	S_DEVICE,
	S_TIME,
	S_COUNT,
	S_CATEGORY,
	S_MIN,
	S_MAX,
	S_MEAN,
	S_STD,
	S_WEIGHTED,
	S_COLUMNS
};

#define AT(member) offsetof(struct stack, member)
static const struct {
	const char *name, *csv_name, *unit;
	size_t number; /* where it is; 0: no number */
} columns[] = {
	[S_PCT] = { "Total %", "Total % [%]", " %", AT(pct) },
	[S_KEY] = { "Op Code", "Op Code", "", 0 },
	[S_DEVICE] = { "Device", "Device", "", 0 },
	[S_TIME] = { "Device Time Sum", "Device Time Sum [\xCE\xBCs]", " \xCE\xBCs", AT(time_us) },
	[S_COUNT] = { "Op Count", "Op Count", "", 0 },
	[S_CATEGORY] = { "Op Category", "Op Category", "", 0 },
	[S_MIN] = { "Min FLOPs", "Min FLOPs [%]", " %", AT(min) },
	[S_MAX] = { "Max FLOPs", "Max FLOPs [%]", " %", AT(max) },
	[S_MEAN] = { "Mean FLOPs", "Mean FLOPs [%]", " %", AT(mean) },
	[S_STD] = { "Std FLOPs", "Std FLOPs [%]", " %", AT(std) },
	[S_WEIGHTED] = { "Weighted Mean FLOPs", "Weighted Mean FLOPs [%]", " %",
			 AT(weighted_mean) },
};

static bool is_shown(const struct stacked *s, int c)
{
	return c == S_DEVICE ? s->by_device : c >= S_CATEGORY ? s->rates : true;
}

/* False when the column has no numbers; a NAN is a blank cell. */
static bool number_of(const struct stack *x, int c, double *v)
{
	if (columns[c].number)
		memcpy(v, (const char *)x + columns[c].number, sizeof(*v));
	return columns[c].number;
}

static void cell(const struct stack *x, int c, struct buf *b)
{
	double v;

	buf_clear(b);
	if (c == S_KEY)
		buf_str(b, x->key);
	else if (c == S_DEVICE)
		buf_add_i64(b, x->device);
	else if (c == S_COUNT)
		buf_add_u64(b, x->count);
	else if (c == S_CATEGORY)
		buf_text(b, compat_category_names[x->category]);
	else if (number_of(x, c, &v) && !isnan(v)) {
		number_fixed(b, v, 2, ',');
		buf_text(b, columns[c].unit);
	}
}

/* By device; within, by the text of the share, the highest first: "9.87 %" stands before "45.00 %". */
static int by_device_and_text(const void *a, const void *b)
{
	const struct stack *x = *(const struct stack *const *)a;
	const struct stack *y = *(const struct stack *const *)b;
	SCOPED(buf) struct buf p = { 0 }, q = { 0 };
	int order;

	if (x->device != y->device)
		return x->device > y->device ? 1 : -1;
	cell(x, S_PCT, &p);
	cell(y, S_PCT, &q);
	order = str_cmp(buf_view(&q), buf_view(&p));
	return order ? order : (x > y) - (x < y);
}

static void print_line(struct compat_run *r, const struct stacked *s, const struct stack *x,
		       const size_t *width)
{
	SCOPED(buf) struct buf text = { 0 };

	for (int c = 0; c < S_COLUMNS; c++) {
		size_t len;

		if (!is_shown(s, c))
			continue;
		if (x) {
			cell(x, c, &text);
		} else {
			buf_set_str(&text, str_of(columns[c].name));
		}
		len = py_len(buf_view(&text));
		if (c)
			buf_text(&r->line, "  ");
		if (c != S_KEY && len < width[c])
			buf_fill(&r->line, ' ', width[c] - len);
		compat_colour(r, &r->line, x && c == S_KEY ? compat_op_colour(x->key) : COLOUR_NONE,
			      buf_view(&text));
		if (c == S_KEY && len < width[c])
			buf_fill(&r->line, ' ', width[c] - len);
	}
	buf_char(&r->line, '\n');
}

static void print_stacked(struct compat_run *r, const struct stacked *s)
{
	SCOPED(vec) VEC(const struct stack *) lines = { 0 };
	size_t width[S_COLUMNS], dashes = 0;
	SCOPED(buf) struct buf text = { 0 };

	vec_each (x, &s->all)
		*vec_push(&lines) = x;
	if (s->by_device && lines.len)
		vec_sort(&lines, by_device_and_text);
	for (int c = 0; c < S_COLUMNS; c++) {
		width[c] = strlen(columns[c].name);
		vec_each (x, &lines) {
			size_t len;

			cell(*x, c, &text);
			len = py_len(buf_view(&text));
			if (width[c] < len)
				width[c] = len;
		}
		if (is_shown(s, c))
			dashes += width[c] + (c ? 2 : 0);
	}
	buf_set_str(&r->line, STR("\n\xF0\x9F\x93\x8A Stacked report \xF0\x9F\x93\x8A\n"
				  "====================\n\n"));
	print_line(r, s, NULL, width);
	buf_fill(&r->line, '-', dashes);
	buf_char(&r->line, '\n');
	vec_each (x, &lines)
		print_line(r, s, *x, width);
	buf_fill(&r->line, '-', dashes);
	buf_char(&r->line, '\n');
	out_buf(r->out, &r->line);
}

/* ---- written ---- */

static void csv_cells(struct csv_writer *w, const struct compat_run *r, const struct stacked *s,
		      const struct stack *x)
{
	SCOPED(buf) struct buf text = { 0 };

	for (int c = 0; c < S_COLUMNS; c++) {
		double v;

		if (!is_shown(s, c))
			continue;
		buf_clear(&text);
		if ((c == S_TIME && s->whole_time) ||
		    (c == S_PCT && s->total_us == 0 && !s->by_device))
			buf_char(&text, '0');
		else if (!number_of(x, c, &v))
			cell(x, c, &text);
		else if (!isnan(v))
			number_fixed(&text, v, 2, 0);
		if (c == S_KEY && r->v->marks_formulas) {
			buf_clear(&text);
			compat_mark_formula(&text, x->key);
		}
		csv_field(w, buf_view(&text));
	}
	csv_end_row(w);
}

static enum ttp_rc write_stacked_csv(const struct compat_run *r, const struct stacked *s,
				     const char *path, struct ttp_err *e)
{
	SCOPED(buf) struct buf line = { 0 };
	struct csv_writer w = { &line, "\n", 0 };
	struct out_file f;

	TTP_TRY(out_file_open(&f, path, e));
	for (int c = 0; c < S_COLUMNS; c++)
		if (is_shown(s, c))
			csv_field(&w, str_of(columns[c].csv_name));
	csv_end_row(&w);
	vec_each (x, &s->all)
		csv_cells(&w, r, s, x);
	out_buf(&f.out, &line);
	return out_file_commit(&f, e);
}

/* The stem of the files; false when none are wanted. */
static bool find_base(const struct compat_run *r, struct buf *base)
{
	const char *given = r->args.summary_file ? r->args.summary_file : r->args.stacked_csv;
	struct str csv = str_of(r->args.csv);
	size_t slash = str_rfind_char(csv, '/'), dot;

	if (given && given[0]) {
		buf_text(base, given);
		return true;
	}
	if (!csv.len)
		return false;
	slash = slash == STR_NONE ? 0 : slash + 1;
	while (slash < csv.len && csv.at[slash] == '.')
		slash++; /* a name may start with dots */
	dot = str_rfind_char(csv, '.');
	buf_str(base, str_head(csv, dot != STR_NONE && dot >= slash ? dot : csv.len));
	buf_text(base, "_stacked");
	return true;
}

static bool write_files(struct compat_run *r, const struct stacked *s)
{
	SCOPED(buf) struct buf base = { 0 }, path = { 0 };
	struct ttp_err e;
	bool ok = true;

	if (find_base(r, &base)) {
		buf_printf(&path, "%s.csv", base.at);
		compat_say(r, COLOUR_CYAN, "Writing CSV stacked report to %s", path.at);
		if (write_stacked_csv(r, s, path.at, &e)) {
			buf_printf(r->errors, "tt-perf-report: error: %s\n", e.msg);
			ok = false;
		}
		if (ok) {
			buf_set(&path, "%s.png", base.at);
			compat_say(r, COLOUR_CYAN, "Plotting PNG stacked report to %s", path.at);
			ok = compat_write_png(r, s, path.at);
		}
	}
	return ok;
}

bool compat_write_stacked(struct compat_run *r)
{
	struct stacked s = {
		.by_device = r->args.no_merge_devices,
		.rates = r->args.group_by != GROUP_CATEGORY,
	};
	struct stacking g = { .r = r, .s = &s };
	bool ok = true;

	if (group_ops(&g)) {
		finish(&s);
		if (!r->args.csv)
			print_stacked(r, &s);
		ok = write_files(r, &s);
	} else {
		compat_say(r, COLOUR_YELLOW, "No data available for stacked report generation.");
	}
	intern_release(&g.keys);
	RELEASE(u64map, &g.key_of, &g.group_of, &g.devices, &g.warned);
	vec_release(&g.weights);
	buf_release(&g.text);
	vec_release(&s.all);
	return ok;
}
