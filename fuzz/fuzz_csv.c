// SPDX-License-Identifier: Apache-2.0
/* Any bytes: the reader agrees with the simple one, and what is written is read again alike. */
#include <stdint.h>
#include <stdlib.h>

#include "../tests/unit/reference_csv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool truth)
{
	if (!truth)
		abort();
}

static void copy(struct str data, struct buf *to)
{
	struct csv_writer w = { .out = to, .eol = "\n" };
	struct csv_reader r;

	csv_field(&w, STR("header"));
	csv_end_row(&w);
	csv_reader_init(&r, data);
	while (csv_next(&r)) {
		csv_field(&w, STR("row")); /* a row of one blank field would be a blank line */
		for (size_t i = 0; i < r.fields; i++)
			csv_field(&w, r.field[i]);
		csv_end_row(&w);
	}
	csv_reader_release(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct reference_csv want;
	struct str text = str_n((const char *)data, size);
	struct csv_reader r, again;
	struct buf b = { 0 };

	must(!reference_compare(&want, text));
	copy(text, &b);
	csv_reader_init(&r, text);
	csv_reader_init(&again, buf_view(&b));
	must(csv_next(&again));
	while (csv_next(&r)) {
		must(csv_next(&again));
		must(again.fields == r.fields + 1 && !again.quote_unclosed);
		for (size_t i = 0; i < r.fields; i++)
			must(str_eq(r.field[i], again.field[i + 1]));
	}
	must(!csv_next(&again));
	csv_reader_release(&r);
	csv_reader_release(&again);
	buf_release(&b);
	return 0;
}
