// SPDX-License-Identifier: Apache-2.0
/*
 * Tensors in DRAM: matrices of tiles of 32 x 32, bf16 or fp32, one page per tile, row by row of tiles.  More dimensions
 * are rows: a batch of texts is texts x positions rows, heads are groups of columns.
 */
#ifndef NANO_GPT_TENSOR_H
#define NANO_GPT_TENSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ttp/device.h>

enum { TILE = 32, TILE_VALUES = TILE * TILE };

enum tensor_type { BF16, FP32, TOKENS }; /* TOKENS: uint32_t, 32 to a page, no tiles */

struct tensor {
	const char *name;
	struct ttp_buffer *buffer;
	enum tensor_type type;
	uint32_t rows, columns; /* of values; what is missing to whole tiles is 0 */
	uint32_t high, wide;    /* of tiles */
	struct tensor *next;    /* for lists of their owner */
};

/* Ends the program with a line on stderr: "error: ". */
void fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
/* The same, if a call of libttpdev returned something else than 0. */
void must(int rc);

struct tensor *tensor_new(struct ttp_dev *dev, const char *name, uint32_t rows, uint32_t columns,
			  enum tensor_type type);
void tensor_free(struct tensor *t);
uint32_t tensor_page_bytes(const struct tensor *t);
size_t tensor_bytes(const struct tensor *t);
uint32_t tensor_tiles(const struct tensor *t);

/* Values row by row, rows x columns of them. */
void tensor_write(struct tensor *t, const float *values);
float *tensor_read(const struct tensor *t); /* the caller frees it */
void tensor_write_tokens(struct tensor *t, const uint32_t *tokens);

#endif /* NANO_GPT_TENSOR_H */
