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
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ttp/tensix_macros.h>

#include "base/account.h"
#include "host/api/guarded_calls.h"
#include "host/api/program.h"
#include "host/host_device.h"
#include "host/logs/marker_results.h"
#include "host/ops/op.h"
#include "wire/run_names.h"

#define LOG_AREA "device"
#include "base/log.h"

struct reading {
	struct ttp_dev *d;
	struct log_writer writer, of_op; /* the second one while d->op_folder is there */
	bool writing, writing_op, pushing;
	/* of the core whose markers come now */
	struct tile tile;
	int risc;
	struct read_core *core;
	const struct launched *launch;
	const struct launch_tile *work;
	bool of_queue; /* a dispatch core */
	struct buf meta, queue_meta;
	size_t perf; /* the program in perf_data.h */
	int flat;
	uint64_t unnamed;
	unsigned full, lost, overwritten; /* cores; the first is logged */
	/* of the zone before: markers of a zone come in pairs */
	const struct elf_zone *zone;
	uint16_t zone_id;
};

static uint32_t run_of(const struct ttp_dev *d, uint32_t host_id)
{
	return host_id ? ttp_encode_program_id(host_id, (uint32_t)d->id, false) |
				 (host_id & 1u << 31)
		       : 0;
}

/* Cores that a program could have had. */
static uint32_t available(const struct ttp_dev *d, const struct launched *l)
{
	const struct ttp_cores *c = &d->sub[l->sub_device < 0 ? 0 : l->sub_device].cores;

	if (l->manager < 0 || l->manager != d->manager || l->sub_device < 0)
		return (uint32_t)(d->device.coord.columns * d->device.coord.rows);
	return (c->x1 - c->x0 + 1) * (c->y1 - c->y0 + 1);
}

static const struct launch_tile *work_of(const struct built *b, struct tile t)
{
	/* by x, then y, as they were put together; rows of logical cores rise with those of the NoC */
	for (size_t i = 0; i < b->work_n; i++)
		if (b->work[i].tile.x == t.x && b->work[i].tile.y == t.y)
			return &b->work[i];
	return NULL;
}

/* What a tile did for a launch: a worker, or a core of the command queue that started it. */
static const struct launch_tile *part_of(const struct launched *l, struct tile t, bool *of_queue)
{
	const struct launch_tile *w = work_of(l->built, t);

	*of_queue = false;
	if (!w && l->pass) {
		w = work_of(l->pass, t);
		*of_queue = w != NULL;
	}
	return w;
}

/* The core's markers are those of launch `i` + 1; 0: of none that is known. */
static void take_launch(struct reading *r, size_t launch_1)
{
	struct launched *l = launch_1 ? &r->d->launched.at[launch_1 - 1] : NULL;

	r->core->launch_1 = launch_1;
	r->launch = l;
	r->of_queue = false;
	r->work = l ? part_of(l, r->tile, &r->of_queue) : NULL;
	r->zone = NULL;
	if (l && !r->of_queue)
		l->met = true;
	if (l && !r->of_queue && r->d->settings.perf_report && !r->d->settings.trace_only)
		r->perf = perf_data_program(&r->d->perf, run_of(r->d, l->id), l->trace, l->replay,
					    available(r->d, l));
	buf_clear(&r->meta);
	if (l && l->manager >= 0)
		buf_printf(&r->meta, "{\"sub_device_id\":%d;\"sub_device_manager_id\":%d}",
			   l->sub_device, l->manager);
}

/* The launch that a new part of markers belongs to. */
static void find_launch(struct reading *r, const struct device_marker *m)
{
	r->core->begun = true;
	r->core->host_id = m->host_id;
	for (size_t i = r->core->next; i < r->d->launched.len; i++) {
		const struct launched *l = &r->d->launched.at[i];
		bool of_queue;
		const struct launch_tile *w =
			l->id == m->host_id ? part_of(l, m->tile, &of_queue) : NULL;

		if (!w || (m->risc != RISC_B && !w->kernel[m->risc]))
			continue;
		r->core->next = i + 1;
		take_launch(r, i + 1);
		return;
	}
	take_launch(r, 0);
}

static bool begins_part(const struct reading *r, const struct device_marker *m)
{
	const struct elf_zone *z;

	if (!r->core->begun || r->core->host_id != m->host_id)
		return true;
	if (m->type != MARKER_ZONE_START)
		return false;
	z = elf_zone(&r->d->device.firmware[m->risc], m->id);
	return z && str_ends(z->name, STR("-FW"));
}

/* Markers of another core; it may be in the middle of a part. */
static void take_core(struct reading *r, struct tile t, int risc)
{
	r->tile = t;
	r->risc = risc;
	r->flat = coord_flat_id(&r->d->port->info, t, NULL);
	r->core = &r->d->cores[r->flat * RISCS + risc];
	take_launch(r, r->core->launch_1);
}

static const struct elf_zone *find_zone(struct reading *r, const struct device_marker *m)
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

/* Data that no name belongs to. */
static bool is_reserved(const struct ttp_dev *d, const struct device_marker *m)
{
	return (d->settings.noc_events && m->type == MARKER_DATA && m->id == TTP_ID_NOC_TRACE) ||
	       (d->settings.counters && m->type == MARKER_DATA_16B && m->id == TTP_ID_PERF_COUNTER);
}

static void hash_marker(uint64_t *hash, const struct device_marker *m)
{
	uint64_t word = (uint64_t)m->tile.x << 56 | (uint64_t)m->tile.y << 48 |
			(uint64_t)m->risc << 40 | (uint64_t)m->type << 32 | m->id;

	/* A sum's value is a time. */
	word ^= m->type == MARKER_DATA || m->type == MARKER_DATA_16B ? m->data[0] * 31 : 0;
	word ^= (uint64_t)m->host_id << 20;
	*hash = (*hash ^ word) * 0x9E3779B97F4A7C15u;
	*hash ^= *hash >> 31;
}

/* What rows of all markers have. */
static struct log_row row_of(const struct reading *r, const struct device_marker *m)
{
	struct log_row row = { .marker = m, .run = run_of(r->d, m->host_id), .trace = UINT32_MAX };

	/* the queue is of no program, and what accumulates is of any */
	if (r->of_queue || r->d->settings.accumulate) {
		row.run = 0;
		return row;
	}
	if (r->launch && r->launch->trace != NO_TRACE) {
		row.trace = r->launch->trace;
		row.replay = r->launch->replay;
	}
	return row;
}

/* A counter of the compute engine, in the words of tt-metal's reports. */
static void write_counter(struct reading *r, const struct device_marker *m)
{
	static const struct {
		uint32_t number;
		const char *name;
	} names[] = {
#define X(name, number, group) { number, #name },
		TTP_COUNTERS(X) TTP_COUNTERS_OF_NOC(X)
#undef X
	};
	struct log_row row = row_of(r, m);
	const char *name = NULL;
	SCOPED(buf) struct buf meta = { 0 };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i].number == (m->data[1] & 0xFF))
			name = names[i].name;
	if (name)
		buf_printf(&meta, "{\"counter type\":\"%s\"", name);
	else
		buf_printf(&meta, "{\"counter type\":%u", (unsigned)(m->data[1] & 0xFF));
	buf_printf(&meta, ";\"ref cnt\":%u;\"value\":%u}", (unsigned)(m->data[0] >> 32),
		   (unsigned)m->data[0]);
	row.name = STR("PERF-COUNTER");
	row.file = STR("ttprof/fw/brisc.c");
	row.meta = buf_view(&meta);
	log_writer_row(&r->writer, &row);
}

static void on_marker(void *ctx, const struct device_marker *m)
{
	struct reading *r = ctx;
	const struct elf_zone *z = NULL;
	struct log_row row;
	bool part, moved = r->risc != m->risc || r->tile.x != m->tile.x || r->tile.y != m->tile.y;

	if (moved)
		take_core(r, m->tile, m->risc);
	part = begins_part(r, m);
	if (part)
		find_launch(r, m);
	r->d->counts.markers++;
	r->core->counts.markers++;
	hash_marker(&r->d->markers_hash, m);
	if (m->type != MARKER_EVENT && !is_reserved(r->d, m)) {
		z = find_zone(r, m);
		r->unnamed += !z;
	}
	if (r->d->settings.accumulate && !r->of_queue && m->type != MARKER_ZONE_START &&
	    m->type != MARKER_ZONE_END)
		return;
	if (r->of_queue &&
	    (r->d->settings.trace_only || !z || !dispatch_meaning(z->name, m, &r->queue_meta)))
		return;
	row = row_of(r, m);
	if (r->pushing)
		push_marker(r->d, m, z, row.run, moved, part);
	if (r->d->settings.trace_only) {
		replay_zones_marker(r->d, r->flat, r->launch, m, z ? z->name : STR(""));
		return;
	}
	if (z && r->launch && r->d->settings.perf_report && !r->of_queue)
		perf_data_marker(&r->d->perf, r->perf, r->flat, m->risc, m->type, m->cycles,
				 z->name);
	if (!r->writing)
		return;
	if (m->type == MARKER_DATA_16B && is_reserved(r->d, m)) {
		write_counter(r, m);
		return;
	}
	if (r->d->settings.noc_events && noc_trace_wants(m, z ? z->name : STR("")))
		noc_trace_add(&r->d->noc, m, row.run, row.trace, row.replay, z ? z->name : STR(""));
	if (z) {
		row.name = z->name;
		row.file = z->file;
		row.line = z->line;
	}
	row.meta = buf_view(r->of_queue ? &r->queue_meta : &r->meta);
	log_writer_row(&r->writer, &row);
	if (r->writing_op)
		log_writer_row(&r->of_op, &row);
}

static void on_loss(void *ctx, const struct profiler_loss *l)
{
	struct reading *r = ctx;
	struct ttp_dev_markers *all = &r->d->counts, *own;

	own = &r->d->cores[coord_flat_id(&r->d->port->info, l->tile, NULL) * RISCS + l->risc]
		       .counts;
	for (struct ttp_dev_markers *c = all;; c = own) {
		c->l1_lost += l->l1_lost;
		c->dram_full += l->dram_full;
		c->dram_lost += l->dram_lost;
		c->sums_saturated += l->saturated;
		c->sums_lost += l->sums_lost;
		if (c == own)
			break;
	}
	if (l->dram_full && !r->full++)
		log_warn("Profiler DRAM buffers were full, markers were dropped! device %d, worker "
			 "core %d, %d, Risc %s,  bufferEndIndex = %u. Please either decrease the "
			 "number of ops being profiled or run read device profiler more often",
			 r->d->id, l->tile.x, l->tile.y, risc_label(l->risc), l->words_in_dram);
	if (l->l1_lost && !r->lost++)
		log_warn(
			"markers of a kernel did not fit: device %d, worker core %d, %d, Risc %s "
			"lost %u; there is room for 125 zones per program and core, record fewer of "
			"them",
			r->d->id, l->tile.x, l->tile.y, risc_label(l->risc), l->l1_lost);
	if (l->overwritten && !r->overwritten++)
		log_warn(
			"the profiler's words in L1 (0x%x to 0x%x) were overwritten by a kernel: "
			"device %d, worker core %d, %d, Risc %s; the log has the markers that could "
			"still be found",
			TTP_L1_PROF_CTRL, TTP_L1_FW_B, r->d->id, l->tile.x, l->tile.y,
			risc_label(l->risc));
	if (l->saturated || l->sums_lost)
		log_warn("%u sums were too long and %u too many: device %d, worker core %d, %d, "
			 "Risc %s",
			 l->saturated, l->sums_lost, r->d->id, l->tile.x, l->tile.y,
			 risc_label(l->risc));
}

static enum ttp_rc write_locations(struct ttp_dev *d, struct ttp_err *e)
{
	enum ttp_rc rc = zone_log_add(d, e);

	if (!rc)
		d->images_logged = d->images.len + 1; /* and the firmware */
	return rc;
}

static uint64_t damaged(const struct ttp_dev *d)
{
	uint64_t n = 0;

	for (int i = 0; i < d->profiler.flat_ids * RISCS; i++)
		n += d->profiler.decoders[i].damaged_slots + d->profiler.decoders[i].lost_parts;
	return n;
}

/* Everything that markers go to. */
static enum ttp_rc open_outputs(struct reading *r, struct ttp_err *e)
{
	struct ttp_dev *d = r->d;
	enum ttp_rc rc = TTP_OK;

	r->risc = -1;
	perf_data_begin(&d->perf, !d->settings.mid_run);
	r->writing = !d->settings.no_files;
	if (r->writing)
		rc = log_writer_open(&r->writer, d->settings.folder, d->settings.log_columns, d->id,
				     d->port->info.arch, d->port->info.clock_mhz,
				     d->device.coord.columns * d->device.coord.rows, e);
	if (rc || !r->writing || !d->op_folder)
		return rc;
	rc = log_writer_open(&r->of_op, d->op_folder, 6, d->id, d->port->info.arch,
			     d->port->info.clock_mhz,
			     d->device.coord.columns * d->device.coord.rows, e);
	r->writing_op = !rc;
	if (rc)
		(void)!log_writer_close(&r->writer, NULL);
	return rc;
}

static enum ttp_rc close_outputs(struct reading *r, enum ttp_rc rc, struct ttp_err *e)
{
	enum ttp_rc closed;

	r->d->counts.unnamed += r->unnamed;
	if (r->unnamed)
		log_warn("%llu markers of device %d have ids that no kernel knows",
			 (unsigned long long)r->unnamed, r->d->id);
	RELEASE(buf, &r->meta, &r->queue_meta);
	if (r->writing_op) {
		closed = log_writer_close(&r->of_op, rc ? NULL : e);
		rc = rc ? rc : closed;
	}
	if (r->writing) {
		closed = log_writer_close(&r->writer, rc ? NULL : e);
		rc = rc ? rc : closed;
	}
	return rc;
}

/* Nothing that was launched is still to come. */
/* Programs of which nothing is left, where markers were lost: elsewhere they ran on cores that are not recorded. */
static void count_lost_programs(const struct reading *r)
{
	uint64_t lost = 0;

	vec_each (l, &r->d->launched)
		lost += !l->met;
	if (lost && (r->full || r->lost || r->overwritten))
		account_add(&r->d->account, ACCOUNT_MARKER_PROGRAM_LOST, ACCOUNT_DEVICE(r->d->id),
			    lost);
}

static void forget_launches(struct ttp_dev *d)
{
	vec_each (l, &d->launched) {
		built_drop(l->built);
		built_drop(l->pass);
	}
	vec_clear(&d->launched);
	for (int i = 0; i < d->profiler.flat_ids * RISCS; i++) {
		d->cores[i].next = d->cores[i].launch_1 = 0;
		d->cores[i].begun = false;
	}
	memset(d->fill, 0, (size_t)d->profiler.flat_ids * sizeof(*d->fill));
}

static enum ttp_rc write_noc_traces(struct ttp_dev *d, struct ttp_err *e)
{
	struct noc_trace_place at = { d->settings.noc_folder, d->id, &d->device.coord,
				      &d->perf.names, &d->perf.name_of };

	return noc_trace_write(&d->noc, &at, e);
}

/* What was lost by this read: beside the log, as soon as the log has the rest. */
static enum ttp_rc write_account(struct ttp_dev *d, struct ttp_err *e)
{
	char path[1200];
	enum ttp_rc rc;

	if (d->account_begun && !d->account.entries.len)
		return TTP_OK;
	snprintf(path, sizeof(path), "%s/" RUN_ACCOUNT, d->settings.folder);
	rc = account_csv_append(path, &d->account, e);
	d->account_begun |= !rc;
	account_release(&d->account);
	return rc;
}

enum ttp_rc results_read(struct ttp_dev *d, bool asked, struct ttp_err *e)
{
	struct reading r = { .d = d };
	int64_t began = overhead_now();
	enum ttp_rc rc;
	bool zone;

	if (!d->profiled)
		return TTP_OK;
	DEVICE_ENTER(d);
	zone = op_zone_begin(OP_ZONE_DUMP);
	rc = open_outputs(&r, e);
	if (rc) {
		op_zone_end(zone);
		return rc;
	}
	r.pushing = push_begin(d);
	clock_enter();
	rc = profiler_read(&d->profiler, on_marker, on_loss, &r, &d->account, e);
	clock_leave();
	if (r.pushing)
		push_end(d);
	if (d->settings.trace_only)
		replay_zones_write(d, r.writing ? &r.writer : NULL);
	d->counts.damaged = damaged(d);
	if (r.full > 1)
		log_warn(
			"device %d: the same on %u more cores; TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT "
			"is %u",
			d->id, r.full - 1, d->profiler.programs);
	if (r.lost > 1)
		log_warn("device %d: markers did not fit on %u more cores", d->id, r.lost - 1);
	if (r.overwritten > 1)
		log_warn("device %d: words of %u more cores were overwritten", d->id,
			 r.overwritten - 1);
	count_lost_programs(&r);
	rc = close_outputs(&r, rc, e);
	if (!rc && r.writing)
		rc = write_account(d, e);
	if (!rc && r.writing && d->images_logged != d->images.len + 1)
		rc = write_locations(d, e);
	if (!rc && r.writing && d->settings.perf_report && d->settings.mid_run)
		rc = perf_data_write(&d->perf, d->settings.folder, d->port->info.arch, false, e);
	if (!rc && r.writing && d->settings.noc_events)
		rc = write_noc_traces(d, e);
	d->perf.ended = asked;
	forget_launches(d);
	d->overhead.reads++;
	d->overhead.read_ns += (uint64_t)(overhead_now() - began);
	op_zone_end(zone);
	return rc;
}

enum ttp_rc results_drain(struct ttp_dev *d, bool *some, struct ttp_err *e)
{
	struct reading r = { .d = d };
	enum ttp_rc rc = TTP_OK;
	bool waits = false;

	vec_each (t, &d->device.running) {
		rc = profiler_waits(&d->profiler, *t, &waits, e);
		if (rc || waits)
			break;
	}
	if (!rc && waits)
		rc = open_outputs(&r, e);
	if (rc || !waits)
		return rc;
	r.pushing = push_begin(d);
	vec_each (t, &d->device.running) {
		rc = profiler_drain(&d->profiler, *t, on_marker, &r, &d->account, some, e);
		if (rc)
			break;
	}
	if (r.pushing)
		push_flush(d);
	return close_outputs(&r, rc, e);
}

enum ttp_rc results_fit(struct ttp_dev *d, const struct built *b, bool *fit, struct ttp_err *e)
{
	enum ttp_rc rc = TTP_OK;

	*fit = true;
	for (size_t i = 0; !rc && i < b->work_n; i++) {
		const struct launch_tile *w = &b->work[i];
		uint32_t *fill = &d->fill[coord_flat_id(&d->port->info, w->tile, NULL)];

		if (w->without & TTP_LAUNCH_PROFILE)
			continue;
		/* A launch takes a buffer of each core at most, most take far less: so look. */
		if (*fill + TTP_PROF_WORDS > d->profiler.cap_words)
			rc = profiler_fill(&d->profiler, w->tile, fill, e);
		if (*fill + TTP_PROF_WORDS > d->profiler.cap_words)
			*fit = false;
	}
	for (size_t i = 0; !rc && *fit && i < b->work_n; i++)
		d->fill[coord_flat_id(&d->port->info, b->work[i].tile, NULL)] += TTP_PROF_WORDS;
	return rc;
}

static enum ttp_rc begin_counters(struct ttp_dev *d, struct ttp_err *e)
{
	if (strcmp(d->port->info.driver, "sim") != 0)
		return ttp_fail(e, TTP_USAGE,
				"TT_METAL_PROFILE_PERF_COUNTERS: only the embedded chip has them, "
				"this is %s",
				d->port->info.driver);
	return device_write_workers(&d->device,
				    TTP_L1_MAILBOX + offsetof(struct ttp_mailbox, perf_counters),
				    &d->settings.counters, sizeof(d->settings.counters), e);
}

static enum ttp_rc begin_noc_traces(struct ttp_dev *d, struct ttp_err *e)
{
	int chips[64];
	size_t n = host_open_devices(chips, 64);
	enum ttp_rc rc = log_writer_folder(d->settings.noc_folder, e);

	log_warn("Profiler NoC events are enabled; this can add 1-15%% cycle overhead to typical "
		 "operations");
	return rc ? rc : noc_trace_cluster(d->settings.noc_folder, chips, n, e);
}

enum ttp_rc results_start(struct ttp_dev *d, struct ttp_err *e)
{
	size_t cores = (size_t)d->profiler.flat_ids;
	enum ttp_rc rc = TTP_OK;

	d->perf.chip = d->id;
	d->perf.mhz = d->port->info.clock_mhz;
	d->cores = mem_zero(cores * RISCS, sizeof(*d->cores));
	d->fill = mem_zero(cores, sizeof(*d->fill));
	d->recorded = mem_zero(PORT_GRID_MAX, sizeof(*d->recorded));
	TTP_TRY(choice_cores(&d->settings.record, d->id, &d->device.coord, d->recorded, e));
	if (d->settings.counters)
		rc = begin_counters(d, e);
	if (!rc && d->settings.noc_events && !d->settings.no_files)
		rc = begin_noc_traces(d, e);
	if (rc)
		return rc;
	/* Only a kernel that records NoC events pushes before it has ended. */
	d->drains = d->settings.auto_read && d->settings.noc_events;
	return d->drains ? profiler_let_wait(&d->profiler, e) : TTP_OK;
}

void results_release(struct ttp_dev *d)
{
	RELEASE(mem, &d->cores, &d->fill, &d->recorded);
	perf_data_release(&d->perf);
	replay_zones_release(d);
	noc_trace_release(&d->noc);
}

enum ttp_rc results_finish(struct ttp_dev *d, struct ttp_err *e)
{
	if (!d->profiled || d->settings.no_files || !d->settings.perf_report || d->settings.mid_run)
		return TTP_OK;
	return perf_data_write(&d->perf, d->settings.folder, d->port->info.arch, true, e);
}

int call_dev_read_profiler(struct ttp_dev *d)
{
	enum ttp_rc rc, read;
	struct ttp_err e, e2;

	if (!d)
		return host_no("device");
	rc = queue_finish(d, &e);
	read = results_read(d, true, &e2);
	return rc ? host_fail(&e) : read ? host_fail(&e2) : 0;
}
