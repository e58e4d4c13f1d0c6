// SPDX-License-Identifier: Apache-2.0
#include "trace/trace_readers.h"

#include <sys/mman.h>

enum { DROP_STEP = 4 << 20 };

struct drop_pages drop_pages_of(const struct input *in)
{
	return (struct drop_pages){ .at = in->mapped_bytes ? in->data.at : NULL };
}

void drop_pages_until(struct drop_pages *d, size_t offset)
{
	while (d->at && offset - d->done >= DROP_STEP) {
		/* A mapping starts at a page, and the step is whole pages.  Failing costs memory, nothing else. */
		(void)madvise((void *)(uintptr_t)(d->at + d->done), DROP_STEP, MADV_DONTNEED);
		d->done += DROP_STEP;
	}
}
