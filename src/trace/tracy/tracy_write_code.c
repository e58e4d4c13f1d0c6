// SPDX-License-Identifier: Apache-2.0
/* Sections of a .tracy file about memory, locks, call stacks and samples, images, processors and symbols. */
#include <stdlib.h>

#include "base/order.h"
#include "trace/tracy/tracy_collect.h"
#include "trace/tracy/tracy_container.h"

#define V(major, minor, patch) TRACE_VERSION(major, minor, patch)

/* Number of a string's text plus one, in three bytes. */
static void tracy_put_idx(struct tracy_out *o, struct collect *c, uint32_t string)
{
	tracy_put_u24(o, string == TRACE_NONE ? 0 : collect_text(c, trace_str(c->t, string)) + 1);
}

ORDER_BY(by_loc, struct trace_cpu, package, die, core, thread)

static uint32_t level_of(const struct trace_cpu *c, int level)
{
	return level == 0 ? c->package : level == 1 ? c->die : c->core;
}

/* One level of what is in each other, from outside: packages, dies, cores; then threads. */
static void cpu_level(struct tracy_out *o, const struct trace_cpu *at, size_t n, int level,
		      bool dies)
{
	uint64_t groups = 0;

	if (level == 1 && !dies) {
		cpu_level(o, at, n, 2, dies);
		return;
	}
	if (level == 3) {
		tracy_put_u64(o, n);
		for (size_t i = 0; i < n; i++)
			tracy_put_u32(o, at[i].thread);
		return;
	}
	for (size_t i = 0; i < n; i++)
		groups += !i || level_of(&at[i], level) != level_of(&at[i - 1], level);
	tracy_put_u64(o, groups);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && level_of(&at[end], level) == level_of(&at[i], level);)
			end++;
		tracy_put_u32(o, level_of(&at[i], level));
		cpu_level(o, at + i, end - i, level + 1, dies);
	}
}

void tracy_write_topology(struct tracy_out *o, struct collect *c)
{
	bool dies = c->version >= V(0, 11, 2);
	SCOPED(vec) VEC(struct trace_cpu) all = { 0 };

	vec_each (x, &c->t->cpus) {
		*vec_push(&all) = *x;
		if (!dies)
			all.at[all.len - 1].die = 0;
	}
	vec_sort(&all, by_loc);
	cpu_level(o, all.at, all.len, 0, dies);
}

void tracy_write_crash(struct tracy_out *o, struct collect *c)
{
	const struct trace_crash *x = &c->t->crash;
	bool known = x->time_ns && x->track < c->t->tracks.len;

	tracy_put_u64(o, known ? collect_tid(c, x->track) : 0);
	tracy_put_i64(o, known ? x->time_ns : 0);
	tracy_put_u64(o, known && x->message != TRACE_NONE
				 ? collect_pointer(c, collect_text(c, trace_str(c->t, x->message)))
				 : 0);
	tracy_put_u32(o, known ? x->stack : 0);
}

ORDER_BY(by_category, struct collect_section, category, start_ns)

static void section_list(struct tracy_out *o, const struct collect_section *at, size_t n)
{
	tracy_put_u64(o, n);
	for (size_t i = 0; i < n; i++) {
		int64_t end_ns = at[i].end_ns == TRACE_OPEN ? -1 : at[i].end_ns;

		tracy_put(o, &at[i].start_ns, 6);
		tracy_put(o, &end_ns, 6);
		tracy_put_u24(o, at[i].text + 1);
	}
}

void tracy_write_sections(struct tracy_out *o, struct collect *c)
{
	uint64_t categories = 0;
	size_t n = c->sections.len;

	if (c->version < V(0, 13, 4))
		return;
	vec_sort(&c->sections, by_category);
	if (c->version == V(0, 13, 4)) { /* without categories */
		section_list(o, c->sections.at, n);
		return;
	}
	for (size_t i = 0; i < n; i++)
		categories += !i || c->sections.at[i].category != c->sections.at[i - 1].category;
	tracy_put_u64(o, categories);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1;
		     end < n && c->sections.at[end].category == c->sections.at[i].category;)
			end++;
		tracy_put_u16(o, c->sections.at[i].category);
		section_list(o, c->sections.at + i, end - i);
	}
	tracy_put_u64(o, c->t->categories.len);
	vec_each (k, &c->t->categories) {
		tracy_put_u16(o, k->category);
		tracy_put_idx(o, c, k->name);
	}
}

void tracy_write_externals(struct tracy_out *o, struct collect *c)
{
	tracy_put_u64(o, c->t->externals.len);
	vec_each (x, &c->t->externals) {
		tracy_put_u64(o, x->tid);
		tracy_put_u64(o, KEY_OF(collect_text(c, trace_str(c->t, x->program))));
		tracy_put_u64(o, KEY_OF(collect_text(c, trace_str(c->t, x->thread))));
	}
}

void tracy_write_locks(struct tracy_out *o, struct collect *c)
{
	tracy_put_u64(o, c->t->locks.len);
	for (size_t i = 0; i < c->t->locks.len; i++) {
		static const struct collect_lock none;
		const struct trace_lock *k = &c->t->locks.at[i];
		const struct collect_lock *l = i < c->locks.len ? &c->locks.at[i] : &none;
		uint64_t ref = (uint64_t)k->announced_ns;

		/* Numbers of several programs may be the same, and each of a file is another lock. */
		tracy_put_u32(o, c->t->processes.len > 1 ? (uint32_t)i : k->id);
		tracy_put_u24(o, collect_named(c, k->process, k->name));
		tracy_put_i16(o, (int16_t)collect_srcloc(c, k->loc));
		tracy_put_u8(o, k->shared);
		tracy_put_u8(o, l->n != 0);
		tracy_put_i64(o, k->announced_ns);
		tracy_put_i64(o, k->ended_ns);
		tracy_put_u64(o, l->threads.len);
		vec_each (th, &l->threads)
			tracy_put_u64(o, collect_tid(c, th->track));
		tracy_put_u64(o, l->n);
		SCOPED(spill_reader) struct spill_reader r = spill_read(&c->store, &l->log);

		SPILL_EACH(struct collect_lock_event, e, &r)
		{
			tracy_put_step(o, &ref, e->time_ns);
			tracy_put(o, &e->srcloc, 4);
		}
	}
}

/* Those whose innermost address is the kernel's. */
uint64_t tracy_kernel_samples(struct collect *c, const struct collect_track *k)
{
	uint64_t n = 0, address;

	if (!k->samples || !k->samples->n[1])
		return 0;
	SCOPED(spill_reader) struct spill_reader r = spill_read(&c->store, &k->samples->log[1]);

	SPILL_EACH(struct collect_sample, s, &r)
	{
		if (!s->stack || s->stack > c->t->stacks.len ||
		    c->t->stacks.at[s->stack - 1].len < sizeof(address))
			continue;
		memcpy(&address, c->t->stacks.at[s->stack - 1].at, sizeof(address));
		n += !(address >> 62 & 1) && (address >> 61 & 1);
	}
	return n;
}

ORDER_BY(by_sample_time, struct collect_sample, time_ns)

void tracy_write_samples(struct tracy_out *o, struct collect *c, struct collect_track *k)
{
	for (int i = 0; i < 2; i++) {
		SCOPED(vec) VEC(struct collect_sample) sorted = { 0 };
		uint64_t ref = 0;

		tracy_put_u64(o, k->samples ? k->samples->n[i] : 0);
		if (!k->samples)
			continue;
		SCOPED(spill_reader)
		struct spill_reader r = spill_read(&c->store, &k->samples->log[i]);

		SPILL_EACH(struct collect_sample, s, &r)
		{
			if (k->samples->unsorted[i]) {
				*vec_push(&sorted) = *s;
				continue;
			}
			tracy_put_step(o, &ref, s->time_ns);
			tracy_put_u24(o, s->stack);
		}
		vec_sort(&sorted, by_sample_time);
		vec_each (x, &sorted) {
			tracy_put_step(o, &ref, x->time_ns);
			tracy_put_u24(o, x->stack);
		}
		spill_log_release(&c->store, &k->samples->log[i]);
	}
}

ORDER_BY(by_context, struct trace_note_name, context, note)

/* Contexts come one after the other: what belongs to one stands behind what belongs to those before it. */
void tracy_write_note_names(struct tracy_out *o, struct collect *c, uint32_t context)
{
	struct trace_note_name *at = c->t->note_names.at;
	size_t n = c->t->note_names.len, from = c->note_names_written, until;

	if (c->version < V(0, 12, 4))
		return;
	if (!context)
		vec_sort(&c->t->note_names, by_context);
	for (until = from; until < n && at[until].context == context;)
		until++;
	c->note_names_written = until;
	tracy_put_u64(o, until - from);
	for (size_t i = from; i < until; i++) {
		const struct trace_note_name *it = &at[i];

		TRACY_NOTE_NAME(PUT_FIELD, PUT_NAME)
	}
}

ORDER_BY(by_query, struct trace_note, context, query, note)

void tracy_write_notes(struct tracy_out *o, struct collect *c, uint32_t context)
{
	size_t n = c->notes.len, from = c->notes_written, until;
	uint64_t queries = 0;

	if (c->version < V(0, 12, 4))
		return;
	if (!context)
		vec_sort(&c->notes, by_query);
	for (until = from; until < n && c->notes.at[until].context == context; until++)
		queries +=
			until == from || c->notes.at[until].query != c->notes.at[until - 1].query;
	c->notes_written = until;
	tracy_put_u64(o, queries);
	for (size_t i = from, end; i < until; i = end) {
		for (end = i + 1; end < until && c->notes.at[end].query == c->notes.at[i].query;)
			end++;
		tracy_put_u16(o, c->notes.at[i].query);
		tracy_put_u64(o, end - i);
		for (const struct trace_note *it = &c->notes.at[i]; it < &c->notes.at[end]; it++) {
			TRACY_NOTE(PUT_FIELD, )
		}
	}
}

void tracy_write_stacks(struct tracy_out *o, struct collect *c)
{
	tracy_put_u64(o, c->t->stacks.len);
	vec_each (s, &c->t->stacks) {
		tracy_put_u16(o, (uint16_t)(s->len / 8));
		tracy_put(o, s->at, s->len / 8 * 8);
	}
	tracy_put_u64(o, c->t->addresses.len);
	vec_each (a, &c->t->addresses) {
		tracy_put_u64(o, a->address);
		tracy_put_u8(o, (uint8_t)a->count);
		tracy_put_idx(o, c, a->image);
		for (uint32_t i = a->first; i < a->first + a->count; i++) {
			const struct trace_line *it = &c->t->lines.at[i];

			TRACY_LINE(PUT_FIELD, PUT_NAME)
		}
	}
}

void tracy_write_images(struct tracy_out *o, struct collect *c)
{
	tracy_put_u32(o, 0); /* no dictionary */
	tracy_put_u64(o, c->images.len);
	SCOPED(spill_reader) struct spill_reader r = spill_read(&c->store, &c->image_bytes);

	vec_each (i, &c->images) {
		const uint8_t *bytes = spill_take(&r, i->size);

		tracy_put_u16(o, i->width);
		tracy_put_u16(o, i->height);
		tracy_put_u8(o, i->flipped);
		if (bytes)
			tracy_put(o, bytes, i->size);
	}
}

static void thread_runs(struct tracy_out *o, struct collect *c, const struct collect_runs *of)
{
	bool wakeup_cpu = c->version >= V(0, 11, 3);
	uint64_t ref = 0;

	tracy_put_u64(o, of->tid);
	tracy_put_u64(o, of->n);
	SCOPED(spill_reader) struct spill_reader r = spill_read(&c->store, &of->log);

	SPILL_EACH(struct collect_run, run, &r)
	{
		for (int i = 0; i < 3; i++)
			tracy_put_step(o, &ref, run->time_ns[i]);
		tracy_put(o, &run->cpu, wakeup_cpu ? 12 : 11);
	}
}

void tracy_write_processors(struct tracy_out *o, struct collect *c)
{
	SCOPED(u64map) struct u64map shown = { 0 };
	uint64_t threads = 0, runs = 0;
	uint32_t unused;

	/* The real reader knows of threads that have zones or samples only. */
	for (uint32_t i = 0; i < c->tracks.len; i++)
		if (c->t->tracks.at[i].context == TRACE_NONE &&
		    (c->tracks.at[i].zones || c->tracks.at[i].samples))
			u64map_put(&shown, collect_tid(c, i), 1);
	vec_each (r, &c->runs)
		threads += u64map_get(&shown, r->tid, &unused);
	tracy_put_u64(o, threads);
	vec_each (r, &c->runs) {
		if (u64map_get(&shown, r->tid, &unused))
			thread_runs(o, c, r);
	}
	for (int i = 0; i < 256; i++)
		runs += c->cpu_runs[i];
	tracy_put_u64(o, runs);
	for (int i = 0; i < 256; i++) {
		uint64_t ref = 0;

		tracy_put_u64(o, c->cpu_runs[i]);
		SCOPED(spill_reader) struct spill_reader r = spill_read(&c->store, &c->cpus[i]);

		SPILL_EACH(struct collect_cpu_run, run, &r)
		{
			tracy_put_step(o, &ref, run->time_ns[0]);
			tracy_put_step(o, &ref, run->time_ns[1]);
			tracy_put_u16(o, run->thread);
		}
	}
	tracy_put_u64(o, c->t->programs_of.len);
	vec_each (x, &c->t->programs_of) {
		tracy_put_u64(o, x->key);
		tracy_put_u64(o, x->value);
	}
	tracy_put_u64(o, c->t->thread_times.len);
	vec_each (it, &c->t->thread_times) {
		TRACY_THREAD_TIME(PUT_FIELD, )
	}
}

ORDER_BY(by_address, struct trace_hw_sample, address, counter, time_ns)

/* By address, and of each all six lists. */
static void hw_samples(struct tracy_out *o, struct collect *c)
{
	const struct trace_hw_sample *at = c->hw_samples.at;
	size_t n = c->hw_samples.len;
	uint64_t addresses = 0;

	vec_sort(&c->hw_samples, by_address);
	for (size_t i = 0; i < n; i++)
		addresses += !i || at[i].address != at[i - 1].address;
	tracy_put_u64(o, addresses);
	for (size_t i = 0; i < n;) {
		uint64_t address = at[i].address;

		tracy_put_u64(o, address);
		for (int counter = 0; counter < 6; counter++) {
			size_t end = i;
			uint64_t ref = 0;

			while (end < n && at[end].address == address && at[end].counter == counter)
				end++;
			tracy_put_u64(o, end - i);
			for (; i < end; i++)
				tracy_put_step(o, &ref, at[i].time_ns);
		}
	}
}

void tracy_write_symbols(struct tracy_out *o, struct collect *c)
{
	uint64_t inlined = 0;

	vec_each (s, &c->t->symbols)
		inlined += s->inlined;
	tracy_put_u64(o, c->t->symbols.len - inlined);
	tracy_put_u64(o, inlined + 1); /* counts one that is never there */
	tracy_put_u64(o, c->t->symbols.len);
	vec_each (it, &c->t->symbols) {
		TRACY_SYMBOL(PUT_FIELD, PUT_NAME)
	}
	tracy_put_u64(o, c->n_codes);
	tracy_copy_log(o, c, &c->codes);
	tracy_put_u64(o, c->n_code_symbols);
	tracy_copy_log(o, c, &c->code_symbols);
	hw_samples(o, c);
	tracy_put_u64(o, c->n_sources);
	tracy_copy_log(o, c, &c->sources);
}

/* The default pool, TRACE_NONE, of the first process is first. */
ORDER_BY(by_pool_and_time, struct trace_memory, process, pool + 1, alloc_ns)

static void pool(struct tracy_out *o, struct collect *c, uint64_t name,
		 const struct trace_memory *at, size_t n)
{
	uint64_t before = 0, frees = 0, high = 0, low = UINT64_MAX, used = 0;

	for (size_t i = 0; i < n; i++)
		frees += at[i].free_ns != TRACE_OPEN;
	tracy_put_u64(o, name);
	tracy_put_u64(o, n);
	tracy_put_u64(o, n - frees);
	tracy_put_u64(o, frees);
	for (size_t i = 0; i < n; i++) {
		const struct trace_memory *it = &at[i];
		bool freed = it->free_ns != TRACE_OPEN;

		TRACY_MEMORY(PUT_FIELD, )
		tracy_put_step(o, &before, it->alloc_ns);
		tracy_put_i64(o, freed ? ns_minus(it->free_ns, it->alloc_ns) : -1);
		tracy_put_u16(o, it->alloc_track == TRACE_NONE
					 ? 0
					 : (uint16_t)collect_thread_index(c, it->alloc_track));
		tracy_put_u16(o, freed && it->free_track != TRACE_NONE
					 ? (uint16_t)collect_thread_index(c, it->free_track)
					 : 0);
		if (it->ptr < low)
			low = it->ptr;
		if (it->ptr + it->size > high)
			high = it->ptr + it->size;
		used += freed ? 0 : it->size;
	}
	tracy_put_u64(o, high);
	tracy_put_u64(o, low);
	tracy_put_u64(o, used);
	tracy_put_u64(o, name);
}

static bool same_pool(const struct trace_memory *a, const struct trace_memory *b)
{
	return a->process == b->process && a->pool == b->pool;
}

void tracy_write_memory(struct tracy_out *o, struct collect *c)
{
	static const struct trace_memory first = { .pool = TRACE_NONE };
	uint64_t pools = 1;
	size_t at = 0;

	vec_sort(&c->memory, by_pool_and_time);
	for (size_t i = 0; i < c->memory.len; i++)
		pools += !same_pool(&c->memory.at[i], &first) &&
			 (!i || !same_pool(&c->memory.at[i], &c->memory.at[i - 1]));
	tracy_put_u64(o, pools);
	tracy_put_u64(o, c->memory.len);
	while (at < c->memory.len && same_pool(&c->memory.at[at], &first))
		at++;
	pool(o, c, 0, c->memory.at, at);
	while (at < c->memory.len) {
		size_t end = at;

		while (end < c->memory.len && same_pool(&c->memory.at[end], &c->memory.at[at]))
			end++;
		pool(o, c, collect_pool(c, &c->memory.at[at]), c->memory.at + at, end - at);
		at = end;
	}
}
