// SPDX-License-Identifier: Apache-2.0
/* Gives back the pages of a mapped file that were read, so that a long file does not fill memory. */
#ifndef TTP_TRACE_DROP_PAGES_H
#define TTP_TRACE_DROP_PAGES_H

#include "base/input.h"

struct drop_pages {
	const char *at; /* NULL: nothing is mapped */
	size_t done;
};

struct drop_pages drop_pages_of(const struct input *in);
/* Everything before `offset` will not be needed again; should it be, it is read again. */
void drop_pages_until(struct drop_pages *d, size_t offset);

#endif /* TTP_TRACE_DROP_PAGES_H */
