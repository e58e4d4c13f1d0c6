// SPDX-License-Identifier: Apache-2.0
/* A history as a page: what `ttprof view HISTORY` and `ttprof history show --html` write. */
#ifndef TTP_CMD_VIEW_HISTORY_H
#define TTP_CMD_VIEW_HISTORY_H

#include "history/history_out.h"
#include "web/page_file.h"

/* Whether what was named as RUN is a database: a file of SQLite, or a server. */
bool view_is_history(const char *run);
/* All trends of all series, as `ttprof history` has them without options; *runs is how many. */
enum ttp_rc view_history_read(struct packed_pages *to, const char *where, size_t *runs,
			      struct ttp_err *e) TTP_CHECKED;
void view_history_pack(struct packed_pages *to, const struct trends *t,
		       const struct history_shown *shown);

/* For cmd_write(). */
struct view_page {
	const struct packed_pages *pages;
	struct str text; /* the page without data */
};
void view_page_write(const void *page, struct out *out);

#endif /* TTP_CMD_VIEW_HISTORY_H */
