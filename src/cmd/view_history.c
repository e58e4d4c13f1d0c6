// SPDX-License-Identifier: Apache-2.0
#include "cmd/view_history.h"

#include <time.h>

#include "cmd/cmd.h"

bool view_is_history(const char *run)
{
	return store_is_server(run) || store_is_file(run);
}

void view_history_pack(struct packed_pages *to, const struct trends *t,
		       const struct history_shown *shown)
{
	const struct history_page page = { .db = buf_view(&t->h->store.shown),
					   .tool = cmd_version_text(),
					   .made_s = (int64_t)time(NULL) };

	history_page_json(t, shown, &page, &to->history);
	page_json_without_markup(&to->history);
}

enum ttp_rc view_history_read(struct packed_pages *to, const char *where, size_t *runs,
			      struct ttp_err *e)
{
	const struct trends_ask usual = TRENDS_USUAL;
	const struct store_ask ask = { .where = where, .mode = STORE_READ, .wait_s = 60 };
	const struct history_shown all = { .every = true };
	struct history h;
	enum ttp_rc rc = history_open(&h, &ask, e);

	if (!rc)
		rc = history_read(&h, NULL, NULL, true, e);
	if (!rc) {
		struct trends t;

		trends_make(&t, &h, &usual);
		view_history_pack(to, &t, &all);
		*runs = h.runs.len;
		trends_release(&t);
	}
	history_release(&h);
	return rc;
}

void view_page_write(const void *page, struct out *out)
{
	const struct view_page *p = page;

	page_file_write(p->pages, p->text, out);
}
