// SPDX-License-Identifier: Apache-2.0
/*
 * Ops of two runs are the same if their numbers, codes, attributes and tensors are.  Their hashes are not asked: that of a program which
 * is profiled differs.  Nor are kernels and performance models, which belong to the program, not to the op.
 */
#include "record/run_job.h"

#include <stdlib.h>

#include "base/json.h"
#include "base/order.h"
#include "base/vec.h"

/* What an op is, of all that its message says. */
static const char *const compared[] = { "attributes", "input_tensors", "optional_input_tensors",
					"output_tensors" };
enum { COMPARED = sizeof(compared) / sizeof(*compared), VALUE_MAX = 80 };

struct op {
	uint64_t id, device;
	struct str code;
	struct str json; /* of its own, or of the op with the same hash before it */
};

typedef VEC(struct op) op_vec;

ORDER_BY(by_id, struct op, id, device)

/* Those that have a message, sorted by number. */
static void take_ops(op_vec *o, const struct host_events *h)
{
	vec_each (op, &h->ops) {
		const struct host_program *p = host_op_program(h, op);

		if (op->has_message)
			*vec_push(o) =
				(struct op){ .id = op->id,
					     .device = (uint64_t)p->device,
					     .code = host_op_code(h, op),
					     .json = p->record == HOST_NONE
							     ? STR("")
							     : h->records.at[p->record].json };
	}
	vec_sort(o, by_id);
}

/* The value of a key at the top, as it is written; empty if there is none. */
static struct str value_of(struct str json, const char *key)
{
	struct json_reader r = json_reader_of(json);
	enum json_event ev = json_next(&r);

	while (ev == JSON_OBJECT_BEGIN && (ev = json_next(&r)) == JSON_KEY) {
		bool wanted = json_text_is(&r, str_of(key));
		const char *begin = r.at;

		if (!json_skip_value(&r))
			break;
		if (wanted) {
			struct str value = str_trim(str_n(begin, (size_t)(r.at - begin)));

			return str_starts(value, STR(":")) ? str_trim(str_from(value, 1)) : value;
		}
		ev = JSON_OBJECT_BEGIN;
	}
	return str_n("", 0);
}

/* ---- where two values differ ---- */

struct leaf {
	struct buf path, value;
};

typedef VEC(struct leaf) leaf_vec;

static void flatten(struct json_reader *r, enum json_event ev, struct buf *path, leaf_vec *to)
{
	size_t was = path->len, n = 0;
	struct leaf *leaf;

	if (ev == JSON_OBJECT_BEGIN || ev == JSON_ARRAY_BEGIN) {
		while ((ev = json_next(r)) > JSON_END && ev != JSON_OBJECT_END &&
		       ev != JSON_ARRAY_END) {
			if (ev == JSON_KEY) {
				buf_printf(path, ".%.*s", STR_ARG(r->text));
				ev = json_next(r);
			} else {
				buf_printf(path, "[%zu]", n++);
			}
			flatten(r, ev, path, to);
			path->len = was;
			buf_text(path, "");
		}
		return;
	}
	leaf = vec_push(to);
	*leaf = (struct leaf){ 0 };
	buf_str(&leaf->path, buf_view(path));
	if (ev == JSON_BOOL)
		buf_text(&leaf->value, r->truth ? "true" : "false");
	else if (ev == JSON_STRING || ev == JSON_NUMBER)
		buf_str(&leaf->value, r->text);
	else
		buf_text(&leaf->value, "null");
}

static leaf_vec leaves_of(const char *name, struct str value)
{
	struct json_reader r = json_reader_of(value);
	leaf_vec all = { 0 };
	SCOPED(buf) struct buf path = { 0 };
	enum json_event ev = value.len ? json_next(&r) : JSON_END;

	buf_text(&path, name);
	if (ev > JSON_END)
		flatten(&r, ev, &path, &all);
	return all;
}

static void leaves_release(leaf_vec *all)
{
	vec_each (l, all)
		RELEASE(buf, &l->path, &l->value);
	vec_release(all);
}

static const struct leaf *leaf_find(const leaf_vec *all, struct str path)
{
	vec_each (l, all)
		if (str_eq(buf_view(&l->path), path))
			return l;
	return NULL;
}

/* An address in memory is another one each time. */
static bool is_address(struct str value)
{
	return str_starts(value, STR("0x")) && value.len > 8;
}

static void shown(struct buf *b, const struct leaf *l)
{
	struct str value = l ? buf_view(&l->value) : STR("not there");

	buf_printf(b, "%.*s%s", (int)(value.len < VALUE_MAX ? value.len : VALUE_MAX), value.at,
		   value.len < VALUE_MAX ? "" : "…");
}

/* The first leaf of one that is not the same in the other; false: only blanks, order or addresses differ. */
static bool leaf_differs(const leaf_vec *a, const leaf_vec *b, bool swapped, struct buf *why)
{
	vec_each (x, a) {
		const struct leaf *y = leaf_find(b, buf_view(&x->path));

		if (y && (str_eq(buf_view(&x->value), buf_view(&y->value)) ||
			  (is_address(buf_view(&x->value)) && is_address(buf_view(&y->value)))))
			continue;
		buf_printf(why, "%s is ", x->path.at);
		shown(why, swapped ? y : x);
		buf_text(why, " without devices and ");
		shown(why, swapped ? x : y);
		buf_text(why, " with them");
		return true;
	}
	return false;
}

static bool value_differs(const char *name, struct str without, struct str with, struct buf *why)
{
	leaf_vec a, b;
	bool differs;

	if (str_eq(without, with))
		return false;
	a = leaves_of(name, without);
	b = leaves_of(name, with);
	differs = leaf_differs(&a, &b, false, why) || leaf_differs(&b, &a, true, why);
	RELEASE(leaves, &a, &b);
	return differs;
}

static bool op_differs(const struct op *without, const struct op *with, struct buf *why)
{
	if (!str_eq(without->code, with->code)) {
		buf_printf(why, "is %.*s without devices and %.*s with them",
			   STR_ARG(without->code), STR_ARG(with->code));
		return true;
	}
	for (size_t i = 0; i < COMPARED; i++)
		if (value_differs(compared[i], value_of(without->json, compared[i]),
				  value_of(with->json, compared[i]), why))
			return true;
	return false;
}

static void alone(struct buf *why, const struct op *op, bool with)
{
	buf_printf(why, "op %llu (%.*s) was only in the run %s", (unsigned long long)op->id,
		   STR_ARG(op->code), with ? "with them" : "without devices");
}

static bool same(const op_vec *without, const op_vec *with, struct buf *why)
{
	size_t i = 0, k = 0, differ = 0;
	SCOPED(buf) struct buf ignored = { 0 };

	if (without->len != with->len)
		buf_printf(why, "the run without devices ran %zu ops and the one with them %zu: ",
			   without->len, with->len);
	while (i < without->len || k < with->len) {
		const struct op *x = i < without->len ? &without->at[i] : NULL;
		const struct op *y = k < with->len ? &with->at[k] : NULL;
		SCOPED(buf) struct buf what = { 0 };

		if (!y || (x && (x->id < y->id || (x->id == y->id && x->device < y->device)))) {
			alone(differ++ ? &ignored : why, x, false);
			i++;
			continue;
		}
		if (!x || y->id < x->id || (y->id == x->id && y->device < x->device)) {
			alone(differ++ ? &ignored : why, y, true);
			k++;
			continue;
		}
		if (op_differs(x, y, &what))
			buf_printf(differ++ ? &ignored : why, "op %llu (%.*s): %s",
				   (unsigned long long)x->id, STR_ARG(y->code), what.at);
		buf_clear(&ignored);
		i++;
		k++;
	}
	if (differ > 1)
		buf_printf(why, ", and %zu op%s more differ%s", differ - 1, differ == 2 ? "" : "s",
			   differ == 2 ? "s" : "");
	return !differ;
}

bool run_ops_same(const struct host_events *without, const struct host_events *with,
		  struct buf *why)
{
	SCOPED(vec) op_vec a = { 0 }, b = { 0 };

	take_ops(&a, without);
	take_ops(&b, with);
	return same(&a, &b, why);
}
