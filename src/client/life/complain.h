// SPDX-License-Identifier: Apache-2.0
/*
 * The only lines that libttp prints: what the environment asks for and cannot be had, once, on stderr, with what is done
 * instead.  A stderr that is gone, or that nobody empties, is left alone: no signal, no wait.
 */
#ifndef TTP_CLIENT_LIFE_COMPLAIN_H
#define TTP_CLIENT_LIFE_COMPLAIN_H

/* ttp: NAME="value": `fault`; `instead` */
void complain(const char *name, const char *value, const char *fault, const char *instead);
/* TTP_FILE could not be made, by this error; a server may come to `port`, unless that is 0. */
void complain_of_file(const char *path, int error, unsigned port);

#endif /* TTP_CLIENT_LIFE_COMPLAIN_H */
