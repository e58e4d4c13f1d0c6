// SPDX-License-Identifier: Apache-2.0
/* A history for people and for programs (docs/reference/formats/history-json.md). */
#ifndef TTP_HISTORY_HISTORY_OUT_H
#define TTP_HISTORY_HISTORY_OUT_H

#include "base/out.h"
#include "base/term.h"
#include "history/trends.h"

/* Which trends are shown: those whose label has this text (NULL: step and gaps of each series). */
struct history_shown {
	const char *op;
	bool all;   /* of `regressions`: also what is fixed, and what got faster */
	bool every; /* without `op` all trends */
};

/* What a page of a history says of itself. */
struct history_page {
	struct str db; /* without a password */
	const char *tool;
	int64_t made_s; /* since 1970 */
};

void history_list_text(const struct history *h, struct term term, struct out *out);
void history_list_json(const struct history *h, struct out *out);
/* Whether there is anything of such a label. */
bool history_has(const struct trends *t, const struct history_shown *s);
void history_show_text(const struct trends *t, const struct history_shown *s, struct term term,
		       struct out *out);
void history_show_json(const struct trends *t, const struct history_shown *s, struct out *out);
void history_show_svg(const struct trends *t, const struct history_shown *s, struct out *out);
/* What the page has of it: that of `show`, in one line. */
void history_page_json(const struct trends *t, const struct history_shown *s,
		       const struct history_page *page, struct buf *to);
void history_regressions_text(const struct trends *t, const struct history_shown *s,
			      struct term term, struct out *out);
void history_regressions_json(const struct trends *t, const struct history_shown *s,
			      struct out *out);

/* 1 if something is slower and still is; 3 if the whole step can't be judged, or nothing can; else 0. */
int history_status(const struct trends *t);
int series_status(const struct series *s);

/* "a1b2c3d4e5", with "+" for changed files; the run's number without a commit. */
void history_commit(struct buf *b, const struct history_run *r);
/* "2026-01-31 23:59", UTC. */
void history_date(struct buf *b, int64_t time_s);
/* "nano_gpt · main · box7 · wormhole_b0"; nothing in it steers a terminal. */
void series_name(struct buf *b, const struct series *s);
/* One sentence: what is slower since when, or that nothing is, or why that can't be said. */
void series_finding(struct buf *b, const struct trends *t, const struct series *s);
/* What else is known of a change: the clock, the same commit, fixed since; nothing mostly. */
void change_note(struct buf *b, const struct trend_change *c);
bool trend_is_shown(const struct trends *t, const struct trend *tr, const struct history_shown *s);
bool change_is_shown(const struct trend_change *c, const struct history_shown *s);

#endif /* TTP_HISTORY_HISTORY_OUT_H */
