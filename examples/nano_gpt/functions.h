// SPDX-License-Identifier: Apache-2.0
/*
 * What the model is made of, one op each.  Results come last; a tensor that is NULL is not wanted.  With ops_check() each
 * result is compared with the same calculation on the host.
 */
#ifndef NANO_GPT_FUNCTIONS_H
#define NANO_GPT_FUNCTIONS_H

#include "op.h"

/* A matrix, or a batch of them that are parts of one tensor: all distances in tiles. */
struct part {
	struct tensor *tensor;
	uint32_t first;                  /* tile */
	uint32_t high, wide;             /* of one matrix */
	uint32_t outer_step, inner_step; /* from matrix to matrix */
};

/* `batch` matrices, matrix i at i / inner * outer_step + i % inner * inner_step. */
struct matmul {
	struct part a, b, to;
	uint32_t batch, inner;
	bool a_turned, b_turned; /* transposed; high and wide are those of the tensor as it lies */
	const char *code;        /* NULL: MatmulDeviceOperation */
};

struct part whole(struct tensor *t);
void matmul_run(struct ops *o, const struct matmul *m);
/* to = a x b, either transposed or not */
void matmul(struct ops *o, struct tensor *a, bool a_turned, struct tensor *b, bool b_turned,
	    struct tensor *to);

void embedding(struct ops *o, struct tensor *tokens, struct tensor *table, struct tensor *places,
	       struct tensor *to);
void one_hot(struct ops *o, struct tensor *tokens, struct tensor *to);
void embedding_backward(struct ops *o, struct tensor *hot, struct tensor *behind,
			struct tensor *table_gradient);
/* Sums of `behind`'s groups of as many rows as `to` has. */
void sum_batches(struct ops *o, struct tensor *behind, struct tensor *to);

void add(struct ops *o, struct tensor *a, struct tensor *b, struct tensor *to);
void gelu(struct ops *o, struct tensor *x, struct tensor *to);
void gelu_backward(struct ops *o, struct tensor *behind, struct tensor *x, struct tensor *to);

void layernorm(struct ops *o, struct tensor *x, struct tensor *gamma, struct tensor *beta,
	       struct tensor *to, struct tensor *normal, struct tensor *inverse);
void layernorm_backward(struct ops *o, struct tensor *behind, struct tensor *normal,
			struct tensor *inverse, struct tensor *gamma, struct tensor *to,
			struct tensor *gamma_gradient, struct tensor *beta_gradient);

/* Rows of square matrices, one below the other; a value sees those before it. */
void softmax_causal(struct ops *o, struct tensor *scores, struct tensor *mask, float factor,
		    struct tensor *to);
void softmax_backward(struct ops *o, struct tensor *softmax, struct tensor *behind, float factor,
		      struct tensor *to);

/* A loss for each row. */
void cross_entropy(struct ops *o, struct tensor *logits, struct tensor *right, struct tensor *to);
void cross_entropy_backward(struct ops *o, struct tensor *logits, struct tensor *right,
			    float factor, struct tensor *to);

struct adamw {
	float rate, beta1, beta2, epsilon, decay;
};
void adamw(struct ops *o, const struct adamw *a, uint32_t step, struct tensor *weight,
	   struct tensor *first, struct tensor *second, struct tensor *gradient,
	   struct tensor *weight_bf16);

/* As often as that, an op that does nothing and shows up in reports with its identifier. */
void marker(struct ops *o, struct tensor *one, const char *identifier, uint32_t times);

/* From now on; how many results were compared so far, and how many of them were wrong. */
void ops_check(bool on);
void ops_checked(uint32_t *compared, uint32_t *wrong, float *largest_error);

#endif /* NANO_GPT_FUNCTIONS_H */
