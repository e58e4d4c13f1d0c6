// SPDX-License-Identifier: Apache-2.0
/* Buffers: where their pages lie, and bytes to and from there. */
#include <stdlib.h>

#include "host/api/guarded_calls.h"
#include "host/host_device.h"
#include "host/ops/op.h"

enum { PAGE_MAX = 1 << 30 };

static uint32_t align_of(const struct ttp_dev *d, enum ttp_memory where)
{
	return where == TTP_DRAM ? d->port->info.dram_align : d->port->info.l1_align;
}

static uint32_t banks_of(const struct ttp_dev *d, enum ttp_memory where)
{
	const struct coord *c = &d->device.coord;

	return (uint32_t)(where == TTP_DRAM ? c->banks : c->columns * c->rows);
}

static struct tile buffer_bank(const struct ttp_dev *d, enum ttp_memory where, uint32_t bank,
			       uint64_t *offset)
{
	const struct coord *c = &d->device.coord;

	if (where == TTP_DRAM)
		return coord_bank(c, (int)bank, offset);
	*offset = 0;
	return (struct tile){ c->column_x[bank % (uint32_t)c->columns],
			      c->row_y[bank / (uint32_t)c->columns] };
}

static struct ttp_buffer *make(struct ttp_dev *d, const struct ttp_buffer *like)
{
	struct bank_space *space = like->where == TTP_DRAM ? &d->dram : &d->l1;
	struct ttp_buffer *b;
	uint64_t at;

	if (!bank_space_take(space, like->taken, align_of(d, like->where), &at))
		return HOST_NONE("no room for %llu bytes in each bank of %s, %llu in all",
				 (unsigned long long)like->taken,
				 like->where == TTP_DRAM ? "DRAM" : "L1",
				 (unsigned long long)like->bytes);
	b = mem_alloc(1, sizeof(*b));
	*b = *like;
	b->dev = d;
	b->address = (uint32_t)at;
	*vec_push(&d->buffers) = b;
	memory_event(b, true);
	return b;
}

static uint32_t stride_of(const struct ttp_dev *d, enum ttp_memory where, uint32_t page_bytes)
{
	uint32_t align = align_of(d, where);

	return (page_bytes + align - 1) & ~(align - 1);
}

static bool check(struct ttp_dev *d, enum ttp_memory where, uint64_t bytes, uint32_t page_bytes)
{
	if (!d) {
		host_no("device");
		return false;
	}
	if ((where != TTP_DRAM && where != TTP_L1) || !bytes || !page_bytes ||
	    page_bytes > PAGE_MAX || bytes > UINT64_MAX / 2) {
		host_failed("a buffer of %llu bytes in pages of %u in memory %d",
			    (unsigned long long)bytes, page_bytes, where);
		return false;
	}
	return true;
}

struct ttp_buffer *call_buffer_new(struct ttp_dev *d, enum ttp_memory where, uint64_t bytes,
				   uint32_t page_bytes)
{
	struct ttp_buffer like = { .where = where, .bytes = bytes, .page_bytes = page_bytes };
	uint64_t pages;

	if (!check(d, where, bytes, page_bytes))
		return NULL;
	like.banks = banks_of(d, where);
	like.stride = stride_of(d, where, page_bytes);
	pages = (bytes + page_bytes - 1) / page_bytes;
	like.taken = (pages + like.banks - 1) / like.banks * like.stride;
	return make(d, &like);
}

struct ttp_buffer *call_buffer_new_bank(struct ttp_dev *d, enum ttp_memory where, uint32_t bank,
					uint64_t bytes)
{
	struct ttp_buffer like = { .where = where, .bytes = bytes, .bank = bank, .banks = 1 };

	if (!check(d, where, bytes, 1))
		return NULL;
	if (bytes > PAGE_MAX || bank >= banks_of(d, where))
		return HOST_NONE("%llu bytes in bank %u: there are %u banks",
				 (unsigned long long)bytes, bank, banks_of(d, where));
	like.page_bytes = (uint32_t)bytes;
	like.stride = stride_of(d, where, like.page_bytes);
	like.taken = like.stride;
	return make(d, &like);
}

struct ttp_buffer *call_buffer_new_sharded(struct ttp_dev *d, uint64_t bytes, uint32_t shard_bytes,
					   const struct ttp_cores *cores)
{
	struct ttp_buffer like = {
		.where = TTP_L1, .bytes = bytes, .page_bytes = shard_bytes, .sharded = true
	};
	uint64_t shards;

	if (!check(d, TTP_L1, bytes, shard_bytes))
		return NULL;
	if (!cores || !cores_in_grid(d, cores))
		return HOST_NONE("a sharded buffer needs cores in the grid");
	like.shards = *cores;
	like.banks = (cores->x1 - cores->x0 + 1) * (cores->y1 - cores->y0 + 1);
	like.stride = stride_of(d, TTP_L1, shard_bytes);
	shards = (bytes + shard_bytes - 1) / shard_bytes;
	like.taken = (shards + like.banks - 1) / like.banks * like.stride;
	return make(d, &like);
}

void ttp_buffer_free(struct ttp_buffer *b)
{
	struct ttp_dev *d;

	if (!b)
		return;
	d = b->dev;
	memory_event(b, false);
	bank_space_give(b->where == TTP_DRAM ? &d->dram : &d->l1, b->address);
	for (size_t i = 0; i < d->buffers.len; i++)
		if (d->buffers.at[i] == b) {
			d->buffers.at[i] = d->buffers.at[--d->buffers.len];
			break;
		}
	free(b);
}

uint32_t ttp_buffer_address(const struct ttp_buffer *b)
{
	return b ? b->address : 0;
}

uint64_t ttp_buffer_bytes(const struct ttp_buffer *b)
{
	return b ? b->bytes : 0;
}

uint32_t ttp_buffer_page_stride(const struct ttp_buffer *b)
{
	return b ? b->stride : 0;
}

static struct tile page_place(const struct ttp_buffer *b, uint64_t page, uint64_t *at)
{
	uint32_t bank = b->bank + (uint32_t)(page % b->banks);
	uint64_t offset;
	struct tile t;

	if (b->sharded) {
		uint32_t wide = b->shards.x1 - b->shards.x0 + 1;

		bank = (b->shards.y0 + bank / wide) * (uint32_t)b->dev->device.coord.columns +
		       b->shards.x0 + bank % wide;
	}
	t = buffer_bank(b->dev, b->where, bank, &offset);
	*at = offset + b->address + page / b->banks * b->stride;
	return t;
}

static int transfer(struct ttp_buffer *b, uint64_t offset, uint8_t *to, const uint8_t *from,
		    size_t len)
{
	struct port *p;
	struct ttp_err e;
	enum ttp_rc rc = TTP_OK;

	if (!b)
		return host_no("buffer");
	if (!to && !from && len)
		return host_null("a buffer", "the memory to read to, or write from,");
	if (offset > b->bytes || len > b->bytes - offset)
		return host_failed("%zu bytes at %llu of a buffer of %llu", len,
				   (unsigned long long)offset, (unsigned long long)b->bytes);
	if (b->dev->capturing)
		return host_failed("trace %u is being captured: a buffer can't be %s in it",
				   b->dev->capturing->id, to ? "read" : "written");
	if (queue_finish(b->dev, &e))
		return host_fail(&e);
	p = b->dev->port;
	clock_enter();
	while (!rc && len) {
		uint64_t in_page = offset % b->page_bytes, at;
		size_t n = b->page_bytes - in_page < len ? (size_t)(b->page_bytes - in_page) : len;
		struct tile t = page_place(b, offset / b->page_bytes, &at);

		if (to) {
			rc = p->ops->read(p, t, at + in_page, to, n, &e);
			to += n;
		} else {
			rc = p->ops->write(p, t, at + in_page, from, n, &e);
			from += n;
		}
		offset += n;
		len -= n;
	}
	clock_leave();
	return rc ? host_fail(&e) : 0;
}

int call_buffer_write(struct ttp_buffer *b, uint64_t offset, const void *from, size_t len)
{
	bool zone = op_zone_begin(OP_ZONE_WRITE);
	int rc = transfer(b, offset, NULL, from, len);

	op_zone_end(zone);
	return rc;
}

int call_buffer_read(struct ttp_buffer *b, uint64_t offset, void *to, size_t len)
{
	bool zone = op_zone_begin(OP_ZONE_READ);
	int rc = transfer(b, offset, to, NULL, len);

	op_zone_end(zone);
	return rc;
}
