// SPDX-License-Identifier: Apache-2.0
#include "markers/log/device_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/number.h"
#include "wire/device_log_columns.h"
#include "wire/run_names.h"

struct log_state {
	uint64_t bytes, inode;
	bool alone;
	struct buf row;
};

static bool take_word(struct str *line, struct str word)
{
	bool has = str_starts(*line, word);

	if (has)
		*line = str_from(*line, word.len);
	return has;
}

static bool read_state(const char *log_path, struct log_state *s)
{
	SCOPED(buf) struct buf path = { 0 };
	struct ttp_err e;
	struct input in;
	struct str rest, line;
	bool has_bytes = false;

	buf_printf(&path, "%s" RUN_STATE_SUFFIX, log_path);
	*s = (struct log_state){ 0 };
	if (input_open_file(&in, path.at, &e))
		return false;
	rest = in.data;
	while (str_split(&rest, '\n', &line)) {
		if (take_word(&line, STR(DEVICE_LOG_STATE_BYTES)))
			has_bytes = number_u64(line, &s->bytes);
		else if (take_word(&line, STR(DEVICE_LOG_STATE_INODE)))
			(void)number_u64(line, &s->inode);
		else if (take_word(&line, STR(DEVICE_LOG_STATE_HOST)))
			s->alone = str_eq(line, STR(DEVICE_LOG_HOST_NONE));
		else if (take_word(&line, STR(DEVICE_LOG_STATE_ROW)))
			buf_str(&s->row, line);
	}
	input_close(&in);
	return has_bytes;
}

static struct str first_row(const struct device_log *log)
{
	struct str rest = str_from(log->in.data, log->first_row);

	return str_head(rest, str_find_char(rest, '\n'));
}

/* Does the writer say anything of this log? */
static bool is_of_log(const struct log_state *s, const struct device_log *log, const char *path)
{
	struct stat st;

	if (s->row.len)
		return str_starts(first_row(log), buf_view(&s->row));
	return !s->bytes && !stat(path, &st) && (uint64_t)st.st_ino == s->inode;
}

/* Once for each log. */
bool log_is_ours(struct device_log *log, const char *path)
{
	struct log_state s;

	if (log->state.is_read)
		return log->state.is_ours;
	log->state.is_read = true;
	log->state.is_ours = read_state(path, &s) && is_of_log(&s, log, path);
	log->state.bytes = s.bytes;
	buf_release(&s.row);
	return log->state.is_ours;
}

static bool is_unfinished(const struct device_log *log)
{
	const struct str data = log->in.data;

	return (data.len && data.at[data.len - 1] != '\n') || log->in.cut_short;
}

bool log_ends_early(struct device_log *log, const char *path)
{
	return log_is_ours(log, path) ? log->in.data.len != log->state.bytes : is_unfinished(log);
}

bool log_is_alone(const char *path)
{
	struct device_log log;
	struct log_state s;
	struct ttp_err e;
	bool alone = read_state(path, &s) && s.alone;

	if (alone && !device_log_open_found(&log, path, &e)) {
		alone = is_of_log(&s, &log, path);
		device_log_close(&log);
	}
	buf_release(&s.row);
	return alone;
}

struct walk {
	struct u64map order; /* of cores, by first sight */
	uint32_t last;
	uint32_t device;
	bool begun;
};

/* The next marker; *at is where its row begins, at most a line that is no marker before it. */
static bool next_marker(struct device_log *log, struct marker *m, size_t *at)
{
	*at = log->at;
	return device_log_next(log, m, 1) == 1;
}

static uint64_t core_key(const struct marker *m)
{
	return (uint64_t)m->device << 32 | (uint64_t)m->x << 16 | m->y;
}

/* Where the last part begins: cores come in their order within one. */
static size_t last_part(struct device_log *log)
{
	struct walk w = { 0 };
	size_t from = log->first_row, at;
	struct marker m;

	device_log_rewind(log);
	while (next_marker(log, &m, &at)) {
		uint32_t n = u64map_get_or_put(&w.order, core_key(&m),
					       (uint32_t)w.order.entries.len, NULL);

		if (w.begun && (n < w.last || m.device != w.device))
			from = at;
		w.begun = true;
		w.last = n;
		w.device = m.device;
	}
	u64map_release(&w.order);
	return from;
}

/*
 * Of the runs with one key, those that were going on at that time.  `*last` is where the search for the marker before ended:
 * markers of a RISC come in the order of time, as the runs do.
 */
static void mark_runs(struct op_times *t, uint32_t first, uint64_t time, uint32_t *last)
{
	uint32_t run = *last;

	if (run == OP_NONE || t->runs.at[run].run_id != t->runs.at[first].run_id ||
	    t->runs.at[run].replay != t->runs.at[first].replay ||
	    time < op_run_time(t, &t->runs.at[run], TIME_FIRST))
		run = first;
	/* a clock that went back has them in another order: then all are looked at */
	for (int pass = 0; pass < 2; pass++, run = first)
		for (; run != OP_NONE; run = op_run_next_repeat(t, &t->runs.at[run])) {
			struct op_run *r = &t->runs.at[run];

			if (time > op_run_time(t, r, TIME_LAST) ||
			    time < op_run_time(t, r, TIME_FIRST))
				continue;
			r->is_cut = true;
			*last = run;
			return;
		}
}

/* Runs of the last part, and the cores that it has. */
static void mark_part(struct log_cut *c, struct device_log *log, struct op_times *t)
{
	SCOPED(mem) bool *has = mem_zero(t->places.len + 1, sizeof(*has));
	struct marker m;
	uint32_t last = OP_NONE;
	uint64_t key = 0;
	size_t at;

	device_log_rewind(log);
	log->at = c->from > log->first_row ? c->from : log->first_row;
	while (next_marker(log, &m, &at)) {
		uint32_t run = op_times_find(t, m.device, m.run_id, m.trace_id, m.session);

		if (run != OP_NONE)
			mark_runs(t, run, m.time_cycles, &last);
		c->risc = m.risc;
		if (c->has_place && core_key(&m) == key)
			continue;
		key = core_key(&m);
		c->has_place = true;
		c->place = (struct device_core){ .device = m.device, .x = m.x, .y = m.y };
		for (size_t i = 0; i < t->places.len; i++)
			if (t->places.at[i].device == m.device && t->places.at[i].x == m.x &&
			    t->places.at[i].y == m.y)
				has[i] = true;
	}
	for (uint32_t i = 0; c->has_place && i < t->places.len; i++)
		if (!has[i] && t->places.at[i].device == c->place.device &&
		    !t->places.at[i].dispatch)
			*vec_push(&c->without) = i;
}

void log_cut_find(struct log_cut *c, struct device_log *log, struct op_times *t, const char *path)
{
	const struct str data = log->in.data;
	uint64_t rows = log->rows, bad = log->bad_rows, lines[LOG_ROWS_TOLD];
	uint64_t whole;

	*c = (struct log_cut){ .is_ours = log_is_ours(log, path),
			       .is_cut = log_ends_early(log, path) };
	whole = log->state.bytes;
	if (c->is_cut)
		c->from = c->is_ours && data.len > whole ? whole : last_part(log);
	if (!c->is_cut)
		return;
	memcpy(lines, log->bad_line, sizeof(lines));
	mark_part(c, log, t);
	memcpy(log->bad_line, lines, sizeof(lines));
	log->rows = rows;
	log->bad_rows = bad;
}

void log_cut_release(struct log_cut *c)
{
	vec_release(&c->without);
	*c = (struct log_cut){ 0 };
}
