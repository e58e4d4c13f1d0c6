// SPDX-License-Identifier: Apache-2.0
#include "device/profiler.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

uint64_t profiler_bank_bytes(const struct device *d, uint32_t *programs, bool sum)
{
	uint32_t one = sum ? PROFILER_PROGRAM_BYTES_SUM : PROFILER_PROGRAM_BYTES;
	uint32_t least = 4 * TTP_PROF_WORDS / one + 1; /* a full buffer, and a little */
	int cores = 0;
	uint32_t per_bank;

	if (*programs < least)
		*programs = least;
	coord_flat_id(&d->port->info, (struct tile){ 0, 0 }, &cores);
	per_bank = (uint32_t)((cores + d->coord.banks - 1) / d->coord.banks);
	return (uint64_t)one * *programs * TTP_RISCS * per_bank;
}

static enum ttp_rc each_worker(struct profiler *p,
			       enum ttp_rc (*fn)(struct profiler *, struct tile, int flat, void *,
						 struct ttp_err *),
			       void *ctx, struct ttp_err *e)
{
	const struct port_info *info = &p->device->port->info;
	enum ttp_rc rc = TTP_OK;

	for (int x = 0; x < info->width; x++)
		for (int y = 0; !rc && y < info->height; y++) {
			struct tile t = { (uint8_t)x, (uint8_t)y };

			if (info->kind[y][x] == TILE_WORKER)
				rc = fn(p, t, coord_flat_id(info, t, NULL), ctx, e);
		}
	return rc;
}

/* A tile's control vector and its counts of losses, as before the first program; but for how many replays there were. */
static enum ttp_rc write_control(struct profiler *p, struct tile t, int flat, uint32_t replays,
				 struct ttp_err *e)
{
	struct port *port = p->device->port;
	uint32_t c[TTP_PROF_CTRL_WORDS] = { [TTP_PROF_DRAM_ADDRESS] = (uint32_t)p->dram_base,
					    [TTP_PROF_CORES_PER_BANK] = p->cores_per_bank,
					    [TTP_PROF_FLAT_ID] = (uint32_t)flat,
					    [TTP_PROF_TRACE_STATUS] = replays };
	struct ttp_prof_extra extra = { 0 };
	enum ttp_rc rc = port->ops->write(port, t, TTP_L1_PROF_CTRL, c, sizeof(c), e);

	return rc ? rc : port->ops->write(port, t, TTP_L1_PROF_EXTRA, &extra, sizeof(extra), e);
}

static enum ttp_rc start_tile(struct profiler *p, struct tile t, int flat, void *ctx,
			      struct ttp_err *e)
{
	struct port *port = p->device->port;
	enum ttp_rc rc = write_control(p, t, flat, 0, e);

	(void)ctx;
	if (!rc)
		rc = port->ops->write(
			port, t, TTP_L1_MAILBOX + offsetof(struct ttp_mailbox, profiler_cap_words),
			&p->cap_words, 4, e);
	for (int r = 0; r < RISCS; r++)
		p->decoders[flat * RISCS + r] =
			(struct marker_decoder){ .device = p->device->id,
						 .tile = t,
						 .risc = (uint8_t)r,
						 .flat = (uint8_t)(flat & 0xFF) };
	return rc;
}

enum ttp_rc profiler_start(struct profiler *p, struct device *d, uint64_t dram_base,
			   uint32_t programs, bool sum, struct ttp_err *e)
{
	uint32_t one = sum ? PROFILER_PROGRAM_BYTES_SUM : PROFILER_PROGRAM_BYTES;
	enum ttp_rc rc;

	memset(p, 0, sizeof(*p));
	p->device = d;
	p->programs = programs;
	p->bank_bytes = profiler_bank_bytes(d, &p->programs, sum);
	coord_flat_id(&d->port->info, (struct tile){ 0, 0 }, &p->flat_ids);
	p->cores_per_bank = (uint32_t)((p->flat_ids + d->coord.banks - 1) / d->coord.banks);
	if (!dram_base || dram_base % d->port->info.dram_align ||
	    dram_base + p->bank_bytes > d->coord.bank_bytes ||
	    dram_base + p->bank_bytes > UINT32_MAX)
		return ttp_fail(
			e, TTP_LIMIT,
			"a profiler for %u programs takes %llu bytes of each DRAM bank, from "
			"0x%llx: that is not there; lower TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT",
			p->programs, (unsigned long long)p->bank_bytes,
			(unsigned long long)dram_base);
	p->cap_words = one * p->programs / 4;
	p->dram_base = dram_base;
	p->decoders = mem_zero((size_t)p->flat_ids * RISCS, sizeof(*p->decoders));
	rc = each_worker(p, start_tile, NULL, e);
	if (rc)
		profiler_release(p);
	return rc;
}

void profiler_release(struct profiler *p)
{
	free(p->decoders);
	memset(p, 0, sizeof(*p));
}

struct reading {
	marker_fn *fn;
	profiler_loss_fn *loss;
	void *ctx;
	struct account *account;
	uint32_t *words;
};

static void tell_loss(struct reading *r, int device, const struct profiler_loss *l)
{
	struct account_place at = { device, l->tile.x, l->tile.y, risc_label(l->risc) };

	if (r->loss)
		r->loss(r->ctx, l);
	if (!r->account)
		return;
	if (l->l1_lost)
		account_add(r->account, ACCOUNT_MARKER_BUFFER_FULL, at, l->l1_lost);
	if (l->dram_full)
		account_add(r->account, ACCOUNT_MARKER_DRAM_FULL, at, 1);
	if (l->dram_lost)
		account_add(r->account, ACCOUNT_MARKER_DRAM_LOST, at, l->dram_lost);
	if (l->saturated)
		account_add(r->account, ACCOUNT_MARKER_SUM_SATURATED, at, l->saturated);
	if (l->sums_lost)
		account_add(r->account, ACCOUNT_MARKER_SUM_LOST, at, l->sums_lost);
	if (l->overwritten)
		account_add(r->account, ACCOUNT_MARKER_DAMAGED, at, 1);
}

/*
 * The words that firmware and host keep about a tile lie where any kernel can write.  They are believed if
 * they can be true: pushed words are whole packets and fit, what the host wrote is still there, and no
 * more was lost than there were cycles to lose it in.
 */
static bool control_is_good(const struct profiler *p, const uint32_t *c, int flat)
{
	bool good = c[TTP_PROF_DRAM_ADDRESS] == (uint32_t)p->dram_base &&
		    c[TTP_PROF_CORES_PER_BANK] == p->cores_per_bank &&
		    c[TTP_PROF_FLAT_ID] == (uint32_t)flat && c[TTP_PROF_DROPPED] < 1u << RISCS &&
		    c[TTP_PROF_TRACE_STATUS] <= 0xFFFF;

	for (int r = 0; r < RISCS; r++)
		good &= c[TTP_PROF_HOST_END + r] <= p->cap_words &&
			c[TTP_PROF_HOST_END + r] % TTP_PROF_ALIGN_WORDS == 0;
	return good;
}

static bool losses_are_good(const struct profiler *p, const struct ttp_prof_extra *x, int risc)
{
	uint64_t most = p->device->port->ops->now(p->device->port) - p->read_at;

	return x->lost[risc] <= most && x->saturated[risc] <= most && x->sums_lost[risc] <= most &&
	       x->dram_lost[risc] <= most;
}

/* What a core has in DRAM, decoded; `known`: it has exactly so many words. */
static enum ttp_rc read_words(struct profiler *p, int flat, int risc, uint32_t words, bool known,
			      const struct reading *r, struct ttp_err *e)
{
	struct port *port = p->device->port;
	struct marker_decoder *decoder = &p->decoders[flat * RISCS + risc];
	uint64_t offset, at;
	struct tile dram = coord_bank(&p->device->coord, flat / (int)p->cores_per_bank, &offset);
	enum ttp_rc rc = TTP_OK;

	at = offset + p->dram_base +
	     4ull * p->cap_words * ((uint32_t)flat % p->cores_per_bank * RISCS + (uint32_t)risc);
	if (words)
		rc = port->ops->read(port, dram, at, r->words, 4ull * words, e);
	if (!rc && !known)
		words = (uint32_t)markers_find_end(decoder, r->words, words);
	if (!rc && words)
		markers_decode(decoder, r->words, words, r->fn, r->ctx, r->account);
	return rc;
}

/* One core's part of a tile. */
static enum ttp_rc read_core(struct profiler *p, struct tile t, int flat, int risc,
			     const uint32_t *c, const struct ttp_prof_extra *extra,
			     struct reading *r, struct ttp_err *e)
{
	bool good = control_is_good(p, c, flat), counted = losses_are_good(p, extra, risc);
	uint32_t words = good ? c[TTP_PROF_HOST_END + risc] : p->cap_words;
	struct profiler_loss loss = { .tile = t, .risc = risc, .overwritten = !good || !counted };
	enum ttp_rc rc;

	if (good) {
		loss.dram_full = c[TTP_PROF_DROPPED] >> risc & 1;
		loss.words_in_dram = words;
	}
	if (counted) {
		loss.l1_lost = extra->lost[risc];
		loss.saturated = extra->saturated[risc];
		loss.sums_lost = extra->sums_lost[risc];
		loss.dram_lost = extra->dram_lost[risc];
	}
	rc = read_words(p, flat, risc, words, good, r, e);
	p->decoders[flat * RISCS + risc].lost_parts += loss.overwritten;
	if (loss.dram_full || loss.l1_lost || loss.saturated || loss.sums_lost || loss.overwritten)
		tell_loss(r, p->device->id, &loss);
	return rc;
}

static enum ttp_rc read_tile(struct profiler *p, struct tile t, int flat, void *ctx,
			     struct ttp_err *e)
{
	struct port *port = p->device->port;
	uint32_t c[TTP_PROF_CTRL_WORDS];
	struct ttp_prof_extra extra;

	TTP_TRY(port->ops->read(port, t, TTP_L1_PROF_CTRL, c, sizeof(c), e));
	TTP_TRY(port->ops->read(port, t, TTP_L1_PROF_EXTRA, &extra, sizeof(extra), e));
	for (int risc = 0; risc < RISCS; risc++)
		TTP_TRY(read_core(p, t, flat, risc, c, &extra, ctx, e));
	return write_control(p, t, flat, c[TTP_PROF_TRACE_STATUS] & 0xFFFF, e);
}

enum ttp_rc profiler_read(struct profiler *p, marker_fn *fn, profiler_loss_fn *loss, void *ctx,
			  struct account *account, struct ttp_err *e)
{
	struct reading r = { fn, loss, ctx, account, mem_alloc(p->cap_words, 4) };
	enum ttp_rc rc = each_worker(p, read_tile, &r, e);

	p->read_at = p->device->port->ops->now(p->device->port);
	free(r.words);
	return rc;
}

enum ttp_rc profiler_fill(struct profiler *p, struct tile t, uint32_t *words, struct ttp_err *e)
{
	struct port *port = p->device->port;
	uint32_t ends[RISCS];
	enum ttp_rc rc = port->ops->read(port, t, TTP_L1_PROF_CTRL + 4 * TTP_PROF_HOST_END, ends,
					 sizeof(ends), e);

	*words = 0;
	for (int r = 0; !rc && r < RISCS; r++)
		if (ends[r] > *words)
			*words = ends[r];
	return rc;
}

static enum ttp_rc let_wait(struct profiler *p, struct tile t, int flat, void *ctx,
			    struct ttp_err *e)
{
	struct port *port = p->device->port;
	uint32_t on = 1;

	(void)flat, (void)ctx;
	return port->ops->write(port, t,
				TTP_L1_MAILBOX + offsetof(struct ttp_mailbox, profiler_waits), &on,
				sizeof(on), e);
}

enum ttp_rc profiler_let_wait(struct profiler *p, struct ttp_err *e)
{
	return each_worker(p, let_wait, NULL, e);
}

enum ttp_rc profiler_waits(struct profiler *p, struct tile t, bool *waits, struct ttp_err *e)
{
	struct port *port = p->device->port;
	uint32_t word[2] = { 0 };
	enum ttp_rc rc = port->ops->read(port, t, TTP_L1_PROF_CTRL + 4 * TTP_PROF_WAITING, word,
					 sizeof(word), e);

	*waits = word[0] == TTP_PROF_FULL || word[1] == TTP_PROF_FULL;
	return rc;
}

enum ttp_rc profiler_drain(struct profiler *p, struct tile t, marker_fn *fn, void *ctx,
			   struct account *account, bool *some, struct ttp_err *e)
{
	struct reading r = { fn, NULL, ctx, account, NULL };
	struct port *port = p->device->port;
	int flat = coord_flat_id(&port->info, t, NULL);
	uint32_t waiting[2], none = 0;
	const uint64_t at = TTP_L1_PROF_CTRL + 4 * TTP_PROF_WAITING;
	enum ttp_rc rc = port->ops->read(port, t, at, waiting, sizeof(waiting), e);

	for (unsigned risc = 0; !rc && risc < 2; risc++) {
		uint64_t end = TTP_L1_PROF_CTRL + 4 * (TTP_PROF_HOST_END + risc);
		uint32_t words = 0;

		if (waiting[risc] != TTP_PROF_FULL)
			continue;
		*some = true;
		r.words = r.words ? r.words : mem_alloc(p->cap_words, 4);
		rc = port->ops->read(port, t, end, &words, 4, e);
		if (words > p->cap_words)
			words = p->cap_words; /* the control vector is damaged: take what can be there */
		rc = rc ? rc : read_words(p, flat, (int)risc, words, true, &r, e);
		rc = rc ? rc : port->ops->write(port, t, end, &none, 4, e);
		rc = rc ? rc : port->ops->write(port, t, at + 4 * risc, &none, 4, e);
	}
	free(r.words);
	return rc;
}
