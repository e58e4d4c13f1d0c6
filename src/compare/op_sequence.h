// SPDX-License-Identifier: Apache-2.0
/*
 * The ops of a run as a sequence that can be compared: one step of it, each op with the times that it took in every step.
 *
 * Where the whole sequence repeats (steps of a training loop, replays of a trace), a position stands for the same op of each repeat.
 * What ops are called are numbers of dictionaries that all sequences of a comparison share.
 */
#ifndef TTP_COMPARE_OP_SEQUENCE_H
#define TTP_COMPARE_OP_SEQUENCE_H

#include "base/map.h"
#include "report/report.h"

/* Three ways to say what an op is, from exact to rough: pairs are looked for in this order. */
enum op_sameness {
	SAME_KIND,  /* code, attributes, fidelity, cores, tensors with types and memory */
	SAME_SHAPE, /* code and the shapes of its tensors */
	SAME_CODE,
	SAMENESSES
};

struct op_keys {
	struct intern texts[SAMENESSES];
};

struct op_position {
	uint32_t key[SAMENESSES]; /* in op_keys */
	uint32_t call;            /* the first of its calls: c->all.at[call] */
};

struct op_sequence {
	const struct calls *calls;
	VEC(struct op_position) at; /* of one step */
	uint32_t repeats;           /* complete steps */
	uint32_t before; /* calls before the first complete step: they are not compared */
	/* Per position and repeat, [position * repeats + repeat]; NAN: no device time was recorded. */
	double *time_ns;
	double *gap_ns; /* before it; without building, the profiler's part and single pauses; with those of markers before it */
	uint32_t *gap_call; /* the longest of these is before this call */
	uint32_t *call; /* which of its calls that is: calls->all.at[call[…]]; NULL: not known */
	uint32_t untimed; /* calls that have none */
	double mhz;       /* clock of its devices, as the rows show it; 0: not known */
};

void op_sequence_make(struct op_sequence *s, const struct calls *c, struct op_keys *keys);
/* The same without looking for steps: all ops are one. */
void op_sequence_make_whole(struct op_sequence *s, const struct calls *c, struct op_keys *keys);
/* A step may begin anywhere: lets the steps of `s` begin where those of `like` do, if they are the same ops. */
void op_sequence_turn(struct op_sequence *s, const struct op_sequence *like);
/* Ops are missing from the table as a whole, not only their times. */
bool op_sequence_lost_rows(const struct op_sequence *s);
/* The firmware's time stands for the kernels' in most of its rows. */
bool op_sequence_has_firmware_times(const struct op_sequence *s);
void op_sequence_release(struct op_sequence *s);
void op_keys_release(struct op_keys *keys);

#endif /* TTP_COMPARE_OP_SEQUENCE_H */
