// SPDX-License-Identifier: Apache-2.0
/* The shown calls as CSV: keys with units as head, numbers in full. */
#include "base/csv.h"

#include "base/number.h"
#include "report/report.h"

enum { FLUSH_BYTES = 1 << 16 };

void report_csv(const struct report *r, struct out *out)
{
	SCOPED(buf) struct buf b = { 0 }, text = { 0 };
	struct csv_writer w = { .out = &b, .eol = "\n" };

	for (int f = 0; f < FIELDS; f++) {
		buf_clear(&text);
		buf_text(&text, field_info[f].key);
		if (*field_info[f].unit)
			buf_printf(&text, " [%s]", field_info[f].unit);
		csv_field(&w, buf_view(&text));
	}
	csv_end_row(&w);
	vec_each (i, &r->shown) {
		const struct call *call = &r->lines[*i];

		for (int f = 0; f < FIELDS; f++) {
			double v = 0;

			buf_clear(&text);
			if (!report_field(r, call, (enum field)f, &text, &v)) {
				csv_plain(&w);
			} else if (field_info[f].decimals == FIELD_TEXT) {
				csv_field(&w, buf_view(&text));
			} else if (field_info[f].decimals == FIELD_WHOLE) {
				csv_plain(&w);
				number_fixed(&b, v, 0, 0);
			} else {
				csv_plain(&w);
				number_shortest(&b, v);
			}
		}
		csv_end_row(&w);
		if (b.len > FLUSH_BYTES)
			out_buf(out, &b);
		if (!out_ok(out))
			break;
	}
	out_buf(out, &b);
}
