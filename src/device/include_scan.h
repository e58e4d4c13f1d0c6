// SPDX-License-Identifier: Apache-2.0
/*
 * The files that a C or C++ source may ask for, without a preprocessor: every #include and __has_include in it, also
 * those in branches that are not taken.  Too many names do no harm, one too few would.
 */
#ifndef TTP_DEVICE_INCLUDE_SCAN_H
#define TTP_DEVICE_INCLUDE_SCAN_H

#include <stdbool.h>

#include "base/str.h"
#include "base/vec.h"

struct scan_name {
	struct str name; /* of the text that was scanned */
	bool quoted;     /* "name": the includer's folder comes first */
	bool next;       /* include_next: any folder may be meant */
};

struct scan {
	VEC(struct scan_name) names;
};

/*
 * False if the text alone does not tell: a name that a macro makes, a directive in pieces, or the time of day, which
 * changes without any file.
 */
bool scan_includes(struct scan *s, struct str text);
void scan_release(struct scan *s);

#endif /* TTP_DEVICE_INCLUDE_SCAN_H */
