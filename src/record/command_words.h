// SPDX-License-Identifier: Apache-2.0
/* A command that was given as one text, as words; without a shell where none is needed. */
#ifndef TTP_RECORD_COMMAND_WORDS_H
#define TTP_RECORD_COMMAND_WORDS_H

#include "base/err.h"
#include "base/vec.h"

struct words {
	VEC(char *) at; /* ended by NULL, which is not counted; each of malloc */
	bool shell;     /* it asks for what only a shell can do: at is { "sh", "-c", text } */
};

/* Quotes and backslashes as sh has them.  Pipes, redirections, variables, patterns, VAR=x in front and the like go to sh. */
enum ttp_rc words_split(struct words *w, const char *text, struct ttp_err *e) TTP_CHECKED;
void words_release(struct words *w);

#endif /* TTP_RECORD_COMMAND_WORDS_H */
