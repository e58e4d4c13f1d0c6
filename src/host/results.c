// SPDX-License-Identifier: Apache-2.0
/*
 * Markers with their names.
 *
 * A core's markers come in the order of its launches, and the host knows all launches since the last
 * read; so each part of a core's markers (it begins with the firmware's zone) belongs to the next
 * launch of that program with a kernel on that core.  From it come the images that know the
 * names, the trace and its replay, and the sub-device; the 16 bits of the device's own count of
 * replays are not needed, so they may wrap.
 */
#include <stdlib.h>
#include <string.h>

#include "host/op.h"
#include "host/zone_log.h"

#define LOG_AREA "device"
#include "base/log.h"

struct reading {
	struct ttp_dev *d;
	struct log_writer writer;
	bool writing;
	/* of the core whose markers come now */
	struct tile tile;
	int risc;
	size_t next; /* launch to look at first */
	const struct launched *launch;
	const struct launch_tile *work;
	uint32_t host_id;
	struct buf meta;
	uint64_t unnamed;
	unsigned told_full, told_lost; /* cores; the first is told */
	/* of the zone before: markers of a zone come in pairs */
	const struct elf_zone *zone;
	uint16_t zone_id;
};

static const struct launch_tile *work_of(const struct built *b, struct tile t)
{
	/* by x, then y, as they were put together; rows of logical cores rise with those of the NoC */
	for (size_t i = 0; i < b->work_n; i++)
		if (b->work[i].tile.x == t.x && b->work[i].tile.y == t.y)
			return &b->work[i];
	return NULL;
}

/* The launch that a new part of markers belongs to. */
static void find_launch(struct reading *r, const struct marker *m)
{
	r->host_id = m->host_id;
	r->zone = NULL;
	for (size_t i = r->next; i < r->d->launched.len; i++) {
		const struct launched *l = &r->d->launched.at[i];
		const struct launch_tile *w;

		if (l->id != m->host_id)
			continue;
		w = work_of(l->built, m->tile);
		if (!w || (m->risc != RISC_B && !w->kernel[m->risc]))
			continue;
		r->next = i + 1;
		r->launch = l;
		r->work = w;
		buf_clear(&r->meta);
		if (l->manager >= 0)
			buf_printf(&r->meta, "{\"sub_device_id\":%d;\"sub_device_manager_id\":%d}",
				   l->sub_device, l->manager);
		return;
	}
	r->launch = NULL;
	r->work = NULL;
	buf_clear(&r->meta);
}

static bool begins_part(const struct reading *r, const struct marker *m)
{
	const struct elf_zone *z;

	if (r->risc != m->risc || r->tile.x != m->tile.x || r->tile.y != m->tile.y ||
	    r->host_id != m->host_id)
		return true;
	if (m->type != MARKER_ZONE_START)
		return false;
	z = elf_zone(&r->d->device.firmware[m->risc], m->id);
	return z && str_ends(z->name, STR("-FW"));
}

static const struct elf_zone *find_zone(struct reading *r, const struct marker *m)
{
	const struct elf_zone *z = NULL;

	if (r->zone && r->zone_id == m->id)
		return r->zone;
	/* The firmware has the outermost zone, which a kernel's id may be equal to. */
	if (r->work && r->work->kernel[m->risc])
		z = elf_zone(r->work->kernel[m->risc], m->id);
	if (!z)
		z = elf_zone(&r->d->device.firmware[m->risc], m->id);
	r->zone = z;
	r->zone_id = m->id;
	return z;
}

static void hash_marker(uint64_t *hash, const struct marker *m)
{
	uint64_t word = (uint64_t)m->tile.x << 56 | (uint64_t)m->tile.y << 48 |
			(uint64_t)m->risc << 40 | (uint64_t)m->type << 32 | m->id;

	/* A sum's value is a time. */
	word ^= m->type == MARKER_DATA || m->type == MARKER_DATA_16B ? m->data[0] * 31 : 0;
	word ^= (uint64_t)m->host_id << 20;
	*hash = (*hash ^ word) * 0x9E3779B97F4A7C15u;
	*hash ^= *hash >> 31;
}

static void on_marker(void *ctx, const struct marker *m)
{
	struct reading *r = ctx;
	const struct elf_zone *z = NULL;
	struct log_row row = { .marker = m, .trace = UINT32_MAX };

	if (r->risc != m->risc || r->tile.x != m->tile.x || r->tile.y != m->tile.y) {
		r->next = 0;
		find_launch(r, m);
		r->tile = m->tile;
		r->risc = m->risc;
	} else if (begins_part(r, m)) {
		find_launch(r, m);
	}
	r->d->counts.markers++;
	hash_marker(&r->d->markers_hash, m);
	if (m->type != MARKER_EVENT) {
		z = find_zone(r, m);
		r->unnamed += !z;
	}
	if (!r->writing)
		return;
	if (z) {
		row.name = z->name;
		row.file = z->file;
		row.line = z->line;
	}
	row.run = m->host_id ? ttp_encode_program_id(m->host_id, (uint32_t)r->d->id, false) |
				       (m->host_id & 1u << 31)
			     : 0;
	if (r->launch && r->launch->trace != NO_TRACE) {
		row.trace = r->launch->trace;
		row.replay = r->launch->replay;
	}
	row.meta = buf_view(&r->meta);
	log_writer_row(&r->writer, &row);
}

static void on_loss(void *ctx, const struct profiler_loss *l)
{
	struct reading *r = ctx;
	struct ttp_dev_markers *c = &r->d->counts;

	c->l1_lost += l->l1_lost;
	c->dram_full += l->dram_full;
	c->sums_saturated += l->saturated;
	c->sums_lost += l->sums_lost;
	if (l->dram_full && !r->told_full++)
		log_warn("Profiler DRAM buffers were full, markers were dropped! device %d, worker "
			 "core %d, %d, Risc %s,  bufferEndIndex = %u. Please either decrease the "
			 "number of ops being profiled or run read device profiler more often",
			 r->d->id, l->tile.x, l->tile.y, risc_label(l->risc), l->words_in_dram);
	if (l->l1_lost && !r->told_lost++)
		log_warn(
			"markers of a kernel did not fit: device %d, worker core %d, %d, Risc %s "
			"lost %u; there is room for 125 zones per program and core, record fewer of "
			"them",
			r->d->id, l->tile.x, l->tile.y, risc_label(l->risc), l->l1_lost);
	if (l->saturated || l->sums_lost)
		log_warn("%u sums were too long and %u too many: device %d, worker core %d, %d, "
			 "Risc %s",
			 l->saturated, l->sums_lost, r->d->id, l->tile.x, l->tile.y,
			 risc_label(l->risc));
}

static enum ttp_rc write_places(struct ttp_dev *d, struct ttp_err *e)
{
	VEC(const struct elf_image *) all = { 0 };
	enum ttp_rc rc;

	for (int risc = 0; risc < RISCS; risc++)
		*vec_push(&all) = &d->device.firmware[risc];
	vec_each (i, &d->images)
		*vec_push(&all) = &(*i)->elf;
	rc = zone_log_add(d->settings.folder, all.at, all.len, e);
	if (!rc)
		d->images_told = d->images.len + 1; /* and the firmware */
	vec_release(&all);
	return rc;
}

static uint64_t damaged(const struct ttp_dev *d)
{
	uint64_t n = 0;

	for (int i = 0; i < d->profiler.flat_ids * RISCS; i++)
		n += d->profiler.decoders[i].damaged_slots + d->profiler.decoders[i].lost_parts;
	return n;
}

enum ttp_rc results_read(struct ttp_dev *d, struct ttp_err *e)
{
	struct reading r = { .d = d, .risc = -1 };
	enum ttp_rc rc = TTP_OK, closed;
	bool zone;

	if (!d->profiled)
		return TTP_OK;
	zone = op_zone_begin(OP_ZONE_DUMP);
	r.writing = !d->settings.no_files;
	if (r.writing)
		rc = log_writer_open(&r.writer, d->settings.folder, d->settings.log_columns, d->id,
				     d->port->info.arch, d->port->info.clock_mhz,
				     d->device.coord.columns * d->device.coord.rows, e);
	if (rc) {
		op_zone_end(zone);
		return rc;
	}
	clock_enter();
	rc = profiler_read(&d->profiler, on_marker, on_loss, &r, &d->account, e);
	clock_leave();
	d->counts.damaged = damaged(d);
	d->counts.unnamed += r.unnamed;
	if (r.unnamed)
		log_warn("%llu markers of device %d have ids that no kernel knows",
			 (unsigned long long)r.unnamed, d->id);
	if (r.told_full > 1)
		log_warn(
			"device %d: the same on %u more cores; TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT "
			"is %u",
			d->id, r.told_full - 1, d->profiler.programs);
	if (r.told_lost > 1)
		log_warn("device %d: markers did not fit on %u more cores", d->id, r.told_lost - 1);
	buf_release(&r.meta);
	if (r.writing) {
		closed = log_writer_close(&r.writer, rc ? NULL : e);
		rc = rc ? rc : closed;
		if (!rc && d->images_told != d->images.len + 1)
			rc = write_places(d, e);
	}
	vec_each (l, &d->launched)
		built_drop(l->built);
	vec_clear(&d->launched);
	op_zone_end(zone);
	return rc;
}

int ttp_dev_read_profiler(struct ttp_dev *d)
{
	enum ttp_rc rc, read;
	struct ttp_err e, e2;

	if (!d)
		return -1;
	rc = queue_finish(d, &e);
	read = results_read(d, &e2);
	return rc ? host_fail(&e) : read ? host_fail(&e2) : 0;
}
