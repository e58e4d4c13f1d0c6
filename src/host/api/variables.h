// SPDX-License-Identifier: Apache-2.0
/*
 * The variables of the environment: one table (variables.def) for those who read them, for `ttprof doctor` and
 * for docs/reference/variables.md.
 *
 * A switch is off when it is unset, empty or 0, and on when it is 1; anything else is an error that says
 * so.  Other kinds are text until somebody reads them; an empty variable is one that is not set.
 */
#ifndef TTP_HOST_API_VARIABLES_H
#define TTP_HOST_API_VARIABLES_H

#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"

/* X(NAME, what may be in it) */
#define VARIABLE_KINDS(X)                                                      \
	X(SWITCH, "0, 1")                                                      \
	X(FLAG, "0, anything else")                                            \
	X(NUMBER, "a number")                                                  \
	X(TEXT, "text")                                                        \
	X(CHOICE, "one of")                                                    \
	X(PATH, "a path")                                                      \
	X(CORES, "all, x,y, (x,y),(x,y) or (x,y)-(x,y)")                       \
	X(CHIPS, "all, or numbers: 0,2")                                       \
	X(RISCS, "BR, NC, TR0, TR1, TR2; B = BR, R = the others, empty = all") \
	X(DELAY, "N cycles, or Nms")                                           \
	X(COUNTERS, "fpu, pack, unpack, l1 or l1_0 ... l1_5, instrn, all; or a mask")

enum variable_kind {
#define X(name, values) VARIABLE_##name,
	VARIABLE_KINDS(X)
#undef X
};

enum variable_status {
	VARIABLE_READ,   /* `does` says what for */
	VARIABLE_ABSENT, /* `does` says why nothing comes of it */
	VARIABLE_UNUSED, /* tt-metal's, with no meaning here */
};

struct variable {
	const char *name; /* a * at the end stands for anything */
	enum variable_kind kind;
	enum variable_status status;
	const char *fallback, *does;
};
extern const struct variable variables[]; /* ended by a name of NULL */

enum rule_kind { RULE_NEEDS, RULE_CONFLICT, RULE_IMPLIES };

struct variable_rule {
	enum rule_kind kind;
	const char *name, *other, *why;
};
extern const struct variable_rule variable_rules[]; /* ended by a name of NULL */

/* NULL: nobody knows it. */
const struct variable *variable_find(struct str name);
/* The name that an unknown one may be a slip of, or NULL. */
const char *variable_meant(struct str name);
/* One that is ours to judge: TT_METAL_, TTP_, TRACY_, TTNN_. */
bool variable_is_ours(struct str name);

/* The text of a variable that is set and not empty, else NULL. */
const char *variable_text(const char *name);
/* Of a switch; what it is without being set is its default. */
bool variable_on(const char *name);

/* Every switch has a value that it may have, and no two variables exclude each other. */
enum ttp_rc variables_check(struct ttp_err *e) TTP_CHECKED;

/*
 * What is set and will do nothing: unknown names of TT_METAL_ (in one warning, with what was meant), those that
 * need another, those that can't be had here.  Once per process.
 */
void variables_warn(void);

/* All of them as lists in Markdown, a line each. */
void variables_print(struct buf *b);

#endif /* TTP_HOST_API_VARIABLES_H */
