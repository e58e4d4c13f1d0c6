// SPDX-License-Identifier: Apache-2.0
#include "compat/tt_perf_report/steps_of_run.h"

#include <stdarg.h>

#include "base/width.h"

#include "compat/tt_perf_report/compat.h"
#include "compat/tt_perf_report/output.h"

static const char *const escapes[] = { "",
#define X(name, code) "\x1b[38;5;" code "m",
				       COMPAT_COLOUR_LIST(X)
#undef X
};

/* Into a file or a pipe as the original does; a terminal is not to be steered by names. */
static void add_foreign(const struct compat_run *r, struct buf *b, struct str s)
{
	if (r->out->screen)
		width_clean(b, s);
	else
		buf_str(b, s);
}

void compat_colour(const struct compat_run *r, struct buf *b, enum colour c, struct str s)
{
	if (!r->colour || c == COLOUR_NONE) {
		add_foreign(r, b, s);
		return;
	}
	buf_text(b, escapes[c]);
	add_foreign(r, b, s);
	buf_add(b, "\x1b[0m", 4);
}

void compat_say(struct compat_run *r, enum colour c, const char *fmt, ...)
{
	SCOPED(buf) struct buf text = { 0 };
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&text, fmt, ap);
	va_end(ap);
	buf_clear(&r->line);
	compat_colour(r, &r->line, c, buf_view(&text));
	buf_char(&r->line, '\n');
	out_buf(r->out, &r->line);
}

void compat_warn(struct compat_run *r, const char *fmt, ...)
{
	va_list ap;

	buf_text(r->errors, "tt-perf-report: warning: ");
	va_start(ap, fmt);
	buf_vprintf(r->errors, fmt, ap);
	va_end(ap);
	buf_char(r->errors, '\n');
}

void compat_fault(struct compat_run *r, enum fault f, size_t row)
{
	struct fault_count *c = &r->fault[f];

	if (c->count < FAULT_ROWS)
		c->row[c->count] = (uint32_t)row;
	c->count++;
}

static void say_faults(struct compat_run *r)
{
	static const char *const texts[] = {
#define X(id, text) text,
		COMPAT_FAULT_LIST(X)
#undef X
	};

	for (int i = 0; i < FAULTS; i++) {
		const struct fault_count *c = &r->fault[i];
		SCOPED(buf) struct buf ids = { 0 };

		if (!c->count)
			continue;
		for (size_t n = 0; n < c->count && n < FAULT_ROWS; n++)
			buf_printf(&ids, "%s%u", n ? ", " : "", c->row[n] + ID_OF_ROW_0);
		compat_warn(r, "%s (%llu row%s: %s%s)", texts[i], (unsigned long long)c->count,
			    c->count > 1 ? "s" : "", ids.at, c->count > FAULT_ROWS ? ", …" : "");
	}
}

const struct file_kinds *compat_kinds(const struct compat_run *r, size_t row)
{
	size_t file = (size_t)(ops_file_of(&r->t, row) - r->t.files.at);

	return &r->kinds.at[file];
}

double compat_device(const struct compat_run *r, size_t row)
{
	const struct ops_column *c = &r->t.column[OPS_DEVICE_ID];
	double v = pandas_real(PANDAS_INT, c->kind[row], c->value[row]);
	size_t file = (size_t)(ops_file_of(&r->t, row) - r->t.files.at);

	if (!(v > -0x1p62 && v < 0x1p62))
		return (double)NAN;
	if (r->v->careful && !(v >= 0 && compat_is_whole(v)))
		return v; /* names no device, so there is none to tell from others */
	return v + r->device_shift.at[file];
}

double compat_real(const struct compat_run *r, enum ops_col col, enum pandas_kind kind, size_t row)
{
	const struct ops_column *c = &r->t.column[col];

	/* digits beyond 64 bits are a number only where pandas makes the column float */
	if (!c->kind || (c->kind[row] == CELL_HUGE && kind != PANDAS_FLOAT))
		return (double)NAN;
	return pandas_real(kind, c->kind[row], c->value[row]);
}

uint32_t compat_tensor_part(const struct compat_run *r, int place, enum tensor_part part,
			    size_t row)
{
	const struct tensor *x = ops_tensor(&r->t, r->place[place], row);
	uint32_t id = x ? x->text[part] : 0;

	if (!id || !(compat_kinds(r, row)->parts[place] & 1u << part))
		return 0;
	return ops_string_missing(&r->t, id) ? 0 : id;
}

struct str compat_op_code(const struct compat_run *r, size_t row)
{
	struct str s = ops_text(&r->t, OPS_OP_CODE, row);

	return s.len ? s : STR("(unnamed)");
}

struct attributes compat_attributes(struct compat_run *r, size_t row)
{
	uint32_t id = r->t.column[OPS_ATTRIBUTES].text ? r->t.column[OPS_ATTRIBUTES].text[row] : 0;

	vec_reach(&r->attributes_of, id, 0);
	if (!r->attributes_of.at[id]) {
		*vec_push(&r->attributes) =
			compat_attributes_read(ops_text(&r->t, OPS_ATTRIBUTES, row));
		r->attributes_of.at[id] = (uint32_t)r->attributes.len;
	}
	return r->attributes.at[r->attributes_of.at[id] - 1];
}

bool compat_total_pct(const struct compat_run *r, const struct op *op, double *pct)
{
	double v = 0;

	if (r->total_us == 0 || !(op->has & (OP_TIME | OP_GAP)))
		return false;
	if (op->has & OP_TIME)
		v = op->time_us;
	if (op->has & OP_GAP)
		v += op->gap_us;
	*pct = v / r->total_us * 100;
	return true;
}

bool compat_is_muted(const struct compat_run *r, const struct op *op)
{
	double pct;

	return op->bound != BOUND_HOST && compat_total_pct(r, op, &pct) &&
	       pct < r->args.min_percentage;
}

bool compat_has_part(const struct compat_run *r, int place, enum tensor_part part)
{
	vec_each (k, &r->kinds)
		if (k->parts[place] & 1u << part)
			return true;
	return false;
}

static bool has_names(struct compat_run *r)
{
	if (ops_has_column(&r->t, OPS_OP_CODE))
		return true;
	buf_text(r->errors, "tt-perf-report: error: no 'OP CODE' column: not an ops report\n");
	return false;
}

/* Columns without which the original stops, as soon as there is a row. */
static void check_columns(struct compat_run *r)
{
	static const enum ops_col needed[] = {
		OPS_CORE_COUNT, OPS_DURATION,   OPS_GAP,
		OPS_OP_TYPE,    OPS_ATTRIBUTES, OPS_GLOBAL_CALL_COUNT,
	};

	/* the first three, since 1.3, are no more than cells that are missing */
	size_t start = r->v->careful ? 3 : 0;

	if (!r->picks.len)
		return;
	for (size_t i = start; i < sizeof(needed) / sizeof(needed[0]); i++)
		if (!ops_has_column(&r->t, needed[i]))
			compat_warn(r, "no '%.*s' column: what depends on it is left blank",
				    STR_ARG(ops_col_info[needed[i]].name));
	if (!compat_has_part(r, IN0, TENSOR_MEMORY))
		compat_warn(r, "no 'INPUT_0_MEMORY' column: what depends on it is left blank");
}

/* Rows longer than their header shift all names to other columns (pandas).  If what stands there then
 * makes no sense, the report would not either. */
static bool is_nonsense(struct compat_run *r)
{
	uint64_t faults = 0;

	for (int i = 0; i < FAULTS; i++)
		faults += r->fault[i].count;
	vec_each (f, &r->t.files)
		if (f->shift && faults) {
			buf_printf(
				r->errors,
				"tt-perf-report: error: %s: its rows have more fields than its header: columns and names do not fit\n",
				f->in.name);
			return true;
		}
	return false;
}

static void say_left_out(struct compat_run *r)
{
	size_t invalid = 0;
	bool no_nnz = false;

	vec_each (op, &r->ops) {
		invalid += op->has & OP_INVALID && !(op_name(r, op)->flags & TEXT_SIGNPOST);
		no_nnz |= op->has & OP_NO_NNZ;
	}
	if (no_nnz)
		compat_say(
			r, COLOUR_YELLOW,
			"Warning: SparseMatmulDeviceOperation rows without numeric nnz were found. Their DRAM/FLOP utilization is omitted; pass --active-experts K to model K active experts per input batch group.");
	if (invalid)
		compat_say(
			r, COLOUR_YELLOW,
			"Warning: %zu rows had invalid device durations. Their device time, utilization, and timing-total contributions were omitted.",
			invalid);
}

static int report(struct compat_run *r)
{
	bool stacked = !r->args.no_summary && !r->args.no_stacked_report;

	if (r->args.id_range_bad) {
		compat_say(
			r, COLOUR_RED,
			"Invalid --id-range format. Please use 'START-END', 'START-', or '-END'.");
		return 1;
	}
	if (r->args.active_experts_given && r->args.active_experts <= 0) {
		compat_say(r, COLOUR_RED,
			   "Invalid --active-experts value. Please provide a positive integer.");
		return 1;
	}
	if (!compat_load_files(r))
		return 1;
	compat_load_order(r);
	if (!has_names(r))
		return 1;
	compat_cut_at_signposts(r);
	compat_merge_devices(r);
	check_columns(r);
	compat_analyse(r);
	compat_filter(r);
	say_left_out(r);
	compat_count_sub_devices(r);
	if (is_nonsense(r))
		return 1;
	say_faults(r);
	if (r->args.csv) {
		if (!compat_write_csv(r))
			return 1;
	} else if (!r->ops.len) {
		compat_say(r, COLOUR_YELLOW, "No operations to display after applying filters.");
		return 0;
	} else {
		struct sheet t;

		sheet_measure(&t, r);
		sheet_print(&t);
		if (!r->args.no_advice)
			compat_print_advice(&t);
	}
	return !stacked || !r->ops.len || compat_write_stacked(r) ? 0 : 1;
}

int compat_report(const struct compat_version *v, int argc, char **argv, bool is_tty,
		  struct out *out, struct buf *errors)
{
	struct compat_run r = { .v = v, .out = out, .errors = errors, .texts.v = v };
	SCOPED(buf) struct buf text = { 0 };
	int status = 0;

	switch (compat_args_parse(&r.args, v, argc, argv, &text)) {
	case ARGS_HELP:
		out_buf(out, &text);
		break;
	case ARGS_WRONG:
		buf_str(errors, buf_view(&text));
		status = 2;
		break;
	case ARGS_RUN:
		if (r.args.csv && !r.args.csv[0])
			r.args.csv = NULL; /* an empty name is no name */
		r.colour = !r.args.no_color && (r.args.color || is_tty);
		status = report(&r);
		break;
	}
	buf_release(&r.line);
	RELEASE(vec, &r.attributes_of, &r.attributes, &r.kinds, &r.device_shift, &r.order, &r.picks,
		&r.ops, &r.sub_devices);
	intern_release(&r.sub_device_texts);
	texts_release(&r.texts);
	ops_table_release(&r.t);
	compat_args_release(&r.args);
	return status;
}
