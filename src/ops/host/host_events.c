// SPDX-License-Identifier: Apache-2.0
#include "ops/host/host_events.h"

#include <stdlib.h>

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
	int64_t own = h->chips_of_process && device >= 0 ? device % h->chips_of_process : device;

	vec_each (r, &h->replays)
		if (r->device == (r->pid ? device : own) && r->trace_id == trace_id)
			return r;
	return NULL;
}

void host_events_forget_ids(struct host_events *h)
{
	RELEASE(u64map, &h->by_id, &h->by_program);
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
	vec_release_with(&h->replays, times_ns);
	vec_release(&h->trace_messages);
	RELEASE(vec, &h->ops, &h->programs, &h->far, &h->records, &h->signposts, &h->children);
	RELEASE(intern, &h->child_names, &h->size_names, &h->codes);
	RELEASE(u64map, &h->by_id, &h->by_program);
	arena_release(&h->texts);
	if (h->has_messages)
		input_close(&h->messages);
	if (h->has_zones)
		input_close(&h->zones);
	*h = (struct host_events){ 0 };
}
