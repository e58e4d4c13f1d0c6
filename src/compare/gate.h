// SPDX-License-Identifier: Apache-2.0
/*
 * Rules that a comparison has to keep: for CI.
 *
 *	gate_read()	rules of a gate file (docs/guide/compare.md)
 *	gate_judge()	a check for each rule, and for each kind of op that a rule about ops matches
 *	gate_status()	0 no regression, 1 regression, 3 can't tell
 *
 * What was not measured keeps no rule: an op that is on one side only, or has no time, is "missing", and that is not the same as "can't
 * tell": a rule has an answer for each of them.
 */
#ifndef TTP_COMPARE_GATE_H
#define TTP_COMPARE_GATE_H

#include <regex.h>

#include "base/arena.h"
#include "compare/compare.h"

/* What a rule is about. */
#define GATE_SCOPE_LIST(X)      \
	X(RUN, "run")           \
	X(OP, "op")             \
	X(CATEGORY, "category") \
	X(SIGNPOST, "signpost")

enum gate_scope {
#define X(id, text) GATE_##id,
	GATE_SCOPE_LIST(X)
#undef X
		GATE_SCOPES
};
extern const char *const gate_scope_names[];

/* What a check counts as that has no result: a status of its own, as kept, as broken. */
#define GATE_ANSWER_LIST(X) \
	X(TELL, "tell")     \
	X(PASS, "pass")     \
	X(FAIL, "fail")

enum gate_answer {
#define X(id, text) GATE_##id,
	GATE_ANSWER_LIST(X)
#undef X
		GATE_ANSWERS
};
extern const char *const gate_answer_names[]; /* ended by NULL */

struct gate_rule {
	struct str name;
	enum gate_scope scope;
	struct str text;  /* expression, category or signpost */
	regex_t regex;    /* of GATE_OP */
	bool is_relative; /* NEW is judged against BASE; else against `max_ns` only */
	double min_percent, min_ns;
	double max_ns; /* NAN: none.  Of an op its mean, of all else what it takes in a step */
	enum gate_answer inconclusive, missing;
};

struct gate {
	VEC(struct gate_rule) rules;
	struct arena texts;
};

/* What rules have that don't say it themselves. */
struct gate_defaults {
	double min_percent, min_ns;
	enum gate_answer inconclusive;
};

/* Errors name line and column, and what was expected. */
enum ttp_rc gate_read(struct gate *g, struct str text, const struct gate_defaults *d,
		      struct ttp_err *e) TTP_CHECKED;
/* A rule of the whole run, or of every op (the answers to what has no result being `pass`): --check, --check-ops. */
void gate_add_run(struct gate *g, const struct gate_defaults *d);
enum ttp_rc gate_add_ops(struct gate *g, const struct gate_defaults *d,
			 struct ttp_err *e) TTP_CHECKED;
void gate_release(struct gate *g);

#define CHECK_RESULT_LIST(X)    \
	X(KEPT, "ok")           \
	X(BROKEN, "regression") \
	X(UNSURE, "can't tell") \
	X(MISSING, "missing")

enum check_result {
#define X(id, text) CHECK_##id,
	CHECK_RESULT_LIST(X)
#undef X
		CHECK_RESULTS
};
extern const char *const check_result_names[];

struct gate_check {
	struct buf rule, what, says;
	enum check_result result;
	enum gate_answer inconclusive, missing;
	bool is_stale;    /* faster than its target allows for: the target is out of date */
	double max_ns;    /* NAN: none */
	double ns[SIDES]; /* NAN: not there */
	/* Until all are known: */
	bool is_relative;
	bool is_clock; /* as many cycles at another clock: no regression of the program */
	struct shift shift;
	double margin_ns;
};

typedef VEC(struct gate_check) gate_checks;

void gate_judge(gate_checks *to, const struct gate *g, const struct compare *c);
void gate_checks_release(gate_checks *all);
/* What counts: a check without a result as its rule answers. */
enum gate_answer gate_counts(const struct gate_check *check);
enum { GATE_STATUS_UNSURE = 3 };
int gate_status(const gate_checks *all);

/* ---- for those who make checks of their own (targets) ---- */
struct gate_check *gate_check_add(gate_checks *to, struct str rule);
void gate_check_set(struct gate_check *check, enum check_result result, const char *fmt, ...)
	TTP_PRINTF(3, 4);
/* The mean of samples against a limit.  Of four and more chance is judged by the interval of their mean. */
void gate_check_limit(struct gate_check *check, const double *samples, size_t n, double max_ns);
/* Half the interval of the mean of samples (95 %, by the t distribution), or with `next` of one more sample; infinite below two. */
double gate_half_width(const double *samples, size_t n, bool next, double *mean);

/* ---- gate_out.c ---- */
void gate_text(const gate_checks *all, struct term term, struct out *out);
void gate_markdown(const gate_checks *all, struct out *out);
struct json_writer;
/* As the member "gate" of the object that is open. */
void gate_json(const gate_checks *all, struct json_writer *w);
void gate_junit(const gate_checks *all, struct out *out);
/* ::error and ::warning lines, as runners of GitHub read them. */
void gate_github(struct buf *b, const gate_checks *all);

#endif /* TTP_COMPARE_GATE_H */
