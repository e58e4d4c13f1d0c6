// SPDX-License-Identifier: Apache-2.0
/*
 * A checkpoint: all that a run needs to go on as if it had not been interrupted.  Little-endian:
 *	"NANOGPT1"; uint32: batch, layers, width, heads, seq, vocabulary, steps done; uint64 seed;
 *	for each parameter, in the model's order: value and both moments, fp32, row by row;
 *	uint64: FNV-1a of all before it.
 */
#ifndef NANO_GPT_CHECKPOINT_H
#define NANO_GPT_CHECKPOINT_H

#include "model.h"

/* False if there is no such file; ends the program if it is another model's, or damaged. */
bool checkpoint_load(const char *path, const struct shape *s, uint64_t seed, struct parameter *list,
		     uint32_t *done);
/* The old one stays until the new one is whole. */
void checkpoint_save(const char *path, const struct shape *s, uint64_t seed,
		     const struct parameter *list, uint32_t done);

#endif /* NANO_GPT_CHECKPOINT_H */
