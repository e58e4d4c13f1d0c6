// SPDX-License-Identifier: Apache-2.0
/* ttp/run.h: opening, notes, ops, account. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library/library.h"
#include "report/calls.h"

void library_error(struct ttprof_error *to, const struct ttp_err *from)
{
	static const enum ttprof_code codes[] = {
		[TTP_OK] = TTPROF_OK,         [TTP_SYS] = TTPROF_SYSTEM,
		[TTP_FORMAT] = TTPROF_FORMAT, [TTP_VERSION] = TTPROF_FORMAT,
		[TTP_LIMIT] = TTPROF_LIMIT,   [TTP_USAGE] = TTPROF_USAGE,
		[TTP_GONE] = TTPROF_SYSTEM,
	};

	if (!to)
		return;
	to->code = (int)codes[from->rc];
	snprintf(to->text, sizeof(to->text), "%s", from->rc ? from->msg : "");
}

struct ttprof_run *ttprof_run_open(const char *path, struct ttprof_error *to)
{
	struct ttprof_run *r = mem_zero(1, sizeof(*r));
	struct ttp_err e = { 0 };

	if (!path)
		(void)ttp_fail(&e, TTP_USAGE, "no path");
	else if (!run_open(&r->run, arena_dup(&r->texts, path, strlen(path)), &e))
		e.rc = TTP_OK;
	library_error(to, &e);
	if (e.rc) {
		ttprof_run_close(r);
		return NULL;
	}
	return r;
}

void ttprof_run_close(struct ttprof_run *r)
{
	if (!r)
		return;
	ttprof_report_free(r->report);
	ops_arrays_release(&r->columns);
	intern_release(&r->strings);
	vec_release(&r->names);
	vec_release(&r->notes);
	vec_release(&r->risc_names);
	vec_release(&r->zone_names);
	vec_release(&r->cores);
	vec_release(&r->zone_sums);
	zone_sums_release(&r->sums);
	run_close(&r->run);
	arena_release(&r->texts);
	free(r);
}

const char *ttprof_run_note(struct ttprof_run *r, size_t i)
{
	if (!r)
		return NULL;
	run_find_damage(&r->run);
	if (i >= r->run.parts.left_out.len)
		return NULL;
	while (r->notes.len <= i) {
		const char *note = r->run.parts.left_out.at[r->notes.len].msg;

		*vec_push(&r->notes) = arena_dup(&r->texts, note, strlen(note));
	}
	return r->notes.at[i];
}

int ttprof_run_note_code(struct ttprof_run *r, size_t i)
{
	if (!ttprof_run_note(r, i))
		return TTPROF_OK;
	return run_notes_fail(&r->run.parts.left_out.at[i], 1) ? TTPROF_SYSTEM : TTPROF_FORMAT;
}

/* ---- ops ---- */

const struct ops_table *library_ops(struct ttprof_run *r, struct ttp_err *e)
{
	const struct ops_table *t = run_ops(&r->run, &calls_timed_want, e);

	return t && !ops_table_check(t, e) ? t : NULL;
}

static uint32_t intern_text(void *ctx, struct str text)
{
	struct ttprof_run *r = ctx;

	return intern_copy(&r->strings, text);
}

/* The table, with its columns as arrays; NULL without. */
static const struct ops_table *columns_of(struct ttprof_run *r, struct ttp_err *e)
{
	const struct ops_table *t = library_ops(r, e);

	if (t && !r->arrays_asked) {
		r->arrays_asked = true;
		(void)intern_copy(&r->strings, STR(""));
		ops_arrays_make(&r->columns, t, intern_text, r);
		vec_each (c, &r->columns.all)
			*vec_push(&r->names) = arena_dup(&r->texts, c->name.at, c->name.len);
	}
	return t;
}

size_t ttprof_run_ops(struct ttprof_run *r, struct ttprof_error *to)
{
	struct ttp_err e = { 0 };
	const struct ops_table *t;

	if (!r)
		return 0;
	t = columns_of(r, &e);
	library_error(to, &e);
	return t ? t->rows : 0;
}

static const struct ops_array *column_at(struct ttprof_run *r, size_t column)
{
	struct ttp_err e;

	return r && columns_of(r, &e) && column < r->columns.all.len ? &r->columns.all.at[column]
								     : NULL;
}

size_t ttprof_run_columns(struct ttprof_run *r)
{
	return column_at(r, 0) ? r->columns.all.len : 0;
}

bool ttprof_run_column_info(struct ttprof_run *r, size_t column, struct ttprof_column *info)
{
	const struct ops_array *c = column_at(r, column);

	if (!c || !info)
		return false;
	*info = (struct ttprof_column){ r->names.at[column], c->unit,
					c->number ? TTPROF_NUMBER : TTPROF_TEXT };
	return true;
}

int ttprof_run_column(struct ttprof_run *r, const char *name)
{
	size_t n = ttprof_run_columns(r);

	for (size_t i = 0; name && i < n; i++)
		if (!strcmp(r->names.at[i], name))
			return (int)i;
	return -1;
}

/* -1, the column that is not there, is behind the last. */
const double *ttprof_run_numbers(struct ttprof_run *r, int column)
{
	const struct ops_array *c = column_at(r, (size_t)column);

	return c ? c->number : NULL;
}

const uint32_t *ttprof_run_text_ids(struct ttprof_run *r, int column)
{
	const struct ops_array *c = column_at(r, (size_t)column);

	return c ? c->text : NULL;
}

double ttprof_run_number(struct ttprof_run *r, int column, size_t op)
{
	const double *numbers = ttprof_run_numbers(r, column);

	return numbers && op < r->run.ops.rows ? numbers[op] : (double)NAN;
}

const char *ttprof_run_string(struct ttprof_run *r, uint32_t id)
{
	return r && id < intern_count(&r->strings) ? intern_get(&r->strings, id).at : NULL;
}

const char *ttprof_run_text(struct ttprof_run *r, int column, size_t op)
{
	const uint32_t *ids = ttprof_run_text_ids(r, column);

	return ids && op < r->run.ops.rows ? ttprof_run_string(r, ids[op]) : "";
}

/* ---- the account: as the report has it ---- */

static struct account *account_of(struct ttprof_run *r)
{
	if (r && !r->account_asked) {
		r->account_asked = true;
		r->report = ttprof_report_make(r, NULL, NULL);
	}
	return r && r->report ? library_report_account(r->report) : NULL;
}

bool ttprof_run_account(struct ttprof_run *r, struct ttprof_account *out)
{
	const struct account *a = account_of(r);

	if (!a || !out)
		return false;
	*out = (struct ttprof_account){ .seen = account_total(a, ACCOUNT_TOTAL_SEEN),
					.timed = account_total(a, ACCOUNT_TOTAL_TIMED),
					.partial = account_total(a, ACCOUNT_TOTAL_PARTIAL),
					.dropped = account_total(a, ACCOUNT_TOTAL_DROPPED) };
	return true;
}

bool ttprof_run_cause(struct ttprof_run *r, size_t i, struct ttprof_cause *out)
{
	struct account *a = account_of(r);
	size_t n = 0;
	const struct account_entry *entry = a ? account_sorted(a, &n) : NULL;

	for (size_t k = 0; out && k < n; k++) {
		const struct account_entry *x = &entry[k];
		const char *hint;

		if (x->what < ACCOUNT_FIRST_CAUSE || i--)
			continue;
		hint = account_hint(x->what);
		*out = (struct ttprof_cause){ .text = account_text(x->what, x->count),
					      .hint = hint ? hint : "",
					      .count = x->count,
					      .device = x->place.device,
					      .core_x = x->place.core_x,
					      .core_y = x->place.core_y,
					      .risc = x->place.risc ? x->place.risc : "" };
		return true;
	}
	return false;
}
