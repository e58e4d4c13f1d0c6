// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "host/host_device.h"

enum { FW, KERNEL };

/* Replays of a core come in order, once for each of its RISCs. */
static struct replay_span *find(replay_spans *spans, const struct launched *l)
{
	size_t low = order_first(i, spans->len, spans->at[i].sequence < l->sequence);

	if (low < spans->len && spans->at[low].sequence == l->sequence)
		return &spans->at[low];
	vec_push(spans);
	memmove(&spans->at[low + 1], &spans->at[low], (spans->len - 1 - low) * sizeof(*spans->at));
	spans->at[low] = (struct replay_span){
		l->sequence, l->trace, l->replay, { UINT64_MAX, UINT64_MAX }, { 0, 0 }
	};
	return &spans->at[low];
}

void replay_zones_marker(struct ttp_dev *d, int flat, const struct launched *l,
			 const struct device_marker *m, struct str zone)
{
	int which = str_ends(zone, STR("-FW")) ? FW : str_ends(zone, STR("-KERNEL")) ? KERNEL : -1;
	struct replay_span *s;

	if (which < 0 || !l || l->trace == NO_TRACE)
		return;
	if (!d->replay_spans)
		d->replay_spans = mem_zero((size_t)d->profiler.flat_ids, sizeof(*d->replay_spans));
	s = find(&d->replay_spans[flat], l);
	if (m->type == MARKER_ZONE_START && m->cycles < s->start[which])
		s->start[which] = m->cycles;
	if (m->type == MARKER_ZONE_END && m->cycles > s->end[which])
		s->end[which] = m->cycles;
}

/* Where the firmware's own zone is. */
static const struct elf_zone *firmware_zone(const struct ttp_dev *d)
{
	vec_each (z, &d->device.firmware[RISC_B].zones)
		if (str_eq(z->name, STR("BRISC-FW")))
			return z;
	return NULL;
}

static void write_span(struct ttp_dev *d, struct log_writer *w, int flat,
		       const struct replay_span *s, const struct elf_zone *zone)
{
	static const struct str names[] = { STR_INIT("TRACE-FW"), STR_INIT("TRACE-KERNEL") };
	static const struct {
		int which;
		bool end;
	} order[] = { { FW, false }, { KERNEL, false }, { KERNEL, true }, { FW, true } };
	struct device_marker m = { .tile = d->profiler.decoders[flat * RISCS].tile, .risc = RISCS };
	struct log_row row = {
		.marker = &m,
		.run = ttp_encode_program_id(s->sequence & PROGRAM_ID_MAX, (uint32_t)d->id, false),
		.trace = s->trace,
		.replay = s->replay,
		.file = zone ? zone->file : STR(""),
		.line = zone ? zone->line : 0,
	};
	size_t perf = 0;

	if (d->settings.perf_report)
		perf = perf_data_program(
			&d->perf, row.run, s->trace, s->replay,
			(uint32_t)(d->device.coord.columns * d->device.coord.rows));
	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++) {
		int which = order[i].which;

		if (s->start[which] == UINT64_MAX || s->end[which] < s->start[which])
			continue;
		m.type = order[i].end ? MARKER_ZONE_END : MARKER_ZONE_START;
		m.cycles = order[i].end ? s->end[which] : s->start[which];
		m.id = zone_hash(names[which], row.file, row.line);
		row.name = names[which];
		if (w)
			log_writer_row(w, &row);
		if (d->settings.perf_report)
			perf_data_marker(&d->perf, perf, flat, PERF_RISC_ALL, m.type, m.cycles,
					 row.name);
	}
}

void replay_zones_write(struct ttp_dev *d, struct log_writer *w)
{
	const struct elf_zone *zone = firmware_zone(d);

	for (int flat = 0; d->replay_spans && flat < d->profiler.flat_ids; flat++) {
		replay_spans *spans = &d->replay_spans[flat];
		size_t kept = 0;

		vec_each (s, spans) {
			/* One that goes on is not over. */
			if (s->sequence == d->replaying)
				spans->at[kept++] = *s;
			else
				write_span(d, w, flat, s, zone);
		}
		spans->len = kept;
	}
}

void replay_zones_release(struct ttp_dev *d)
{
	for (int flat = 0; d->replay_spans && flat < d->profiler.flat_ids; flat++)
		vec_release(&d->replay_spans[flat]);
	free(d->replay_spans);
}
