// SPDX-License-Identifier: Apache-2.0
/*
 * Libraries that few commands need, loaded when they are needed: linked, they would cost every command their start-up.
 *
 *	#define CAIRO_LIST(X) X(cairo_, create) X(cairo_, destroy)
 *	LATE_LIBRARY(cairo, CAIRO_LIST)
 *
 *	rc = LATE_LOAD(cairo, "libcairo.so.2", "libcairo2", e);
 *	if (!rc)
 *		c = cairo.create(surface);
 */
#ifndef TTP_BASE_LATE_H
#define TTP_BASE_LATE_H

#include <stddef.h>

#include "base/err.h"

#define LATE_LIBRARY(library, list) \
	static struct {             \
		list(LATE_FUNCTION) \
	} library;                  \
	static const char *const library##_functions[] = { list(LATE_NAME) };
#define LATE_FUNCTION(prefix, f) __typeof__(prefix##f) *f;
#define LATE_NAME(prefix, f)     #prefix #f,

#define LATE_LOAD(library, file, package, e)                               \
	late_load(file, package, library##_functions, (void **)&(library), \
		  sizeof(library) / sizeof(void *), e)

/*
 * Fills `to` with the functions of these names.  The library stays loaded; a second call changes nothing, from any thread.  Fails when the
 * library or one of the functions is missing; the error names Debian's package.
 */
enum ttp_rc late_load(const char *library, const char *package, const char *const *names, void **to,
		      size_t n, struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_BASE_LATE_H */
