// SPDX-License-Identifier: Apache-2.0
#include "device/markers.h"

#include <string.h>

#include <ttp/kernel/layout.h>

#define TIME_BITS 44
#define VALID     0x80000000u
#define TYPE(h)   ((h) >> 28 & 7)
#define ID(h)     ((uint16_t)((h) >> 12))
#define PLAUSIBLE (1ull << 40) /* cycles between two markers of a core: 18 minutes at 1 GHz */

const char *risc_label(int risc)
{
	return risc_log_name(risc == RISCS ? RISC_AGG : (enum risc)risc);
}

static bool is_blank(const uint32_t *w)
{
	return w[0] == TTP_PROF_BLANK && (w[1] == 0 || w[1] == TTP_PROF_BLANK);
}

/* 44 bits near the newest time become 64. */
static uint64_t extend(const struct marker_decoder *d, const uint32_t *w)
{
	uint64_t time = (uint64_t)(w[0] & 0xFFF) << 32 | w[1];
	uint64_t apart = (time - d->last) << (64 - TIME_BITS);
	int64_t step = (int64_t)apart >> (64 - TIME_BITS);

	if (step < 0 && (uint64_t)-step > d->last)
		return time;
	return d->last + (uint64_t)step;
}

static size_t words_of(uint32_t h)
{
	return TYPE(h) == TTP_MARKER_DATA ? 4 : TYPE(h) == TTP_MARKER_DATA_16B ? 6 : 2;
}

/* The beginning of a part of this core. */
static bool is_head(const struct marker_decoder *d, const uint32_t *w, size_t left)
{
	return left >= TTP_PROF_CUSTOM && !w[0] && !w[1] && (w[2] & 31) == d->risc &&
	       (w[2] >> 5 & 0xFF) == d->flat && !(w[2] >> 29);
}

static void give(struct marker_decoder *d, struct device_marker *m, const uint32_t *w,
		 marker_fn *fn, void *ctx)
{
	m->type = (uint8_t)TYPE(w[0]);
	m->id = ID(w[0]);
	m->data[0] = m->data[1] = 0;
	m->cycles = extend(d, w);
	if (m->cycles > d->last)
		d->last = m->cycles;
	if (m->type == MARKER_DATA || m->type == MARKER_DATA_16B)
		m->data[0] = (uint64_t)w[2] << 32 | w[3];
	if (m->type == MARKER_DATA_16B)
		m->data[1] = (uint64_t)w[4] << 32 | w[5];
	fn(ctx, m);
}

/* A slot of FW or KERNEL: valid, of the right type, or blank. */
static bool give_kept(struct marker_decoder *d, struct device_marker *m, const uint32_t *w,
		      enum marker_type type, marker_fn *fn, void *ctx)
{
	if (is_blank(w))
		return true;
	if (!(w[0] & VALID) || TYPE(w[0]) != (uint32_t)type)
		return false;
	give(d, m, w, fn, ctx);
	return true;
}

struct part {
	const uint32_t *kept; /* its eight words */
	uint64_t damaged;
	bool desynced;
};

static void end_part(struct marker_decoder *d, struct part *p, struct device_marker *m,
		     marker_fn *fn, void *ctx)
{
	if (!p->kept)
		return;
	p->damaged += !give_kept(d, m, p->kept + 6, MARKER_ZONE_END, fn, ctx);
	p->damaged += !give_kept(d, m, p->kept + 2, MARKER_ZONE_END, fn, ctx);
	p->kept = NULL;
}

static void begin_part(struct marker_decoder *d, struct part *p, struct device_marker *m,
		       const uint32_t *w, uint64_t *program_start, marker_fn *fn, void *ctx)
{
	const uint32_t *kept = w + TTP_PROF_FW_START;
	bool same = w[3] == d->host_id && !is_blank(kept) &&
		    !memcmp(d->fw_start, kept, sizeof(d->fw_start));

	m->host_id = w[3];
	d->replay += (uint16_t)((w[2] >> 13) - d->replay);
	m->replay = d->replay;
	p->kept = kept;
	p->desynced = false;
	if (!same) {
		p->damaged += !give_kept(d, m, kept, MARKER_ZONE_START, fn, ctx);
		*program_start = is_blank(kept) ? d->last : m->cycles;
	}
	/* A part pushed in the middle of a kernel has these again. */
	if (!same || memcmp(d->kernel_start, kept + 4, sizeof(d->kernel_start)))
		p->damaged += !give_kept(d, m, kept + 4, MARKER_ZONE_START, fn, ctx);
	d->host_id = w[3];
	memcpy(d->fw_start, kept, sizeof(d->fw_start));
	memcpy(d->kernel_start, kept + 4, sizeof(d->kernel_start));
}

void markers_decode(struct marker_decoder *d, const uint32_t *words, size_t n, marker_fn *fn,
		    void *ctx, struct account *account)
{
	struct device_marker m = { .tile = d->tile, .risc = d->risc };
	struct part p = { 0 };
	uint64_t program_start = d->last;
	bool in_part = false, lost = false;

	for (size_t i = 0; i + 2 <= n;) {
		const uint32_t *w = words + i;
		size_t take;

		if (is_head(d, w, n - i)) {
			end_part(d, &p, &m, fn, ctx);
			begin_part(d, &p, &m, w, &program_start, fn, ctx);
			in_part = true;
			lost = false;
			i += TTP_PROF_CUSTOM;
			continue;
		}
		if (!in_part) {
			/* Where a part should begin is something else. */
			d->lost_parts += !lost;
			lost = true;
			p.damaged++;
			i += 2;
			continue;
		}
		if (is_blank(w)) {
			i += 2;
			continue;
		}
		take = words_of(w[0]);
		if (!(w[0] & VALID) || TYPE(w[0]) > TTP_MARKER_DATA_16B || take > n - i) {
			p.damaged++;
			p.desynced = true;
			i += 2;
			continue;
		}
		if (TYPE(w[0]) == TTP_MARKER_ZONE_TOTAL) {
			m.type = MARKER_ZONE_TOTAL;
			m.id = ID(w[0]);
			m.cycles = program_start;
			m.data[0] = w[1];
			m.data[1] = 0;
			fn(ctx, &m);
			i += 2;
			continue;
		}
		/* Behind damage anything can look like a marker: its time must fit. */
		if (p.desynced) {
			uint64_t time = extend(d, w);

			if (time + PLAUSIBLE < d->last || time > d->last + PLAUSIBLE) {
				p.damaged++;
				i += 2;
				continue;
			}
			p.desynced = false;
		}
		give(d, &m, w, fn, ctx);
		i += take;
	}
	end_part(d, &p, &m, fn, ctx);
	if (n % 2)
		p.damaged++;
	d->damaged_slots += p.damaged;
	if (account && p.damaged)
		account_add(account, ACCOUNT_MARKER_DAMAGED,
			    (struct account_place){ d->device, d->tile.x, d->tile.y,
						    risc_label(d->risc) },
			    p.damaged);
}

size_t markers_find_end(const struct marker_decoder *d, const uint32_t *words, size_t n)
{
	struct marker_decoder at = *d;
	size_t i = 0;

	while (i + 2 <= n) {
		const uint32_t *w = words + i;
		size_t take = 2;

		if (is_head(&at, w, n - i)) {
			w += TTP_PROF_FW_START;
			take = TTP_PROF_CUSTOM;
		} else if (!i) {
			return 0;
		} else if (is_blank(w)) {
			i += 2;
			continue;
		}
		if (!(w[0] & VALID) || TYPE(w[0]) > TTP_MARKER_DATA_16B)
			return i;
		if (TYPE(w[0]) != TTP_MARKER_ZONE_TOTAL) {
			uint64_t time = extend(&at, w);

			/* In a part, markers may be as old as their zone's start, which stands in front. */
			if (time < at.last || (take == TTP_PROF_CUSTOM && time == d->last))
				return i;
			at.last = time;
		}
		i += take == 2 ? words_of(w[0]) : take;
	}
	return i < n ? i : n;
}
