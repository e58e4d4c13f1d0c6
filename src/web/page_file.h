// SPDX-License-Identifier: Apache-2.0
/* The page itself, as web/ builds it, compiled into the program; and packed runs in it, as one HTML file. */
#ifndef TTP_WEB_PAGE_FILE_H
#define TTP_WEB_PAGE_FILE_H

#include "base/err.h"
#include "base/out.h"
#include "web/manifest.h"
#include "web/page.h"

#define PAGE_DATA_LINE "<!--TTPROF_DATA-->"

/*
 * The page, or the file that $TTP_PAGE names, for those who work on it.  An error says what to install when the program was
 * built without one.  The text lives as long as the process.
 */
enum ttp_rc web_template(struct str *page, struct ttp_err *e) TTP_CHECKED;

/* At 3 to 4 bytes a zone the file would be as large, and a browser wants 20 of memory for each. */
enum { PAGE_WARN_MB = 50, PAGE_MAX_MB = 300, PAGE_MAX_ZONES = 100000000 };

/* Before minutes go into packing what nobody could open: the error says what to do instead. */
enum ttp_rc page_fits_file(const struct page *p, const char *run, struct ttp_err *e) TTP_CHECKED;

/* What goes into one file. */
struct packed_pages {
	VEC(struct packed_page) runs;
	/* JSON (docs/reference/formats/page.md), without markup; empty: nothing is compared, no history */
	struct buf compare, history;
};
void packed_pages_release(struct packed_pages *all);

/* Bytes that the file will have, the page itself aside. */
uint64_t page_file_bytes(const struct packed_pages *all);
/* The script elements. */
void page_data_write(const struct packed_pages *all, struct out *to);
/* `page` with the data where the template has room for it. */
void page_file_write(const struct packed_pages *all, struct str page, struct out *to);

#endif /* TTP_WEB_PAGE_FILE_H */
