// SPDX-License-Identifier: Apache-2.0
/* What `ttprof doctor` looks at beside devices and variables: each part, how it is, and the line that fixes it. */
#ifndef TTP_RECORD_HEALTH_H
#define TTP_RECORD_HEALTH_H

#include "base/json.h"
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
/* Lines, and members of an object that is open. */
void health_print(const struct health_part *parts, struct buf *b);
void health_json(const struct health_part *parts, struct json_writer *w);
/* The line below one that names a fault. */
void health_print_fix(struct buf *b, const char *how);
void health_release(struct health_part *parts);

#endif /* TTP_RECORD_HEALTH_H */
