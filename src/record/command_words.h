// SPDX-License-Identifier: Apache-2.0
/* A command that was given as one text, as words; without a shell where none is needed. */
#ifndef TTP_RECORD_COMMAND_WORDS_H
#define TTP_RECORD_COMMAND_WORDS_H

#include "base/err.h"
#include "base/vec.h"
#include "record/run_engine.h"

struct words {
	VEC(char *) at; /* ended by NULL, which is not counted; each of malloc */
	bool shell;     /* it asks for what only a shell can do: at is { "sh", "-c", text } */
};

/* Quotes and backslashes as sh has them.  Pipes, redirections, variables, patterns, VAR=x in front and the like go to sh. */
enum ttp_rc words_split(struct words *w, const char *text, struct ttp_err *e) TTP_CHECKED;
/*
 * The program, where it was given with its arguments as one word that is no file: `-m 'pytest test.py::a -k b'`, as tt-metal's own
 * helpers do it.  Then q->words are in `room`, which has to stay.
 */
enum ttp_rc words_of_program(struct run_request *q, struct words *room,
			     struct ttp_err *e) TTP_CHECKED;
void words_release(struct words *w);

#endif /* TTP_RECORD_COMMAND_WORDS_H */
