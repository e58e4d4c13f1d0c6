// SPDX-License-Identifier: Apache-2.0
#include "base/keyed.h"
#include "markers/op_times.h"

#include <stdlib.h>

/* Events of a transfer to one tile; the others carry no bytes, or go to many. */
enum { READ = 1, READ_WITH_STATE = 4, WRITE = 11, WRITE_INLINE = 14 };
/* Where translated coordinates of workers begin, on Wormhole and later; below are DRAM and the rest. */
enum { WORKERS_FROM = 18, CHUNK_BYTES = 32 };

static void noc_load_add(struct noc_load *l, uint64_t data)
{
	unsigned type = data & 0xFF, x = data >> 8 & 0xFF, y = data >> 16 & 0xFF;
	unsigned noc = data >> 40 & 0xF;
	uint64_t bytes = (data >> 48 & 0xFF) * CHUNK_BYTES;
	bool write = type >= WRITE;
	uint32_t at;

	if (type != READ && type != READ_WITH_STATE && type != WRITE && type != WRITE_INLINE)
		return;
	if (x < WORKERS_FROM || y < WORKERS_FROM) {
		l->to_dram += bytes;
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
	u64map_release(&l->ports);
	vec_release(&l->bytes);
}

void op_run_add_noc(struct op_times *t, struct op_run *r, uint64_t data)
{
	struct op_more *more = op_run_make_more(t, r);

	if (!more->noc) {
		*vec_push(&t->noc) = (struct noc_load){ 0 };
		more->noc = (uint32_t)t->noc.len;
	}
	noc_load_add(&t->noc.at[more->noc - 1], data);
}
