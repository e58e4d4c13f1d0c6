// SPDX-License-Identifier: Apache-2.0
#include "cmd/view_history.h"

#include <time.h>

#include "base/paths.h"
#include "cmd/cmd.h"

/* Names of files that a run has: no look into them is needed, and each is opened once. */
static bool is_named_as_of_run(struct str name)
{
	static const struct str ends[] = { STR_INIT(".csv"),  STR_INIT(".json"), STR_INIT(".tracy"),
					   STR_INIT(".ttpr"), STR_INIT(".gz"),   STR_INIT(".zst"),
					   STR_INIT(".tar"),  STR_INIT(".tgz") };

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (str_ends(name, ends[i]))
			return true;
	return false;
}

bool view_is_history(const char *run)
{
	return store_is_server(run) ||
	       (!is_named_as_of_run(str_of(run)) && path_is_file(run) && store_is_file(run));
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
