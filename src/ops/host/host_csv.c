// SPDX-License-Identifier: Apache-2.0
#include "ops/host/host_csv.h"

#include <errno.h>

#include "base/csv.h"
#include "base/number.h"
#include "ops/host/host_builder.h"
#include "wire/run_processes.h"
#include "wire/tt_message.h"

static bool all_digits(struct str s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.at[i] < '0' || s.at[i] > '9')
			return false;
	return s.len > 0;
}

static void go_on(struct message_reader *r, size_t to)
{
	for (size_t i = 0; i < to && i < r->rest.len; i++)
		r->line += r->rest.at[i] == '\n';
	r->rest = str_from(r->rest, to);
}

static size_t line_end(struct str s, size_t at)
{
	size_t n = str_find_char(str_from(s, at), '\n');

	return n == STR_NONE ? s.len : at + n;
}

/* A text that never closed: without the line end, and without ";time" if that is there. */
static void take_cut(struct message *m, struct str text)
{
	size_t semicolon;

	m->cut = true;
	while (text.len && (text.at[text.len - 1] == '\n' || text.at[text.len - 1] == '\r'))
		text.len--;
	semicolon = str_rfind_char(text, ';');
	if (semicolon != STR_NONE && all_digits(str_from(text, semicolon + 1))) {
		m->time = str_from(text, semicolon + 1);
		text.len = semicolon;
	}
	m->text = text;
}

struct str message_undouble(struct arena *texts, struct str s)
{
	char *to = arena_dup(texts, s.at, s.len);
	size_t n = 0;

	for (size_t i = 0; i < s.len; i++) {
		to[n++] = s.at[i];
		if (s.at[i] == '`' && i + 1 < s.len && s.at[i + 1] == '`')
			i++;
	}
	return str_n(to, n);
}

static void take_quoted(struct message_reader *r, struct message *m)
{
	struct str s = r->rest;
	size_t at = 1;
	bool doubled = false;

	for (;;) {
		size_t q = str_find_char(str_from(s, at), '`');
		char next;

		if (q == STR_NONE) {
			take_cut(m, str_from(s, 1));
			go_on(r, s.len);
			return;
		}
		q += at;
		next = q + 1 < s.len ? s.at[q + 1] : '\n';
		if (next == ';' || next == '\n' || next == '\r') {
			size_t end = line_end(s, q);

			m->text = str_n(s.at + 1, q - 1);
			if (doubled)
				m->text = message_undouble(r->texts, m->text);
			if (next == ';')
				m->time = str_trim(str_n(s.at + q + 2, end - q - 2));
			go_on(r, end + 1);
			return;
		}
		if (s.at[q - 1] == '\n') { /* the next message opens: this one was cut */
			take_cut(m, str_n(s.at + 1, q - 1));
			go_on(r, q);
			return;
		}
		doubled |= next == '`';
		at = q + (next == '`' ? 2 : 1);
	}
}

bool message_next(struct message_reader *r, struct message *m)
{
	size_t end, semicolon;
	struct str line;

	*m = (struct message){ .text = STR(""), .time = STR("") };
	while (r->rest.len && (r->rest.at[0] == '\n' || r->rest.at[0] == '\r'))
		go_on(r, 1);
	if (!r->rest.len)
		return false;
	m->line = r->line;
	if (r->rest.at[0] == '`') {
		take_quoted(r, m);
		return true;
	}
	end = line_end(r->rest, 0);
	line = str_trim(str_head(r->rest, end));
	semicolon = str_find_char(line, ';');
	m->text = str_head(line, semicolon);
	if (semicolon != STR_NONE) {
		struct str time = str_from(line, semicolon + 1);

		m->time = str_trim(str_head(time, str_find_char(time, ';')));
	}
	go_on(r, end + 1);
	return true;
}

enum zone_column { ZONE_NAME, ZONE_TEXT, ZONE_START, ZONE_EXEC, ZONE_THREAD, ZONE_PARENT, ZONES };

struct zone_columns {
	size_t at[ZONES];
};

static bool find_zone_columns(const struct csv_reader *r, struct zone_columns *c)
{
	static const char *const names[ZONES] = {
		"name",         "zone_text", "ns_since_start",
		"exec_time_ns", "thread",    "special_parent_text"
	};

	for (int k = 0; k < ZONES; k++) {
		c->at[k] = SIZE_MAX;
		for (size_t i = 0; i < r->fields; i++)
			if (str_eq(str_trim(r->field[i]), str_of(names[k])))
				c->at[k] = i;
	}
	return c->at[ZONE_NAME] != SIZE_MAX && c->at[ZONE_START] != SIZE_MAX;
}

static struct str zone_field(const struct csv_reader *r, const struct zone_columns *c,
			     enum zone_column k)
{
	return c->at[k] < r->fields ? r->field[c->at[k]] : STR("");
}

static bool zone_number(const struct csv_reader *r, const struct zone_columns *c,
			enum zone_column k, int64_t *out)
{
	struct str s = str_trim(zone_field(r, c, k));
	double d;

	if (number_i64(s, out))
		return true;
	if (!number_double(s, &d) || !(d > -9e18 && d < 9e18))
		return false;
	*out = (int64_t)d;
	return true;
}

static void put_zone(struct host_builder *b, const struct csv_reader *r,
		     const struct zone_columns *c, struct intern *threads)
{
	struct host_zone z;

	if (!tt_is_op_zone(zone_field(r, c, ZONE_NAME)))
		return;
	if (!tt_zone_id(zone_field(r, c, ZONE_TEXT), &z.id) ||
	    !zone_number(r, c, ZONE_START, &z.start_ns) ||
	    !zone_number(r, c, ZONE_EXEC, &z.exec_ns)) {
		b->h->bad_zones++;
		return;
	}
	z.thread = intern_copy(threads, zone_field(r, c, ZONE_THREAD));
	host_put_zone(b, &z);
}

static void put_child(struct host_builder *b, const struct csv_reader *r,
		      const struct zone_columns *c)
{
	int64_t exec_ns;
	uint64_t parent;

	if (tt_parent_id(zone_field(r, c, ZONE_PARENT), &parent) &&
	    zone_number(r, c, ZONE_EXEC, &exec_ns))
		host_put_child(b, parent, zone_field(r, c, ZONE_NAME), exec_ns);
}

void host_events_add_zones(struct host_events *h, struct str text)
{
	struct csv_reader r;
	struct zone_columns columns;
	SCOPED(intern) struct intern threads = { 0 };
	struct host_builder b;

	host_builder_init(&b, h);
	csv_reader_init(&r, text);
	if (csv_next(&r) && find_zone_columns(&r, &columns)) {
		while (csv_next(&r))
			put_zone(&b, &r, &columns, &threads);
		/* children may stand before their parents */
		csv_seek(&r, 0);
		(void)csv_next(&r);
		while (csv_next(&r))
			put_child(&b, &r, &columns);
	}
	csv_reader_release(&r);
	host_builder_finish(&b);
}

void host_events_add_messages(struct host_events *h, struct str text)
{
	struct message_reader r = { .rest = text, .line = 1, .texts = &h->texts };
	struct host_builder b;
	struct message m;

	host_builder_init(&b, h);
	while (message_next(&r, &m)) {
		struct host_message put = { .text = m.text, .line = m.line, .cut = m.cut };

		if (!number_i64(m.time, &put.time_ns))
			put.time_ns = 0;
		host_put_message(&b, &put);
	}
	host_builder_finish(&b);
}

static enum ttp_rc open_if_there(struct input *in, const char *path, bool *there, struct ttp_err *e)
{
	enum ttp_rc rc;

	*there = false;
	if (input_is_odd(path, e)) /* ops_logs tells it */
		return TTP_OK;
	rc = input_open_file(in, path, e);
	*there = !rc;
	return rc == TTP_SYS && e && e->sys_errno == ENOENT ? TTP_OK : rc;
}

enum ttp_rc host_events_read(struct host_events *h, const char *messages_path,
			     const char *zones_path, bool hash_is_name,
			     const struct run_processes *processes, bool *complete,
			     struct ttp_err *e)
{
	struct ttp_err own;
	enum ttp_rc rc;

	*h = (struct host_events){ .hash_is_name = hash_is_name,
				   .several_processes = run_has_processes(processes),
				   .processes = processes };
	e = e ? e : &own;
	rc = open_if_there(&h->messages, messages_path, &h->has_messages, e);
	if (!rc)
		rc = open_if_there(&h->zones, zones_path, &h->has_zones, e);
	if (rc) {
		host_events_release(h);
		return rc;
	}
	*complete = h->has_messages && h->has_zones;
	if (h->has_messages)
		host_events_add_messages(h, h->messages.data);
	if (h->has_zones)
		host_events_add_zones(h, h->zones.data);
	return TTP_OK;
}
