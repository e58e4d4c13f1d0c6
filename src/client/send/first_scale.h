// SPDX-License-Identifier: Apache-2.0
/*
 * A file begins when the first event is a millisecond old, with a scale that is good for some 30 in a million, so that a program
 * that is killed at once leaves what it did; the record that says it is written again when the exact one is known.
 */
#ifndef TTP_CLIENT_SEND_FIRST_SCALE_H
#define TTP_CLIENT_SEND_FIRST_SCALE_H

#include "client/send/client_session.h"
#include "wire/welcome.h"

/* ns per tick for a file that begins now. */
double rough_scale(void);
/* Makes it exact, when that does not mean to wait, or at the end. */
void rough_settle(struct session *s, struct wire_welcome *w, bool last);
/* Is the program so young that a file should not be behind? */
bool rough_is_young(void);

#endif /* TTP_CLIENT_SEND_FIRST_SCALE_H */
