// SPDX-License-Identifier: Apache-2.0
#include "tensor.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fail(const char *format, ...)
{
	va_list list;

	va_start(list, format);
	fprintf(stderr, "error: ");
	vfprintf(stderr, format, list);
	fprintf(stderr, "\n");
	va_end(list);
	exit(1);
}

void must(int rc)
{
	if (rc)
		fail("%s", ttp_device_error());
}

static void *allocate(size_t bytes)
{
	void *p = calloc(1, bytes);

	if (!p)
		fail("out of memory: %zu bytes", bytes);
	return p;
}

uint32_t tensor_page_bytes(const struct tensor *t)
{
	return t->type == BF16 ? 2 * TILE_VALUES : t->type == FP32 ? 4 * TILE_VALUES : 4 * TILE;
}

uint32_t tensor_tiles(const struct tensor *t)
{
	return t->high * t->wide;
}

size_t tensor_bytes(const struct tensor *t)
{
	return (size_t)tensor_tiles(t) * tensor_page_bytes(t);
}

struct tensor *tensor_new(struct ttp_dev *dev, const char *name, uint32_t rows, uint32_t columns,
			  enum tensor_type type)
{
	struct tensor *t = allocate(sizeof(*t));

	t->name = name;
	t->type = type;
	t->rows = rows;
	t->columns = columns;
	t->high = (rows + TILE - 1) / TILE;
	t->wide = (columns + TILE - 1) / TILE;
	t->buffer = ttp_buffer_new(dev, TTP_DRAM, tensor_bytes(t), tensor_page_bytes(t));
	must(!t->buffer);
	return t;
}

void tensor_free(struct tensor *t)
{
	if (!t)
		return;
	ttp_buffer_free(t->buffer);
	free(t);
}

/* Where (row, column) is among the values of all tiles: four faces of 16 x 16 in each. */
static size_t place(const struct tensor *t, uint32_t row, uint32_t column)
{
	size_t tile = (size_t)row / TILE * t->wide + column / TILE;
	uint32_t r = row % TILE, c = column % TILE;

	return tile * TILE_VALUES + (r / 16 * 2 + c / 16) * 256 + r % 16 * 16 + c % 16;
}

static uint16_t to_bf16(float f)
{
	uint32_t bits;

	memcpy(&bits, &f, 4);
	return (uint16_t)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

static float from_bf16(uint16_t half)
{
	uint32_t bits = (uint32_t)half << 16;
	float f;

	memcpy(&f, &bits, 4);
	return f;
}

void tensor_write(struct tensor *t, const float *values)
{
	uint8_t *raw = allocate(tensor_bytes(t));

	for (uint32_t r = 0; r < t->rows; r++)
		for (uint32_t c = 0; c < t->columns; c++) {
			float f = values[(size_t)r * t->columns + c];
			uint16_t half = to_bf16(f);

			if (t->type == FP32)
				memcpy(raw + 4 * place(t, r, c), &f, 4);
			else
				memcpy(raw + 2 * place(t, r, c), &half, 2);
		}
	must(ttp_buffer_write(t->buffer, 0, raw, tensor_bytes(t)));
	free(raw);
}

float *tensor_read(const struct tensor *t)
{
	uint8_t *raw = allocate(tensor_bytes(t));
	float *values = allocate((size_t)t->rows * t->columns * sizeof(float));

	must(ttp_buffer_read(t->buffer, 0, raw, tensor_bytes(t)));
	for (uint32_t r = 0; r < t->rows; r++)
		for (uint32_t c = 0; c < t->columns; c++) {
			float *to = &values[(size_t)r * t->columns + c];
			uint16_t half;

			if (t->type == FP32) {
				memcpy(to, raw + 4 * place(t, r, c), 4);
			} else {
				memcpy(&half, raw + 2 * place(t, r, c), 2);
				*to = from_bf16(half);
			}
		}
	free(raw);
	return values;
}

void tensor_write_tokens(struct tensor *t, const uint32_t *tokens)
{
	must(ttp_buffer_write(t->buffer, 0, tokens, (size_t)t->rows * 4));
}
