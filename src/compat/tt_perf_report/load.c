// SPDX-License-Identifier: Apache-2.0
/* Files, their format, the architecture, and the order of rows. */
#include <math.h>
#include <stdlib.h>

#include "base/keyed.h"
#include "base/number.h"
#include "compat/tt_perf_report/py.h"
#include "compat/tt_perf_report/steps_of_run.h"
#include "ops/py_text.h"

static const enum ops_col wanted[] = {
	OPS_OP_CODE,    OPS_OP_TYPE,       OPS_GLOBAL_CALL_COUNT, OPS_DEVICE_ID,    OPS_DEVICE_ARCH,
	OPS_ATTRIBUTES, OPS_MATH_FIDELITY, OPS_CORE_COUNT,        OPS_WORKER_CORES, OPS_HOST_START,
	OPS_GAP,        OPS_DURATION,      OPS_SUB_DEVICE_ID,
};

enum { CORES_DEFAULT = 64 };

/* ---- format ---- */

static bool has_name(const struct ops_file *f, struct str name)
{
	vec_each (n, &f->names)
		if (str_eq(*n, name))
			return true;
	return false;
}

static enum format find_format(const struct ops_table *t)
{
	if (ops_has_column(t, OPS_DEVICE_ARCH) || ops_has_column(t, OPS_WORKER_CORES))
		return FORMAT_V21;
	vec_each (f, &t->files)
		vec_each (n, &f->names)
			if (str_has(*n, STR("_PAD[LOGICAL]")))
				return FORMAT_V2;
	return FORMAT_V1;
}

static void find_kinds(struct compat_run *r, const struct ops_file *f)
{
	static const char *const places[] = { "INPUT_0_", "INPUT_1_", "OUTPUT_0_" };
	static const char *const parts[] = { "W", "Z", "Y", "X", "LAYOUT", "DATATYPE", "MEMORY" };
	const char *suffix = r->format == FORMAT_V1 ? "" : "_PAD[LOGICAL]";
	struct file_kinds *k = vec_push(&r->kinds);
	SCOPED(buf) struct buf name = { 0 };

	*k = (struct file_kinds){
		.call_count = pandas_kind(&r->t, f, OPS_GLOBAL_CALL_COUNT),
		.cores = pandas_kind(&r->t, f, OPS_CORE_COUNT),
		.start = pandas_kind(&r->t, f, OPS_HOST_START),
		.took = pandas_kind(&r->t, f, OPS_DURATION),
		.gap = pandas_kind(&r->t, f, OPS_GAP),
		.worker_cores = pandas_kind(&r->t, f, OPS_WORKER_CORES),
		.sub_device = pandas_kind(&r->t, f, OPS_SUB_DEVICE_ID),
	};
	for (int p = IN0; p <= OUT0; p++) {
		size_t at = r->place[p];
		uint64_t seen = at < f->tensor_seen.len ? f->tensor_seen.at[at] : 0;

		for (int i = 0; i < TENSOR_PARTS; i++) {
			enum pandas_kind kind = pandas_kind_of_mask(seen >> 8 * i & 0xFF);

			buf_set(&name, "%s%s%s", places[p], parts[i], i <= TENSOR_X ? suffix : "");
			if (has_name(f, buf_view(&name)))
				k->parts[p] |= (uint8_t)(1u << i);
			if (i <= TENSOR_X)
				k->dim[p][i] = kind;
			else if (i == TENSOR_DATATYPE)
				k->type[p] = kind;
			else if (i == TENSOR_MEMORY)
				k->memory[p] = kind;
		}
	}
}

/* ---- several files: one host each ---- */

/* A DEVICE ID that can name a device. */
static bool is_usable(const struct compat_run *r, double v)
{
	return isfinite(v) && (!r->v->careful || (v >= 0 && compat_is_whole(v)));
}

/* The highest DEVICE ID of a file, as Python writes int() of it; -1 when it has none.  Integers stay
 * exact; one cell that is none makes all of them floats. */
static void highest_device(const struct compat_run *r, const struct ops_file *f, struct buf *digits)
{
	const struct ops_column *c = &r->t.column[OPS_DEVICE_ID];
	enum pandas_kind kind = pandas_file_kind(&r->t, f, OPS_DEVICE_ID);
	/* integers with gaps are read as integers first */
	bool gaps_only = !(f->seen[OPS_DEVICE_ID] & ~(1u << CELL_INT | 1u << CELL_NONE));
	bool any = false;
	union cell most = { 0 };

	for (size_t row = f->first_row; row < f->first_row + f->rows; row++) {
		union cell v = c->value[row];
		bool more;

		if (!is_usable(r, pandas_real(kind, c->kind[row], v)))
			continue;
		if (kind == PANDAS_INT) {
			more = v.i > most.i;
		} else if (kind == PANDAS_UINT) {
			more = v.u > most.u;
		} else {
			v.r = pandas_real(gaps_only ? PANDAS_INT : PANDAS_FLOAT, c->kind[row], v);
			more = v.r > most.r;
		}
		if (!any || more)
			most = v;
		any = true;
	}
	if (!any)
		buf_text(digits, "-1");
	else if (kind == PANDAS_INT)
		buf_add_i64(digits, most.i);
	else if (kind == PANDAS_UINT)
		buf_add_u64(digits, most.u);
	else if (most.r > -0x1p62 && most.r < 0x1p62)
		buf_add_i64(digits, (int64_t)most.r);
	else
		buf_printf(digits, "%.0f", most.r);
}

/* The original stops while it reads such a file. */
static bool is_damaged(const struct ops_file *f)
{
	for (int i = 0; i < OPS_FAULTS; i++)
		if (f->fault[i].count && i != OPS_FAULT_SHORT_ROW && i != OPS_FAULT_CUT_ROW)
			return true;
	return false;
}

/* The number of devices when this is the highest: one more, in as many digits as it takes. */
static void add_count(struct buf *b, const char *highest)
{
	size_t start = b->len, i;

	buf_char(b, '0');
	buf_text(b, highest);
	for (i = b->len - 1; b->at[i] == '9'; i--)
		b->at[i] = '0';
	b->at[i]++;
	if (b->at[start] == '0') {
		memmove(b->at + start, b->at + start + 1, b->len - start);
		b->len--;
	}
}

static void say_host(struct compat_run *r, const char *path, const char *highest,
		     const char *expected)
{
	SCOPED(buf) struct buf devices = { 0 }, others = { 0 };

	if (!r->v->careful) {
		compat_say(r, COLOUR_RED, "CSV '%s' reports max device ID %s, expected %s", path,
			   highest, expected);
		return;
	}
	add_count(&devices, highest);
	add_count(&others, expected);
	compat_say(r, COLOUR_RED, "CSV '%s' reports %s device(s) (max DEVICE ID %s), expected %s",
		   path, devices.at, highest, others.at);
}

static bool join_hosts(struct compat_run *r)
{
	SCOPED(buf) struct buf highest = { 0 }, first = { 0 };
	bool ok = true;

	vec_each (f, &r->t.files) {
		size_t i = (size_t)(f - r->t.files.at);
		double devices;

		if (f->field_of[OPS_DEVICE_ID] == OPS_ABSENT && is_damaged(f)) {
			buf_printf(
				r->errors,
				"tt-perf-report: error: %s: not an ops report, or damaged beyond reading\n",
				f->in.name);
			ok = false;
			break;
		}
		if (f->field_of[OPS_DEVICE_ID] == OPS_ABSENT) {
			compat_say(r, COLOUR_RED, "CSV '%s' is missing the 'DEVICE ID' column.",
				   r->args.paths.at[i]);
			ok = false;
			break;
		}
		buf_clear(&highest);
		highest_device(r, f, &highest);
		devices = highest.at[0] == '-' ? 0 : strtod(highest.at, NULL) + 1;
		if (r->v->careful && devices == 0)
			compat_say(r, COLOUR_YELLOW,
				   "CSV '%s' reports no usable 'DEVICE ID' values.",
				   r->args.paths.at[i]);
		else if (!first.len)
			buf_text(&first, devices > 0 ? highest.at : "-1");
		else if (!str_eq(devices > 0 ? buf_view(&highest) : STR("-1"), buf_view(&first))) {
			say_host(r, r->args.paths.at[i], highest.at, first.at);
			ok = false;
			break;
		}
		devices = first.len && first.at[0] != '-' ? strtod(first.at, NULL) + 1 : 0;
		*vec_push(&r->device_shift) = (double)i * devices;
	}
	return ok;
}

/* What stands under which name is then another matter than it looks in the file. */
static void tell_shifts(struct compat_run *r)
{
	vec_each (f, &r->t.files)
		if (f->shift == 1)
			compat_warn(
				r,
				"%s: the first row has 1 more field than the header: as pandas does, the first field of every row is dropped",
				f->in.name);
		else if (f->shift)
			compat_warn(
				r,
				"%s: the first row has %zu more fields than the header: as pandas does, the first %zu fields of every row are dropped",
				f->in.name, f->shift, f->shift);
}

/* True when the cell is the name of its own column. */
static bool is_own_name(const struct compat_run *r, const struct ops_file *f, enum ops_col col,
			size_t row)
{
	return str_eq(f->names.at[f->field_of[col]], ops_string(&r->t, r->t.column[col].text[row]));
}

/* Reports written one behind the other.  To pandas a header among the rows is a row. */
static void tell_headers(struct compat_run *r)
{
	vec_each (f, &r->t.files) {
		SCOPED(buf) struct buf ids = { 0 };
		size_t count = 0;

		if (f->field_of[OPS_OP_CODE] == OPS_ABSENT ||
		    f->field_of[OPS_OP_TYPE] == OPS_ABSENT)
			continue;
		for (size_t row = f->first_row; row < f->first_row + f->rows; row++) {
			if (!is_own_name(r, f, OPS_OP_CODE, row) ||
			    !is_own_name(r, f, OPS_OP_TYPE, row))
				continue;
			if (count < FAULT_ROWS)
				buf_printf(&ids, "%s%zu", count ? ", " : "", row + ID_OF_ROW_0);
			count++;
		}
		if (count)
			compat_warn(
				r,
				"%s: a second header: are these several reports in one file? (row%s %s%s)",
				f->in.name, count > 1 ? "s" : "", ids.at,
				count > FAULT_ROWS ? ", …" : "");
	}
}

bool compat_load_files(struct compat_run *r)
{
	struct ops_want want = { wanted, sizeof(wanted) / sizeof(wanted[0]), 2, 1 };
	struct ttp_err e;

	if (ops_table_read(&r->t, r->args.paths.at, r->args.paths.len, &want, &pandas_rules, &e)) {
		buf_printf(r->errors, "tt-perf-report: error: %s\n", e.msg);
		return false;
	}
	tell_shifts(r);
	tell_headers(r);
	if (!join_hosts(r))
		return false;
	compat_load_faults(r);
	r->place[IN0] = ops_tensor_slot(&r->t, false, 0);
	r->place[IN1] = ops_tensor_slot(&r->t, false, 1);
	r->place[OUT0] = ops_tensor_slot(&r->t, true, 0);
	r->format = find_format(&r->t);
	vec_each (f, &r->t.files)
		find_kinds(r, f);
	return true;
}

void compat_load_faults(struct compat_run *r)
{
	vec_each (f, &r->t.files)
		for (int i = 0; i < OPS_FAULTS; i++) {
			const struct ops_fault_count *c = &f->fault[i];
			SCOPED(buf) struct buf where = { 0 };

			if (!c->count || i == OPS_FAULT_SHORT_ROW) /* pandas fills them up */
				continue;
			for (size_t n = 0; n < c->count && n < OPS_FAULT_ROWS && c->line[n]; n++)
				buf_printf(&where, "%s%llu",
					   n              ? ", "
					   : c->count > 1 ? " (lines "
							  : " (line ",
					   (unsigned long long)c->line[n]);
			if (where.len)
				buf_text(&where, c->count > OPS_FAULT_ROWS ? ", …)" : ")");
			compat_warn(r, "%s: %s%.*s", f->in.name, ops_fault_texts[i],
				    STR_ARG(buf_view(&where)));
		}
}

/* ---- architecture ---- */

/* DEVICE ARCH values, each once, as Python prints a list; the first of them. */
static struct str list_archs(const struct compat_run *r, struct buf *list, size_t *count)
{
	const uint32_t *text = r->t.column[OPS_DEVICE_ARCH].text;
	struct str first = STR("");
	SCOPED(u64map) struct u64map seen = { 0 };

	for (size_t row = 0; row < r->t.rows; row++) {
		if (ops_string_missing(&r->t, text[row]))
			continue;
		if (!keyed_is_new(&seen, text[row]))
			continue;
		if (!list->len)
			first = ops_string(&r->t, text[row]);
		buf_text(list, list->len ? ", " : "[");
		py_quote(list, ops_string(&r->t, text[row]));
	}
	buf_char(list, ']');
	*count = seen.entries.len;
	return first;
}

/* Warns as often as it is asked, and the original asks twice. */
static struct str arch_in_files(struct compat_run *r)
{
	SCOPED(buf) struct buf list = { 0 };
	struct str first;
	size_t count;

	if (!ops_has_column(&r->t, OPS_DEVICE_ARCH)) {
		compat_say(r, COLOUR_YELLOW,
			   "DEVICE ARCH column not found. Defaulting to 'wormhole'.");
		return STR("wormhole");
	}
	first = list_archs(r, &list, &count);
	if (!count) {
		compat_say(r, COLOUR_YELLOW,
			   "No DEVICE ARCH values found. Defaulting to 'wormhole'.");
		first = STR("wormhole");
	} else if (count > 1) {
		compat_say(
			r, COLOUR_YELLOW,
			"Warning: Multiple DEVICE ARCH values found: %s. Using first value: '%.*s'.",
			list.at, STR_ARG(first));
	}
	return str_eq(first, STR("wormhole_b0")) ? STR("wormhole") : first;
}

/* Beside a file whose cells are text, numbers are Python's own. */
static void add_worker_cores(const struct compat_run *r, struct buf *list, size_t row, double v)
{
	const struct ops_column *c = &r->t.column[OPS_WORKER_CORES];
	bool plain = false;

	vec_each (k, &r->kinds)
		plain |= k->worker_cores == PANDAS_TEXT;

	switch (compat_kinds(r, row)->worker_cores) {
	case PANDAS_INT:
		buf_printf(list, plain ? "%lld" : "np.int64(%lld)", (long long)c->value[row].i);
		break;
	case PANDAS_UINT:
		buf_printf(list, plain ? "%llu" : "np.uint64(%llu)",
			   (unsigned long long)c->value[row].u);
		break;
	default:
		buf_text(list, plain ? "" : "np.float64(");
		number_shortest(list, v);
		buf_text(list, plain ? "" : ")");
	}
}

/* One cell that is no number makes strings of all, and 0 is as good as any. */
static void add_worker_cores_text(const struct compat_run *r, struct buf *list, struct u64map *seen,
				  size_t row)
{
	SCOPED(buf) struct buf scratch = { 0 };
	struct str text;

	if (r->t.column[OPS_WORKER_CORES].kind[row] == CELL_NONE)
		return;
	text = ops_source_text(&r->t, row, ops_col_info[OPS_WORKER_CORES].name, &scratch);
	if (!keyed_is_new(seen, str_hash(text)))
		return;
	buf_text(list, list->len ? ", " : "[");
	py_quote(list, text);
}

static double worker_cores_in_files(struct compat_run *r)
{
	const struct ops_column *c = &r->t.column[OPS_WORKER_CORES];
	SCOPED(u64map) struct u64map seen = { 0 }; /* by their bits */
	SCOPED(buf) struct buf list = { 0 };
	double first = CORES_DEFAULT;

	if (!ops_has_column(&r->t, OPS_WORKER_CORES)) {
		compat_say(r, COLOUR_YELLOW,
			   "AVAILABLE WORKER CORE COUNT column not found. Defaulting to 64 cores.");
		return first;
	}
	for (size_t row = 0; row < r->t.rows; row++) {
		double v = pandas_real(PANDAS_INT, c->kind[row], c->value[row]);
		uint64_t bits;

		if (compat_kinds(r, row)->worker_cores == PANDAS_TEXT) {
			add_worker_cores_text(r, &list, &seen, row);
			first = seen.entries.len == 1 && !isnan(v) ? v : first;
			continue;
		}
		if (isnan(v) || v == 0)
			continue;
		memcpy(&bits, &v, sizeof(bits));
		if (!keyed_is_new(&seen, bits))
			continue;
		if (!list.len)
			first = trunc(v);
		buf_text(&list, list.len ? ", " : "[");
		add_worker_cores(r, &list, row, v);
	}
	if (!seen.entries.len)
		compat_say(
			r, COLOUR_YELLOW,
			"No non-zero AVAILABLE WORKER CORE COUNT values found. Defaulting to 64 cores.");
	else if (seen.entries.len > 1)
		compat_say(
			r, COLOUR_YELLOW,
			"Warning: Multiple AVAILABLE WORKER CORE COUNT values found: %s]. Using first value: %.0f.",
			list.at, first);
	return first;
}

/* The name to go by when the files have a column for it. */
static struct str arch_of_files(struct compat_run *r, struct str asked)
{
	struct str name = arch_in_files(r);

	if (!r->args.arch)
		compat_say(r, COLOUR_CYAN, "Using architecture from CSV: %.*s", STR_ARG(name));
	else if (r->v->arch_asked)
		compat_say(r, COLOUR_CYAN,
			   "Using user-specified architecture: %.*s (CSV detected %.*s)",
			   STR_ARG(asked), STR_ARG(name));
	else
		compat_say(
			r, COLOUR_YELLOW,
			"Warning: Ignoring user-specified architecture: %.*s, CSV detected %.*s architecture",
			STR_ARG(asked), STR_ARG(name));
	if (r->v->arch_asked && asked.len)
		return asked;
	return r->v->arch_asked && !r->args.arch ? name : arch_in_files(r);
}

static void choose_arch(struct compat_run *r)
{
	static const char *const formats[] = {
		"v1 (legacy format)",
		"v2",
		"v2.1 (with device arch and worker core count)",
	};
	struct str asked = str_of(r->args.arch), name = asked;
	SCOPED(buf) struct buf cores = { 0 };

	compat_say(r, COLOUR_CYAN, "Detected CSV format: %s", formats[r->format]);
	if (r->format == FORMAT_V21)
		name = arch_of_files(r, asked);
	r->arch = compat_arch_named(r->v, name);
	if (r->format == FORMAT_V21)
		r->worker_cores = r->v->own_budget ? compat_budgets_in_files(r, r->arch)
						   : worker_cores_in_files(r);
	else
		r->worker_cores = r->arch ? r->arch->cores : (double)NAN;
	if (!r->arch)
		compat_warn(
			r,
			"the peaks of architecture '%.*s' are not known: DRAM %% and FLOPs %% left blank",
			STR_ARG(name));
	if (isnan(r->worker_cores))
		buf_text(&cores, "unknown");
	else
		buf_printf(&cores, "%.0f", r->worker_cores);
	compat_say(r, COLOUR_CYAN, "Architecture: %.*s, %s: %s",
		   STR_ARG(r->arch ? str_of(r->arch->name) : name),
		   r->budgets > 1 ? "largest observed worker core budget" : "Worker cores",
		   cores.at);
}

/* ---- order ---- */

struct sorting {
	const struct compat_run *r;
	const struct ops_column *start;
	struct str *text; /* per row, when the column is text */
	bool whole;       /* all cells are integers */
};

static bool is_missing(const struct sorting *s, uint32_t row)
{
	return s->start->kind[row] == CELL_NONE;
}

/* True when row `a` must stand behind row `b`, which comes later. */
static bool goes_behind(const struct sorting *s, uint32_t a, uint32_t b)
{
	if (is_missing(s, a) || is_missing(s, b))
		return is_missing(s, a) && !is_missing(s, b);
	if (s->whole)
		return s->start->value[a].i > s->start->value[b].i;
	if (s->text)
		return str_cmp(s->text[a], s->text[b]) > 0;
	return pandas_real(PANDAS_FLOAT, s->start->kind[a], s->start->value[a]) >
	       pandas_real(PANDAS_FLOAT, s->start->kind[b], s->start->value[b]);
}

/* Stable, and quick on rows that are in order. */
static void merge_sort(const struct sorting *s, uint32_t *row, size_t n, uint32_t *spare)
{
	size_t half = n / 2, a = 0, b = half, to = 0;

	if (n < 2)
		return;
	merge_sort(s, row, half, spare);
	merge_sort(s, row + half, n - half, spare);
	if (!goes_behind(s, row[half - 1], row[half]))
		return;
	memcpy(spare, row, half * sizeof(*row));
	while (a < half && b < n)
		row[to++] = goes_behind(s, spare[a], row[b]) ? row[b++] : spare[a++];
	memcpy(row + to, spare + a, (half - a) * sizeof(*row));
}

static bool is_sorted(const struct sorting *s)
{
	for (uint32_t i = 1; i < s->r->t.rows; i++)
		if (goes_behind(s, i - 1, i))
			return false;
	return true;
}

static void sort_rows(struct compat_run *r)
{
	struct sorting s = { .r = r, .start = &r->t.column[OPS_HOST_START], .whole = true };
	SCOPED(arena) struct arena texts = { 0 };
	struct buf scratch = { 0 };
	bool is_text = false;
	uint32_t *spare;

	vec_each (k, &r->kinds) {
		s.whole &= k->start == PANDAS_INT;
		is_text |= k->start == PANDAS_TEXT;
	}
	if (is_text) {
		s.text = mem_zero(r->t.rows + 1, sizeof(*s.text));
		for (size_t row = 0; row < r->t.rows; row++) {
			struct str x = ops_source_text(&r->t, row, STR("HOST START TS"), &scratch);

			s.text[row] = str_n(arena_dup(&texts, x.at, x.len), x.len);
		}
		buf_release(&scratch);
	}
	if (!is_sorted(&s)) {
		spare = mem_alloc(r->t.rows, sizeof(*spare));
		merge_sort(&s, r->order.at, r->order.len, spare);
		free(spare);
	}
	free(s.text);
}

void compat_load_order(struct compat_run *r)
{
	choose_arch(r);
	vec_reserve(&r->order, r->t.rows);
	for (size_t row = 0; row < r->t.rows; row++)
		*vec_push(&r->order) = (uint32_t)row;
	if (r->args.tracing_mode && r->v->says_tracing) {
		compat_say(r, COLOUR_CYAN,
			   "Tracing mode enabled. CSV will not be sorted by 'HOST START TS'.");
		return;
	}
	if (!ops_has_column(&r->t, OPS_HOST_START) || r->args.tracing_mode) {
		compat_say(r, COLOUR_YELLOW,
			   "Warning: 'HOST START TS' column not found. CSV will not be sorted.");
		return;
	}
	compat_say(r, COLOUR_CYAN, "Sorting CSV by 'HOST START TS' column...");
	sort_rows(r);
}
