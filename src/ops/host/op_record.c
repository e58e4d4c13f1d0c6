// SPDX-License-Identifier: Apache-2.0
#include "ops/host/host_events.h"

#include <ctype.h>
#include <math.h>

#include "base/json.h"
#include "base/number.h"
#include "ops/py_text.h"

struct reader {
	struct op_record *r;
	struct json_reader json;
	struct arena *texts;
	struct intern *size_names;
	struct buf scratch;
	VEC(struct record_tensor) optional; /* inputs that come after the others */
};

/* Keeps the scratch text, with ; for its commas, and empties it. */
static struct str keep(struct reader *in)
{
	char *at = arena_dup(in->texts, in->scratch.at ? in->scratch.at : "", in->scratch.len);
	struct str s = str_n(at, in->scratch.len);

	for (size_t i = 0; i < s.len; i++)
		if (at[i] == ',')
			at[i] = ';';
	buf_clear(&in->scratch);
	return s;
}

static void add_cell(struct reader *in, enum ops_col column, struct str text)
{
	*vec_push(&in->r->cells) = (struct record_cell){ (uint16_t)column, text };
}

/* The value that follows, as a cell's text. */
static bool read_text(struct reader *in, struct str *out)
{
	bool ok;

	buf_clear(&in->scratch);
	ok = py_value(&in->scratch, &in->json, json_next(&in->json), false);
	*out = keep(in);
	return ok;
}

/* A field of the record is a column when the names are the same but for case and underscores. */
static enum ops_col column_of_key(struct str key)
{
	for (int c = 0; c < OPS_COLS; c++) {
		struct str name = ops_col_info[c].name;
		size_t i = 0;

		if (name.len != key.len)
			continue;
		while (i < key.len &&
		       (toupper((unsigned char)key.at[i]) == toupper((unsigned char)name.at[i]) ||
			(key.at[i] == '_' && name.at[i] == ' ')))
			i++;
		if (i == key.len)
			return (enum ops_col)c;
	}
	return OPS_COLS;
}

/* Walks an object whose begin was just read: each key is handed to `fn`, which reads its value. */
static bool each_key(struct reader *in, bool (*fn)(struct reader *in, struct str key, void *ctx),
		     void *ctx)
{
	for (;;) {
		enum json_event ev = json_next(&in->json);
		SCOPED(buf) struct buf key = { 0 };
		bool ok;

		if (ev == JSON_OBJECT_END)
			return true;
		if (ev != JSON_KEY)
			return false;
		json_unescape(&in->json, &key);
		ok = fn(in, buf_view(&key), ctx);
		if (!ok)
			return false;
	}
}

static bool skip(struct reader *in)
{
	return json_skip_value(&in->json);
}

/* An object is walked, anything else passed over. */
static bool object_or_skip(struct reader *in,
			   bool (*fn)(struct reader *in, struct str key, void *ctx), void *ctx)
{
	enum json_event ev = json_next(&in->json);

	if (ev == JSON_OBJECT_BEGIN)
		return each_key(in, fn, ctx);
	return ev == JSON_ARRAY_BEGIN ? json_skip_value(&in->json) : ev > JSON_END;
}

/* Each object of a list. */
static bool list_of_objects(struct reader *in, bool (*fn)(struct reader *in, void *ctx), void *ctx)
{
	enum json_event ev = json_next(&in->json);

	if (ev != JSON_ARRAY_BEGIN)
		return ev == JSON_OBJECT_BEGIN ? json_skip_value(&in->json) : ev > JSON_END;
	while ((ev = json_next(&in->json)) != JSON_ARRAY_END) {
		if (ev == JSON_OBJECT_BEGIN) {
			if (!fn(in, ctx))
				return false;
		} else if (ev <= JSON_END) {
			return false;
		} else if (ev == JSON_ARRAY_BEGIN && !json_skip_value(&in->json)) {
			return false;
		}
	}
	return true;
}

static bool shape_key(struct reader *in, struct str key, void *ctx)
{
	struct record_tensor *t = ctx;
	static const char letters[] = "WZYX";

	for (int i = 0; i < 4; i++)
		if (key.len == 1 && key.at[0] == letters[i])
			return read_text(in, &t->part[TENSOR_W + i]);
	return skip(in);
}

struct storage {
	struct str device, buffer, layout;
};

static bool memory_key(struct reader *in, struct str key, void *ctx)
{
	struct storage *s = ctx;

	if (str_eq(key, STR("buffer_type")))
		return read_text(in, &s->buffer);
	if (str_eq(key, STR("memory_layout")))
		return read_text(in, &s->layout);
	return skip(in);
}

static bool storage_key(struct reader *in, struct str key, void *ctx)
{
	struct storage *s = ctx;

	if (str_eq(key, STR("device_id")))
		return read_text(in, &s->device);
	if (str_eq(key, STR("memory_config")))
		return object_or_skip(in, memory_key, s);
	return skip(in);
}

static void add_upper(struct buf *b, struct str s)
{
	for (size_t i = 0; i < s.len; i++)
		buf_char(b, (char)toupper((unsigned char)s.at[i]));
}

static bool read_storage(struct reader *in, struct str *out)
{
	struct storage s = { { 0 }, { 0 }, { 0 } };
	enum json_event ev = json_next(&in->json);
	bool ok;

	if (ev != JSON_OBJECT_BEGIN) {
		buf_clear(&in->scratch);
		ok = py_value(&in->scratch, &in->json, ev, false);
		*out = keep(in);
		return ok;
	}
	ok = each_key(in, storage_key, &s);
	buf_set_str(&in->scratch, STR("DEV_"));
	buf_str(&in->scratch, s.device);
	buf_char(&in->scratch, '_');
	add_upper(&in->scratch, s.buffer);
	buf_char(&in->scratch, '_');
	add_upper(&in->scratch, s.layout);
	*out = keep(in);
	return ok;
}

static bool tensor_key(struct reader *in, struct str key, void *ctx)
{
	struct record_tensor *t = ctx;

	if (str_eq(key, STR("shape")))
		return object_or_skip(in, shape_key, t);
	if (str_eq(key, STR("layout")))
		return read_text(in, &t->part[TENSOR_LAYOUT]);
	if (str_eq(key, STR("dtype")))
		return read_text(in, &t->part[TENSOR_DATATYPE]);
	if (str_eq(key, STR("storage_type")))
		return read_storage(in, &t->part[TENSOR_MEMORY]);
	return skip(in);
}

typedef VEC(struct record_tensor) tensor_vec;

static bool read_tensor(struct reader *in, void *ctx)
{
	tensor_vec *list = ctx;
	struct record_tensor t = { 0 };
	bool ok = each_key(in, tensor_key, &t);

	for (int i = 0; i < TENSOR_PARTS; i++)
		if (!t.part[i].at) {
			in->r->tensor_faults++;
			break;
		}
	if (list->len < UINT16_MAX)
		*vec_push(list) = t;
	return ok;
}

/* Lists of the kernels' sources and names, as Python prints them; built while the kernels are read. */
struct kernels {
	struct buf source, name;
	struct str fidelity;
	struct buf fidelities;
	bool mixed, compute;
};

static void add_to_list(struct buf *b, struct reader *in)
{
	buf_text(b, b->len > 1 ? ", " : "");
	py_quote(b, buf_view(&in->scratch));
}

static bool kernel_key(struct reader *in, struct str key, void *ctx)
{
	struct kernels *k = ctx;
	struct buf *list = str_eq(key, STR("source")) ? &k->source
			   : str_eq(key, STR("name")) ? &k->name
						      : NULL;
	enum json_event ev;

	if (k->compute && str_eq(key, STR("math_fidelity"))) {
		struct str was = k->fidelity;

		if (!read_text(in, &k->fidelity))
			return false;
		k->mixed |= was.at && !str_eq(was, k->fidelity);
		buf_text(&k->fidelities, k->fidelities.len ? "; " : "");
		buf_str(&k->fidelities, k->fidelity);
		return true;
	}
	if (!list)
		return skip(in);
	ev = json_next(&in->json);
	buf_clear(&in->scratch);
	if (ev == JSON_STRING) {
		json_unescape(&in->json, &in->scratch);
		add_to_list(list, in);
		return true;
	}
	buf_text(list, list->len > 1 ? ", " : "");
	return py_value(list, &in->json, ev, true);
}

static bool read_kernel(struct reader *in, void *ctx)
{
	return each_key(in, kernel_key, ctx);
}

static void finish_kernels(struct reader *in, struct kernels *k)
{
	struct buf *list[2] = { &k->source, &k->name };
	enum ops_col column[2] = { k->compute ? OPS_COMPUTE_SOURCE : OPS_DM_SOURCE,
				   k->compute ? OPS_COMPUTE_HASH : OPS_DM_HASH };

	for (int i = 0; i < 2; i++) {
		buf_char(list[i], ']');
		buf_set_str(&in->scratch, buf_view(list[i]));
		add_cell(in, column[i], keep(in));
		buf_release(list[i]);
	}
	if (k->fidelity.at)
		add_cell(in, OPS_MATH_FIDELITY, k->fidelity);
	if (k->mixed) {
		buf_set_str(&in->scratch, buf_view(&k->fidelities));
		in->r->fidelities = keep(in);
	}
	buf_release(&k->fidelities);
}

static bool read_kernels(struct reader *in, bool compute)
{
	struct kernels k = { .compute = compute };
	bool ok;

	buf_char(&k.source, '[');
	buf_char(&k.name, '[');
	ok = list_of_objects(in, read_kernel, &k);
	finish_kernels(in, &k);
	return ok;
}

static bool size_key(struct reader *in, struct str key, void *ctx)
{
	struct record_size size;
	SCOPED(buf) struct buf name = { 0 };

	(void)ctx;
	for (size_t i = 0; i < key.len; i++)
		buf_char(&name, key.at[i] == '_' ? ' ' : (char)toupper((unsigned char)key.at[i]));
	buf_text(&name, " [B]");
	size.name = intern_copy(in->size_names, buf_view(&name));
	if (!read_text(in, &size.text))
		return false;
	*vec_push(&in->r->sizes) = size;
	return true;
}

static bool kernel_info_key(struct reader *in, struct str key, void *ctx)
{
	bool *seen = ctx;

	if (str_eq(key, STR("compute_kernels"))) {
		seen[0] = true;
		return read_kernels(in, true);
	}
	if (str_eq(key, STR("datamovement_kernels"))) {
		seen[1] = true;
		return read_kernels(in, false);
	}
	if (str_eq(key, STR("kernel_sizes")))
		return object_or_skip(in, size_key, NULL);
	return skip(in);
}

static bool read_kernel_info(struct reader *in)
{
	bool seen[2] = { false, false };
	bool ok = object_or_skip(in, kernel_info_key, seen);
	struct str empty = STR("[]");

	for (int i = 0; i < 2; i++)
		if (!seen[i]) {
			add_cell(in, i ? OPS_DM_SOURCE : OPS_COMPUTE_SOURCE, empty);
			add_cell(in, i ? OPS_DM_HASH : OPS_COMPUTE_HASH, empty);
		}
	return ok;
}

static bool model_key(struct reader *in, struct str key, void *ctx)
{
	static const struct {
		const char *key;
		enum ops_col column;
	} fields[] = {
		{ "ideal_ns", OPS_PM_IDEAL },         { "compute_ns", OPS_PM_COMPUTE },
		{ "bandwidth_ns", OPS_PM_BANDWIDTH }, { "input_bws", OPS_PM_REQ_I_BW },
		{ "output_bws", OPS_PM_REQ_O_BW },
	};

	(void)ctx;
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		if (str_eq(key, str_of(fields[i].key))) {
			struct str text;

			if (!read_text(in, &text))
				return false;
			add_cell(in, fields[i].column, text);
			if (fields[i].column == OPS_PM_COMPUTE &&
			    !number_double(text, &in->r->pm_compute))
				in->r->pm_compute = NAN;
			return true;
		}
	return skip(in);
}

static bool top_key(struct reader *in, struct str key, void *ctx)
{
	struct str text;
	enum ops_col column;

	(void)ctx;
	if (str_eq(key, STR("input_tensors")))
		return list_of_objects(in, read_tensor, &in->r->inputs);
	if (str_eq(key, STR("optional_input_tensors")))
		return list_of_objects(in, read_tensor, &in->optional);
	if (str_eq(key, STR("output_tensors")))
		return list_of_objects(in, read_tensor, &in->r->outputs);
	if (str_eq(key, STR("kernel_info")))
		return read_kernel_info(in);
	if (str_eq(key, STR("performance_model")))
		return object_or_skip(in, model_key, NULL);
	column = str_eq(key, STR("op_hash"))             ? OPS_PROGRAM_HASH
		 : str_eq(key, STR("program_cache_hit")) ? OPS_CACHE_HIT
							 : column_of_key(key);
	/* the join makes these */
	if (column == OPS_COLS || column == OPS_GLOBAL_CALL_COUNT || column == OPS_TRACE_ID ||
	    column == OPS_SESSION_ID)
		return skip(in);
	if (!read_text(in, &text))
		return false;
	add_cell(in, column, text);
	return true;
}

void op_record_read(struct op_record *r, struct str json, struct arena *texts,
		    struct intern *size_names)
{
	struct reader in = {
		.r = r, .json = json_reader_of(json), .texts = texts, .size_names = size_names
	};

	*r = (struct op_record){ .pm_compute = NAN };
	if (json_next(&in.json) != JSON_OBJECT_BEGIN || !each_key(&in, top_key, NULL) ||
	    json_next(&in.json) != JSON_END)
		r->broken = true;
	vec_append(&r->inputs, in.optional.at, in.optional.len);
	vec_release(&in.optional);
	buf_release(&in.scratch);
}

void op_record_release(struct op_record *r)
{
	RELEASE(vec, &r->cells, &r->inputs, &r->outputs, &r->sizes);
}

struct str op_record_cell(const struct op_record *r, enum ops_col column)
{
	for (size_t i = r->cells.len; i-- > 0;)
		if (r->cells.at[i].column == column)
			return r->cells.at[i].text;
	return (struct str){ NULL, 0 };
}

void op_record_peek(struct str json, struct op_identity *out)
{
	struct json_reader r = json_reader_of(json);
	enum json_event ev = json_next(&r);

	*out = (struct op_identity){ 0 };
	if (ev != JSON_OBJECT_BEGIN) {
		out->broken = true;
		return;
	}
	while ((ev = json_next(&r)) == JSON_KEY) {
		bool id = json_text_is(&r, STR("global_call_count"));
		bool device = json_text_is(&r, STR("device_id"));
		bool hash = json_text_is(&r, STR("op_hash"));

		if (!id && !device && !hash) {
			if (!json_skip_value(&r)) {
				out->broken = true;
				return;
			}
			continue;
		}
		ev = json_next(&r);
		if (id && ev == JSON_NUMBER)
			out->has_id = json_u64(&r, &out->id);
		else if (device && ev == JSON_NUMBER)
			out->has_device = json_i64(&r, &out->device);
		else if (hash && ev == JSON_NUMBER)
			out->has_hash = json_u64(&r, &out->hash);
		else if ((ev == JSON_OBJECT_BEGIN || ev == JSON_ARRAY_BEGIN) &&
			 !json_skip_value(&r))
			ev = JSON_ERROR;
		if (ev <= JSON_END) {
			out->broken = true;
			return;
		}
	}
	out->broken = ev != JSON_OBJECT_END || json_next(&r) != JSON_END;
}
