// SPDX-License-Identifier: Apache-2.0
/* The runs of one side of `ttprof compare`, opened: a RUN, several, or a folder of runs. */
#ifndef TTP_CMD_COMPARE_INPUTS_H
#define TTP_CMD_COMPARE_INPUTS_H

#include "compare/compare.h"
#include "runs/run.h"

struct compare_input {
	struct buf name;
	struct run run;
	struct calls calls;
	struct buf identity; /* empty: it was not opened */
	bool has_calls;
};

struct compare_inputs {
	VEC(struct compare_input *) all;
	VEC(const struct calls *) calls;
	VEC(struct compare_input *) equal; /* to one of those: they are in neither list */
};

/* "--base A1 A2" becomes "--base A1 --base A2": an option takes one word.  The caller frees the array. */
char **compare_words(int *argc, char **argv);

/* Opens what `names` stand for; of equal runs, whatever they are called, the first.  Close it in any case. */
enum ttp_rc compare_inputs_open(struct compare_inputs *in, const char *const *names, size_t n,
				const struct call_options *o, struct ttp_err *e) TTP_CHECKED;
/* What of `ask` is of the runs of both sides. */
void compare_inputs_ask(struct compare_ask *ask, const struct compare_inputs in[SIDES]);
/* Fails if `path`, which `option` has written, is a file of these runs; NULL: nothing is. */
enum ttp_rc compare_inputs_spare(const struct compare_inputs *in, const char *option,
				 const char *path, struct ttp_err *e) TTP_CHECKED;
/* How the side is called: by its first run. */
void compare_inputs_name(struct buf *b, const struct compare_inputs *in);
/* Warns of damage in its files, and closes them; the exit status. */
int compare_inputs_close(struct compare_inputs *in, const struct console *console, bool strict);
/* The same without warnings. */
void compare_inputs_release(struct compare_inputs *in);

#endif /* TTP_CMD_COMPARE_INPUTS_H */
