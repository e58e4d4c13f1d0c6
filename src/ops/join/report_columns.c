// SPDX-License-Identifier: Apache-2.0

#include <stdlib.h>

#include "base/number.h"
#include "base/order.h"
#include "markers/counters/counter_values.h"
#include "ops/join/ops_report.h"
#include "wire/run_processes.h"

static struct report_column *add(struct report_columns *c, enum column_kind kind, uint32_t index)
{
	struct report_column *n = vec_push(c);

	*n = (struct report_column){ .kind = kind, .index = index };
	return n;
}

static bool is_quasar_only(enum ops_col c)
{
	return !strcmp(ops_col_info[c].since, "quasar");
}

/* Columns that Quasar's own replace. */
static bool is_not_quasar(enum ops_col c)
{
	return c == OPS_GAP || c == OPS_GAP_DM || c == OPS_FW_DURATION ||
	       (c >= OPS_BRISC && c <= OPS_ERISC);
}

static void add_fixed(struct report_columns *c, const struct ops_report *r, enum ops_col from,
		      enum ops_col to)
{
	for (enum ops_col i = from; i <= to; i++)
		if (r->quasar ? !is_not_quasar(i) : !is_quasar_only(i))
			buf_str(&add(c, COLUMN_FIXED, i)->name, ops_col_info[i].name);
}

static void add_tensors(struct report_columns *c, enum column_kind kind, size_t count)
{
	static const char *const parts[TENSOR_PARTS] = { "W_PAD[LOGICAL]", "Z_PAD[LOGICAL]",
							 "Y_PAD[LOGICAL]", "X_PAD[LOGICAL]",
							 "LAYOUT",         "DATATYPE",
							 "MEMORY" };

	for (uint32_t i = 0; i < count; i++)
		for (uint32_t p = 0; p < TENSOR_PARTS; p++) {
			struct report_column *n = add(c, kind, i);

			n->part = p;
			buf_printf(&n->name, "%s_%u_%s", kind == COLUMN_INPUT ? "INPUT" : "OUTPUT",
				   i, parts[p]);
		}
}

/* "TENSIX DM 0 MAX KERNEL SIZE [B]": the kind of core decides, then the number. */
struct size_rank {
	uint32_t id;
	int kind;
	struct str core;
	int64_t number;
	struct str name;
};

static struct size_rank rank_of(const struct intern *names, uint32_t id)
{
	static const char *const kinds[] = { "TENSIX DM", "TENSIX COMPUTE", "ACTIVE ETH DM",
					     "IDLE ETH DM" };
	struct str name = intern_get(names, id), core = name;
	size_t tail = str_find(name, STR(" MAX KERNEL SIZE")), blank;
	struct size_rank r = { .id = id, .name = name, .kind = 4, .number = -1 };

	if (tail != STR_NONE)
		core = str_head(name, tail);
	blank = str_rfind_char(core, ' ');
	if (blank != STR_NONE && number_i64(str_from(core, blank + 1), &r.number))
		core = str_head(core, blank);
	r.core = core;
	for (int k = 0; k < 4; k++)
		if (str_eq(core, str_of(kinds[k])))
			r.kind = k;
	return r;
}

static int by_rank(const void *a, const void *b)
{
	const struct size_rank *l = a, *r = b;

	if (l->kind != r->kind)
		return l->kind < r->kind ? -1 : 1;
	if (l->kind == 4 && str_cmp(l->core, r->core))
		return str_cmp(l->core, r->core);
	if (l->number != r->number)
		return l->number < r->number ? -1 : 1;
	return str_cmp(l->name, r->name);
}

static void add_sizes(struct report_columns *c, const struct ops_report *r)
{
	uint32_t n = intern_count(&r->host->size_names);
	SCOPED(mem) struct size_rank *ranks = mem_zero(n ? n : 1, sizeof(*ranks));

	for (uint32_t i = 0; i < n; i++)
		ranks[i] = rank_of(&r->host->size_names, i);
	if (n)
		qsort(ranks, n, sizeof(*ranks), by_rank);
	for (uint32_t i = 0; i < n; i++)
		buf_str(&add(c, COLUMN_SIZE, ranks[i].id)->name, ranks[i].name);
}

static int by_child_name(const void *a, const void *b, void *ctx)
{
	const struct intern *names = ctx;
	struct str l = intern_get(names, *(const uint32_t *)a);
	struct str r = intern_get(names, *(const uint32_t *)b);
	int order = str_cmp(l, r);

	/* the whole header is what is sorted: a name that begins another comes by what follows */
	if (order && str_starts(l.len < r.len ? r : l, l.len < r.len ? l : r)) {
		struct str tail = STR("_TT_HOST_FUNC [ns]");
		struct str more = str_from(l.len < r.len ? r : l, l.len < r.len ? l.len : r.len);
		int c = str_cmp(tail, more);

		return l.len < r.len ? c : -c;
	}
	return order;
}

static void add_children(struct report_columns *c, const struct ops_report *r)
{
	const struct intern *names = &r->host->child_names;
	uint32_t n = intern_count(names);
	SCOPED(mem) uint32_t *order = order_numbers(n, by_child_name, names);

	for (uint32_t i = 0; i < n; i++)
		buf_printf(&add(c, COLUMN_CHILD, order[i])->name, "%.*s_TT_HOST_FUNC [ns]",
			   STR_ARG(intern_get(names, order[i])));
	for (uint32_t i = 0; r->rules->own_columns && i < n; i++) {
		buf_printf(&add(c, COLUMN_CHILD_COUNT, order[i])->name, "%.*s Count",
			   STR_ARG(intern_get(names, order[i])));
		buf_printf(&add(c, COLUMN_CHILD_AVERAGE, order[i])->name, "%.*s Average [ns]",
			   STR_ARG(intern_get(names, order[i])));
	}
}

/* What the other run tells, and this one does not. */
static void add_second(struct report_columns *c, const struct second_pass *second)
{
	SCOPED(intern) struct intern here = { 0 };

	vec_each (n, c)
		intern_copy(&here, buf_view(&n->name));
	for (uint32_t i = 0; i < second_pass_columns(second); i++)
		if (intern_find(&here, second_pass_column(second, i)) == INTERN_NONE)
			buf_str(&add(c, COLUMN_SECOND, i)->name, second_pass_column(second, i));
}

void report_columns_make(struct report_columns *c, const struct ops_report *r)
{
	*c = (struct report_columns){ 0 };
	add_fixed(c, r, OPS_OP_CODE, OPS_DISPATCH_WAIT);
	add_tensors(c, COLUMN_INPUT, r->host->most_inputs);
	add_tensors(c, COLUMN_OUTPUT, r->host->most_outputs);
	add_fixed(c, r, OPS_TRACE_ID, OPS_CACHE_HIT);
	add_sizes(c, r);
	add_fixed(c, r, OPS_PM_IDEAL, OPS_NPE_CONGESTION);
	for (uint32_t i = 0; r->counters && i < counter_columns(r->counters); i++)
		/* shares of the grid are of the kernel's time */
		if ((r->analyses >> RUN_KERNEL & 1) || !counter_is_of_grid(r->counters, i))
			buf_str(&add(c, COLUMN_COUNTER, i)->name, counter_column(r->counters, i));
	add_children(c, r);
	if (r->rules->own_columns) {
		/* the names that users' documents have for them */
		buf_text(&add(c, COLUMN_FIXED, OPS_COMPUTE_SOURCE)->name, "COMPUTE KERNEL PATH");
		buf_text(&add(c, COLUMN_FIXED, OPS_DM_SOURCE)->name, "DATAMOVEMENT KERNEL PATH");
		buf_text(&add(c, COLUMN_OP_INDEX, 0)->name, "OP INDEX");
		buf_str(&add(c, COLUMN_FIXED, OPS_CALL_DEPTH)->name,
			ops_col_info[OPS_CALL_DEPTH].name);
		if (r->source->times && r->source->times->noc.len)
			add_fixed(c, r, OPS_NOC_CORE, OPS_DRAM_OTHER_READ);
		buf_str(&add(c, COLUMN_STATE, 0)->name, ops_col_info[OPS_DATA_STATE].name);
		if (run_has_processes(r->processes))
			add_fixed(c, r, OPS_PROCESS, OPS_PROCESS);
		if (run_has_processes(r->processes) && r->processes->all.at[0].rank >= 0)
			add_fixed(c, r, OPS_RANK, OPS_RANK);
		if (run_has_processes(r->processes) && *r->processes->all.at[0].program)
			add_fixed(c, r, OPS_PROGRAM, OPS_PROGRAM);
		if (r->cost && r->source->times && (r->analyses >> RUN_KERNEL & 1))
			buf_str(&add(c, COLUMN_COMPENSATED, 0)->name,
				ops_col_info[OPS_COMPENSATED].name);
	}
	if (r->second)
		add_second(c, r->second);
}

void report_columns_release(struct report_columns *c)
{
	vec_each (n, c)
		buf_release(&n->name);
	vec_release(c);
}
