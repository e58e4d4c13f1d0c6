// SPDX-License-Identifier: Apache-2.0
/* The table of a report's shown lines, for screens: which columns, their cells and colours.  Who prints all of it calls table_print(). */
#ifndef TTP_REPORT_LISTING_H
#define TTP_REPORT_LISTING_H

#include "base/table.h"
#include "report/report.h"

struct listing {
	const struct report *r;
	enum field fields[FIELDS];
	struct table_column columns[FIELDS];
	struct table table; /* refers to the others: a listing stays where it was made */
};

void listing_make(struct listing *l, const struct report *r);
/* The op that a row stands for. */
uint32_t listing_id(const struct listing *l, size_t row);
void listing_release(struct listing *l);

#endif /* TTP_REPORT_LISTING_H */
