// SPDX-License-Identifier: Apache-2.0
#include "ops/host/host_events.h"

#include <errno.h>
#include <stdlib.h>

#include "base/csv.h"
#include "base/number.h"
#include "ops/host/messages.h"

/*
 * Records that were read: programs repeat, so that mostly all are here.  Where each op has one of its own, they come and
 * go together.
 */
enum { CACHED_TEXT_MAX = 256 << 10, CACHED_MAX = 512 };
struct record_cache {
	struct u64map at;
	VEC(struct op_record) records;
	struct arena texts;
	struct intern *size_names;
};

uint32_t host_op_find(const struct host_events *h, uint64_t id)
{
	uint32_t i;

	return u64map_get(&h->by_id, id, &i) ? i : HOST_NONE;
}

const struct host_replays *host_replays_find(const struct host_events *h, int64_t device,
					     int64_t trace_id)
{
	vec_each (r, &h->replays)
		if (r->device == device && r->trace_id == trace_id)
			return r;
	return NULL;
}

static const struct host_program no_program = {
	.device = -1, .trace_id = -1, .record = HOST_NONE, .code = HOST_NONE
};

static bool same_program(const struct host_program *a, const struct host_program *b)
{
	return a->device == b->device && a->trace_id == b->trace_id && a->hash == b->hash &&
	       a->record == b->record && a->code == b->code;
}

uint32_t host_program_add(struct host_events *h, const struct host_program *p)
{
	uint64_t key = p->hash ^ (uint64_t)p->device << 48 ^ (uint64_t)p->trace_id << 32 ^
		       (uint64_t)p->record << 16 ^ p->code;

	/* keys of different programs may be the same: the next one is tried then */
	for (;; key++) {
		bool added;
		uint32_t i =
			u64map_get_or_put(&h->by_program, key, (uint32_t)h->programs.len, &added);

		if (added)
			*vec_push(&h->programs) = *p;
		if (same_program(&h->programs.at[i], p))
			return i;
	}
}

struct host_op *host_op_add(struct host_events *h, uint64_t id)
{
	bool added;
	uint32_t i = u64map_get_or_put(&h->by_id, id, (uint32_t)h->ops.len, &added);

	if (added)
		*vec_push(&h->ops) = (struct host_op){ .id = id,
						       .program = host_program_add(h, &no_program),
						       .cache_hit = -1 };
	return &h->ops.at[i];
}

void host_op_set_times(struct host_events *h, struct host_op *op, int64_t start_ns, int64_t exec_ns,
		       int64_t message_ns)
{
	int64_t message;

	if (!op->far && exec_ns >= 0 && exec_ns <= UINT32_MAX &&
	    !__builtin_sub_overflow(message_ns, start_ns, &message) && message >= INT32_MIN &&
	    message <= INT32_MAX) {
		op->exec_ns = (uint32_t)exec_ns;
		op->message = (int32_t)message;
	} else {
		if (!op->far) {
			op->far = true;
			op->exec_ns = (uint32_t)h->far.len;
			(void)vec_push(&h->far);
		}
		h->far.at[op->exec_ns] = (struct host_far){ exec_ns, message_ns };
	}
	op->start_ns = start_ns;
}

/* "id:1024": the whole number after the last colon. */
static bool id_of_text(struct str text, uint64_t *id)
{
	size_t colon = str_rfind_char(text, ':');

	return number_u64(str_trim(colon == STR_NONE ? text : str_from(text, colon + 1)), id);
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

static void add_child(struct host_events *h, struct u64map *index, uint32_t op, struct str name,
		      int64_t exec_ns)
{
	uint32_t id = intern_copy(&h->child_names, name);
	bool added;
	uint32_t i = u64map_get_or_put(index, (uint64_t)op << 32 | id, (uint32_t)h->children.len,
				       &added);

	if (added)
		*vec_push(&h->children) = (struct host_child){ .op = op, .name = id };
	h->children.at[i].total_ns += exec_ns;
	h->children.at[i].count++;
}

/* Which thread each op ran on: needed for its depth only. */
struct op_threads {
	struct intern names;
	VEC(uint32_t) of_op;
};

static void set_thread(struct op_threads *t, size_t op, struct str name)
{
	while (t->of_op.len <= op)
		*vec_push(&t->of_op) = 0;
	t->of_op.at[op] = intern_copy(&t->names, name);
}

static void add_zone(struct host_events *h, const struct csv_reader *r,
		     const struct zone_columns *c, struct op_threads *threads)
{
	struct str name = zone_field(r, c, ZONE_NAME);
	struct host_op *op;
	uint64_t id;
	int64_t start, exec;

	if (!str_has(name, STR("TT_DNN")) && !str_has(name, STR("TT_METAL")))
		return;
	if (!id_of_text(zone_field(r, c, ZONE_TEXT), &id) ||
	    !zone_number(r, c, ZONE_START, &start) || !zone_number(r, c, ZONE_EXEC, &exec)) {
		h->bad_zones++;
		return;
	}
	if (host_op_find(h, id) == HOST_NONE)
		h->zones_without_message++;
	op = host_op_add(h, id);
	op->has_zone = true;
	host_op_set_times(h, op, start, exec, op->has_message ? host_op_message_ns(h, op) : start);
	set_thread(threads, (size_t)(op - h->ops.at), zone_field(r, c, ZONE_THREAD));
	if (!op->has_message && host_op_program(h, op)->device < 0 && !(id >> 31)) {
		struct host_program p = *host_op_program(h, op);

		p.device = (int64_t)(id & 1023); /* ids are base << 10 | device */
		op->program = host_program_add(h, &p);
	}
}

struct by_thread {
	const struct host_events *h;
	const uint32_t *thread;
};

static int by_thread_and_start(const void *a, const void *b, void *ctx)
{
	const struct by_thread *t = ctx;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	const struct host_op *l = &t->h->ops.at[i], *r = &t->h->ops.at[k];
	int64_t x, y;

	if (t->thread[i] != t->thread[k])
		return t->thread[i] < t->thread[k] ? -1 : 1;
	if (l->start_ns != r->start_ns)
		return l->start_ns < r->start_ns ? -1 : 1;
	x = host_op_exec_ns(t->h, l);
	y = host_op_exec_ns(t->h, r);
	return x > y ? -1 : x < y;
}

static bool is_around(const struct by_thread *t, uint32_t outer, uint32_t op)
{
	const struct host_op *o = &t->h->ops.at[outer];

	return t->thread[outer] == t->thread[op] &&
	       (int64_t)((uint64_t)o->start_ns + (uint64_t)host_op_exec_ns(t->h, o)) >
		       t->h->ops.at[op].start_ns;
}

/* How many op zones of the same thread are around each op. */
static void find_depths(struct host_events *h, const struct op_threads *threads)
{
	struct by_thread t = { h, threads->of_op.at };
	VEC(uint32_t) order = { 0 };
	VEC(uint32_t) open = { 0 };

	for (uint32_t i = 0; i < threads->of_op.len; i++)
		if (h->ops.at[i].has_zone)
			*vec_push(&order) = i;
	if (order.len)
		qsort_r(order.at, order.len, sizeof(*order.at), by_thread_and_start, &t);
	vec_each (op, &order) {
		while (open.len && !is_around(&t, open.at[open.len - 1], *op))
			open.len--;
		h->ops.at[*op].depth = (int16_t)(open.len < INT16_MAX ? open.len : INT16_MAX);
		*vec_push(&open) = *op;
	}
	vec_release(&order);
	vec_release(&open);
}

static int by_op_and_name(const void *a, const void *b)
{
	const struct host_child *l = a, *r = b;

	if (l->op != r->op)
		return l->op < r->op ? -1 : 1;
	return l->name < r->name ? -1 : l->name > r->name;
}

void host_events_add_zones(struct host_events *h, struct str text)
{
	struct csv_reader r;
	struct zone_columns columns;
	struct op_threads threads = { 0 };
	struct u64map index = { 0 };

	csv_reader_init(&r, text);
	if (csv_next(&r) && find_zone_columns(&r, &columns)) {
		while (csv_next(&r))
			add_zone(h, &r, &columns, &threads);
		/* children may stand before their parents */
		csv_seek(&r, 0);
		(void)csv_next(&r);
		while (csv_next(&r)) {
			struct str parent = zone_field(&r, &columns, ZONE_PARENT);
			uint64_t id;
			int64_t exec;
			uint32_t op;

			if (!str_has(parent, STR("id:")) || !id_of_text(parent, &id) ||
			    !zone_number(&r, &columns, ZONE_EXEC, &exec))
				continue;
			op = host_op_find(h, id);
			if (op != HOST_NONE)
				add_child(h, &index, op, zone_field(&r, &columns, ZONE_NAME), exec);
		}
	}
	csv_reader_release(&r);
	u64map_release(&index);
	if (h->children.len)
		qsort(h->children.at, h->children.len, sizeof(*h->children.at), by_op_and_name);
	find_depths(h, &threads);
	intern_release(&threads.names);
	vec_release(&threads.of_op);
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
			     const char *zones_path, bool hash_is_name, bool *complete,
			     struct ttp_err *e)
{
	struct ttp_err own;
	enum ttp_rc rc;

	*h = (struct host_events){ .hash_is_name = hash_is_name };
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

void host_events_forget_ids(struct host_events *h)
{
	u64map_release(&h->by_id);
	u64map_release(&h->by_program);
}

void host_events_records(struct host_events *h)
{
	vec_trim(&h->ops);
	h->made = mem_zero(1, sizeof(*h->made));
	h->made->size_names = &h->size_names;
	for (uint32_t i = 0; i < h->records.len; i++) {
		const struct op_record *r = host_record_read(h, i);

		/* "[]" and nothing are none */
		h->records.at[i].has_compute = op_record_cell(r, OPS_COMPUTE_SOURCE).len > 2;
		h->most_inputs = r->inputs.len > h->most_inputs ? r->inputs.len : h->most_inputs;
		h->most_outputs =
			r->outputs.len > h->most_outputs ? r->outputs.len : h->most_outputs;
	}
}

static void cache_empty(struct record_cache *c)
{
	vec_each (r, &c->records)
		op_record_release(r);
	vec_clear(&c->records);
	u64map_release(&c->at);
	c->at = (struct u64map){ 0 };
	arena_release(&c->texts);
	c->texts = (struct arena){ 0 };
}

const struct op_record *host_record_read(const struct host_events *h, uint32_t record)
{
	struct record_cache *c = h->made;
	uint32_t at;

	if (!u64map_get(&c->at, record, &at)) {
		if (c->texts.total > CACHED_TEXT_MAX || c->records.len >= CACHED_MAX)
			cache_empty(c);
		at = (uint32_t)c->records.len;
		u64map_put(&c->at, record, at);
		*vec_push(&c->records) = (struct op_record){ 0 };
		op_record_read(&c->records.at[at], h->records.at[record].json, &c->texts,
			       c->size_names);
	}
	return &c->records.at[at];
}

void host_events_release(struct host_events *h)
{
	if (h->made) {
		cache_empty(h->made);
		vec_release(&h->made->records);
		free(h->made);
	}
	vec_each (r, &h->replays)
		vec_release(&r->times_ns);
	vec_release(&h->ops);
	vec_release(&h->programs);
	vec_release(&h->far);
	vec_release(&h->records);
	vec_release(&h->replays);
	vec_release(&h->signposts);
	vec_release(&h->children);
	intern_release(&h->child_names);
	intern_release(&h->size_names);
	intern_release(&h->codes);
	u64map_release(&h->by_id);
	u64map_release(&h->by_program);
	arena_release(&h->texts);
	if (h->has_messages)
		input_close(&h->messages);
	if (h->has_zones)
		input_close(&h->zones);
	*h = (struct host_events){ 0 };
}
