// SPDX-License-Identifier: Apache-2.0
/*
 * A GPT as in GPT-2, without biases in its matrices: embedding, layers of attention and MLP, each behind a layernorm and
 * beside a residual, a last layernorm, logits.  Weights are kept in fp32 for the optimizer and in bf16 for all else.
 */
#ifndef NANO_GPT_MODEL_H
#define NANO_GPT_MODEL_H

#include "functions.h"

struct shape {
	uint32_t batch, layers, width, heads, sequence, vocabulary;
};

enum { MODEL_LAYERS = 64 };

struct parameter {
	char name[32];
	struct tensor *value;                   /* bf16 */
	struct tensor *master, *first, *second; /* fp32: the value, and AdamW's moments */
	struct tensor *gradient;
	bool decays;            /* matrices do, vectors do not */
	struct parameter *next; /* in the order of the checkpoint */
};

struct model;

/* NULL, or what is wrong with it. */
const char *shape_error(const struct shape *s);

struct model *model_new(struct ops *o, const struct shape *s, uint64_t seed);
void model_free(struct model *m);
struct parameter *model_parameters(struct model *m);
uint64_t model_values(const struct model *m); /* of all parameters */

/* batch x sequence tokens, and those that follow each of them. */
void model_load(struct model *m, const uint32_t *tokens, const uint32_t *right);
void model_forward(struct model *m);
float model_loss(struct model *m); /* waits */
void model_backward(struct model *m);
void model_optimize(struct model *m, const struct adamw *a, uint32_t step);
/* Ten marker ops, as tt-train's notebooks look for them, with the profiler read in their middle if `dump`. */
void model_marker(struct model *m, const char *identifier, bool dump);

#endif /* NANO_GPT_MODEL_H */
