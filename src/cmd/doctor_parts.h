// SPDX-License-Identifier: Apache-2.0
/* What `ttprof doctor` looks at beside devices and variables: each part, how it is, and the line that mends it. */
#ifndef TTP_CMD_DOCTOR_PARTS_H
#define TTP_CMD_DOCTOR_PARTS_H

#include "base/str.h"

/* X(name) */
#define DOCTOR_PARTS(X) \
	X(card)         \
	X(client)       \
	X(port)         \
	X(python)       \
	X(ttnn)         \
	X(pages)

struct doctor_part {
	const char *name;
	bool good;       /* false: something is missing or wrong */
	struct buf says; /* one line */
	struct buf mend; /* a command or what to do; empty if nothing has to be done */
};

enum {
#define X(name) DOCTOR_PART_##name,
	DOCTOR_PARTS(X)
#undef X
		DOCTOR_PART_COUNT
};

void doctor_parts_look(struct doctor_part *parts);
void doctor_parts_release(struct doctor_part *parts);

#endif /* TTP_CMD_DOCTOR_PARTS_H */
