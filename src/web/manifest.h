// SPDX-License-Identifier: Apache-2.0
/* A finished page as what goes over the border to web/: docs/reference/formats/page.md. */
#ifndef TTP_WEB_MANIFEST_H
#define TTP_WEB_MANIFEST_H

#include "web/columns.h"
#include "web/page.h"

struct packed_page {
	struct buf manifest; /* JSON; no "<", ">" or "&" in it */
	struct columns columns;
	struct buf strings; /* texts, each with a NUL */
};

/* `p` is finished and must stay.  `made_s`: seconds since 1970, for "made". */
void page_pack(struct packed_page *to, struct page *p, const char *tool, int64_t made_s,
	       bool served);
void packed_page_release(struct packed_page *k);

/* JSON that can stand in a page: nothing in it ends an element. */
void page_json_without_markup(struct buf *json);

#endif /* TTP_WEB_MANIFEST_H */
