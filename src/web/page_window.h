// SPDX-License-Identifier: Apache-2.0
/* A stretch of a few lanes at the resolution of a screen, for runs that are too large to be sent whole. */
#ifndef TTP_WEB_PAGE_WINDOW_H
#define TTP_WEB_PAGE_WINDOW_H

#include "base/err.h"
#include "web/page.h"

enum { WINDOW_LANES_MAX = 64, WINDOW_PX_MAX = 8192 };

struct page_window {
	uint32_t lane[WINDOW_LANES_MAX]; /* ids of the page */
	size_t lanes;
	int64_t from_ns, to_ns;
	uint32_t px;
};

/* "lane", "t0", "t1" and "px" of a request; any of them may be NULL, which is wrong. */
enum ttp_rc page_window_parse(struct page_window *w, const char *lane, const char *t0,
			      const char *t1, const char *px, struct ttp_err *e) TTP_CHECKED;
/* As JSON, docs/reference/formats/page.md.  `p` is finished.  Lanes that don't exist are skipped. */
void page_window_json(const struct page *p, const struct page_window *w, struct buf *to);

#endif /* TTP_WEB_PAGE_WINDOW_H */
