// SPDX-License-Identifier: Apache-2.0
/*
 * The compute engine of a tile: three units with a queue each, the banks of SrcA and SrcB between the
 * first two, the halves of Dst between the last two.  Registers are those of <ttp/tensix_macros.h>.
 */
#ifndef TTP_SIM_TENSIX_H
#define TTP_SIM_TENSIX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "ttp/tensix_macros.h"

enum { TILE_SIDE = 32, TILE_VALUES = TILE_SIDE * TILE_SIDE, TENSIX_ARGS = 6 };
enum tensix_unit_id { UNIT_UNPACK, UNIT_MATH, UNIT_PACK, UNITS };

/* Row-major, whatever it was in L1. */
struct values {
	float at[TILE_VALUES];
};

/* tensix_math.c: what operations do to values; loaded before the first of them. */
enum ttp_rc tensix_math_load(struct ttp_err *e) TTP_CHECKED;
bool math_is_op(uint32_t op);
bool math_takes_a(uint32_t op);
bool math_takes_b(uint32_t op);
void math_do(uint32_t op, const uint32_t *arg, struct values *dst, const struct values *a,
	     const struct values *b);
uint32_t tile_bytes(uint32_t format);
void tile_from_memory(struct values *to, const uint8_t *from, uint32_t format);
void tile_to_memory(uint8_t *to, const struct values *from, uint32_t format);

#endif /* TTP_SIM_TENSIX_H */
