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

struct bank_piece {
	uint64_t at, bytes;
};

struct bank_space {
	uint64_t first, end;
	bool from_end;
	VEC(struct bank_piece) taken; /* by address */
	uint64_t most_used;           /* bytes from the side that pieces are taken from */
};

void bank_space_init(struct bank_space *r, uint64_t first, uint64_t end, bool from_end);
/* A multiple of `align` (a power of two); false: there is no such piece left. */
bool bank_space_take(struct bank_space *r, uint64_t bytes, uint64_t align, uint64_t *at);
void bank_space_give(struct bank_space *r, uint64_t at);
/* The lowest address that is taken; `end` if none is. */
uint64_t bank_space_lowest(const struct bank_space *r);
void bank_space_release(struct bank_space *r);

#endif /* TTP_HOST_API_BANK_SPACE_H */
