// SPDX-License-Identifier: Apache-2.0
/*
 * Values of compute: fp32 throughout, bf16 rounded to nearest even when it is packed.  The fidelity of a product
 * costs time but changes no value, and fp32 keeps all its bits in SrcA and SrcB: the chip is less exact.
 */
#include <math.h>
#include <string.h>

#include "base/late.h"
#include "sim/tensix.h"

/* ttprof has the chip in it for `ttprof doctor` alone: its other commands start without libm. */
#define LIBM_LIST(X) X(, expf) X(, logf) X(, tanhf) X(, erff)
LATE_LIBRARY(libm, LIBM_LIST)

enum ttp_rc tensix_math_load(struct ttp_err *e)
{
	return LATE_LOAD(libm, "libm.so.6", "libc6", e);
}

uint32_t tile_bytes(uint32_t format)
{
	return TILE_VALUES * (format == TTP_TILE_FP32 ? 4u : 2u);
}

/* Where row r, column c is in memory: four faces of 16 x 16. */
static unsigned face_index(unsigned r, unsigned c)
{
	return (r / 16 * 2 + c / 16) * 256 + r % 16 * 16 + c % 16;
}

void tile_from_memory(struct values *to, const uint8_t *from, uint32_t format)
{
	for (unsigned r = 0; r < TILE_SIDE; r++)
		for (unsigned c = 0; c < TILE_SIDE; c++) {
			size_t i = face_index(r, c);
			uint32_t bits;
			uint16_t half;

			if (format == TTP_TILE_FP32) {
				memcpy(&bits, from + i * 4, 4);
			} else {
				memcpy(&half, from + i * 2, 2);
				bits = (uint32_t)half << 16;
			}
			memcpy(&to->at[r * TILE_SIDE + c], &bits, 4);
		}
}

static uint16_t to_bf16(uint32_t bits)
{
	if ((bits & 0x7FFFFFFFu) > 0x7F800000u)
		return (uint16_t)(bits >> 16 | 0x40); /* not a number stays one */
	return (uint16_t)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

void tile_to_memory(uint8_t *to, const struct values *from, uint32_t format)
{
	for (unsigned r = 0; r < TILE_SIDE; r++)
		for (unsigned c = 0; c < TILE_SIDE; c++) {
			size_t i = face_index(r, c);
			uint32_t bits;
			uint16_t half;

			memcpy(&bits, &from->at[r * TILE_SIDE + c], 4);
			if (format == TTP_TILE_FP32) {
				memcpy(to + i * 4, &bits, 4);
			} else {
				half = to_bf16(bits);
				memcpy(to + i * 2, &half, 2);
			}
		}
}

bool math_is_op(uint32_t op)
{
	return (op >= TTP_TENSIX_MATMUL && op <= TTP_TENSIX_ZERO) || op == TTP_TENSIX_SFPU ||
	       op == TTP_TENSIX_SFPU_BINARY;
}

bool math_takes_a(uint32_t op)
{
	return op >= TTP_TENSIX_MATMUL && op <= TTP_TENSIX_TRANSPOSE;
}

bool math_takes_b(uint32_t op)
{
	return math_takes_a(op) && op != TTP_TENSIX_COPY && op != TTP_TENSIX_TRANSPOSE;
}

static void matmul(float *restrict dst, const float *restrict a, const float *restrict b)
{
	for (int r = 0; r < TILE_SIDE; r++)
		for (int k = 0; k < TILE_SIDE; k++) {
			float v = a[r * TILE_SIDE + k];

			for (int c = 0; c < TILE_SIDE; c++)
				dst[r * TILE_SIDE + c] += v * b[k * TILE_SIDE + c];
		}
}

static void transpose(float *restrict to, const float *restrict from)
{
	for (int r = 0; r < TILE_SIDE; r++)
		for (int c = 0; c < TILE_SIDE; c++)
			to[c * TILE_SIDE + r] = from[r * TILE_SIDE + c];
}

/* The element of B that belongs to row r, column c. */
static float of_b(uint32_t op, const float *b, int r, int c)
{
	switch (op) {
	case TTP_TENSIX_BCAST_ADD_ROW:
	case TTP_TENSIX_BCAST_MUL_ROW:
		return b[c];
	case TTP_TENSIX_BCAST_ADD_COL:
	case TTP_TENSIX_BCAST_SUB_COL:
	case TTP_TENSIX_BCAST_MUL_COL:
		return b[(size_t)r * TILE_SIDE];
	case TTP_TENSIX_BCAST_MUL_SCALAR:
		return b[0];
	default:
		return b[r * TILE_SIDE + c];
	}
}

static void elementwise(uint32_t op, float *dst, const float *a, const float *b)
{
	for (int r = 0; r < TILE_SIDE; r++)
		for (int c = 0; c < TILE_SIDE; c++) {
			float x = a[r * TILE_SIDE + c], y = of_b(op, b, r, c),
			      *to = &dst[r * TILE_SIDE + c];

			switch (op) {
			case TTP_TENSIX_ADD:
			case TTP_TENSIX_BCAST_ADD_ROW:
			case TTP_TENSIX_BCAST_ADD_COL:
				*to = x + y;
				break;
			case TTP_TENSIX_SUB:
			case TTP_TENSIX_BCAST_SUB_COL:
				*to = x - y;
				break;
			default:
				*to = x * y;
				break;
			}
		}
}

static void reduce(uint32_t op, float *dst, const float *a, float scale)
{
	for (int i = 0; i < TILE_SIDE; i++) {
		float *to = op == TTP_TENSIX_REDUCE_SUM_COL ? &dst[i] : &dst[(size_t)i * TILE_SIDE];
		float sum = 0;

		for (int j = 0; j < TILE_SIDE; j++) {
			float v = (op == TTP_TENSIX_REDUCE_SUM_COL ? a[j * TILE_SIDE + i]
								   : a[i * TILE_SIDE + j]) *
				  scale;

			if (op == TTP_TENSIX_REDUCE_MAX_ROW)
				*to = v > *to ? v : *to;
			else
				sum += v;
		}
		if (op != TTP_TENSIX_REDUCE_MAX_ROW)
			*to += sum;
	}
}

static float gelu(float x)
{
	return 0.5f * x * (1 + libm.erff(x * 0.70710678f));
}

static float gelu_derivative(float x)
{
	return 0.5f * (1 + libm.erff(x * 0.70710678f)) + x * 0.39894228f * libm.expf(-0.5f * x * x);
}

static float sfpu(uint32_t f, float x, float parameter)
{
	switch ((enum ttp_sfpu)f) {
	case TTP_SFPU_EXP:
		return libm.expf(x);
	case TTP_SFPU_LOG:
		return libm.logf(x);
	case TTP_SFPU_RECIP:
		return 1 / x;
	case TTP_SFPU_SQRT:
		return sqrtf(x);
	case TTP_SFPU_RSQRT:
		return 1 / sqrtf(x);
	case TTP_SFPU_RELU:
		return x > 0 ? x : 0;
	case TTP_SFPU_GELU:
		return gelu(x);
	case TTP_SFPU_GELU_DERIVATIVE:
		return gelu_derivative(x);
	case TTP_SFPU_TANH:
		return libm.tanhf(x);
	case TTP_SFPU_SIGMOID:
		return 1 / (1 + libm.expf(-x));
	case TTP_SFPU_SQUARE:
		return x * x;
	case TTP_SFPU_NEGATE:
		return -x;
	case TTP_SFPU_ABS:
		return fabsf(x);
	case TTP_SFPU_ADD_SCALAR:
		return x + parameter;
	case TTP_SFPU_MUL_SCALAR:
		return x * parameter;
	case TTP_SFPU_CLAMP_MIN:
		return x < parameter ? parameter : x;
	}
	return x;
}

static float sfpu_binary(uint32_t f, float x, float y)
{
	switch ((enum ttp_sfpu_binary)f) {
	case TTP_SFPU_BINARY_ADD:
		return x + y;
	case TTP_SFPU_BINARY_SUB:
		return x - y;
	case TTP_SFPU_BINARY_MUL:
		return x * y;
	case TTP_SFPU_BINARY_DIV:
		return x / y;
	case TTP_SFPU_BINARY_MAX:
		return x > y ? x : y;
	}
	return x;
}

/* `dst` is the half in use; arg[0] picks the tile.  Arguments have been checked. */
void math_do(uint32_t op, const uint32_t *arg, struct values *dst, const struct values *a,
	     const struct values *b)
{
	float *to = dst[arg[0]].at, parameter;
	struct values turned;

	switch ((enum ttp_tensix_op)op) {
	case TTP_TENSIX_MATMUL:
		if (arg[2])
			transpose(turned.at, b->at);
		matmul(to, a->at, arg[2] ? turned.at : b->at);
		break;
	case TTP_TENSIX_COPY:
		memcpy(to, a->at, sizeof(a->at));
		break;
	case TTP_TENSIX_TRANSPOSE:
		transpose(to, a->at);
		break;
	case TTP_TENSIX_ZERO:
		memset(to, 0, sizeof(dst->at));
		break;
	case TTP_TENSIX_REDUCE_SUM_ROW:
	case TTP_TENSIX_REDUCE_MAX_ROW:
	case TTP_TENSIX_REDUCE_SUM_COL:
		reduce(op, to, a->at, b->at[0]);
		break;
	case TTP_TENSIX_SFPU:
		memcpy(&parameter, &arg[2], 4);
		for (int i = 0; i < TILE_VALUES; i++)
			to[i] = sfpu(arg[1], to[i], parameter);
		break;
	case TTP_TENSIX_SFPU_BINARY:
		for (int i = 0; i < TILE_VALUES; i++)
			to[i] = sfpu_binary(arg[2], to[i], dst[arg[1]].at[i]);
		break;
	default:
		elementwise(op, to, a->at, b->at);
		break;
	}
}
