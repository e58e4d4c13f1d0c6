// SPDX-License-Identifier: Apache-2.0
#include "web/template.h"

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
