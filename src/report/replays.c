// SPDX-License-Identifier: Apache-2.0
#include "report/replays.h"

#include <stdlib.h>

#include "report/align.h"
#include "report/calls.h"

/* A trace on a device. */
struct traced {
	uint32_t fullest; /* the session with most rows */
	uint32_t ops;     /* that it has */
	uint32_t first;   /* of `cores`: its first op's */
	bool odd;         /* replays that are not parts of one sequence: nothing is said of them */
};

/* One replay of it. */
struct session {
	uint32_t traced, rows;
	uint32_t next; /* the op of the sequence that should come next */
	uint32_t end;  /* the one behind its last */
	uint32_t last_row;
	bool begun;
};

struct finding_replays {
	const struct ops_table *t;
	const uint32_t *rows;
	struct u64map traces, numbers, at; /* numbers: of sessions; at: of ops in a trace */
	VEC(struct traced) all;
	VEC(struct session) sessions;
	VEC(double) cores; /* the most of each op of each trace */
	uint32_t *of_row;  /* its session; UINT32_MAX: none */
};

bool replays_any(const struct ops_table *t)
{
	vec_each (f, &t->files)
		if (f->field_of[OPS_SESSION_ID] != OPS_ABSENT &&
		    f->seen[OPS_SESSION_ID] & ~(1u << CELL_NONE))
			return true;
	return false;
}

static uint64_t device_key(const struct ops_table *t, size_t row)
{
	int64_t key[2] = { -1, ops_file_of(t, row) - t->files.at };

	(void)row_device(t, row, &key[0]);
	return str_hash(str_n((const char *)key, sizeof(key)));
}

static uint64_t op_key(const struct ops_table *t, size_t row, uint32_t traced)
{
	int64_t key[2] = { -1, traced };

	(void)ops_i64(t, OPS_GLOBAL_CALL_COUNT, row, &key[0]);
	return str_hash(str_n((const char *)key, sizeof(key)));
}

static uint32_t session_of(struct finding_replays *f, size_t row)
{
	int64_t key[3] = { -1, -1, (int64_t)device_key(f->t, row) };
	uint32_t traced, number;
	bool added;

	(void)ops_i64(f->t, OPS_TRACE_ID, row, &key[0]);
	traced = u64map_get_or_put(&f->traces, str_hash(str_n((const char *)key, sizeof(key))),
				   (uint32_t)f->all.len, &added);
	if (added)
		*vec_push(&f->all) = (struct traced){ 0 };
	(void)ops_i64(f->t, OPS_SESSION_ID, row, &key[1]);
	number = u64map_get_or_put(&f->numbers, str_hash(str_n((const char *)key, sizeof(key))),
				   (uint32_t)f->sessions.len, &added);
	if (added)
		*vec_push(&f->sessions) = (struct session){ .traced = traced };
	return number;
}

static void find_sessions(struct finding_replays *f)
{
	for (size_t i = 0; i < f->t->rows; i++) {
		uint32_t row = f->rows[i], number;
		struct traced *traced;

		f->of_row[row] = UINT32_MAX;
		if (!ops_row_is(f->t, row, OPS_ROW_REPLAY) ||
		    !ops_row_is(f->t, row, OPS_ROW_DEVICE_OP))
			continue;
		number = f->of_row[row] = session_of(f, row);
		traced = &f->all.at[f->sessions.at[number].traced];
		if (++f->sessions.at[number].rows > traced->ops) {
			traced->ops = f->sessions.at[number].rows;
			traced->fullest = number;
		}
	}
}

/* The sequence of each trace, from its fullest replay. */
static void find_sequences(struct finding_replays *f)
{
	uint32_t all = 0;

	vec_each (traced, &f->all) {
		traced->first = all;
		all += traced->ops;
	}
	for (uint32_t i = 0; i < all; i++)
		*vec_push(&f->cores) = 0;
	for (size_t i = 0; i < f->t->rows; i++) {
		uint32_t row = f->rows[i], number = f->of_row[row];
		struct session *s = number == UINT32_MAX ? NULL : &f->sessions.at[number];
		bool added;

		if (!s || f->all.at[s->traced].fullest != number)
			continue;
		(void)u64map_get_or_put(&f->at, op_key(f->t, row, s->traced), s->next++, &added);
		f->all.at[s->traced].odd |= !added;
	}
	vec_each (s, &f->sessions)
		s->next = 0;
}

/* Each replay must be the sequence, or a part of it. */
static void check_order(struct finding_replays *f)
{
	for (size_t i = 0; i < f->t->rows; i++) {
		uint32_t row = f->rows[i], number = f->of_row[row], at;
		struct session *s = number == UINT32_MAX ? NULL : &f->sessions.at[number];
		struct traced *traced = s ? &f->all.at[s->traced] : NULL;
		double cores;

		if (!s || traced->odd)
			continue;
		if (!u64map_get(&f->at, op_key(f->t, row, s->traced), &at) || at < s->next) {
			traced->odd = true;
			continue;
		}
		s->next = at + 1;
		if (ops_real(f->t, OPS_CORE_COUNT, row, &cores) &&
		    cores > f->cores.at[traced->first + at])
			f->cores.at[traced->first + at] = cores;
	}
	vec_each (s, &f->sessions) {
		s->end = s->next;
		s->next = 0;
	}
}

static void add_lost(struct replays *r, const struct ops_table *t, uint32_t row, uint32_t n)
{
	if (!n)
		return;
	if (!r->lost)
		r->lost = mem_zero(t->rows, sizeof(*r->lost));
	r->lost[row] += n;
}

/*
 * Is the end of the replay missing that was before this one on its device, or before this op that is of none?  The runtime's own report has
 * rows op by op, so that replays stand among each other, but begin one after the other.
 */
static bool end_is_missing(const struct finding_replays *f, struct u64map *running, uint32_t row,
			   uint32_t number)
{
	uint64_t device = device_key(f->t, row);
	uint32_t before = UINT32_MAX;
	const struct session *s;

	(void)u64map_get(running, device, &before);
	u64map_put(running, device, number);
	if (before == UINT32_MAX)
		return false;
	s = &f->sessions.at[before];
	return !f->all.at[s->traced].odd && s->end < f->all.at[s->traced].ops;
}

static void mark_row(struct finding_replays *f, struct replays *r, uint32_t row, uint16_t *flags)
{
	struct session *s = &f->sessions.at[f->of_row[row]];
	const struct traced *traced = &f->all.at[s->traced];
	uint32_t at = 0;
	double cores;

	if (traced->odd || !u64map_get(&f->at, op_key(f->t, row, s->traced), &at))
		return;
	if (at > s->next) {
		*flags |= CALL_AFTER_LOST;
		add_lost(r, f->t, row, at - s->next);
	}
	s->next = at + 1;
	s->last_row = row;
	if (ops_real(f->t, OPS_CORE_COUNT, row, &cores) && cores > 0 &&
	    cores < f->cores.at[traced->first + at])
		*flags |= CALL_FEWER_CORES;
}

static void mark_rows(struct finding_replays *f, struct replays *r, uint16_t *flags)
{
	struct u64map running = { 0 };

	for (size_t i = 0; i < f->t->rows; i++) {
		uint32_t row = f->rows[i], number = f->of_row[row];
		bool begins;

		if (!ops_row_is(f->t, row, OPS_ROW_DEVICE_OP))
			continue;
		begins = number == UINT32_MAX || !f->sessions.at[number].begun;
		if (number != UINT32_MAX && begins) {
			f->sessions.at[number].begun = true;
			flags[row] |= CALL_STARTS_REPLAY;
		}
		if (begins && end_is_missing(f, &running, row, number))
			flags[row] |= CALL_AFTER_LOST;
		if (number != UINT32_MAX)
			mark_row(f, r, row, &flags[row]);
	}
	u64map_release(&running);
	vec_each (s, &f->sessions)
		if (!f->all.at[s->traced].odd)
			add_lost(r, f->t, s->last_row, f->all.at[s->traced].ops - s->end);
}

void replays_find(struct replays *r, const struct ops_table *t, const uint32_t *rows,
		  uint16_t *flags)
{
	struct finding_replays f = { .t = t, .rows = rows };

	*r = (struct replays){ 0 };
	if (!replays_any(t))
		return;
	f.of_row = mem_alloc(t->rows + 1, sizeof(*f.of_row));
	find_sessions(&f);
	find_sequences(&f);
	check_order(&f);
	mark_rows(&f, r, flags);
	u64map_release(&f.traces);
	u64map_release(&f.numbers);
	u64map_release(&f.at);
	vec_release(&f.all);
	vec_release(&f.sessions);
	vec_release(&f.cores);
	free(f.of_row);
}

void replays_release(struct replays *r)
{
	free(r->lost);
}
