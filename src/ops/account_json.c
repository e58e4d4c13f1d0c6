// SPDX-License-Identifier: Apache-2.0
#include "ops/account_json.h"

#include "base/number.h"

static const char schema[] = "ttprof.account/1";

void account_json_place(struct json_writer *w, const struct account_place *p)
{
	if (p->device >= 0)
		json_put_whole(w, "device", p->device);
	if (p->core_x >= 0) {
		json_put_array(w, "core");
		json_write_i64(w, p->core_x);
		json_write_i64(w, p->core_y);
		json_close_array(w);
	}
	if (p->risc)
		json_put_text(w, "risc", str_of(p->risc));
}

void account_json_write(struct json_writer *w, struct account *a)
{
	static const char *const totals[ACCOUNT_TOTALS] = { NULL, "seen", "timed", "partial",
							    "dropped" };
	const struct account_entry *entry;
	size_t n;

	json_open_object(w);
	for (int i = ACCOUNT_TOTAL_SEEN; i < ACCOUNT_TOTALS; i++)
		json_put_count(w, totals[i], account_total(a, (enum account_total)i));
	json_put_array(w, "causes");
	entry = account_sorted(a, &n);
	for (size_t i = 0; i < n; i++) {
		if (entry[i].what < ACCOUNT_FIRST_CAUSE)
			continue;
		json_open_object(w);
		json_put_text(w, "what", str_of(account_text(entry[i].what, entry[i].count)));
		json_put_count(w, "count", entry[i].count);
		account_json_place(w, &entry[i].place);
		json_put_text(w, "hint", str_of(account_hint(entry[i].what)));
		json_close_object(w);
	}
	json_close_array(w);
	json_close_object(w);
}

void account_json_path(const char *csv, struct buf *path)
{
	struct str name = str_of(csv), number = STR("");
	size_t dot;
	uint64_t n;

	if (str_ends(name, STR(".csv")))
		name = str_head(name, name.len - 4);
	/* an earlier report that was moved aside, and its account with it */
	dot = str_rfind_char(name, '.');
	if (dot != STR_NONE && number_u64(str_from(name, dot + 1), &n)) {
		number = str_from(name, dot);
		name = str_head(name, dot);
	}
	buf_set_str(path, name);
	buf_text(path, ".account");
	buf_str(path, number);
	buf_text(path, ".json");
}

void account_json_file(struct account *a, uint64_t csv_bytes, struct buf *to)
{
	struct json_writer w = { .to = to, .pretty = true };

	json_open_object(&w);
	json_put_text(&w, "schema", str_of(schema));
	json_put_count(&w, "csv_bytes", csv_bytes);
	json_write_key(&w, STR("account"));
	account_json_write(&w, a);
	json_close_object(&w);
	buf_char(to, '\n');
}

static bool find_cause(const struct json_reader *r, enum account_what *what)
{
	for (int i = ACCOUNT_FIRST_CAUSE; i < ACCOUNT_WHATS; i++)
		for (uint64_t n = 1; n <= 2; n++)
			if (json_text_is(r, str_of(account_text((enum account_what)i, n)))) {
				*what = (enum account_what)i;
				return true;
			}
	return false;
}

static int small(const struct json_reader *r)
{
	int64_t v;

	return json_i64(r, &v) && v >= 0 && v <= INT32_MAX ? (int)v : -1;
}

/* One cause; what only another version has a name for is counted as that. */
static void read_cause(struct json_reader *r, struct account *a)
{
	struct account_place at = ACCOUNT_ANYWHERE;
	enum account_what what = ACCOUNT_WHATS;
	SCOPED(buf) struct buf risc = { 0 };
	uint64_t count = 0;
	enum json_event ev;

	while ((ev = json_next(r)) == JSON_KEY) {
		if (json_text_is(r, STR("what"))) {
			if (json_next(r) == JSON_STRING)
				(void)find_cause(r, &what);
		} else if (json_text_is(r, STR("count"))) {
			if (json_next(r) == JSON_NUMBER)
				(void)json_u64(r, &count);
		} else if (json_text_is(r, STR("device"))) {
			(void)json_next(r);
			at.device = small(r);
		} else if (json_text_is(r, STR("risc"))) {
			if (json_next(r) == JSON_STRING)
				json_unescape(r, &risc);
		} else if (json_text_is(r, STR("core"))) {
			if (json_next(r) != JSON_ARRAY_BEGIN)
				continue;
			if (json_next(r) == JSON_NUMBER)
				at.core_x = small(r);
			if (json_next(r) == JSON_NUMBER)
				at.core_y = small(r);
			(void)json_next(r);
		} else if (!json_skip_value(r)) {
			break;
		}
	}
	at.risc = risc.len ? risc.at : NULL;
	if (ev == JSON_OBJECT_END)
		account_add(a, what != ACCOUNT_WHATS ? what : ACCOUNT_OTHER_VERSION, at, count);
}

static void read_account(struct json_reader *r, struct account *a)
{
	enum json_event ev;
	uint64_t n;

	while ((ev = json_next(r)) == JSON_KEY) {
		bool seen = json_text_is(r, STR("seen"));

		if (seen || json_text_is(r, STR("timed"))) {
			if (json_next(r) == JSON_NUMBER && json_u64(r, &n) && n)
				account_add(a, seen ? ACCOUNT_SEEN : ACCOUNT_TIMED,
					    ACCOUNT_ANYWHERE, n);
			continue;
		}
		if (!json_text_is(r, STR("causes"))) {
			if (!json_skip_value(r))
				return;
			continue;
		}
		if (json_next(r) != JSON_ARRAY_BEGIN)
			return;
		while (json_next(r) == JSON_OBJECT_BEGIN)
			read_cause(r, a);
	}
}

bool account_json_read(struct str text, uint64_t csv_bytes, struct account *a)
{
	struct json_reader r = json_reader_of(text);
	struct account read = { 0 };
	bool ours = false, same = false;
	uint64_t bytes;
	enum json_event ev;

	if (json_next(&r) != JSON_OBJECT_BEGIN)
		return false;
	while ((ev = json_next(&r)) == JSON_KEY) {
		if (json_text_is(&r, STR("schema")))
			ours = json_next(&r) == JSON_STRING && json_text_is(&r, str_of(schema));
		else if (json_text_is(&r, STR("csv_bytes")))
			same = json_next(&r) == JSON_NUMBER && json_u64(&r, &bytes) &&
			       bytes == csv_bytes;
		else if (json_text_is(&r, STR("account")) && json_next(&r) == JSON_OBJECT_BEGIN)
			read_account(&r, &read);
		else if (!json_skip_value(&r))
			break;
	}
	same = same && ours && ev == JSON_OBJECT_END && json_next(&r) == JSON_END;
	if (same)
		account_merge(a, &read);
	account_release(&read);
	return same;
}
