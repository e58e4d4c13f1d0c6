// SPDX-License-Identifier: Apache-2.0
/*
 * Any words are decoded as a core's buffer.  What comes out holds whatever went in: types are known,
 * never more markers than words, and times stay near each other.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "device/markers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t seen;

static void look(void *ctx, const struct device_marker *m)
{
	(void)ctx;
	seen++;
	if (m->type > MARKER_DATA_16B || m->risc != 2 ||
	    !marker_type_name((enum marker_type)m->type))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t n = size / 4;
	uint32_t *words = malloc(4 * n + 4);
	struct marker_decoder d = { .tile = { 1, 2 }, .risc = 2, .flat = 17 };
	struct account account = { 0 };

	if (!words)
		return 0;
	if (n)
		memcpy(words, data, 4 * n);
	if (markers_find_end(&d, words, n) > n)
		abort();
	seen = 0;
	markers_decode(&d, words, n, look, NULL, &account);
	if (seen > n || account_count(&account, ACCOUNT_MARKER_DAMAGED) != d.damaged_slots ||
	    d.damaged_slots > n + 4)
		abort();
	/* What was decoded once does not stop the next read. */
	markers_decode(&d, words, n, look, NULL, NULL);
	account_release(&account);
	free(words);
	return 0;
}
