// SPDX-License-Identifier: Apache-2.0
/*
 * Which addresses of a memory are taken; the same for all banks of a kind.  Pieces are given out from
 * the lowest or from the highest address, first fit, and can be given back.
 */
#ifndef TTP_HOST_API_BANK_SPACE_H
#define TTP_HOST_API_BANK_SPACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct room_piece {
	uint64_t at, bytes;
};

struct room {
	uint64_t first, end;
	bool from_end;
	VEC(struct room_piece) taken; /* by address */
	uint64_t most_used;           /* bytes from the side that pieces are taken from */
};

void room_init(struct room *r, uint64_t first, uint64_t end, bool from_end);
/* A multiple of `align` (a power of two); false: there is no such piece left. */
bool room_take(struct room *r, uint64_t bytes, uint64_t align, uint64_t *at);
void room_give(struct room *r, uint64_t at);
/* The lowest address that is taken; `end` if none is. */
uint64_t room_lowest(const struct room *r);
void room_release(struct room *r);

#endif /* TTP_HOST_API_BANK_SPACE_H */
