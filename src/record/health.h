// SPDX-License-Identifier: Apache-2.0
/* What `ttprof doctor` looks at beside devices and variables: each part, how it is, and the line that fixes it. */
#ifndef TTP_RECORD_HEALTH_H
#define TTP_RECORD_HEALTH_H

#include "base/str.h"

/* X(name) */
#define HEALTH_PARTS(X) \
	X(card)         \
	X(client)       \
	X(port)         \
	X(python)       \
	X(ttnn)         \
	X(pages)

struct health_part {
	const char *name;
	bool good;       /* false: something is missing or wrong */
	struct buf says; /* one line */
	struct buf fix;  /* a command or what to do; empty if nothing has to be done */
};

enum {
#define X(name) HEALTH_PART_##name,
	HEALTH_PARTS(X)
#undef X
		HEALTH_PART_COUNT
};

void health_look(struct health_part *parts);
void health_release(struct health_part *parts);

#endif /* TTP_RECORD_HEALTH_H */
