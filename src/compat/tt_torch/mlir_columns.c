// SPDX-License-Identifier: Apache-2.0
#include "compat/tt_torch/mlir_columns.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/input.h"
#include "base/number.h"
#include "base/order.h"
#include "base/out.h"
#include "base/vec.h"
#include "trace/trace.h"
#include "wire/tt_message.h"

struct timed_text {
	int64_t time_ns;
	uint32_t text;
};

struct collected {
	struct trace *t;
	VEC(struct timed_text) messages;
};

static void on_message(void *ctx, const struct trace_message *m)
{
	struct collected *c = ctx;

	*vec_push(&c->messages) = (struct timed_text){ m->time_ns, trace_string(c->t, m->text) };
}

ORDER_BY(by_time, struct timed_text, time_ns)

static const char *const keys[] = { "MLIR_OP_LOCATION", "MLIR_CONST_EVAL_OP",
				    "MLIR_PROGRAM_METADATA" };
enum { KEYS = 3 };
static const char *const missing[] = { "loc(unknown)", "false", "{}" };

struct location {
	uint64_t op;
	struct str value[KEYS];
};

struct locations {
	VEC(struct location) by_number; /* MLIR_LAST: sorted by op, the last one wins */
	VEC(struct str) in_order;       /* MLIR_FIRST */
};

/* The number of a device's op, by its message. */
static bool op_number(struct str text, uint64_t *number)
{
	struct tt_message m;

	if (!str_starts(text, STR(TT_DEVICE_OP)))
		return false;
	text.len -= str_ends(text, STR("`"));
	tt_message_read(&m, text, TT_AT_START);
	*number = m.id;
	return m.complete;
}

static void find_locations(struct trace *t, struct collected *c, struct locations *p)
{
	struct str now[KEYS], before = { 0 };

	for (int k = 0; k < KEYS; k++)
		now[k] = str_of(missing[k]);
	for (size_t i = 0; i < c->messages.len; i++) {
		struct str text = trace_str(t, c->messages.at[i].text), bare = text;
		uint64_t op;

		if (text.len && text.at[0] == '`') {
			if (i)
				*vec_push(&p->in_order) = before;
			bare = str_from(text, 1);
		}
		before = text;
		for (int k = 0; k < KEYS; k++) {
			struct str key = str_of(keys[k]);

			if (str_starts(bare, key) && bare.len > key.len && bare.at[key.len] == ';')
				now[k] = str_from(bare, key.len + 1);
		}
		if (op_number(bare, &op)) {
			struct location *q = vec_push(&p->by_number);

			q->op = op;
			for (int k = 0; k < KEYS; k++)
				q->value[k] = now[k];
		}
	}
}

ORDER_BY(by_op, struct location, op)

/* The name in loc(fused[..., "name"]). */
static struct str fused_name(struct str text)
{
	const struct str begins = STR("loc(fused[");
	size_t at = str_find(text, begins);

	text = str_from(text, at == STR_NONE ? text.len : at + begins.len);
	while ((at = str_find(text, STR(", \""))) != STR_NONE) {
		text = str_from(text, at + 3);
		at = str_find_char(text, '"');
		if (at && at != STR_NONE && str_starts(str_from(text, at), STR("\"])")))
			return str_head(text, at);
	}
	return STR("Unknown");
}

static const struct location *location_of(const struct locations *p, struct str number)
{
	struct location key = { 0 };

	if (!p->by_number.len || !number_u64(number, &key.op))
		return NULL;
	return bsearch(&key, p->by_number.at, p->by_number.len, sizeof(key), by_op);
}

static void write_rows(struct str csv, const struct locations *p, enum mlir_layout layout,
		       struct out *to)
{
	SCOPED(csv_reader) struct csv_reader r = { 0 };
	SCOPED(buf) struct buf line = { 0 };
	struct csv_writer w = { .out = &line, .eol = "\n" };
	size_t count = SIZE_MAX, row = 0;
	bool head = true;

	csv_reader_init(&r, csv);
	while (csv_next(&r)) {
		struct str raw = row < p->in_order.len ? p->in_order.at[row] : STR("");

		if (layout == MLIR_FIRST)
			csv_field(&w, head ? STR("LOC") : fused_name(raw));
		for (size_t i = 0; i < r.fields; i++) {
			csv_field(&w, r.field[i]);
			if (head && str_eq(r.field[i], STR("GLOBAL CALL COUNT")))
				count = i;
		}
		if (layout == MLIR_FIRST) {
			csv_field(&w, head ? STR("Raw LOC") : raw);
		} else {
			static const char *const names[] = { "LOC", "CONST_EVAL_OP",
							     "PROGRAM_METADATA" };
			const struct location *q =
				!head && count < r.fields ? location_of(p, r.field[count]) : NULL;

			for (int k = 0; k < KEYS; k++)
				csv_field(&w, head ? str_of(names[k])
					      : q  ? q->value[k]
						   : str_of(missing[k]));
		}
		csv_end_row(&w);
		out_buf(to, &line);
		row += !head;
		head = false;
	}
}

enum ttp_rc mlir_columns_write(const char *report, const char *trace, enum mlir_layout layout,
			       const char *to, struct ttp_err *e)
{
	struct trace t;
	struct collected c = { .t = &t };
	struct trace_sink sink = { .ctx = &c, .message = on_message };
	struct locations p = { 0 };
	struct out_file file;
	struct input in;
	bool traced = !access(trace, F_OK); /* without a trace, nothing is known of any op */
	enum ttp_rc rc = traced ? trace_open(&t, trace, e) : TTP_OK;

	if (rc)
		return rc;
	if (traced)
		rc = trace_read(&t, &sink, e);
	if (!rc) {
		vec_sort(&c.messages, by_time);
		find_locations(&t, &c, &p);
		vec_sort(&p.by_number, by_op);
		rc = input_open(&in, report, e);
	}
	if (!rc) {
		rc = out_file_open(&file, to, e);
		if (!rc) {
			write_rows(in.data, &p, layout, &file.out);
			file.keeps = true;
			rc = out_file_commit(&file, e);
		}
		input_close(&in);
	}
	RELEASE(vec, &c.messages, &p.by_number, &p.in_order);
	if (traced)
		trace_close(&t);
	return rc;
}
