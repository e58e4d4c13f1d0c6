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

uint64_t page_file_bytes(const struct packed_pages *all)
{
	uint64_t n = all->compare.len + all->history.len;

	vec_each (k, &all->runs) {
		n += k->manifest.len;
		vec_each (c, &k->columns.chunks)
			n += (c->len + 2) / 3 * 4 + 80;
	}
	return n;
}

/* Elements of the first run have plain names, as those of a page of one run. */
static void add_name(struct buf *b, size_t run, const char *what)
{
	if (run)
		buf_printf(b, "ttp-r%zu-%s", run, what);
	else
		buf_printf(b, "ttp-%s", what);
}

static void write_run(const struct packed_page *k, size_t run, struct out *to)
{
	enum { AT_ONCE = 3 << 16 }; /* a multiple of 3, so that pieces join */
	SCOPED(buf) struct buf b = { 0 };
	unsigned n = 0;

	buf_text(&b, "<script type=\"application/json\" id=\"");
	add_name(&b, run, "manifest");
	buf_text(&b, "\">");
	out_buf(to, &b);
	out_str(to, buf_view(&k->manifest));
	out_text(to, "</script>\n");
	vec_each (c, &k->columns.chunks) {
		buf_text(&b, "<script type=\"application/octet-stream\" id=\"");
		add_name(&b, run, "c");
		buf_printf(&b, "%u\">", n++);
		out_buf(to, &b);
		for (size_t at = 0; at < c->len && out_ok(to); at += AT_ONCE) {
			base64_add(&b, c->at + at, c->len - at < AT_ONCE ? c->len - at : AT_ONCE);
			out_buf(to, &b);
		}
		out_text(to, "</script>\n");
	}
}

static void write_json(const char *name, const struct buf *json, struct out *to)
{
	if (!json->len)
		return;
	out_printf(to, "<script type=\"application/json\" id=\"%s\">", name);
	out_str(to, str_trim(buf_view(json)));
	out_text(to, "</script>\n");
}

void page_data_write(const struct packed_pages *all, struct out *to)
{
	write_json("ttp-compare", &all->compare, to);
	write_json("ttp-history", &all->history, to);
	for (size_t i = 0; i < all->runs.len; i++)
		write_run(&all->runs.at[i], i, to);
}

void page_file_write(const struct packed_pages *all, struct str page, struct out *to)
{
	size_t at = str_find(page, STR(PAGE_DATA_LINE));

	out_str(to, str_head(page, at));
	page_data_write(all, to);
	out_str(to, str_from(page, at + sizeof(PAGE_DATA_LINE) - 1));
}

void packed_pages_release(struct packed_pages *all)
{
	vec_each (k, &all->runs)
		packed_page_release(k);
	vec_release(&all->runs);
	RELEASE(buf, &all->compare, &all->history);
}
