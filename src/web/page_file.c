// SPDX-License-Identifier: Apache-2.0
#include "web/page_file.h"

#include <stdlib.h>

#include "base/input.h"

#ifdef WEB_PAGE_FILE
/* The assembler puts the file there as it is: no array of numbers to compile. */
__asm__(".section .rodata\n"
	".global web_page_start\n.hidden web_page_start\n"
	".global web_page_end\n.hidden web_page_end\n"
	"web_page_start:\n\t.incbin \"" WEB_PAGE_FILE "\"\n"
	"web_page_end:\n\t.byte 0\n"
	".text\n");
extern const char web_page_start[], web_page_end[];
#endif

static enum ttp_rc check(struct str page, const char *name, struct ttp_err *e)
{
	size_t at = str_find(page, STR(PAGE_DATA_LINE));

	if (at == STR_NONE || str_has(str_from(page, at + 1), STR(PAGE_DATA_LINE)))
		return ttp_fail(e, TTP_FORMAT,
				"%s: not the page: it must have " PAGE_DATA_LINE " once", name);
	return TTP_OK;
}

enum ttp_rc web_template(struct str *page, struct ttp_err *e)
{
	static struct input in; /* kept for good: it is the page */
	static bool read;
	const char *path = getenv("TTP_PAGE");

	if (path && *path) {
		enum ttp_rc rc = read ? TTP_OK : input_open(&in, path, e);

		if (rc)
			return ttp_wrap(e, rc, "TTP_PAGE");
		read = true;
		*page = in.data;
		return check(*page, path, e);
	}
#ifdef WEB_PAGE_FILE
	*page = str_n(web_page_start, (size_t)(web_page_end - web_page_start));
	if (page->len)
		return check(*page, "the page in this program", e);
#endif
	return ttp_fail(
		e, TTP_VERSION,
		"this ttprof was built without its page: node (18 or newer), npm or the network "
		"was missing then; `make setup` installs them, `make` builds the page");
}

enum ttp_rc page_fits_file(const struct page *p, const char *run, struct ttp_err *e)
{
	if (p->zones <= PAGE_MAX_ZONES)
		return TTP_OK;
	return ttp_fail(
		e, TTP_LIMIT,
		"the run has %llu million zones, more than a browser can open as one file (%d "
		"million): `ttprof view --serve %s` shows all of it, --from and --to a part (it "
		"takes %lld ms)",
		(unsigned long long)(p->zones / 1000000), PAGE_MAX_ZONES / 1000000, run,
		(long long)(p->span_ns / 1000000));
}

uint64_t page_file_bytes(const struct packed_page *k)
{
	uint64_t n = k->manifest.len;

	vec_each (c, &k->columns.chunks)
		n += (c->len + 2) / 3 * 4 + 80;
	return n;
}

void page_data_write(const struct packed_page *k, struct out *to)
{
	enum { AT_ONCE = 3 << 16 }; /* a multiple of 3, so that pieces join */
	SCOPED(buf) struct buf b = { 0 };
	unsigned n = 0;

	out_text(to, "<script type=\"application/json\" id=\"ttp-manifest\">");
	out_str(to, buf_view(&k->manifest));
	out_text(to, "</script>\n");
	vec_each (c, &k->columns.chunks) {
		out_printf(to, "<script type=\"application/octet-stream\" id=\"ttp-c%u\">", n++);
		for (size_t at = 0; at < c->len && out_ok(to); at += AT_ONCE) {
			base64_add(&b, c->at + at, c->len - at < AT_ONCE ? c->len - at : AT_ONCE);
			out_buf(to, &b);
		}
		out_text(to, "</script>\n");
	}
}

void page_file_write(const struct packed_page *k, struct str page, struct out *to)
{
	size_t at = str_find(page, STR(PAGE_DATA_LINE));

	out_str(to, str_head(page, at));
	page_data_write(k, to);
	out_str(to, str_from(page, at + sizeof(PAGE_DATA_LINE) - 1));
}
