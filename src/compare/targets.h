// SPDX-License-Identifier: Apache-2.0
/*
 * Target files of tt-metal's device tests: a JSON object with a member per op, or one such object per part of the model.
 *
 *	{ "decoder": { "Matmul_0": { "op_name": "QKV_MM", "kernel_duration": 7082.5, "kernel_duration_relative_margin": 0.05, … }, … }, … }
 *
 * "Matmul_1" is the second op of this code in a layer: where a step has 3 n ops of a code and the file 3, each is that of n layers, as
 * tt-metal counts them (models/demos/llama3_70b_galaxy/tests/test_decoder_device_perf.py).  A kernel's duration there is the mean over
 * devices.  Only this one is read and written; what the other members mean (op_to_op, first_to_last_start, dispatch) is measured by
 * runs of their own there.
 */
#ifndef TTP_COMPARE_TARGETS_H
#define TTP_COMPARE_TARGETS_H

#include "compare/gate.h"

struct targets {
	VEC(struct target) all;
	struct str group;  /* of which they are; empty: the file has no groups */
	uint32_t not_read; /* members of ops that are of another measure */
	struct arena texts;
};

struct target {
	struct str key, code, name; /* "Matmul_1", "Matmul", "DO_MM" */
	uint32_t instance;
	double ns,
		margin; /* 0.05: 5 %; both NAN: an op without a target, which counts as one of its code */
};

/* `group` may be NULL where the file has one or none. */
enum ttp_rc targets_read(struct targets *t, struct str json, const char *group,
			 struct ttp_err *e) TTP_CHECKED;
void targets_release(struct targets *t);
/* A check for each target, and one for ops of NEW that have none. */
void targets_judge(gate_checks *to, const struct targets *t, const struct compare *c,
		   const struct gate_defaults *d);
/* Targets of NEW's ops, with margins that the next run keeps in 95 of 100 cases.  Fails where nothing was repeated. */
enum ttp_rc targets_write(struct buf *to, const struct compare *c, struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_COMPARE_TARGETS_H */
