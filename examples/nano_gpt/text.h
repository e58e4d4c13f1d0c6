// SPDX-License-Identifier: Apache-2.0
/*
 * What is learnt: sentences about a chip.  A token is a character, 0 .. 95: the printable ones of ASCII and the end
 * of a line.
 */
#ifndef NANO_GPT_TEXT_H
#define NANO_GPT_TEXT_H

#include <stdint.h>

enum { TEXT_VOCABULARY = 96, TEXT_LENGTH = 16384 };

/*
 * `batch` pieces of `length` tokens for this step, and for each token the one behind it.  The same for the same seed
 * and step.
 */
void text_batch(uint64_t seed, uint32_t step, uint32_t batch, uint32_t length, uint32_t *tokens,
		uint32_t *right);

#endif /* NANO_GPT_TEXT_H */
