// SPDX-License-Identifier: Apache-2.0
/*
 * Files that several readers look at, opened once.  All zeros is an empty set.  Readers that take a `struct inputs *` open files by it; NULL:
 * for themselves alone.
 */
#ifndef TTP_BASE_INPUTS_H
#define TTP_BASE_INPUTS_H

#include "base/input.h"
#include "base/vec.h"

struct inputs {
	VEC(struct input *) all;
};

/*
 * The data of a file: lent, and good as long as the set; or, without a set, the caller's own.  To be closed in either case.  `accept` as of
 * input_open_if(), or NULL.
 */
enum ttp_rc inputs_open(struct inputs *s, const char *path, input_accept accept, struct input *in,
			struct ttp_err *e) TTP_CHECKED;
void inputs_close(struct inputs *s);

#endif /* TTP_BASE_INPUTS_H */
