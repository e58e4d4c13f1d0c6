// SPDX-License-Identifier: Apache-2.0
#include "ops/join/ops_report.h"

#include <stdlib.h>

#include "base/csv.h"
#include "base/input.h"
#include "base/map.h"

enum key { KEY_CALL, KEY_TRACE, KEY_SESSION, KEY_DEVICE, KEY_CODE, KEYS };

struct second_pass {
	struct input in;
	struct csv_reader csv;
	struct intern names;
	size_t key_at[KEYS];
	struct intern keys; /* the first four, with a line end after each */
	VEC(size_t) row_at;
	bool has_row;
};

static struct str field(const struct second_pass *p, size_t i)
{
	return i < p->csv.fields ? str_trim(p->csv.field[i]) : STR("");
}

/* "1024.0", as a table program writes a column that has gaps, is 1024. */
static struct str whole(struct str s)
{
	return str_ends(s, STR(".0")) ? str_head(s, s.len - 2) : s;
}

static void put_key(struct buf *b, const struct str part[4])
{
	buf_clear(b);
	for (int i = 0; i < 4; i++) {
		buf_str(b, whole(part[i]));
		buf_char(b, '\n');
	}
}

static void index_rows(struct second_pass *p)
{
	SCOPED(buf) struct buf key = { 0 };

	while (csv_next(&p->csv)) {
		struct str part[4];
		uint32_t id;

		for (int i = 0; i < 4; i++)
			part[i] = field(p, p->key_at[i]);
		if (!part[KEY_CALL].len)
			continue;
		put_key(&key, part);
		id = intern_copy(&p->keys, buf_view(&key));
		if (id == p->row_at.len)
			*vec_push(&p->row_at) = p->csv.row_at;
		else
			p->row_at.at[id] = p->csv.row_at;
	}
}

enum ttp_rc second_pass_open(struct second_pass **out, const char *path, struct ttp_err *e)
{
	static const char *const keys[KEYS] = { "GLOBAL CALL COUNT", "METAL TRACE ID",
						"METAL TRACE REPLAY SESSION ID", "DEVICE ID",
						"OP CODE" };
	struct second_pass *p = mem_zero(1, sizeof(*p));
	enum ttp_rc rc = input_open_if(&p->in, path, input_is_table, e);

	if (rc) {
		free(p);
		return rc;
	}
	csv_reader_init(&p->csv, p->in.data);
	for (int k = 0; k < KEYS; k++)
		p->key_at[k] = SIZE_MAX;
	if (csv_next(&p->csv))
		for (size_t i = 0; i < p->csv.fields; i++) {
			for (int k = 0; k < KEYS; k++)
				if (str_eq(field(p, i), str_of(keys[k])))
					p->key_at[k] = i;
			/* a name that comes twice keeps its position, so that numbers are columns */
			if (intern_copy(&p->names, field(p, i)) != i)
				break;
		}
	if (p->key_at[KEY_CALL] == SIZE_MAX) {
		second_pass_close(p);
		return ttp_fail(e, TTP_FORMAT,
				"%s: not an ops report: no column \"GLOBAL CALL COUNT\"", path);
	}
	index_rows(p);
	*out = p;
	return TTP_OK;
}

void second_pass_close(struct second_pass *p)
{
	if (!p)
		return;
	csv_reader_release(&p->csv);
	RELEASE(intern, &p->names, &p->keys);
	vec_release(&p->row_at);
	input_close(&p->in);
	free(p);
}

size_t second_pass_columns(const struct second_pass *p)
{
	return intern_count(&p->names);
}

struct str second_pass_column(const struct second_pass *p, size_t i)
{
	return intern_get(&p->names, (uint32_t)i);
}

bool second_pass_seek(struct second_pass *p, struct str call_count, struct str trace_id,
		      struct str session, struct str device, struct str code)
{
	struct str part[4] = { call_count, trace_id, session, device };
	SCOPED(buf) struct buf key = { 0 };
	uint32_t id;

	if (p->key_at[KEY_DEVICE] == SIZE_MAX)
		part[KEY_DEVICE] = STR("");
	put_key(&key, part);
	id = intern_find(&p->keys, buf_view(&key));
	p->has_row = false;
	if (id == INTERN_NONE)
		return false;
	csv_seek(&p->csv, p->row_at.at[id]);
	p->has_row = csv_next(&p->csv) && (p->key_at[KEY_CODE] == SIZE_MAX ||
					   str_eq(field(p, p->key_at[KEY_CODE]), code));
	return p->has_row;
}

struct str second_pass_cell(const struct second_pass *p, size_t i)
{
	return p->has_row ? field(p, i) : STR("");
}
