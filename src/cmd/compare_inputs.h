// SPDX-License-Identifier: Apache-2.0
/* The runs of one side of `ttprof compare`, opened: a RUN, several, or a folder of runs. */
#ifndef TTP_CMD_COMPARE_INPUTS_H
#define TTP_CMD_COMPARE_INPUTS_H

#include "report/calls.h"
#include "runs/run.h"

struct compare_input {
	struct buf name;
	struct run run;
	struct calls calls;
	bool has_calls;
};

struct compare_inputs {
	VEC(struct compare_input *) all;
	VEC(const struct calls *) calls;
};

/* Opens what `names` stand for.  Close it in any case. */
enum ttp_rc compare_inputs_open(struct compare_inputs *in, const char *const *names, size_t n,
				const struct call_options *o, struct ttp_err *e) TTP_CHECKED;
/* Warns of damage in its files, and closes them; the exit status. */
int compare_inputs_close(struct compare_inputs *in, const struct console *console, bool strict);

#endif /* TTP_CMD_COMPARE_INPUTS_H */
