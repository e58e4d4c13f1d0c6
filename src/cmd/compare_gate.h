// SPDX-License-Identifier: Apache-2.0
/* The gate of `ttprof compare`: rules of a file, of options, of target files; and what is written of it. */
#ifndef TTP_CMD_COMPARE_GATE_H
#define TTP_CMD_COMPARE_GATE_H

#include "compare/gate.h"
#include "compare/targets.h"

struct gate_options {
	const char *file, *targets, *targets_part, *write_targets, *junit;
	bool github, check, check_ops;
	double min_percent, min_ns;
	int inconclusive; /* -1: not given */
};

struct compare_gate {
	struct gate rules;
	struct targets targets;
	gate_checks checks;
};

/* Files that can't be understood are TTP_USAGE.  Release it in any case. */
enum ttp_rc compare_gate_read(struct compare_gate *g, const struct gate_options *o,
			      struct ttp_err *e) TTP_CHECKED;
/* Judges, and writes what has files of its own; the exit status. */
enum ttp_rc compare_gate_judge(struct compare_gate *g, const struct gate_options *o,
			       const struct compare *c, int *status, struct ttp_err *e) TTP_CHECKED;
/* What is shown with the comparison: NULL where nobody asked for it. */
const gate_checks *compare_gate_shown(const struct compare_gate *g, const struct gate_options *o);
void compare_gate_release(struct compare_gate *g);

#endif /* TTP_CMD_COMPARE_GATE_H */
