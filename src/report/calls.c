// SPDX-License-Identifier: Apache-2.0
#include "report/calls.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "report/align.h"
#include "report/choose_chip.h"
#include "report/gap_parts.h"
#include "report/label.h"
#include "report/part.h"
#include "report/programs.h"
#include "report/replays.h"
#include "report/row_cause.h"
#include "report/row_kinds.h"
#include "report/steps.h"

static const enum ops_col wanted[] = { CALLS_COLUMNS, CALLS_TIME_COLUMNS };
enum { WANTED = sizeof(wanted) / sizeof(wanted[0]), WANTED_TIMES = 3 };

const struct ops_want calls_want = { wanted, WANTED - WANTED_TIMES, UINT16_MAX, UINT16_MAX };
const struct ops_want calls_timed_want = { wanted, WANTED, UINT16_MAX, UINT16_MAX };

/* ---- order ---- */

struct timed_row {
	double start;
	uint32_t row;
};

ORDER_BY(by_start, struct timed_row, start, row)

/*
 * Rows by the host's start times; rows without one keep behind their predecessor.  Replays of a trace
 * carry the start of its capture, so a report that has some is taken as it stands: its writer has
 * ordered it by replay.
 */
static uint32_t *ordered_rows(const struct ops_table *t, enum order order)
{
	uint32_t *rows = mem_alloc(t->rows, sizeof(*rows));
	struct timed_row *timed;
	double last = -INFINITY;
	bool sorted = true;

	for (uint32_t i = 0; i < t->rows; i++)
		rows[i] = i;
	if (order == ORDER_FILE || (order == ORDER_AUTO && replays_any(t)) || t->files.len > 1)
		return rows;
	for (uint32_t i = 0; i < t->rows; i++) {
		double start;

		if (ops_real(t, OPS_HOST_START, i, &start)) {
			sorted &= start >= last;
			last = start;
		}
	}
	if (sorted)
		return rows;
	timed = mem_alloc(t->rows, sizeof(*timed));
	last = -INFINITY;
	for (uint32_t i = 0; i < t->rows; i++) {
		double start;

		if (ops_real(t, OPS_HOST_START, i, &start))
			last = start;
		timed[i] = (struct timed_row){ last, i };
	}
	qsort(timed, t->rows, sizeof(*timed), by_start);
	for (size_t i = 0; i < t->rows; i++)
		rows[i] = timed[i].row;
	free(timed);
	return rows;
}

/* ---- kinds ---- */

struct kind_numbers {
	const struct row_kinds *rows;
	uint32_t *number; /* per kind of rows: among those of calls; UINT32_MAX: none yet */
};

/* What all calls of a kind have in common is worked out once. */
static void note_odd_kind(struct calls *c, const struct kind *kind)
{
	uint64_t number = ops_row_number(c->table, kind->row);

	if (kind->roof.shape.odd_tensors)
		account_add_row(&c->account, ACCOUNT_ODD_TENSOR, ACCOUNT_ANYWHERE, number);
	if (!kind->roof.passes && ops_text(c->table, OPS_MATH_FIDELITY, kind->row).len)
		account_add_row(&c->account, ACCOUNT_MALFORMED_VALUE, ACCOUNT_ANYWHERE, number);
}

static uint32_t kind_of(struct calls *c, const struct kind_numbers *k, size_t row)
{
	uint32_t *number = &k->number[k->rows->of_row[row]];
	struct str identifier;

	if (*number == UINT32_MAX) {
		struct kind *kind;

		*number = (uint32_t)c->kinds.len;
		kind = vec_push(&c->kinds);
		*kind = (struct kind){ .row = (uint32_t)row };
		roofline_of(c->table, row, &c->on, &kind->roof);
		note_odd_kind(c, kind);
		/* it stands for a moment of the run, so no limit says anything about it */
		if (row_is_marker(c->table, row, &identifier))
			kind->roof = (struct roofline){ .work = kind->roof.work,
							.cores = kind->roof.cores };
	}
	return *number;
}

/* A column of zeros was not measured. */
static bool has_waits(const struct ops_table *t)
{
	double ns;

	for (size_t row = 0; row < t->rows; row++)
		if ((ops_real(t, OPS_CB_WAIT_FRONT, row, &ns) && ns > 0) ||
		    (ops_real(t, OPS_CB_RESERVE_BACK, row, &ns) && ns > 0))
			return true;
	return false;
}

/* ---- calls ---- */

/* A cell that is not empty and can't be used. */
static void note_odd(struct calls *c, size_t row, enum ops_col col)
{
	const struct ops_column *column = &c->table->column[col];

	if (column->kind && column->kind[row] != CELL_NONE)
		account_add_row(&c->account, ACCOUNT_MALFORMED_VALUE, ACCOUNT_ANYWHERE,
				ops_row_number(c->table, row));
}

/* The same for cells that are used only where they are numbers. */
static void note_no_number(struct calls *c, size_t row, enum ops_col col)
{
	const struct ops_column *column = &c->table->column[col];

	if (column->kind && (column->kind[row] == CELL_TEXT || column->kind[row] == CELL_HUGE))
		note_odd(c, row, col);
}

static void note_odd_cells(struct calls *c, size_t row)
{
	double cores;

	if (!ops_real(c->table, OPS_CORE_COUNT, row, &cores) || cores < 0)
		note_odd(c, row, OPS_CORE_COUNT);
	note_no_number(c, row, OPS_HOST_START);
	note_no_number(c, row, OPS_GLOBAL_CALL_COUNT);
	note_no_number(c, row, OPS_WORKER_CORES);
}

/* Kernels take time: 0 of them beside a time of the firmware is no measurement. */
static bool firmware_ran(const struct calls *c, size_t row)
{
	double ns;

	return row_ns(&c->times, OPS_FW_DURATION, row, &ns) && ns > 0;
}

/* Time of one row; *flags says what is wrong with it. */
static double row_time(struct calls *c, size_t row, uint16_t *flags)
{
	double ns = 0;
	bool measured = row_ns(&c->times, OPS_DURATION, row, &ns);

	if (measured && (ns > 0 || !firmware_ran(c, row)))
		return ns;
	if (!measured && !row_odd_times(&c->times, row))
		note_odd(c, row, OPS_DURATION);
	/* a replay that was recorded as a whole */
	if (row_ns(&c->times, OPS_TRACE_DURATION, row, &ns))
		return ns;
	if (row_ns(&c->times, OPS_FW_DURATION, row, &ns)) {
		*flags |= CALL_PARTIAL;
		return ns;
	}
	*flags |= CALL_UNTIMED | (row_is_captured(c, row) ? CALL_CAPTURED : 0);
	return 0;
}

static double row_gap(struct calls *c, size_t row)
{
	double ns;

	if (row_ns(&c->times, OPS_GAP, row, &ns))
		return ns;
	if (!row_odd_times(&c->times, row))
		note_odd(c, row, OPS_GAP);
	return 0;
}

/* Ops that ran beside this row and have none.  An account that came with the file has them. */
static void count_lost(struct calls *c, size_t row, uint32_t n)
{
	if (!n || ops_file_of(c->table, row)->has_account)
		return;
	account_add(&c->account, ACCOUNT_SEEN, ACCOUNT_ANYWHERE, n);
	account_add(&c->account, ACCOUNT_REPLAY_OP_LOST, ACCOUNT_ANYWHERE, n);
}

static void count_row(struct calls *c, size_t row, uint16_t flags)
{
	enum account_what what;

	c->device_rows++;
	if (flags & CALL_CAPTURED)
		return;
	c->seen_rows++;
	what = row_cause(c, row, flags);
	if (what == ACCOUNT_TIMED)
		c->timed_rows++;
	else
		account_add_row(&c->account, what, ACCOUNT_ANYWHERE, ops_row_number(c->table, row));
}

/* What building up a call from its rows needs beside the call itself. */
struct gathering {
	double sum, fastest, gaps;
	uint32_t timed, gap_rows;
};

struct making {
	struct calls *c;
	const struct alignment *a;
	const struct programs *programs;
	const struct replays *replays;
	struct kind_numbers kinds;
	/* where calls are of several rows: */
	VEC(struct gathering) gathered; /* per call */
	uint32_t *call_of; /* of the alignment's numbers: the call that was made for it */
};

static void add_row(struct making *m, struct call *call, struct gathering *g, uint32_t row)
{
	struct calls *c = m->c;
	uint32_t number = (uint32_t)ops_row_number(c->table, row);
	int64_t device;
	uint16_t flags = m->programs->flags[row];
	double ns = row_time(c, row, &flags);

	count_row(c, row, flags);
	if (row_odd_times(&c->times, row))
		account_add_row(&c->account, ACCOUNT_IMPOSSIBLE_TIME, ACCOUNT_ANYWHERE, number);
	count_lost(c, row, m->replays->lost ? m->replays->lost[row] : 0);
	note_odd_cells(c, row);
	if (number < call->id)
		call->id = number;
	call->devices++;
	if (c->several_devices && !row_device(c->table, row, &device))
		call->flags |= CALL_HOMELESS;
	call->flags |= flags & (CALL_PARTIAL | CALL_CAPTURED);
	call->flags |= m->programs->flags[row];
	/* what lies between this and the last op that left a row is no gap */
	if (!m->a->opens_device[row] && !(flags & CALL_AFTER_LOST)) {
		g->gaps += row_gap(c, row);
		g->gap_rows++;
	}
	if (flags & CALL_UNTIMED)
		return;
	if (!g->timed || ns > call->time_ns) {
		double compensated;

		call->time_ns = ns;
		call->row = row;
		call->zones_ns = 0;
		if (ops_real(c->table, OPS_COMPENSATED, row, &compensated) && compensated >= 0 &&
		    compensated < ns)
			call->zones_ns = (float)(ns - compensated);
	}
	if (!g->timed || ns < g->fastest)
		g->fastest = ns;
	g->sum += ns;
	g->timed++;
}

static void finish_call(struct calls *c, struct call *call, const struct gathering *g)
{
	struct kind *kind = &c->kinds.at[call->kind];

	if (call->flags & CALL_HOST)
		return;
	call->gap_ns = g->gap_rows ? g->gaps / g->gap_rows : 0;
	if (!g->timed) {
		call->flags |= CALL_UNTIMED;
	} else if (g->timed > 1) {
		call->skew_ns = (float)(call->time_ns - g->fastest);
		if (kind->roof.work.family == FAMILY_COLLECTIVE) {
			call->time_ns = g->sum / g->timed;
			call->wait_ns = (float)(call->time_ns - g->fastest);
		}
	}
	if (g->timed && g->timed < call->devices)
		call->flags |= CALL_PARTIAL;
	if (call->flags & CALL_HOMELESS) {
		call->flags |= CALL_PARTIAL;
		account_add_row(&c->account, ACCOUNT_NO_DEVICE, ACCOUNT_ANYWHERE, call->id);
	} else if (c->devices > 1 && call->devices < c->devices && !c->unlike) {
		call->flags |= CALL_PARTIAL;
		account_add_row(&c->account, ACCOUNT_MERGE_DEVICE_MISSING, ACCOUNT_ANYWHERE,
				call->id);
	}
	kind->calls++;
	kind->time_ns += call->time_ns;
}

static uint32_t open_section(struct calls *c, struct str name, uint32_t row)
{
	*vec_push(&c->sections) = (struct section){ .name = name, .row = row };
	return (uint32_t)c->sections.len - 1;
}

static void add_host_call(struct calls *c, const struct kind_numbers *kinds, uint32_t row,
			  uint32_t section)
{
	struct call *call = vec_push(&c->all);
	double ns;

	*call = (struct call){ .id = (uint32_t)ops_row_number(c->table, row),
			       .row = row,
			       .section = section,
			       .count = 1,
			       .flags = CALL_HOST };
	call->kind = kind_of(c, kinds, row);
	c->host_rows++;
	if (ops_real(c->table, OPS_HOST_DURATION, row, &ns) && ns >= 0 && ns < 1e18)
		call->time_ns = ns;
	else
		call->flags |= CALL_UNTIMED;
	c->kinds.at[call->kind].calls++;
	c->kinds.at[call->kind].time_ns += call->time_ns;
}

static struct call *open_call(struct making *m, uint32_t row, uint32_t section)
{
	struct call *call = vec_push(&m->c->all);

	*call = (struct call){ .id = UINT32_MAX, .row = row, .section = section, .count = 1 };
	call->kind = kind_of(m->c, &m->kinds, row);
	return call;
}

static void add_to_call(struct making *m, uint32_t row, uint32_t section)
{
	struct calls *c = m->c;
	uint32_t *number;

	if (m->a->single) {
		struct call *call = open_call(m, row, section);
		struct gathering g = { 0 };

		add_row(m, call, &g, row);
		finish_call(c, call, &g);
		return;
	}
	number = &m->call_of[m->a->call_of_row[row]];
	if (*number == UINT32_MAX) {
		*number = (uint32_t)c->all.len;
		(void)open_call(m, row, section);
		*vec_push(&m->gathered) = (struct gathering){ 0 };
	}
	c->call_of_row[row] = *number;
	add_row(m, &c->all.at[*number], &m->gathered.at[*number], row);
}

static void make_part(struct making *m, const uint32_t *rows, const struct part *p)
{
	struct calls *c = m->c;
	SCOPED(u64map)
	struct u64map sections = { 0 }; /* of each process, where they have their own */
	uint32_t section = open_section(c, p->start, 0), first = section;
	bool apart = c->by_process;

	for (size_t i = p->from; i < p->to; i++) {
		uint32_t row = rows[i];
		uint64_t pid = apart ? (uint64_t)row_process(c->table, row) : 0;

		if (apart && !u64map_get(&sections, pid, &section))
			section = first;
		if (m->a->call_of_row[row] != ALIGN_NONE) {
			add_to_call(m, row, section);
		} else if (ops_row_is(c->table, row, OPS_ROW_SIGNPOST)) {
			c->signpost_rows++;
			section = open_section(c, ops_text(c->table, OPS_OP_CODE, row), row);
			if (apart)
				u64map_put(&sections, pid, section);
		} else {
			add_host_call(c, &m->kinds, row, section);
			if (!m->a->single)
				*vec_push(&m->gathered) = (struct gathering){ 0 };
		}
	}
}

static void make_calls(struct calls *c, const uint32_t *rows, const part_vec *parts,
		       const struct alignment *a, const struct programs *programs,
		       const struct replays *replays, const struct row_kinds *kinds)
{
	SCOPED(mem) uint32_t *numbers = mem_alloc(kinds->first.len + 1, sizeof(*numbers));
	struct making m = { .c = c,
			    .a = a,
			    .programs = programs,
			    .replays = replays,
			    .kinds = { kinds, numbers } };

	memset(numbers, 0xff, kinds->first.len * sizeof(*numbers));
	if (!a->single) {
		m.call_of = mem_alloc(a->calls, sizeof(*m.call_of));
		memset(m.call_of, 0xff, a->calls * sizeof(*m.call_of));
		c->call_of_row = mem_alloc(c->table->rows, sizeof(*c->call_of_row));
		memset(c->call_of_row, 0xff, c->table->rows * sizeof(*c->call_of_row));
	}
	vec_each (p, parts)
		make_part(&m, rows, p);
	for (size_t i = 0; i < m.gathered.len; i++)
		finish_call(c, &c->all.at[i], &m.gathered.at[i]);
	vec_trim(&c->all);
	vec_release(&m.gathered);
	free(m.call_of);
}

/* What was wrong with the files themselves. */
static void account_files(struct calls *c)
{
	static const enum account_what causes[OPS_FAULTS] = {
		[OPS_FAULT_LONG_ROW] = ACCOUNT_MALFORMED_ROW,
		[OPS_FAULT_SHORT_ROW] = ACCOUNT_SHORT_ROW,
		[OPS_FAULT_CUT_ROW] = ACCOUNT_CUT_ROW,
		[OPS_FAULT_HEADER_AGAIN] = ACCOUNT_HEADER_AGAIN,
		[OPS_FAULT_BAD_BYTES] = ACCOUNT_NOT_UTF8,
		[OPS_FAULT_UNCLOSED_QUOTE] = ACCOUNT_UNCLOSED_QUOTE,
		[OPS_FAULT_SHRUNK] = ACCOUNT_FILE_TRUNCATED,
		[OPS_FAULT_CUT_SHORT] = ACCOUNT_COMPRESSED_CUT,
		[OPS_FAULT_NO_ACCOUNT] = ACCOUNT_NO_ACCOUNT,
	};

	vec_each (f, &c->table->files)
		for (int i = 0; i < OPS_FAULTS; i++) {
			const struct ops_fault_count *n = &f->fault[i];
			uint64_t k = 0;

			for (; k < n->count && k < OPS_FAULT_ROWS && n->line[k]; k++)
				account_add_row(&c->account, causes[i], ACCOUNT_ANYWHERE,
						n->line[k]);
			account_add(&c->account, causes[i], ACCOUNT_ANYWHERE, n->count - k);
		}
}

uint64_t row_program(const struct ops_table *t, size_t row)
{
	int64_t run = 0, device = 0;

	if (!ops_i64(t, OPS_GLOBAL_CALL_COUNT, row, &run) || run <= 0)
		return 0;
	(void)ops_i64(t, OPS_DEVICE_ID, row, &device);
	return program_number((uint32_t)device, (uint64_t)run);
}

/* Of a call without a name: its program's number, with what it was called with; 0: none is known. */
static uint64_t program_key(const struct calls *c, const struct call *call)
{
	const struct kind *k = call_kind(c, call);
	uint64_t key[2] = { k->unnamed ? row_program(c->table, call->row) : 0, k->alike };

	return key[0] ? str_hash(str_n((const char *)key, sizeof(key))) : 0;
}

uint32_t call_alike(const struct calls *c, const struct call *call)
{
	const struct kind *k = call_kind(c, call);
	uint32_t n;

	if (k->unnamed && u64map_get(&c->programs, program_key(c, call), &n))
		return n;
	return k->alike;
}

static void number_alike(struct calls *c)
{
	struct intern labels = { 0 };
	SCOPED(buf) struct buf b = { 0 };

	vec_each (k, &c->kinds) {
		buf_clear(&b);
		label_alike(&b, c->table, k);
		k->alike = intern_copy(&labels, buf_view(&b));
		k->unnamed = !ops_text(c->table, OPS_OP_CODE, k->row).len;
	}
	c->alikes = intern_count(&labels);
	intern_release(&labels);
	vec_each (call, &c->all) {
		uint64_t program = program_key(c, call);
		bool added;

		if (program)
			(void)u64map_get_or_put(&c->programs, program, c->alikes, &added);
		c->alikes += program && added;
	}
	vec_each (call, &c->all) {
		uint32_t like = call_like(c, call);

		vec_reach(&c->like_ids, like, 0);
		if (!c->like_ids.at[like])
			c->like_ids.at[like] = call->id;
	}
}

void calls_make(struct calls *c, const struct ops_table *t, const struct call_options *o)
{
	uint32_t *rows = ordered_rows(t, o->order);
	part_vec parts = { 0 };
	struct programs programs;
	struct replays replays;
	struct row_kinds kinds;
	struct alignment a;
	size_t n;

	*c = (struct calls){ .table = t, .host = o->host && o->host->known ? o->host : NULL };
	row_times_find(&c->times, t);
	row_kinds_find(&kinds, t);
	programs_find(&programs, t, &kinds, rows);
	replays_find(&replays, t, rows, programs.flags);
	c->tells_cache = programs.tells_cache;
	c->tells_waits = has_waits(t);
	account_files(c);
	row_causes_begin(c);
	choose_chip(c, o);
	n = choose_parts(c, rows, &kinds, programs.flags, o, &parts);
	align_devices(&a, t, rows, n, o->keep_devices_apart);
	c->devices = o->keep_devices_apart ? 1 : a.devices;
	c->several_devices = a.several;
	c->unlike = a.unlike;
	c->programs_apart = a.processes;
	make_calls(c, rows, &parts, &a, &programs, &replays, &kinds);
	account_add(&c->account, ACCOUNT_SEEN, ACCOUNT_ANYWHERE, c->seen_rows);
	account_add(&c->account, ACCOUNT_TIMED, ACCOUNT_ANYWHERE, c->timed_rows);
	number_alike(c);
	gap_parts_find(c);
	c->devices = a.devices;
	programs_release(&programs);
	replays_release(&replays);
	row_kinds_release(&kinds);
	alignment_release(&a);
	vec_release(&parts);
	free(rows);
}

void calls_release(struct calls *c)
{
	vec_release(&c->all);
	vec_release(&c->kinds);
	vec_release(&c->sections);
	vec_release(&c->like_ids);
	u64map_release(&c->programs);
	row_times_release(&c->times);
	account_release(&c->account);
	free(c->call_of_row);
}

const struct host_gap *call_host_gap(const struct calls *c, const struct call *call)
{
	return host_gap_of(c->host, call->gap_row);
}

struct str call_gap_zone(const struct calls *c, const struct call *call)
{
	return host_gap_zone(c->host, call_host_gap(c, call));
}

double call_percent_of(const struct calls *c, const struct call *call, enum roof roof)
{
	return call->time_ns >= 1 /* ns: below, a rate says nothing */ && !(call->flags & CALL_HOST)
		       ? 100 * call_kind(c, call)->roof.ns[roof] / call->time_ns
		       : 0;
}

double call_roof_percent(const struct calls *c, const struct call *call)
{
	return call_percent_of(c, call, call_kind(c, call)->roof.roof);
}

const char *call_bound(const struct calls *c, const struct call *call)
{
	double best = call_roof_percent(c, call);

	if (call->flags & CALL_HOST)
		return "HOST";
	if (best <= 0)
		return "";
	if (best > ROOF_BELIEVED_PERCENT)
		return "?";
	if (call_percent_of(c, call, ROOF_DRAM) >= ROOF_NEAR_PERCENT &&
	    call_percent_of(c, call, ROOF_FLOP) >= ROOF_NEAR_PERCENT)
		return "BOTH";
	return best >= ROOF_NEAR_PERCENT ? roof_name(call_kind(c, call)->roof.roof) : "SLOW";
}
