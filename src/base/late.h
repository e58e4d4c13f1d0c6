// SPDX-License-Identifier: Apache-2.0
/*
 * Libraries that few commands need, loaded when they are needed: linked, they would cost every command their start-up.
 *
 *	#define CAIRO_LIST(X) X(create) X(destroy)
 *	#define X(f) __typeof__(cairo_##f) *f;
 *	static struct { CAIRO_LIST(X) } cairo;
 *	#undef X
 *	#define X(f) "cairo_" #f,
 *	static const char *const names[] = { CAIRO_LIST(X) };
 *	#undef X
 *
 *	rc = late_load("libcairo.so.2", "libcairo2", names, LATE_FUNCTIONS(cairo), e);
 *	if (!rc)
 *		c = cairo.create(surface);
 */
#ifndef TTP_BASE_LATE_H
#define TTP_BASE_LATE_H

#include <stddef.h>

#include "base/err.h"

#define LATE_FUNCTIONS(functions) (void **)&(functions), sizeof(functions) / sizeof(void *)

/*
 * Fills `to` with the functions of these names.  The library stays loaded; a second call changes nothing, from any thread.  Fails when the
 * library or one of the functions is missing; the error names Debian's package.
 */
enum ttp_rc late_load(const char *library, const char *package, const char *const *names, void **to,
		      size_t n, struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_BASE_LATE_H */
