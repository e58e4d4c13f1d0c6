// SPDX-License-Identifier: Apache-2.0
/*
 * Locations that are given as text, made once and kept for the life of the process.  Finding one again takes
 * no lock; making one does, and may map memory.
 */
#ifndef TTP_CLIENT_RECORD_INTERN_H
#define TTP_CLIENT_RECORD_INTERN_H

#include <stddef.h>
#include <stdint.h>

#include "ttp/client.h"

enum { INTERN_TEXT_MAX = 8192 }; /* bytes of a name */

struct intern_text {
	const char *at;
	size_t len;
};

/* Never NULL: when the table is full, a location that says so. */
const struct ttp_location *intern_location(struct intern_text name, struct intern_text function,
					   struct intern_text file, uint32_t line, uint32_t color);
extern const struct ttp_location intern_full;
/* A text of its own for ever, ended by NUL; NULL when there is no memory. */
const char *intern_copy(const char *text, size_t len);

#endif /* TTP_CLIENT_RECORD_INTERN_H */
