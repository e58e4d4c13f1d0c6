// SPDX-License-Identifier: Apache-2.0
/*
 * An op's message, as tt-metal sends it and its tools read it (wire/tt_message.h), in back-ticks.
 *
 * A message that is cut swallows what follows it in exports of older tools.  So it never is: what does not fit is
 * written closer, then omitted, the least needed first; the op itself stays.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/exhausted.h"
#include "base/json.h"
#include "host/api/variables.h"
#include "host/ops/op.h"
#include "wire/tt_message.h"

#define LOG_AREA "ops"
#include "base/log.h"

/* Bytes of a message, without the NUL that servers add; and tensors of a list that does not fit. */
enum { MESSAGE_MAX = 65534, TENSORS_KEPT = 8 };

/* What is omitted, more and more. */
enum detail { ALL, CLOSE, NO_KERNELS, FEW_TENSORS, ONLY_WHO };

#define MIX 0x9E3779B97F4A7C15u

static const char *const types[] = { "tt_dnn_device", "tt_dnn_cpu", "python_fallback" };
static const char *const fidelities[] = { "LoFi", "LoFi", "HiFi2", "HiFi3", "HiFi4" };

/* ---- kernels ---- */

static struct str stem(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct str s = str_of(slash ? slash + 1 : path);
	size_t dot = str_rfind_char(s, '.');

	return dot && dot != STR_NONE ? str_head(s, dot) : s;
}

static void write_kernel(struct json_writer *w, struct str source, struct str name, int fidelity)
{
	json_open_object(w);
	if (fidelity)
		json_put_text(w, "math_fidelity", str_of(fidelities[fidelity]));
	json_put_text(w, "name", name);
	json_put_text(w, "source", source);
	json_close_object(w);
}

static int fidelity_of(const struct ttp_kernel *k)
{
	if (k->processor < TTP_TRISC0)
		return 0;
	return k->fidelity ? k->fidelity : 4;
}

static bool told_before(const struct ttp_program *p, size_t i)
{
	const struct ttp_kernel *k = p->kernels.at[i];

	for (size_t j = 0; j < i; j++)
		if (!strcmp(p->kernels.at[j]->path, k->path) &&
		    fidelity_of(p->kernels.at[j]) == fidelity_of(k))
			return true;
	return false;
}

static void write_kernels(struct json_writer *w, const struct ttp_program *p, bool compute)
{
	json_put_array(w, compute ? "compute_kernels" : "datamovement_kernels");
	for (size_t i = 0; i < p->kernels.len; i++) {
		const struct ttp_kernel *k = p->kernels.at[i];

		if ((k->processor >= TTP_TRISC0) == compute && !told_before(p, i))
			write_kernel(w, str_of(k->path), stem(k->path), fidelity_of(k));
	}
	json_close_array(w);
}

/* What of an image goes to the device. */
static uint32_t image_bytes(const struct elf_image *img)
{
	uint32_t n = 0;

	vec_each (s, &img->segments)
		n += s->len;
	return n;
}

static uint64_t more(uint64_t h, struct str s)
{
	return (h ^ str_hash(s)) * MIX + s.len;
}

/* What a kernel was made with, beside its source. */
static uint64_t hash_recipe(uint64_t h, const struct ttp_kernel *k)
{
	h = more(h, str_of(k->path)) + (uint64_t)k->processor * 16 + (uint64_t)k->fidelity;
	vec_each (d, &k->defines)
		h = more(more(h, str_of(d->name)), str_of(d->value));
	h = more(h, str_n((const char *)k->cores.at, k->cores.len * sizeof(*k->cores.at)));
	return more(h, str_n((const char *)k->compile_args.at, k->compile_args.len * 4));
}

void op_kernel_info(const struct ttp_program *p, struct built *to)
{
	struct buf *json = &to->kernel_info;
	static const char *const names[RISCS] = {
		"TENSIX_DM_0_max_kernel_size",      "TENSIX_DM_1_max_kernel_size",
		"TENSIX_COMPUTE_0_max_kernel_size", "TENSIX_COMPUTE_1_max_kernel_size",
		"TENSIX_COMPUTE_2_max_kernel_size",
	};
	struct json_writer w = { .to = json };
	uint32_t sizes[RISCS] = { 0 };
	uint64_t h = 1;

	json_open_object(&w);
	write_kernels(&w, p, true);
	write_kernels(&w, p, false);
	vec_each (k, &p->kernels) {
		h = hash_recipe(h, *k);
		to->fidelity = to->fidelity ? to->fidelity : fidelity_of(*k);
		for (int r = 0; r < RISCS; r++) {
			const struct elf_image *img = (*k)->image[r];

			if (!img)
				continue;
			h = (h ^ img->hash) * MIX;
			if (image_bytes(img) > sizes[r])
				sizes[r] = image_bytes(img);
		}
	}
	json_put_object(&w, "kernel_sizes");
	for (int r = 0; r < RISCS; r++)
		if (sizes[r])
			json_put_count(&w, names[r], sizes[r]);
	json_close_object(&w);
	json_close_object(&w);
	to->kernel_hash = h;
}

const char *op_fidelity(const struct ttp_op *op)
{
	int fidelity = op->built ? op->built->fidelity : 0;

	vec_each (k, &op->kernels)
		if (!fidelity)
			fidelity = k->fidelity;
	return fidelity ? fidelities[fidelity] : "";
}

/* Kernels by hand, where there is no program. */
static void write_given_kernels(struct json_writer *w, const struct ttp_op *op)
{
	json_open_object(w);
	for (int compute = 1; compute >= 0; compute--) {
		json_put_array(w, compute ? "compute_kernels" : "datamovement_kernels");
		vec_each (k, &op->kernels)
			if ((k->fidelity > 0) == compute)
				write_kernel(w, str_of(k->source), str_of(k->name), k->fidelity);
		json_close_array(w);
	}
	json_close_object(w);
}

/* ---- tensors ---- */

static void write_tensor(struct json_writer *w, const struct ttp_tensor *t)
{
	static const char *const sides[4] = { "W", "Z", "Y", "X" };

	json_open_object(w);
	json_put_text(w, "dtype", str_of(tensor_dtype_text(t)));
	json_put_text(w, "layout", str_of(tensor_layout_text(t)));
	json_put_object(w, "shape");
	for (int i = 0; i < 4; i++) {
		char both[48];

		(void)snprintf(both, sizeof(both), "%llu[%llu]", (unsigned long long)t->padded[i],
			       (unsigned long long)t->logical[i]);
		json_put_text(w, sides[i], str_of(both));
	}
	json_close_object(w);
	if (t->device < 0) {
		json_put_text(w, "storage_type", STR("HOST"));
	} else {
		json_put_object(w, "storage_type");
		json_put_count(w, "device_id", (uint64_t)t->device);
		json_put_object(w, "memory_config");
		json_put_text(w, "buffer_type", str_of(t->where == TTP_DRAM ? "DRAM" : "L1"));
		json_put_text(w, "memory_layout", str_of(t->memory_layout));
		json_close_object(w);
		json_close_object(w);
	}
	json_close_object(w);
}

static void write_tensors(struct json_writer *w, const char *list, const struct ttp_tensor *t,
			  size_t n, enum detail detail)
{
	size_t kept = detail == ONLY_WHO                          ? 0
		      : detail == FEW_TENSORS && n > TENSORS_KEPT ? TENSORS_KEPT
								  : n;

	json_put_array(w, list);
	for (size_t i = 0; i < kept; i++)
		write_tensor(w, &t[i]);
	json_close_array(w);
	if (kept < n) {
		char name[64];

		(void)snprintf(name, sizeof(name), "%s_original_count", list);
		json_put_count(w, name, n);
	}
}

/* ---- all of it ---- */

static void write_bandwidths(struct json_writer *w, const char *name, const double *at, size_t n)
{
	json_put_array(w, name);
	for (size_t i = 0; i < n; i++)
		json_write_double(w, at[i]);
	json_close_array(w);
}

static void write_model(struct json_writer *w, const struct ttp_op *op)
{
	json_put_object(w, "performance_model");
	JSON_MEMBERS(w, op, bandwidth_ns, compute_ns, ideal_ns);
	write_bandwidths(w, "input_bws", op->input_bws.at, op->input_bws.len);
	write_bandwidths(w, "output_bws", op->output_bws.at, op->output_bws.len);
	json_close_object(w);
}

static void write_attributes(struct json_writer *w, const struct ttp_op *op)
{
	json_put_object(w, "attributes");
	vec_each (a, &op->attributes)
		json_put_text(w, a->name, str_of(a->value));
	if (op->meta.len)
		json_put_text(w, "meta_data", str_of(op->meta.at));
	json_close_object(w);
}

static void write_op(struct buf *to, const struct ttp_op *op, uint64_t hash, bool hit,
		     enum detail detail)
{
	struct json_writer w = { .to = to, .pretty = detail == ALL };

	json_open_object(&w);
	if (detail < FEW_TENSORS)
		write_attributes(&w, op);
	if (op->device >= 0)
		json_put_count(&w, "device_id", (uint64_t)op->device);
	json_put_count(&w, "global_call_count", op_call_count(op));
	write_tensors(&w, "input_tensors", op->inputs.at, op->inputs.len, detail);
	if (op->device >= 0 && detail < NO_KERNELS) {
		json_write_key(&w, STR("kernel_info"));
		if (op->built && op->built->kernel_info.len)
			json_write_raw(&w, buf_view(&op->built->kernel_info));
		else
			write_given_kernels(&w, op);
	}
	json_put_text(&w, "op_code", str_of(op->code.at));
	if (op->device >= 0)
		json_put_count(&w, "op_hash", hash);
	json_put_text(&w, "op_type", str_of(types[op->type]));
	json_put_array(&w, "optional_input_tensors");
	json_close_array(&w);
	write_tensors(&w, "output_tensors", op->outputs.at, op->outputs.len, detail);
	if (op->strategy.len && detail < ONLY_WHO)
		json_put_text(&w, "parallelization_strategy", str_of(op->strategy.at));
	if (op->device >= 0) {
		if (detail < ONLY_WHO)
			write_model(&w, op);
		json_put_bool(&w, "program_cache_hit", hit);
	}
	json_close_object(&w);
}

/* ---- the cache: what was sent of which program, for the whole process ---- */

struct sent {
	int device;
	uint64_t hash, content;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct u64map sent_of; /* device and hash, mixed */
static VEC(struct sent) sent;

/* Was exactly this sent last of that program?  From now on it is. */
static bool told_already(int device, uint64_t hash, uint64_t content)
{
	uint64_t mixed = (hash ^ (uint64_t)device << 54) * MIX;
	struct sent now = { device, hash, content }, *at;
	bool added, same;
	uint32_t i;

	held_lock(&lock);
	vec_reserve(&sent, sent.len + 1); /* both, or neither */
	i = u64map_get_or_put(&sent_of, mixed, (uint32_t)sent.len, &added);
	if (added)
		(void)vec_push(&sent);
	at = &sent.at[i];
	same = !added && at->device == device && at->hash == hash && at->content == content;
	/* What nobody records was not sent. */
	*at = ttp_recording() ? now : (struct sent){ .device = -1 };
	held_unlock(&lock);
	return same;
}

static uint64_t hash_tensors(uint64_t h, const struct ttp_tensor *t, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const uint64_t facts[] = { t[i].layout, t[i].dtype, (uint64_t)t[i].device,
					   t[i].where };

		h = more(h, str_n((const char *)facts, sizeof(facts)));
		h = more(h, str_n((const char *)t[i].logical, sizeof(t[i].logical)));
		h = more(h, str_n((const char *)t[i].padded, sizeof(t[i].padded)));
		h = more(h, str_of(t[i].memory_layout));
	}
	return more(h, str_n((const char *)&n, sizeof(n)));
}

/* What makes it another program. */
static uint64_t hash_program(const struct ttp_op *op)
{
	uint64_t h = more(1, buf_view(&op->code));

	vec_each (a, &op->attributes)
		h = more(more(h, str_of(a->name)), str_of(a->value));
	h = hash_tensors(h, op->inputs.at, op->inputs.len);
	h = hash_tensors(h, op->outputs.at, op->outputs.len);
	vec_each (k, &op->kernels) {
		h = more(more(h, str_of(k->source)), str_of(k->name));
		h += (uint64_t)k->fidelity;
	}
	return op->built ? h ^ op->built->kernel_hash : h;
}

/* What makes it another message. */
static uint64_t hash_content(const struct ttp_op *op, uint64_t program)
{
	const uint64_t model[] = { op->ideal_ns, op->compute_ns, op->bandwidth_ns };
	uint64_t h = more(program, buf_view(&op->meta));

	h = more(h, buf_view(&op->strategy));
	h = more(h, str_n((const char *)model, sizeof(model)));
	h = more(h, str_n((const char *)op->input_bws.at, op->input_bws.len * sizeof(double)));
	return more(h, str_n((const char *)op->output_bws.at, op->output_bws.len * sizeof(double)));
}

static void tell_what_is_left_out(const struct ttp_op *op, enum detail detail)
{
	static const char *const what[] = { "", "", "its kernels",
					    "kernels, attributes and most tensors",
					    "all but its name" };
	static atomic_bool told_once;

	if (detail >= NO_KERNELS && !atomic_exchange(&told_once, true))
		log_warn(
			"op %.60s: a message has at most %d bytes, so %s %s left out; the same for ops "
			"that follow",
			op->code.at, MESSAGE_MAX, what[detail],
			detail == NO_KERNELS || detail == FEW_TENSORS ? "are" : "is");
}

/* Back-ticks end a message in exports; JSON can say them otherwise. */
static void without_ticks(struct buf *b, size_t from)
{
	SCOPED(buf) struct buf to = { 0 };

	if (!memchr(b->at + from, '`', b->len - from))
		return;
	for (size_t i = from; i < b->len; i++)
		if (b->at[i] == '`')
			buf_text(&to, "\\u0060");
		else
			buf_char(&to, b->at[i]);
	b->len = from;
	buf_str(b, buf_view(&to));
}

void op_send(const struct ttp_op *op)
{
	static const char *const heads[] = { TT_DEVICE_OP, TT_HOST_OP, TT_FALL_BACK_OP };
	uint64_t content = hash_program(op), hash = op->cache_given ? op->hash : content;
	bool hit = op->cache_given ? op->cache_hit : op->built && !op->compiled;
	SCOPED(buf) struct buf b = { 0 };
	size_t head;

	content = hash_content(op, content);
	buf_printf(&b, "`%s:", heads[op->type]);
	if (op->device >= 0)
		buf_printf(&b, " \"%s\", %llu, %d, %s, %u", op->code.at, (unsigned long long)hash,
			   op->device, hit ? "true" : "false", op_call_count(op));
	else
		buf_printf(&b, "\"%s\"", op->code.at);
	if (op->device < 0 || !told_already(op->device, hash, content) ||
	    variable_on("TT_METAL_PROFILER_NO_CACHE_OP_INFO")) {
		enum detail detail = ALL;

		buf_text(&b, TT_OP_ARROW);
		head = b.len;
		for (;; detail++) {
			write_op(&b, op, hash, hit, detail);
			without_ticks(&b, head);
			if (b.len < MESSAGE_MAX || detail == ONLY_WHO)
				break;
			b.len = head;
		}
		tell_what_is_left_out(op, detail);
	}
	buf_char(&b, '`');
	/* Replays that are recorded need to know what was captured, when that was not. */
	if (op->dev && op->dev->capturing)
		ttp_message_always(b.at, b.len);
	else
		ttp_message(b.at, b.len);
}
