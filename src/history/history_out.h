// SPDX-License-Identifier: Apache-2.0
/* A history for people and for programs (docs/formats/history-json.md). */
#ifndef TTP_HISTORY_HISTORY_OUT_H
#define TTP_HISTORY_HISTORY_OUT_H

#include "base/out.h"
#include "base/term.h"
#include "history/trends.h"

/* Which trends are shown: those whose label has this text (NULL: step and gaps of each series). */
struct history_shown {
	const char *op;
	bool all; /* of `regressions`: also what is fixed, and what got faster */
};

void history_list_text(const struct history *h, struct term term, struct out *out);
void history_list_json(const struct history *h, struct out *out);
/* Whether there is anything of such a label. */
bool history_has(const struct trends *t, const struct history_shown *s);
void history_show_text(const struct trends *t, const struct history_shown *s, struct term term,
		       struct out *out);
void history_show_json(const struct trends *t, const struct history_shown *s, struct out *out);
void history_show_svg(const struct trends *t, const struct history_shown *s, struct out *out);
void history_regressions_text(const struct trends *t, const struct history_shown *s,
			      struct term term, struct out *out);
void history_regressions_json(const struct trends *t, const struct history_shown *s,
			      struct out *out);

/* 1 if something is slower and still is; 3 if the whole step can't be judged, or nothing can; else 0. */
int history_status(const struct trends *t);

/* "a1b2c3d4e5", with "+" for changed files; the run's number without a commit. */
void history_commit(struct buf *b, const struct history_run *r);
/* "2026-01-31 23:59", UTC. */
void history_date(struct buf *b, int64_t time_s);
/* "nano_gpt · main · box7 · wormhole_b0"; nothing in it steers a terminal. */
void series_name(struct buf *b, const struct series *s);
bool trend_is_shown(const struct trends *t, const struct trend *tr, const struct history_shown *s);
bool change_is_shown(const struct trend_change *c, const struct history_shown *s);

#endif /* TTP_HISTORY_HISTORY_OUT_H */
