// SPDX-License-Identifier: Apache-2.0
#include "functions.h"

#include <math.h>
#include <stdio.h>

#include "reference.h"

static uint32_t address(const struct tensor *t)
{
	return ttp_buffer_address(t->buffer);
}

/* ---- embedding ---- */

void embedding(struct ops *o, struct tensor *tokens, struct tensor *table, struct tensor *places,
	       struct tensor *to)
{
	struct op op = { .code = "EmbeddingsDeviceOperation",
			 .reader = "embedding_read.c",
			 .compute = "eltwise.c",
			 .define = "OP",
			 .value = "ADD",
			 .units = tensor_tiles(to) };

	op_in(&op, table, 0, 1, 1, 0);
	op_in(&op, places, 1, 1, 1, 0);
	op_in_once(&op, tokens, 2, 1);
	op_out(&op, to, 16, 1, 1, 0);
	op_word(&op.read_args, address(tokens));
	op_word(&op.read_args, address(table));
	op_word(&op.read_args, address(places));
	op_word(&op.read_args, to->wide);
	op_word(&op.read_args, places->high);
	op_run(o, &op);
	reference_embedding(tokens, table, places, to);
}

void one_hot(struct ops *o, struct tensor *tokens, struct tensor *to)
{
	struct op op = { .code = "ScatterDeviceOperation",
			 .reader = "",
			 .writer = "one_hot.c",
			 .units = tensor_tiles(to) };

	op_in_once(&op, tokens, 2, 1);
	op_out(&op, to, 16, 1, 1, 0);
	op_word(&op.write_args, address(tokens));
	op_word(&op.write_args, address(to));
	op_word(&op.write_args, to->wide);
	op_run(o, &op);
	reference_one_hot(tokens, to);
}

void embedding_backward(struct ops *o, struct tensor *hot, struct tensor *behind,
			struct tensor *table_gradient)
{
	struct matmul m = { .a = whole(hot),
			    .b = whole(behind),
			    .to = whole(table_gradient),
			    .batch = 1,
			    .inner = 1,
			    .a_turned = true,
			    .code = "EmbeddingBackwardDeviceOperation" };

	matmul_run(o, &m);
}

void sum_batches(struct ops *o, struct tensor *behind, struct tensor *to)
{
	struct op op = { .code = "FastReduceNCDeviceOperation",
			 .compute = "sum_batches.c",
			 .units = tensor_tiles(to) };
	uint32_t batches = behind->high / to->high;

	op_in(&op, behind, 0, batches, 1, tensor_tiles(to));
	op_out(&op, to, 16, 1, 1, 0);
	op_word(&op.compute_args, batches);
	op_run(o, &op);
	reference_sum_batches(behind, to);
}

/* ---- tile by tile ---- */

static void eltwise(struct ops *o, const char *code, const char *attribute, const char *what,
		    struct tensor *a, struct tensor *b, struct tensor *to)
{
	struct op op = { .code = code,
			 .compute = "eltwise.c",
			 .define = "OP",
			 .value = what,
			 .units = tensor_tiles(to) };

	op_in(&op, a, 0, 1, 1, 0);
	if (b)
		op_in(&op, b, 1, 1, 1, 0);
	op_out(&op, to, 16, 1, 1, 0);
	op_attribute(&op, attribute, "%s::%s", b ? "BinaryOpType" : "UnaryOpType", what);
	op_run(o, &op);
}

void add(struct ops *o, struct tensor *a, struct tensor *b, struct tensor *to)
{
	eltwise(o, "BinaryNgDeviceOperation", "binary_op_type", "ADD", a, b, to);
	reference_add(a, b, to);
}

void gelu(struct ops *o, struct tensor *x, struct tensor *to)
{
	eltwise(o, "UnaryDeviceOperation", "op_chain", "GELU", x, NULL, to);
	reference_gelu(x, to);
}

void gelu_backward(struct ops *o, struct tensor *behind, struct tensor *x, struct tensor *to)
{
	eltwise(o, "GeluBackwardDeviceOperation", "binary_op_type", "GELU_BACKWARD", behind, x, to);
	reference_gelu_backward(behind, x, to);
}

/* ---- rows ---- */

void layernorm(struct ops *o, struct tensor *x, struct tensor *gamma, struct tensor *beta,
	       struct tensor *to, struct tensor *normal, struct tensor *inverse)
{
	struct op op = { .code = "LayerNormDeviceOperation",
			 .compute = "layernorm.c",
			 .units = x->high,
			 .scale_cb = 3,
			 .scale = 1.0f / (float)x->columns };
	uint32_t wide = x->wide;

	op_in(&op, x, 0, wide, wide, 1);
	op_in_once(&op, gamma, 1, wide);
	op_in_once(&op, beta, 2, wide);
	op_out(&op, to, 16, wide, wide, 1);
	op_out(&op, normal, 17, wide, wide, 1);
	op_out(&op, inverse, 18, 1, 1, 0);
	for (uint32_t cb = 24; cb < 30; cb++)
		op_local(&op, cb, cb == 24 || cb == 27 ? 1 : wide);
	op_word(&op.compute_args, wide);
	op_float(&op.compute_args, LAYERNORM_EPSILON);
	op_attribute(&op, "norm_type", "LayerNormType::LAYERNORM");
	op_attribute(&op, "eps", "%g", (double)LAYERNORM_EPSILON);
	op_run(o, &op);
	reference_layernorm(x, gamma, beta, to, normal, inverse);
}

void layernorm_backward(struct ops *o, struct tensor *behind, struct tensor *normal,
			struct tensor *inverse, struct tensor *gamma, struct tensor *to,
			struct tensor *gamma_gradient, struct tensor *beta_gradient)
{
	struct op input = { .code = "MorehLayerNormBackwardInputGradOperation",
			    .compute = "layernorm_backward.c",
			    .units = to->high,
			    .scale_cb = 4,
			    .scale = 1.0f / (float)to->columns };
	struct op parameters = { .code = "MorehLayerNormBackwardGammaBetaGradOperation",
				 .compute = "layernorm_parameters.c",
				 .units = to->wide,
				 .scale_cb = 2,
				 .scale = 1 };
	uint32_t wide = to->wide, high = to->high;

	op_in(&input, behind, 0, wide, wide, 1);
	op_in(&input, normal, 1, wide, wide, 1);
	op_in(&input, inverse, 2, 1, 1, 0);
	op_in_once(&input, gamma, 3, wide);
	op_out(&input, to, 16, wide, wide, 1);
	for (uint32_t cb = 24; cb < 29; cb++)
		op_local(&input, cb, cb == 25 || cb == 27 ? 1 : wide);
	op_word(&input.compute_args, wide);
	op_run(o, &input);

	op_in(&parameters, behind, 0, high, 1, wide);
	op_in(&parameters, normal, 1, high, 1, wide);
	op_out(&parameters, gamma_gradient, 16, 1, 1, 0);
	op_out(&parameters, beta_gradient, 17, 1, 1, 0);
	op_local(&parameters, 24, high);
	op_word(&parameters.compute_args, high);
	op_run(o, &parameters);
	reference_layernorm_backward(behind, normal, inverse, gamma, to, gamma_gradient,
				     beta_gradient);
}

void softmax_causal(struct ops *o, struct tensor *scores, struct tensor *mask, float factor,
		    struct tensor *to)
{
	struct op op = { .code = "SoftmaxDeviceOperation",
			 .compute = "softmax.c",
			 .units = scores->high,
			 .scale_cb = 2,
			 .scale = 1 };
	uint32_t wide = scores->wide;

	op_in(&op, scores, 0, wide, wide, 1);
	op_in_once(&op, mask, 1, 1);
	op_out(&op, to, 16, wide, wide, 1);
	for (uint32_t cb = 24; cb < 28; cb++)
		op_local(&op, cb, cb == 25 || cb == 27 ? 1 : wide);
	op_word(&op.compute_args, wide);
	op_float(&op.compute_args, factor);
	op_attribute(&op, "scale", "%g", (double)factor);
	op_attribute(&op, "is_causal_mask", "true");
	op_run(o, &op);
	reference_softmax_causal(scores, factor, to);
}

void softmax_backward(struct ops *o, struct tensor *softmax, struct tensor *behind, float factor,
		      struct tensor *to)
{
	struct op op = { .code = "MorehSoftmaxBackwardOperation",
			 .compute = "softmax_backward.c",
			 .units = softmax->high,
			 .scale_cb = 2,
			 .scale = 1 };
	uint32_t wide = softmax->wide;

	op_in(&op, softmax, 0, wide, wide, 1);
	op_in(&op, behind, 1, wide, wide, 1);
	op_out(&op, to, 16, wide, wide, 1);
	op_local(&op, 24, wide);
	op_local(&op, 25, 1);
	op_local(&op, 26, wide);
	op_word(&op.compute_args, wide);
	op_float(&op.compute_args, factor);
	op_run(o, &op);
	reference_softmax_backward(softmax, behind, factor, to);
}

static void cross_entropy_either(struct ops *o, bool backward, struct tensor *logits,
				 struct tensor *right, float factor, struct tensor *to)
{
	struct op op = { .code = backward ? "CrossEntropyBackwardDeviceOperation"
					  : "CrossEntropyForwardDeviceOperation",
			 .compute = "cross_entropy.c",
			 .define = backward ? "BACKWARD" : NULL,
			 .units = logits->high,
			 .scale_cb = 2,
			 .scale = 1 };
	uint32_t wide = logits->wide;

	op_in(&op, logits, 0, wide, wide, 1);
	op_in(&op, right, 1, wide, wide, 1);
	op_out(&op, to, 16, to->wide, to->wide, 1);
	for (uint32_t cb = 24; cb < 29; cb++)
		op_local(&op, cb, cb == 25 || cb == 27 ? wide : 1);
	op_word(&op.compute_args, wide);
	op_float(&op.compute_args, factor);
	op_run(o, &op);
}

void cross_entropy(struct ops *o, struct tensor *logits, struct tensor *right, struct tensor *to)
{
	cross_entropy_either(o, false, logits, right, 1, to);
	reference_cross_entropy(logits, right, to);
}

void cross_entropy_backward(struct ops *o, struct tensor *logits, struct tensor *right,
			    float factor, struct tensor *to)
{
	cross_entropy_either(o, true, logits, right, factor, to);
	reference_cross_entropy_backward(logits, right, factor, to);
}

/* ---- optimizer ---- */

void adamw(struct ops *o, const struct adamw *a, uint32_t step, struct tensor *weight,
	   struct tensor *first, struct tensor *second, struct tensor *gradient,
	   struct tensor *weight_bf16)
{
	struct op op = { .code = "MorehAdamWDeviceOperation",
			 .compute = "adamw.c",
			 .units = tensor_tiles(weight) };
	float right1 = 1 - powf(a->beta1, (float)step), right2 = 1 - powf(a->beta2, (float)step);
	struct tensor *in[] = { weight, first, second, gradient };
	struct tensor *out[] = { weight, first, second, weight_bf16 };

	reference_adamw_before(weight, first, second, gradient);
	for (uint32_t i = 0; i < 4; i++) {
		op_in(&op, in[i], i, 1, 1, 0);
		op_out(&op, out[i], 16 + i, 1, 1, 0);
	}
	op_float(&op.compute_args, a->beta1);
	op_float(&op.compute_args, 1 - a->beta1);
	op_float(&op.compute_args, a->beta2);
	op_float(&op.compute_args, 1 - a->beta2);
	op_float(&op.compute_args, 1 / right2);
	op_float(&op.compute_args, a->epsilon);
	op_float(&op.compute_args, a->rate / right1);
	op_float(&op.compute_args, 1 - a->rate * a->decay);
	op_attribute(&op, "lr", "%g", (double)a->rate);
	op_attribute(&op, "beta1", "%g", (double)a->beta1);
	op_attribute(&op, "beta2", "%g", (double)a->beta2);
	op_attribute(&op, "weight_decay", "%g", (double)a->decay);
	op_run(o, &op);
	reference_adamw_after(a, step, weight, first, second, weight_bf16);
}

/* ---- markers ---- */

void marker(struct ops *o, struct tensor *one, const char *identifier, uint32_t times)
{
	for (uint32_t i = 0; i < times; i++) {
		struct op op = { .code = "ProfilerNoopOperation",
				 .reader = "",
				 .writer = "noop.c",
				 .units = 1 };

		op_in_once(&op, one, 0, 1);
		op_out(&op, one, 16, 1, 1, 0);
		op_attribute(&op, "identifier", "%s", identifier);
		op_run(o, &op);
	}
}
