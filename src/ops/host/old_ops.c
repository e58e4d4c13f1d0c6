// SPDX-License-Identifier: Apache-2.0
#include "ops/host/old_ops.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/csv.h"
#include "base/map.h"
#include "base/number.h"
#include "base/order.h"
#include "base/paths.h"
#include "markers/log/device_log.h"
#include "wire/run_names.h"

/* Columns of profile_log_host.csv, and of ours. */
enum host_column {
	NAME,
	START,
	STOP,
	DELTA,
	GLOBAL,
	CALL,
	DEPTH,
	INPUTS,
	OUTPUTS,
	FIDELITY,
	STRATEGY,
	PREFERRED,
	META,
	TYPE,
	HOST_COLUMNS
};
enum { TIMES = 7, TENSOR_CELLS = 7, TENSORS_MAX = 64 };

struct api_call {
	uint32_t name;
	int64_t count, total_ns;
};

struct old_op {
	struct str cell[HOST_COLUMNS];
	int64_t global;
	bool on_device;
	bool log_unread;        /* its device log is there, and can't be read */
	uint64_t first, last;   /* marks of all RISCs */
	int64_t took_ns[TIMES]; /* FW, kernel, BRISC, NCRISC, TRISC 0 to 2 */
	uint32_t cores;
	VEC(struct api_call) api;
};

struct old_ops {
	VEC(struct old_op) ops;
	struct intern api_names;
	struct arena texts;
	size_t inputs, outputs; /* the most that an op has */
	size_t unread;          /* ops whose files are there and can't be read */
};

static size_t count_tensors(struct str s)
{
	size_t n = 0;
	struct str piece;

	if (!s.len)
		return 0;
	while (n < TENSORS_MAX && str_split(&s, '-', &piece))
		n++;
	return n;
}

static bool is_there(const char *path)
{
	struct stat st;

	return !lstat(path, &st);
}

static void read_calls(struct old_ops *o, struct old_op *op, const char *path)
{
	struct input in;
	struct csv_reader r;

	if (input_open_file(&in, path, NULL))
		return;
	csv_reader_init(&r, in.data);
	(void)csv_next(&r);
	while (csv_next(&r)) {
		struct api_call *found = NULL;
		uint32_t name;
		int64_t ns;

		if (r.fields < 4 || !number_i64(str_trim(r.field[DELTA]), &ns))
			continue;
		name = intern_copy(&o->api_names, str_trim(r.field[NAME]));
		vec_each (a, &op->api)
			if (a->name == name)
				found = a;
		if (!found) {
			found = vec_push(&op->api);
			*found = (struct api_call){ .name = name };
		}
		found->count++;
		found->total_ns += ns;
	}
	csv_reader_release(&r);
	input_close(&in);
}

struct old_span {
	uint64_t first, last;
	bool started, ended;
};

static void span_start(struct old_span *s, uint64_t time)
{
	if (!s->started || time < s->first)
		s->first = time;
	s->started = true;
}

static void span_end(struct old_span *s, uint64_t time)
{
	if (!s->ended || time > s->last)
		s->last = time;
	s->ended = true;
}

static void read_device(struct old_op *op, const char *path)
{
	struct old_span span[TIMES] = { 0 };
	SCOPED(u64map) struct u64map cores = { 0 };
	struct device_log log;
	struct marker m;

	if (device_log_open_found(&log, path, NULL)) {
		op->log_unread = is_there(path);
		return;
	}
	while (device_log_next(&log, &m, 1)) {
		if (!op->on_device || m.time_cycles < op->first)
			op->first = m.time_cycles;
		if (!op->on_device || m.time_cycles > op->last)
			op->last = m.time_cycles;
		op->on_device = true;
		u64map_put(&cores, (uint64_t)m.x << 16 | m.y, 0);
		if (m.timer_id == 1 || m.timer_id == 2)
			span_start(&span[m.timer_id - 1], m.time_cycles);
		else if (m.timer_id == 3 || m.timer_id == 4)
			span_end(&span[4 - m.timer_id], m.time_cycles);
		if (m.risc > RISC_TRISC2)
			continue;
		if (m.timer_id == 2)
			span_start(&span[2 + m.risc], m.time_cycles);
		else if (m.timer_id == 3)
			span_end(&span[2 + m.risc], m.time_cycles);
	}
	op->cores = (uint32_t)cores.entries.len;
	for (int i = 0; i < TIMES; i++)
		if (span[i].started && span[i].ended && log.freq_mhz > 0) {
			double ns = (double)(span[i].last - span[i].first) * 1000.0 /
				    (double)log.freq_mhz;
			SCOPED(buf) struct buf b = { 0 };

			number_fixed(&b, ns, 0, 0);
			(void)number_i64(buf_view(&b), &op->took_ns[i]);
		}
	device_log_close(&log);
}

/* Without slashes at its end: what stands beside it is called after it. */
static size_t bare_length(const char *folder)
{
	size_t n = strlen(folder);

	while (n > 1 && folder[n - 1] == '/')
		n--;
	return n;
}

static void read_op(struct old_ops *o, const char *folder, const char *name)
{
	SCOPED(buf) struct buf path = { 0 };
	struct csv_reader r;
	struct input in;

	buf_printf(&path, "%s/%s/profile_log_host.csv", folder, name);
	if (input_open_file(&in, path.at, NULL)) {
		o->unread += is_there(path.at);
		return;
	}
	csv_reader_init(&r, in.data);
	(void)csv_next(&r);
	while (csv_next(&r)) {
		struct old_op op = { 0 };
		size_t n;

		for (int i = 0; i < HOST_COLUMNS; i++) {
			struct str s = (size_t)i < r.fields ? str_trim(r.field[i]) : STR("");

			op.cell[i] = str_n(arena_dup(&o->texts, s.at, s.len), s.len);
		}
		if (!number_i64(op.cell[GLOBAL], &op.global))
			continue;
		n = count_tensors(op.cell[INPUTS]);
		o->inputs = n > o->inputs ? n : o->inputs;
		n = count_tensors(op.cell[OUTPUTS]);
		o->outputs = n > o->outputs ? n : o->outputs;
		buf_set(&path, "%s/%s/%.*s/profile_log_host.csv", folder, name,
			STR_ARG(op.cell[CALL]));
		read_calls(o, &op, path.at);
		buf_set(&path, "%.*s_device/%s/%.*s/" RUN_DEVICE_LOG,
			STR_ARG(str_head(str_of(folder), bare_length(folder))), name,
			STR_ARG(op.cell[CALL]));
		read_device(&op, path.at);
		*vec_push(&o->ops) = op;
	}
	csv_reader_release(&r);
	input_close(&in);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_op(const struct dirent *d)
{
	return d->d_name[0] != '.' && !strstr(d->d_name, "unknown");
}

ORDER_BY(by_global, struct old_op, global)

bool old_ops_are_here(const char *folder)
{
	struct dirent **found;
	int n = folder_list(folder, &found, is_op, by_name);
	bool any = false;

	for (int i = 0; i < n; i++) {
		SCOPED(buf) struct buf path = { 0 };

		buf_printf(&path, "%s/%s/profile_log_host.csv", folder, found[i]->d_name);
		any |= !access(path.at, F_OK);
		free(found[i]);
	}
	if (n >= 0)
		free(found);
	return any;
}

enum ttp_rc old_ops_read(struct old_ops **made, const char *folder, struct ttp_err *e)
{
	struct dirent **found;
	struct old_ops *o;
	int n = folder_list(folder, &found, is_op, by_name);

	if (n < 0)
		return ttp_fail_errno(e, "%s", folder);
	o = mem_zero(1, sizeof(*o));
	for (int i = 0; i < n; i++) {
		read_op(o, folder, found[i]->d_name);
		free(found[i]);
	}
	free(found);
	vec_sort(&o->ops, by_global);
	*made = o;
	return TTP_OK;
}

void old_ops_free(struct old_ops *o)
{
	if (!o)
		return;
	vec_release_with(&o->ops, api);
	intern_release(&o->api_names);
	arena_release(&o->texts);
	free(o);
}

void old_ops_account(const struct old_ops *o, struct account *a)
{
	size_t timed = 0, log_unread = 0;

	vec_each (op, &o->ops) {
		timed += op->on_device;
		log_unread += op->log_unread;
	}
	account_add(a, ACCOUNT_SEEN, ACCOUNT_ANYWHERE, o->ops.len + o->unread);
	account_add(a, ACCOUNT_TIMED, ACCOUNT_ANYWHERE, timed);
	account_add(a, ACCOUNT_OP_FILE_UNREAD, ACCOUNT_ANYWHERE, o->unread + log_unread);
	if (o->ops.len > timed + log_unread)
		account_add(a, ACCOUNT_NO_DEVICE_TIME, ACCOUNT_ANYWHERE,
			    o->ops.len - timed - log_unread);
}

static void put_text(struct ops_rows *to, struct str s)
{
	ops_rows_put(to, ops_value_text(s));
}

/* The name after its namespace, behind a blank per level; an op of Python's has its preferred name too. */
static void put_code(struct ops_rows *to, const struct old_op *op)
{
	static const char space[] = "tt::tt_metal::";
	struct str name = op->cell[NAME];
	SCOPED(buf) struct buf b = { 0 };
	int64_t depth = 0;
	size_t at;

	while ((at = str_find(name, str_of(space))) != STR_NONE)
		name = str_from(name, at + sizeof(space) - 1);
	if (number_i64(op->cell[DEPTH], &depth) && depth > 0 && depth < 100)
		buf_fill(&b, ' ', (size_t)depth);
	buf_str(&b, name);
	if (op->cell[PREFERRED].len)
		buf_printf(&b, "_%.*s", STR_ARG(op->cell[PREFERRED]));
	put_text(to, buf_view(&b));
}

/* "w_z_y_x|LAYOUT|DTYPE|MEMORY"; leading dimensions that are missing are 1. */
static void put_tensor(struct ops_rows *to, struct str text)
{
	struct str part[4] = { STR(""), STR(""), STR(""), STR("") }, dim[4], rest, piece;
	size_t n = 0, dims = 0;

	if (!text.len) {
		for (int i = 0; i < TENSOR_CELLS; i++)
			put_text(to, STR("-"));
		return;
	}
	while (n < 4 && str_split(&text, '|', &part[n]))
		n++;
	rest = part[0];
	while (dims < 4 && str_split(&rest, '_', &piece))
		dim[dims++] = piece;
	for (size_t i = dims; i < 4; i++)
		put_text(to, STR("1"));
	for (size_t i = 0; i < dims; i++)
		put_text(to, dim[i]);
	for (int i = 1; i < 4; i++)
		put_text(to, part[i]);
}

static void put_tensors(struct ops_rows *to, struct str list, size_t columns)
{
	struct str piece;

	for (size_t i = 0; i < columns; i++)
		put_tensor(to, list.len && str_split(&list, '-', &piece) ? piece : STR(""));
}

static void put_number(struct ops_rows *to, bool has, uint64_t v)
{
	ops_rows_put(to, has ? ops_value_u64(v) : ops_value_text(STR("-")));
}

static void put_op(struct ops_rows *to, const struct old_ops *o, const struct old_op *op,
		   const uint32_t *order)
{
	put_code(to, op);
	put_text(to, op->cell[TYPE]);
	put_text(to, op->cell[GLOBAL]);
	put_text(to, op->cell[META]);
	put_text(to, op->cell[FIDELITY]);
	put_number(to, op->on_device, op->cores);
	put_text(to, op->cell[STRATEGY]);
	put_text(to, op->cell[START]);
	put_text(to, op->cell[STOP]);
	put_text(to, op->cell[DELTA]);
	put_number(to, op->on_device, op->first);
	put_number(to, op->on_device, op->last);
	for (int i = 0; i < TIMES; i++)
		put_number(to, op->on_device, (uint64_t)op->took_ns[i]);
	put_tensors(to, op->cell[INPUTS], o->inputs);
	put_tensors(to, op->cell[OUTPUTS], o->outputs);
	put_text(to, op->cell[DEPTH]);
	for (uint32_t k = 0; k < intern_count(&o->api_names); k++) {
		struct api_call call = { 0 };

		vec_each (a, &op->api)
			if (a->name == order[k])
				call = *a;
		ops_rows_put(to, ops_value_i64(call.count));
		ops_rows_put(to, ops_value_i64(call.count ? call.total_ns / call.count : 0));
	}
	to->end_row(to);
}

static void put_columns(struct ops_rows *to, const struct old_ops *o, const uint32_t *order)
{
	static const enum ops_col heads[] = {
		OPS_OP_CODE,         OPS_OP_TYPE,       OPS_GLOBAL_CALL_COUNT,
		OPS_ATTRIBUTES,      OPS_MATH_FIDELITY, OPS_CORE_COUNT,
		OPS_PARALLELIZATION, OPS_HOST_START,    OPS_HOST_END,
		OPS_HOST_DURATION,   OPS_FW_START,      OPS_FW_END,
		OPS_FW_DURATION,     OPS_DURATION,      OPS_BRISC,
		OPS_NCRISC,          OPS_TRISC0,        OPS_TRISC1,
		OPS_TRISC2,
	};
	static const char *const parts[TENSOR_CELLS] = { "W",      "Z",         "Y",     "X",
							 "LAYOUT", "DATA TYPE", "MEMORY" };
	SCOPED(vec) VEC(struct str) names = { 0 };
	SCOPED(arena) struct arena texts = { 0 };
	SCOPED(buf) struct buf b = { 0 };

	for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++)
		*vec_push(&names) = ops_col_info[heads[i]].name;
	for (size_t i = 0; i < o->inputs + o->outputs; i++)
		for (int p = 0; p < TENSOR_CELLS; p++) {
			buf_set(&b, "%s_%zu_%s", i < o->inputs ? "INPUT" : "OUTPUT",
				i < o->inputs ? i : i - o->inputs, parts[p]);
			*vec_push(&names) = str_n(arena_dup(&texts, b.at, b.len), b.len);
		}
	*vec_push(&names) = STR("CALL DEPTH");
	for (uint32_t i = 0; i < intern_count(&o->api_names); i++)
		for (int k = 0; k < 2; k++) {
			buf_set(&b, "%.*s %s", STR_ARG(intern_get(&o->api_names, order[i])),
				k ? "Average [ns]" : "Count");
			*vec_push(&names) = str_n(arena_dup(&texts, b.at, b.len), b.len);
		}
	to->columns(to, names.at, names.len);
}

void old_ops_rows(const struct old_ops *o, struct ops_rows *to)
{
	SCOPED(mem)
	uint32_t *order = order_numbers(intern_count(&o->api_names), intern_order, &o->api_names);

	put_columns(to, o, order);
	for (size_t i = 0; i < o->ops.len && !to->stop; i++)
		put_op(to, o, &o->ops.at[i], order);
}
