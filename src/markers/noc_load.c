// SPDX-License-Identifier: Apache-2.0
#include "base/keyed.h"
#include "base/order.h"
#include "markers/op_times.h"

#include <math.h>
#include <stdlib.h>

/* Events of a transfer to one tile; the others carry no bytes, or go to many. */
enum { READ = 1, READ_WITH_STATE = 4, READ_BARRIER_END = 7, WRITE = 11, WRITE_INLINE = 14 };
/* Where translated coordinates of workers begin, on Wormhole and later; below are DRAM and the rest. */
enum { WORKERS_FROM = 18, CHUNK_BYTES = 32, PAUSE_CYCLES = 200 };

static uint32_t bank_at(struct noc_load *l, unsigned x, unsigned y)
{
	return keyed_at(&l->bank_index, x | y << 8, &l->banks, (struct noc_bank){ .x = x, .y = y });
}

static unsigned bucket_of(uint64_t cycles)
{
	double at = cycles > 1 ? log2((double)cycles) * NOC_WAIT_PER_OCTAVE : 0;

	return at < NOC_WAIT_BUCKETS ? (unsigned)at : NOC_WAIT_BUCKETS - 1;
}

/* All of them have come. */
static void end_reads(struct noc_load *l, struct noc_reader *r, uint64_t now)
{
	unsigned bucket = bucket_of(now - r->since_cycles);

	for (uint32_t i = 0; i < r->n && r->n <= NOC_READER_BANKS; i++) {
		struct noc_bank *b = &l->banks.at[r->bank[i]];

		b->waits++;
		if (b->of_cycles[bucket] < UINT16_MAX)
			b->of_cycles[bucket]++;
	}
	r->n = 0;
}

static struct noc_reader *reader_at(struct noc_load *l, const struct marker *m)
{
	uint64_t key = (uint64_t)m->x | (uint64_t)m->y << 16 | (uint64_t)m->risc << 32;

	return keyed_item(&l->reader_index, key, &l->readers, (struct noc_reader){ 0 });
}

/* Not every kernel's barriers are events: a pause that is longer than it takes to ask for the next tile is one, too. */
static void add_read(struct noc_load *l, const struct marker *m, unsigned x, unsigned y)
{
	struct noc_reader *r = reader_at(l, m);

	if (r->n && m->time_cycles - r->last_cycles > PAUSE_CYCLES)
		end_reads(l, r, m->time_cycles);
	if (!r->n)
		r->since_cycles = m->time_cycles;
	r->last_cycles = m->time_cycles;
	if (r->n < NOC_READER_BANKS)
		r->bank[r->n] = bank_at(l, x, y);
	r->n += r->n <= NOC_READER_BANKS;
}

/*
 * A wait is for all banks that a kernel has read from, so each bank has some in which it was not the one that was waited for: those with
 * another one that is slow.  A bank that is slow itself has few others: a fifth leaves room for a tile with two banks, of which the other one was meant.
 */
static double most_take(const struct noc_bank *b)
{
	uint32_t below = 0;

	for (int i = 0; i < NOC_WAIT_BUCKETS; i++) {
		below += b->of_cycles[i];
		if (below * 5 > b->waits)
			return exp2((i + 0.5) / NOC_WAIT_PER_OCTAVE);
	}
	return 0;
}

bool noc_load_slowest_bank(const struct noc_load *l, struct noc_slow_bank *slowest)
{
	enum { BANKS_LEAST = 4, WAITS_LEAST = 8 };
	VEC(double) others = { 0 };
	bool found;

	*slowest = (struct noc_slow_bank){ 0 };
	vec_each (b, &l->banks) {
		double cycles = b->waits >= WAITS_LEAST ? most_take(b) : 0;

		if (cycles > 0)
			*vec_push(&others) = cycles;
		if (cycles > slowest->cycles)
			*slowest = (struct noc_slow_bank){ b->x, b->y, cycles, 0 };
	}
	found = others.len >= BANKS_LEAST;
	if (found) {
		qsort(others.at, others.len, sizeof(*others.at), order_double);
		slowest->others_cycles = others.at[(others.len - 1) / 2];
	}
	vec_release(&others);
	return found;
}

static void noc_load_add(struct noc_load *l, const struct marker *m)
{
	uint64_t data = m->data;
	unsigned type = data & 0xFF, x = data >> 8 & 0xFF, y = data >> 16 & 0xFF;
	unsigned noc = data >> 40 & 0xF;
	uint64_t bytes = (data >> 48 & 0xFF) * CHUNK_BYTES;
	bool write = type >= WRITE;
	uint32_t at;

	if (type == READ_BARRIER_END)
		end_reads(l, reader_at(l, m), m->time_cycles);
	if (type != READ && type != READ_WITH_STATE && type != WRITE && type != WRITE_INLINE)
		return;
	if (x < WORKERS_FROM || y < WORKERS_FROM) {
		l->to_dram += bytes;
		if (!write)
			add_read(l, m, x, y);
		return;
	}
	l->to_cores += bytes;
	at = keyed_at(&l->ports, x | y << 8 | noc << 16 | (unsigned)write << 20, &l->bytes, 0);
	l->bytes.at[at] += bytes;
}

bool noc_load_busiest(const struct noc_load *l, struct noc_port *port)
{
	*port = (struct noc_port){ 0 };
	vec_each (e, &l->ports.entries)
		if (l->bytes.at[e->value] > port->bytes)
			*port = (struct noc_port){ (unsigned)(e->key & 0xFF) - WORKERS_FROM,
						   (unsigned)(e->key >> 8 & 0xFF) - WORKERS_FROM,
						   l->bytes.at[e->value] };
	return port->bytes > 0;
}

void noc_load_release(struct noc_load *l)
{
	RELEASE(u64map, &l->ports, &l->bank_index, &l->reader_index);
	RELEASE(vec, &l->bytes, &l->banks, &l->readers);
}

void op_run_add_noc(struct op_times *t, struct op_run *r, const struct marker *m)
{
	struct op_more *more = op_run_make_more(t, r);

	if (!more->noc) {
		*vec_push(&t->noc) = (struct noc_load){ 0 };
		more->noc = (uint32_t)t->noc.len;
	}
	noc_load_add(&t->noc.at[more->noc - 1], m);
}
