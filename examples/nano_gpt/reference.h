// SPDX-License-Identifier: Apache-2.0
/*
 * The same calculations on the host, in double precision, from what the op was given.  Each function reads the op's tensors
 * back and compares; nothing happens unless ops_check(true) was called.
 */
#ifndef NANO_GPT_REFERENCE_H
#define NANO_GPT_REFERENCE_H

#include "functions.h"

#define LAYERNORM_EPSILON 1e-5f

void reference_matmul(const struct matmul *m);
void reference_embedding(struct tensor *tokens, struct tensor *table, struct tensor *places,
			 struct tensor *to);
void reference_one_hot(struct tensor *tokens, struct tensor *to);
void reference_sum_batches(struct tensor *behind, struct tensor *to);
void reference_add(struct tensor *a, struct tensor *b, struct tensor *to);
void reference_gelu(struct tensor *x, struct tensor *to);
void reference_gelu_backward(struct tensor *behind, struct tensor *x, struct tensor *to);
void reference_layernorm(struct tensor *x, struct tensor *gamma, struct tensor *beta,
			 struct tensor *to, struct tensor *normal, struct tensor *inverse);
void reference_layernorm_backward(struct tensor *behind, struct tensor *normal,
				  struct tensor *inverse, struct tensor *gamma, struct tensor *to,
				  struct tensor *gamma_gradient, struct tensor *beta_gradient);
void reference_softmax_causal(struct tensor *scores, float factor, struct tensor *to);
void reference_softmax_backward(struct tensor *softmax, struct tensor *behind, float factor,
				struct tensor *to);
void reference_cross_entropy(struct tensor *logits, struct tensor *right, struct tensor *to);
void reference_cross_entropy_backward(struct tensor *logits, struct tensor *right, float factor,
				      struct tensor *to);
/* It works in place, so what it was given is kept before. */
void reference_adamw_before(struct tensor *weight, struct tensor *first, struct tensor *second,
			    struct tensor *gradient);
void reference_adamw_after(const struct adamw *a, uint32_t step, struct tensor *weight,
			   struct tensor *first, struct tensor *second, struct tensor *weight_bf16);

#endif /* NANO_GPT_REFERENCE_H */
