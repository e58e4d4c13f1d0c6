// SPDX-License-Identifier: Apache-2.0
/* Ops, described call by call; what they mean is sent when they end. */
#include "host/ops/op.h"
#include "host/api/guarded_calls.h"
#include "host/host_device.h"

#include <stdlib.h>
#include <string.h>

#include "wire/tt_message.h"

enum { CODE_MAX = 1000, TENSORS_MAX = 4096, ATTRIBUTES_MAX = 4096 };

static const struct ttp_location locations[] = {
	[TTP_OP_DEVICE] = { TT_DEVICE_OP, "ttp_op_begin", __FILE__, __LINE__, 0 },
	[TTP_OP_CPU] = { TT_HOST_OP, "ttp_op_begin", __FILE__, __LINE__, 0 },
	[TTP_OP_FALLBACK] = { TT_FALL_BACK_OP, "ttp_op_begin", __FILE__, __LINE__, 0 },
};

static _Thread_local struct ttp_op *innermost;

struct ttp_op *ttp_op_current(void)
{
	return innermost;
}

uint32_t op_call_count(const struct ttp_op *op)
{
	return ttp_encode_program_id(op->base_id, op->device < 0 ? 0 : (uint32_t)op->device,
				     op->type == TTP_OP_FALLBACK);
}

uint32_t ttp_op_id(const struct ttp_op *op)
{
	return op ? op_call_count(op) : 0;
}

/* The code stands between quotes in the first line of a message, which is split at commas, and in back-ticks. */
static void take_code(struct buf *to, const char *code)
{
	size_t n = strlen(code);

	for (size_t i = 0; i < n && i < CODE_MAX; i++) {
		char c = code[i];

		buf_char(to, c == ','                 ? ';'
			     : c == '"' || c == '`'   ? '\''
			     : (unsigned char)c < ' ' ? ' '
						      : c);
	}
}

/* The program is anybody's again, and gets another id next time. */
static void let_go(struct ttp_op *op)
{
	if (op->program) {
		op->program->op = NULL;
		op->program->id_given = false;
	}
	op->program = NULL;
}

static void free_op(struct ttp_op *op)
{
	let_go(op);
	built_drop(op->built);
	vec_each (a, &op->attributes)
		RELEASE(mem, &a->name, &a->value);
	vec_each (k, &op->kernels)
		RELEASE(mem, &k->source, &k->name);
	RELEASE(vec, &op->attributes, &op->kernels, &op->inputs, &op->outputs, &op->input_bws,
		&op->calls, &op->output_bws);
	RELEASE(buf, &op->code, &op->meta, &op->strategy);
	free(op);
}

struct ttp_op *call_op_begin(const char *code, enum ttp_op_type type, struct ttp_dev *d)
{
	struct ttp_op *op;
	struct ttp_err e;

	if (!code || !*code || (unsigned)type > TTP_OP_FALLBACK)
		return HOST_NONE("an op needs a name and a type");
	if (type == TTP_OP_DEVICE && !d)
		return NULL;
	op = mem_zero(1, sizeof(*op));
	op->type = type;
	op->dev = type == TTP_OP_DEVICE ? d : NULL;
	op->device = op->dev ? d->id : -1;
	op->base_id = session_next_id();
	op->ideal_ns = op->compute_ns = op->bandwidth_ns = 1;
	take_code(&op->code, code);
	op->outer = innermost;
	if (op_folders_begin(op, &e)) {
		host_fail(&e);
		free_op(op);
		return NULL;
	}
	innermost = op;
	op_used();
	ttp_zone_begin(&locations[type]);
	return op;
}

static enum ttp_rc send_it(void *ctx, struct ttp_err *e)
{
	struct ttp_op *op = ctx;
	enum ttp_rc rc = op_folders_end(op, e);
	char text[32];
	int n = snprintf(text, sizeof(text), "id:%u", op_call_count(op));

	ttp_zone_text(text, (size_t)n);
	op_send(op);
	return rc;
}

int call_op_end(struct ttp_op *op)
{
	struct ttp_err e;
	enum ttp_rc rc;

	if (!op)
		return -1;
	if (op != innermost)
		return host_failed("op %s: %s", op->code.at,
				   innermost ? "ops end in reverse order, on the thread that began "
					       "them, and another one is open"
					     : "it was begun by another thread, or has ended");
	rc = host_guarded(send_it, op, &e);
	ttp_zone_end();
	innermost = op->outer;
	free_op(op);
	return rc ? host_fail(&e) : 0;
}

int call_op_program(struct ttp_op *op, struct ttp_program *p)
{
	if (!op || !p)
		return -1;
	if (p->dev != op->dev)
		return host_failed("op %s: its program is not of its device", op->code.at);
	if (op->program == p)
		return 0;
	if (op->program || op->built)
		return host_failed("op %s has a program already: begin an op for each",
				   op->code.at);
	if (p->op)
		return host_failed("op %s: its program belongs to op %s, which has not "
				   "ended",
				   op->code.at, p->op->code.at);
	if (p->id_given)
		op->base_id = p->id;
	p->id = op->base_id;
	p->id_given = true;
	p->op = op;
	op->program = p;
	return 0;
}

void op_take_program(struct ttp_program *p)
{
	struct ttp_op *op = innermost;

	if (op && !p->op && op->dev == p->dev && !op->program && !op->built)
		(void)ttp_op_program(op, p);
}

void op_program_built(struct ttp_program *p, bool compiled)
{
	struct ttp_op *op = p->op;
	struct built *b = p->built;

	if (!op)
		return;
	op->compiled |= compiled;
	if (!b->kernel_info.len)
		op_kernel_info(p, b);
	built_drop(op->built);
	op->built = built_take(b);
}

void op_program_gone(struct ttp_program *p)
{
	if (p->op)
		let_go(p->op);
}

int call_op_program_cache(struct ttp_op *op, uint64_t hash, bool hit)
{
	if (!op)
		return -1;
	op->cache_given = true;
	op->hash = hash;
	op->cache_hit = hit;
	return 0;
}

int call_op_kernel(struct ttp_op *op, const char *source, const char *name, int fidelity)
{
	if (!op)
		return -1;
	if (!source || !name || fidelity < 0 || fidelity > 4)
		return host_failed("op %s: a kernel has a source, a name, and a fidelity "
				   "of 0 to 4",
				   op->code.at);
	struct op_kernel k = { text_copy(source), text_copy(name), fidelity };

	*vec_push(&op->kernels) = k;
	return 0;
}

int call_op_attribute(struct ttp_op *op, const char *name, const char *value)
{
	if (!op)
		return -1;
	if (!name || !*name || !value)
		return host_failed("op %s: an attribute needs a name and a value", op->code.at);
	if (op->attributes.len >= ATTRIBUTES_MAX)
		return host_failed("op %s: more than %d attributes", op->code.at, ATTRIBUTES_MAX);
	vec_each (a, &op->attributes)
		if (!strcmp(a->name, name)) {
			char *copy = text_copy(value);

			free(a->value);
			a->value = copy;
			return 0;
		}
	struct op_attribute a = { text_copy(name), text_copy(value) };

	*vec_push(&op->attributes) = a;
	return 0;
}

int call_op_meta_data(struct ttp_op *op, const char *text)
{
	if (!op)
		return -1;
	if (!text)
		return host_failed("op %s: no text is given", op->code.at);
	if (op->meta.len)
		buf_text(&op->meta, "; ");
	buf_text(&op->meta, text);
	return 0;
}

static int add_tensor(struct ttp_op *op, tensor_vec *to, const char *what,
		      const struct ttp_tensor *t)
{
	if (to->len >= TENSORS_MAX)
		return host_failed("op %s: more than %d %s", op->code.at, TENSORS_MAX, what);
	*vec_push(to) = *t;
	return 0;
}

int call_op_input(struct ttp_op *op, const struct ttp_tensor *t)
{
	return op && t ? add_tensor(op, &op->inputs, "inputs", t) : -1;
}

int call_op_output(struct ttp_op *op, const struct ttp_tensor *t)
{
	return op && t ? add_tensor(op, &op->outputs, "outputs", t) : -1;
}

int call_op_parallelization(struct ttp_op *op, const char *strategy)
{
	if (!op)
		return -1;
	buf_set_str(&op->strategy, str_of(strategy ? strategy : ""));
	return 0;
}

int call_op_model(struct ttp_op *op, uint64_t ideal_ns, uint64_t compute_ns, uint64_t bandwidth_ns)
{
	if (!op)
		return -1;
	op->ideal_ns = ideal_ns;
	op->compute_ns = compute_ns;
	op->bandwidth_ns = bandwidth_ns;
	return 0;
}

int call_op_model_bandwidths(struct ttp_op *op, const double *inputs, size_t inputs_n,
			     const double *outputs, size_t outputs_n)
{
	if (!op)
		return -1;
	if ((inputs_n && !inputs) || (outputs_n && !outputs) || inputs_n > TENSORS_MAX ||
	    outputs_n > TENSORS_MAX)
		return host_failed("op %s: bandwidths of %zu inputs and %zu outputs", op->code.at,
				   inputs_n, outputs_n);
	vec_clear(&op->input_bws);
	vec_clear(&op->output_bws);
	vec_append(&op->input_bws, inputs, inputs_n);
	vec_append(&op->output_bws, outputs, outputs_n);
	return 0;
}
