// SPDX-License-Identifier: Apache-2.0
/*
 * Is NEW faster than BASE?  Runs of both sides are laid side by side op by op, and every difference is attributed.
 *
 *	compare_make()	pairs ops, sums up, tests, finds causes
 *	compare_text(), compare_json(), compare_csv(), compare_markdown()
 *
 * A line is what is alike on both sides: all ops of a step that have one kind in BASE and one in NEW.  Times are those of a step, means over
 * all steps and runs of a side, in whole nanoseconds, so that the contributions of lines (time and gap of each) sum up to the
 * difference of the totals exactly.
 */
#ifndef TTP_COMPARE_COMPARE_H
#define TTP_COMPARE_COMPARE_H

#include "base/out.h"
#include "base/term.h"
#include "compare/op_sequence.h"
#include "compare/sample_shift.h"

enum compare_side { BASE, NEW, SIDES };
/* Of each side, for a verdict over runs: 2 of 70 orders are as far apart, 0.029. */
enum { COMPARE_RUNS_AT_LEAST = 4 };
/* What counts as a change, unless somebody says otherwise. */
enum { COMPARE_MIN_PERCENT = 1, COMPARE_MIN_NS = 100 };

#define COMPARE_VERDICT_LIST(X) \
	X(SAME, "same")         \
	X(FASTER, "faster")     \
	X(SLOWER, "slower")     \
	X(UNSURE, "can't tell")

enum compare_verdict {
#define X(id, text) COMPARE_##id,
	COMPARE_VERDICT_LIST(X)
#undef X
};
extern const char *const compare_verdict_names[];

/* What one sample is: what was repeated. */
#define COMPARE_UNIT_LIST(X) \
	X(RUNS, "runs")      \
	X(STEPS, "steps")    \
	X(OPS, "like ops")

enum compare_unit {
#define X(id, text) UNIT_##id,
	COMPARE_UNIT_LIST(X)
#undef X
};
extern const char *const compare_unit_names[];

#define LINE_CHANGE_LIST(X)   \
	X(KEPT, "kept")       \
	X(CHANGED, "changed") \
	X(APPEARED, "new")    \
	X(VANISHED, "gone")

enum line_change {
#define X(id, text) LINE_##id,
	LINE_CHANGE_LIST(X)
#undef X
};
extern const char *const line_change_names[];

/* One estimate, in ns of a step. */
struct estimate {
	struct shift shift; /* infinite interval: too few samples */
	uint32_t samples[SIDES];
	enum compare_verdict verdict;
};

struct compare_line {
	enum line_change change;
	uint32_t position[SIDES]; /* an op of it, in the first run of the side; DIFF_NONE */
	uint32_t count;           /* ops of a step */
	int64_t time_ns[SIDES], gap_ns[SIDES];
	struct estimate time, gap;
	struct buf cause; /* what differs in its rows; empty: nothing that they show */
	struct buf
		gap_cause; /* the zone of the host that made its gaps differ; empty: none, or no trace */
};

/* A line's time, or the gaps before its ops. */
struct contribution {
	uint32_t line;
	bool is_gap;
	int64_t by_ns;
};

struct compare_ask {
	const struct calls *const *runs[SIDES];
	size_t n[SIDES];
	double min_percent, min_ns; /* a change has to be beyond both */
	uint32_t not_counted
		[SIDES]; /* runs that are equal to another one of the side: not in `runs` */
	uint32_t shared; /* runs of NEW that are in BASE, too */
};

struct compare {
	struct compare_ask ask;
	struct op_keys keys;
	struct op_sequence *runs[SIDES]; /* ask.n of each */
	uint32_t **pair
		[SIDES]; /* per run: position in it of each position of the side's first run; DIFF_NONE */
	uint32_t *across; /* position in NEW of each in BASE */
	double *mean_ns
		[SIDES]; /* per position of the first run: time and gap; NAN: no time was recorded */
	uint32_t *
		line_of[SIDES]; /* per position of the first run; DIFF_NONE: no time was recorded */
	VEC(struct compare_line) lines;
	VEC(struct contribution)
	contributions; /* the largest first; their sum is total_ns[NEW] - total_ns[BASE] */
	enum compare_unit unit;
	int64_t total_ns[SIDES], device_ns[SIDES]; /* of a step */
	uint32_t common;                           /* ops of a step that are on both sides */
	uint32_t excluded;       /* on both sides, too, but without a time on one of them */
	uint32_t untimed[SIDES]; /* calls without one, in all runs */
	struct estimate total;
	const char
		*unsure_because; /* NULL, or why the verdict can't be given whatever the figures */
	uint32_t
		needed; /* runs of each side that would settle it; 0: not known, or it is settled */
	bool has_gaps;  /* all runs have measured them; else they are not compared */
	bool is_firm;   /* chance was judged by runs or steps, not by like ops of a single run */
	double mhz[SIDES];     /* 0: not known */
	bool lost_rows[SIDES]; /* ops are missing from a table of the side as a whole */
};

void compare_make(struct compare *c, const struct compare_ask *ask);
void compare_release(struct compare *c);

/* ---- compare_verdict.c ---- */
void compare_judge(struct compare *c);
/* What a change has to exceed. */
double compare_margin(const struct compare_ask *ask, int64_t base_ns);
/* The verdict of a change; `p` is corrected for how many were tested, `mean_by` the difference of the means. */
enum compare_verdict compare_judge_shift(const struct shift *s, double p, double mean_by,
					 double margin);

/* Positions of the first run of each side that are judged together. */
struct op_set {
	VEC(uint32_t) at[SIDES];
	bool with_gaps;
};
/* Their sum in each run or step; how many there are.  `to` has compare_samples_most() slots. */
size_t compare_set_samples(const struct compare *c, const struct op_set *set,
			   enum compare_side side, enum compare_unit unit, double *to);
size_t compare_samples_most(const struct compare *c, enum compare_side side);

/* An estimate of how much something changed that took `base_ns` in `count` parts. */
struct compare_noisy {
	struct estimate *of;
	double base_ns;
	uint32_t count;
};
/* The tests of estimates again, with what the noise of all says of each. */
void compare_share_noise(const struct compare_noisy *all, size_t n);

/* ---- compare_gaps.c ---- */
/* Behind compare_judge(). */
void compare_judge_gaps(struct compare *c);
void compare_find_gap_causes(struct compare *c);
/* "longer", "shorter", …: what a verdict is called of gaps. */
extern const char *const compare_gap_verdict_names[];

/* ---- compare_cause.c ---- */
void compare_find_causes(struct compare *c);
/* All of a line's change is one of the clock, which changed by as much. */
bool compare_is_clock(const struct compare *c, const struct compare_line *l);
/* The same of the whole: its gaps have not changed by more than the margin. */
bool compare_is_clock_alone(const struct compare *c);

/* ---- op_inside.c ---- */
/* The columns that a comparison needs of its tables. */
extern const struct ops_want compare_want;
/* What happened inside of the ops of every line whose time changed: adds to its cause. */
void compare_look_inside(struct compare *c);

/* Such a figure of a line, of both sides; how many there are. */
enum { INSIDE_FIGURES_MOST = 16 };
struct inside_figure {
	const char *name;
	double mean_ns[SIDES];
};
size_t compare_inside(const struct compare *c, uint32_t line,
		      struct inside_figure to[static INSIDE_FIGURES_MOST]);

/* ---- compare_op.c ---- */
/* An op by its ID in the first run of NEW, else of BASE. */
struct compare_op {
	uint32_t line;
	size_t position[SIDES]; /* DIFF_NONE: not there */
};
bool compare_find_op(const struct compare *c, uint64_t id, struct compare_op *to);
void compare_op_text(const struct compare *c, const char *const *names, const struct compare_op *op,
		     struct term term, struct out *out);

/* ---- output ---- */
void compare_label(struct buf *b, const struct compare *c, const struct compare_line *l);
/* "slower by 12.3 % (11.8 to 12.9 %)", or why there is no verdict. */
void compare_sentence(struct buf *b, const struct compare *c);
/* Its two parts: what was found; how many runs would settle it, without the options that name them (nothing where it is settled). */
void compare_finding(struct buf *b, const struct compare *c);
void compare_wish(struct buf *b, const struct compare *c);
/* What was laid side by side, and what stands for chance. */
void compare_ground(struct buf *b, const struct compare *c);
/* Of what it was in BASE; NAN: it was nothing there. */
double compare_contribution_percent(const struct compare *c, const struct contribution *x);
/* Contributions that explain 95 % of what changed, at least one, at most `most` (0: no limit). */
size_t compare_explaining(const struct compare *c, size_t most);
/* "+1.2 µs"; "+3.4 %"; a line "  time  1 µs → 2 µs  +1 µs  +100 %"; "BASE a · NEW b". */
void compare_signed_ns(struct buf *b, double ns);
void compare_percent(struct buf *b, double part, double of);
void compare_totals_line(struct buf *b, const char *name, size_t wide, int64_t from, int64_t to);
void compare_names(struct buf *b, const char *const *names);
void compare_text(const struct compare *c, const char *const *names, size_t most, struct term term,
		  struct out *out);
void compare_markdown(const struct compare *c, const char *const *names, size_t most,
		      struct out *out);
/* A cell of a Markdown table: one line, and nothing in it is markup. */
void compare_markdown_cell(struct buf *b, struct str text);
struct json_writer;
/* One object and a line's end; `more` adds members to it (NULL: none). */
void compare_json_add(struct buf *to, const struct compare *c, const char *const *names,
		      void (*more)(const void *what, struct json_writer *w), const void *what);
void compare_json(const struct compare *c, const char *const *names,
		  void (*more)(const void *what, struct json_writer *w), const void *what,
		  struct out *out);
/* A member "pairs": ops of the first run of each side that were laid side by side. */
void compare_pairs_json(const struct compare *c, struct json_writer *w);
void compare_csv(const struct compare *c, struct out *out);

#endif /* TTP_COMPARE_COMPARE_H */
