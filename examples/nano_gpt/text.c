// SPDX-License-Identifier: Apache-2.0
#include "text.h"

#include <string.h>

#include "random.h"

static const char *const who[] = {
	"the reader", "the writer",    "a small core",   "the packer",
	"every tile", "one slow bank", "the next layer", "our profiler"
};
static const char *const does[] = { "waits for", "moves", "fills",    "counts",
				    "holds",     "sends", "asks for", "times" };
static const char *const what[] = { "a row of tiles",     "the second buffer",
				    "two thousand bytes", "all the weights",
				    "its neighbour",      "the last marker",
				    "half of the cycles", "nothing" };
static const char *const when[] = { "",
				    " in the morning",
				    " again",
				    " while the others sleep",
				    " on both networks",
				    " before the barrier",
				    " at last",
				    " without a word" };

/* Sentences, one after the other, always the same. */
static const char *text(void)
{
	static char all[TEXT_LENGTH + 128];
	struct random r;
	size_t n = 0;

	if (*all)
		return all;
	random_init(&r, 1);
	while (n < TEXT_LENGTH) {
		uint32_t pick[5];
		const char *words[7] = { [1] = " ", [3] = " " };

		for (int i = 0; i < 5; i++)
			pick[i] = (uint32_t)(random_next(&r) % 8);
		words[0] = who[pick[0]];
		words[2] = does[pick[1]];
		words[4] = what[pick[2]];
		words[5] = when[pick[3]];
		words[6] = pick[4] % 4 ? ". " : ".\n";

		for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
			size_t len = strlen(words[i]);

			memcpy(all + n, words[i], len);
			n += len;
		}
	}
	return all;
}

static uint32_t token(char c)
{
	return c == '\n' ? TEXT_VOCABULARY - 1 : (uint32_t)(c - ' ');
}

void text_batch(uint64_t seed, uint32_t step, uint32_t batch, uint32_t length, uint32_t *tokens,
		uint32_t *right)
{
	const char *from = text();
	struct random r;

	random_init(&r, seed ^ (uint64_t)step << 32);
	for (uint32_t b = 0; b < batch; b++) {
		uint64_t at = random_next(&r) % (TEXT_LENGTH - length - 1);

		for (uint32_t i = 0; i < length; i++) {
			*tokens++ = token(from[at + i]);
			*right++ = token(from[at + i + 1]);
		}
	}
}
