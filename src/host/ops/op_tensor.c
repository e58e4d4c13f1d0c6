// SPDX-License-Identifier: Apache-2.0
/* Tensors as the ops report shows them: values, which refer to nothing. */
#include "host/ops/op.h"

#include <stdlib.h>

#include "host/api/guarded_calls.h"
#include "host/host_device.h"

enum { TILE_SIDE = 32, RANK_MAX = 64 };

const char *tensor_layout_text(const struct ttp_tensor *t)
{
	static const char *const names[] = { "ROW_MAJOR", "TILE", "CHANNELS_LAST" };

	return names[t->layout];
}

const char *tensor_dtype_text(const struct ttp_tensor *t)
{
	static const char *const names[] = { "BFLOAT16",  "FLOAT32", "UINT32", "BFLOAT8_B",
					     "BFLOAT4_B", "UINT8",   "UINT16", "INT32" };

	return names[t->dtype];
}

/* The last four dimensions; what stands before them goes into the first. */
static bool take_shape(uint64_t to[4], const uint32_t *shape, size_t rank)
{
	size_t extra = rank > 4 ? rank - 4 : 0;

	if ((!shape && rank) || rank > RANK_MAX) {
		host_failed("a shape of %zu dimensions: 0 to %d are possible", rank, RANK_MAX);
		return false;
	}
	for (size_t i = 0; i < 4; i++)
		to[i] = i + rank < 4 ? 1 : shape[i + rank - 4];
	for (size_t i = 0; i < extra; i++)
		to[0] *= shape[i];
	return true;
}

struct ttp_tensor *call_tensor_new(const struct ttp_buffer *buffer, const uint32_t *shape,
				   size_t rank, enum ttp_layout layout, enum ttp_dtype dtype)
{
	struct ttp_tensor t = { .layout = layout, .dtype = dtype, .device = -1 }, *made;

	if ((unsigned)layout > TTP_CHANNELS_LAST || (unsigned)dtype > TTP_INT32)
		return HOST_NONE("a tensor of layout %d and type %d: there are 0 to %d, and "
				 "0 to %d",
				 (int)layout, (int)dtype, TTP_CHANNELS_LAST, TTP_INT32);
	if (!take_shape(t.logical, shape, rank))
		return NULL;
	for (int i = 0; i < 4; i++) {
		uint64_t side = layout == TTP_TILE && i >= 2 ? TILE_SIDE : 1;

		t.padded[i] = (t.logical[i] + side - 1) / side * side;
	}
	if (buffer) {
		t.device = buffer->dev->id;
		t.where = buffer->where;
		(void)snprintf(t.memory_layout, sizeof(t.memory_layout), "%s",
			       buffer->sharded      ? "BLOCK_SHARDED"
			       : buffer->banks == 1 ? "SINGLE_BANK"
						    : "INTERLEAVED");
	}
	made = mem_alloc(1, sizeof(*made));
	*made = t;
	return made;
}

void ttp_tensor_free(struct ttp_tensor *t)
{
	free(t);
}

int call_tensor_padded(struct ttp_tensor *t, const uint32_t *shape, size_t rank)
{
	uint64_t padded[4];

	if (!t || !take_shape(padded, shape, rank))
		return -1;
	memcpy(t->padded, padded, sizeof(padded));
	return 0;
}

int call_tensor_memory_layout(struct ttp_tensor *t, const char *layout)
{
	if (!t)
		return -1;
	if (!layout || !*layout || strlen(layout) >= sizeof(t->memory_layout))
		return host_failed("a memory layout has 1 to %zu characters",
				   sizeof(t->memory_layout) - 1);
	(void)snprintf(t->memory_layout, sizeof(t->memory_layout), "%s", layout);
	return 0;
}
