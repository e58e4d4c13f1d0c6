// SPDX-License-Identifier: Apache-2.0
/*
 * Who may ask the server.  Other pages in the same browser can send requests to 127.0.0.1, and a name of theirs can be made to
 * point there: so a request must know the token, name us by an address (not by a name of somebody's), and come from our own page.
 */
#ifndef TTP_WEB_GUARD_H
#define TTP_WEB_GUARD_H

#include <stdbool.h>

#include "base/str.h"

enum { TOKEN_DIGITS = 32 };

struct guard {
	char token[TOKEN_DIGITS + 1];
	char hostname[256]; /* ours; only for listeners beyond the loopback */
	bool loopback;      /* we listen there alone */
	unsigned port;
};

/* A token that nobody can guess; false when the system gives no randomness. */
bool guard_make_token(struct guard *g);
/* In a time that doesn't tell where it differs. */
bool guard_token_ok(const struct guard *g, struct str token);
/* The Host header: an address or localhost, with our port. */
bool guard_host_ok(const struct guard *g, struct str host);
/* The Origin header: http and the same host; without one a request is fine. */
bool guard_origin_ok(struct str origin, struct str host);

/*
 * "%41" is "A"; but "%00" stays: texts end at a NUL here, and what stands behind one must not go unseen.  Decodes in place, and gives
 * the new length.
 */
size_t guard_unescape(char *s);

#endif /* TTP_WEB_GUARD_H */
