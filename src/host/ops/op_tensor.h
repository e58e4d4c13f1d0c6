// SPDX-License-Identifier: Apache-2.0
#ifndef TTP_HOST_OPS_OP_TENSOR_H
#define TTP_HOST_OPS_OP_TENSOR_H

#include <stdint.h>

#include <ttp/ops.h>

/* No pointers in it: a copy is a tensor, too. */
struct ttp_tensor {
	uint64_t logical[4], padded[4]; /* W, Z, Y, X */
	enum ttp_layout layout;
	enum ttp_dtype dtype;
	int device; /* -1: on the host */
	enum ttp_memory where;
	char memory_layout[24];
};

const char *tensor_layout_text(const struct ttp_tensor *t);
const char *tensor_dtype_text(const struct ttp_tensor *t);

#endif /* TTP_HOST_OPS_OP_TENSOR_H */
