// SPDX-License-Identifier: Apache-2.0
/*
 * What runs of one program took over time, and when that changed.
 *
 * A series is the runs that can be compared: of one name, branch, machine and chip, in the order of their commits.  Ops are followed from run to run by compare's
 * pairing; those that are of one kind in the last run are one trend.
 */
#ifndef TTP_HISTORY_TRENDS_H
#define TTP_HISTORY_TRENDS_H

#include "compare/compare.h"
#include "history/history.h"

/* "step" and "gaps" are of all ops. */
#define TREND_LIST(X)   \
	X(STEP, "step") \
	X(GAPS, "gaps") \
	X(TIME, "time") \
	X(GAP, "gap")

enum trend_of {
#define X(id, text) TREND_##id,
	TREND_LIST(X)
#undef X
};
extern const char *const trend_of_names[];

struct trend_change {
	size_t at;                  /* of the series' runs: the first that is different */
	size_t last_good;           /* the last one before it that has a value */
	double before_ns, after_ns; /* means up to the change before it, and from it to the next */
	size_t before_runs, after_runs;
	struct shift shift;
	double p;                     /* corrected for all trends of the series */
	enum compare_verdict verdict; /* slower or faster */
	bool is_open;                 /* slower, and still as slow in the last runs */
	bool is_clock;                /* as many cycles as before */
	bool at_one_commit; /* the runs beside it are of the same commit: not the code changed */
	double mhz[SIDES];  /* 0: not known */
};

struct trend {
	enum trend_of of;
	uint32_t
		kind; /* of the last run that has it; number of keys.texts[SAME_KIND]; TIME and GAP */
	uint32_t count;    /* ops of a step there */
	double *ns;        /* per run of the series, of a step with that many; NAN: not known */
	double *device_ns; /* of it, what is counted in cycles */
	VEC(struct trend_change) changes;
	size_t since;             /* runs with a value since the last change */
	enum compare_verdict now; /* the newest runs against those before, since the last change */
};

struct series {
	struct str name, branch, machine, chip;
	VEC(uint32_t) runs;       /* of h->runs */
	VEC(struct trend) trends; /* step, gaps, then the others by time */
	bool has_gaps;
};

struct trends_ask {
	double min_percent, min_ns;
	size_t last; /* runs of a series, the newest; 0: all. Finding changes takes their square in time and memory */
};

#define TRENDS_USUAL                                         \
	{                                                    \
		.min_percent = 1, .min_ns = 100, .last = 500 \
	}

struct trends {
	const struct history *h;
	struct trends_ask ask;
	VEC(struct series) all;
};

void trends_make(struct trends *t, const struct history *h, const struct trends_ask *ask);
void trends_release(struct trends *t);
static inline const struct history_run *series_run(const struct trends *t, const struct series *s,
						   size_t i)
{
	return &t->h->runs.at[s->runs.at[i]];
}
/* "step", "gaps", "Matmul 4096 x 384 x 1536", "gap before …" */
void trend_label(struct buf *b, const struct trends *t, const struct trend *tr);

/* ---- trends_judge.c ---- */
void series_judge(struct trends *t, struct series *s);

#endif /* TTP_HISTORY_TRENDS_H */
