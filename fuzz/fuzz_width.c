// SPDX-License-Identifier: Apache-2.0
/* Any bytes can be measured, cut and cleaned; the first byte says to how many columns. */
#include <stdint.h>
#include <stdlib.h>

#include "base/width.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool truth)
{
	if (!truth)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf b = { 0 };
	struct str s;
	size_t max;

	if (!size)
		return 0;
	max = data[0];
	s = str_n((const char *)data + 1, size - 1);

	width_cut(&b, s, max, true);
	must(width_text(buf_view(&b)) <= max);
	must(width_text(s) > max || str_eq(buf_view(&b), s));
	buf_clear(&b);
	width_cut(&b, s, max, false);
	must(width_text(buf_view(&b)) <= max);
	buf_clear(&b);
	width_pad(&b, s, max, WIDTH_RIGHT);
	must(width_text(buf_view(&b)) >= width_text(s));
	buf_clear(&b);
	width_clean(&b, s);
	must(str_is_utf8(buf_view(&b)));
	for (size_t i = 0; i < b.len; i++)
		must((unsigned char)b.at[i] >= ' ' && b.at[i] != 0x7f);
	buf_clear(&b);
	width_ascii(&b, s);
	for (size_t i = 0; i < b.len; i++)
		must((unsigned char)b.at[i] < 0x80);
	buf_release(&b);
	return 0;
}
