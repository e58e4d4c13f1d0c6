// SPDX-License-Identifier: Apache-2.0
#include "base/input.h"

#include <stdlib.h>
#include <string.h>

enum ttp_rc inputs_open(struct inputs *s, const char *path, input_accept accept, struct input *in,
			struct ttp_err *e)
{
	struct input opened, *kept;
	enum ttp_rc rc;
	char *name;

	if (!s)
		return input_open_if(in, path, accept, e);
	vec_each (known, &s->all)
		if (!strcmp((*known)->name, path)) {
			*in = input_borrow(*known);
			return TTP_OK;
		}
	name = mem_text(path); /* which an input borrows */
	rc = input_open_if(&opened, name, accept, e);
	if (rc) {
		free(name);
		return rc;
	}
	kept = mem_alloc(1, sizeof(*kept));
	*kept = opened;
	kept->name = name;
	*vec_push(&s->all) = kept;
	*in = input_borrow(kept);
	return TTP_OK;
}

void inputs_close(struct inputs *s)
{
	vec_each (in, &s->all) {
		char *name = (char *)(uintptr_t)(*in)->name;

		input_close(*in);
		free(name);
		free(*in);
	}
	vec_release(&s->all);
}
