// SPDX-License-Identifier: Apache-2.0
/*
 * What pointers of the program mean: strings and locations, each copied when the drain first meets it and
 * numbered from 1.  Servers get these numbers and never an address, so no question of theirs makes
 * us read memory.  Owned by the sender's thread.
 *
 * A library that goes says so (unload.c).  One that does not may leave stale pointers: reading goes through a
 * pipe, which fails instead of faulting, and numbers of pointers are forgotten when any library went.
 */
#ifndef TTP_CLIENT_SEND_POINTER_NAMES_H
#define TTP_CLIENT_SEND_POINTER_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As what a string was sent in a session. */
enum names_role { NAMES_STRING, NAMES_PLOT, NAMES_FRAME, NAMES_ROLES };

struct names_string {
	const char *text;
	uint32_t len;
	uint32_t sent_in[NAMES_ROLES]; /* the last session that has it */
};

struct names_location {
	uint32_t name, function, file; /* strings; 0: none */
	uint32_t line, color;
	uint32_t session, cookie; /* the last session that knows it, and as what */
};

bool names_init(void);
/* Numbers; 0 when there is no memory. */
uint32_t names_string(const char *text, size_t len);
uint32_t names_literal(uint64_t address);
uint32_t names_location(uint64_t address);
/* NULL for numbers that were never given. */
struct names_string *names_string_at(uint64_t number);
struct names_location *names_location_at(uint64_t number);
/* Looks whether a library was unloaded since the last call. */
void names_check_libraries(void);
/* Pointers between `from` and `to` will mean something else. */
void names_forget(uint64_t from, uint64_t to);
/* Around fork, after intern_guard. */
void names_lock(void);
void names_unlock(void);
void names_unlock_in_child(void);

/* Number → number; 0: not there.  Also used for threads' names. */
struct names_map {
	struct names_pair {
		uint64_t key;
		uint32_t beside, value;
	} * at;
	uint32_t cap, len; /* cap is a power of two */
};
uint32_t names_map_get(const struct names_map *m, uint64_t key);
bool names_map_put(struct names_map *m, uint64_t key, uint32_t value);
void names_map_clear(struct names_map *m);
/* Where a key with a number beside it is, or would be; NULL if there is no memory for one more. */
struct names_pair *names_map_at(struct names_map *m, uint64_t key, uint32_t beside);
/* One that is there; another one may be in its slot then. */
void names_map_remove(struct names_map *m, struct names_pair *p);

#endif /* TTP_CLIENT_SEND_POINTER_NAMES_H */
