// SPDX-License-Identifier: Apache-2.0
#include "host/logs/perf_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/out.h"
#include "host/logs/log_writer.h"
#include "wire/run_names.h"

static const struct {
	const char *column, *cycles;
} analyses[] = {
#define X(name, column, cycles) { column, cycles },
	TTP_PERF_TIME_LIST(X)
#undef X
};

static void release_list(struct perf_list *l)
{
	vec_release(&l->programs);
	intern_release(&l->keys);
	memset(l, 0, sizeof(*l));
}

void perf_data_release(struct perf_data *p)
{
	release_list(&p->latest);
	release_list(&p->all);
	intern_release(&p->names);
	u64map_release(&p->name_of);
}

void perf_data_name(struct perf_data *p, uint32_t run, struct str name)
{
	u64map_put(&p->name_of, run, intern_copy(&p->names, name));
}

static size_t find(struct perf_list *l, uint32_t run, uint32_t trace, uint32_t replay)
{
	const uint32_t key[3] = { run, trace, replay };
	size_t before = intern_count(&l->keys);
	uint32_t i = intern_copy(&l->keys, str_n((const char *)key, sizeof(key)));
	struct perf_program *program;

	if (i < before)
		return i;
	program = vec_push(&l->programs);
	memset(program, 0, sizeof(*program));
	program->run = run;
	program->trace = trace;
	program->replay = replay;
	for (int t = 0; t < TTP_PERF_TIMES; t++)
		program->span[t].start = UINT64_MAX;
	return i;
}

size_t perf_data_program(struct perf_data *p, uint32_t run, uint32_t trace, uint32_t replay,
			 uint32_t available)
{
	size_t i = find(&p->latest, run, trace, replay);
	struct perf_program *program = &p->latest.programs.at[i];
	uint32_t name;

	program->available = available;
	if (u64map_get(&p->name_of, run, &name))
		program->name_1 = name + 1;
	return i;
}

static void widen(struct perf_span *to, const struct perf_span *by)
{
	if (by->start < to->start)
		to->start = by->start;
	if (by->end > to->end)
		to->end = by->end;
}

/* Programs of the same id in several reads are one, as in one read; else one more each. */
static void keep(struct perf_data *p, bool merge)
{
	vec_each (from, &p->latest.programs) {
		struct perf_program *to;
		size_t at;

		if (!merge) {
			*vec_push(&p->all.programs) = *from;
			continue;
		}
		at = find(&p->all, from->run, from->trace, from->replay);
		to = &p->all.programs.at[at];
		to->available = from->available;
		to->name_1 = from->name_1;
		for (size_t i = 0; i < PERF_FLAT_MAX / 64; i++)
			to->cores[i] |= from->cores[i];
		for (int t = 0; t < TTP_PERF_TIMES; t++)
			widen(&to->span[t], &from->span[t]);
	}
}

void perf_data_begin(struct perf_data *p, bool merge)
{
	if (!p->ended)
		return;
	keep(p, merge);
	release_list(&p->latest);
	p->written = 0;
	p->ended = false;
}

static void mark(struct perf_program *program, enum ttp_perf_time_id id, bool start, bool end,
		 uint64_t cycles)
{
	struct perf_span *s = &program->span[id];

	if (start && cycles < s->start)
		s->start = cycles;
	if (end && cycles > s->end)
		s->end = cycles;
}

/* What a zone's name says. */
enum {
	ZONE_FW = 1,
	ZONE_KERNEL = 2,
	ZONE_TRISC_FW = 4,
	ZONE_MOVER_KERNEL = 8,
	ZONE_TRISC_KERNEL = 16,
	ZONE_ONLY_BRISC = 32, /* nothing but BRISC-KERNEL */
	ZONE_ONLY_NCRISC = 64,
	ZONE_ONLY_TRISC = 128,
};

static uint8_t class_of_name(struct str zone)
{
	static const struct {
		struct str part; /* of the name, or all of it */
		bool all;
		uint8_t class;
	} says[] = {
		{ STR_INIT("-FW"), false, ZONE_FW },
		{ STR_INIT("TRISC-FW"), false, ZONE_TRISC_FW },
		{ STR_INIT("-KERNEL"), false, ZONE_KERNEL },
		{ STR_INIT("BRISC-KERNEL"), false, ZONE_MOVER_KERNEL },
		{ STR_INIT("NCRISC-KERNEL"), false, ZONE_MOVER_KERNEL },
		{ STR_INIT("TRISC-KERNEL"), false, ZONE_TRISC_KERNEL },
		{ STR_INIT("BRISC-KERNEL"), true, ZONE_ONLY_BRISC },
		{ STR_INIT("NCRISC-KERNEL"), true, ZONE_ONLY_NCRISC },
		{ STR_INIT("TRISC-KERNEL"), true, ZONE_ONLY_TRISC },
	};
	uint8_t c = 0;

	for (size_t i = 0; i < sizeof(says) / sizeof(*says); i++)
		if (says[i].all ? str_eq(zone, says[i].part) : str_has(zone, says[i].part))
			c |= says[i].class;
	return c;
}

/* Names are of images, which stay as long as the device: each is looked at once, and then known by where it is. */
static unsigned class_of_zone(struct perf_data *p, struct str zone)
{
	struct perf_zone *z = &p->zones[((uintptr_t)zone.at >> 3) % PERF_ZONES];

	if (z->name.at != zone.at || z->name.len != zone.len)
		*z = (struct perf_zone){ zone, class_of_name(zone) };
	return z->class;
}

void perf_data_marker(struct perf_data *p, size_t index, int flat, int risc, enum marker_type type,
		      uint64_t cycles, struct str zone)
{
	struct perf_program *m = &p->latest.programs.at[index];
	bool start = type == MARKER_ZONE_START, end = type == MARKER_ZONE_END;
	bool mover = risc == RISC_B || risc == RISC_NC;
	unsigned c = start || end ? class_of_zone(p, zone) : 0;

	if (!c)
		return;
	if (c & ZONE_FW && flat >= 0 && flat < PERF_FLAT_MAX)
		m->cores[flat / 64] |= 1ull << flat % 64;
	if (risc == PERF_RISC_ALL)
		mark(m, c & ZONE_FW ? TTP_PERF_TRACE_FW : TTP_PERF_TRACE_KERNEL, start, end,
		     cycles);
	if (c & ZONE_FW)
		mark(m, TTP_PERF_FW, start, end, cycles);
	if (c & ZONE_TRISC_FW)
		mark(m, TTP_PERF_TRISC_FW, start, end, cycles);
	if (!(c & ZONE_KERNEL))
		return;
	mark(m, TTP_PERF_FIRST_TO_LAST_START, start, start, cycles);
	mark(m, TTP_PERF_KERNEL, start, end, cycles);
	mark(m, TTP_PERF_KERNEL_DM, start && mover && c & ZONE_MOVER_KERNEL, end, cycles);
	if (c & ZONE_TRISC_KERNEL)
		mark(m, TTP_PERF_TRISC, start, end, cycles);
	if (risc < RISCS && c & (risc == RISC_B    ? ZONE_ONLY_BRISC
				 : risc == RISC_NC ? ZONE_ONLY_NCRISC
						   : ZONE_ONLY_TRISC))
		mark(m, (enum ttp_perf_time_id)(TTP_PERF_BRISC + risc), start, end, cycles);
}

void perf_data_get(const struct perf_data *p, const struct perf_program *from,
		   struct ttp_program_perf *to)
{
	memset(to, 0, sizeof(*to));
	to->run_id = from->run;
	to->trace = from->trace;
	to->replay = from->replay;
	to->available_cores = from->available;
	for (size_t i = 0; i < PERF_FLAT_MAX / 64; i++)
		to->cores += (uint32_t)__builtin_popcountll(from->cores[i]);
	for (int t = 0; t < TTP_PERF_TIMES; t++) {
		const struct perf_span *s = &from->span[t];
		struct ttp_perf_time *time = &to->times[t];

		time->there = s->start != UINT64_MAX && s->end >= s->start;
		if (!time->there)
			continue;
		time->start_cycles = s->start;
		time->end_cycles = s->end;
		time->ns = p->mhz > 0
				   ? (uint64_t)llround((double)(s->end - s->start) * 1000 / p->mhz)
				   : s->end - s->start;
	}
}

/* ---- the file ---- */

struct row {
	const struct perf_program *program;
	struct ttp_program_perf perf;
	int64_t latency[2]; /* -1: none */
};

ORDER_BY(by_key, struct row, program->run, program->trace, program->replay)
ORDER_BY(by_kernel_start, struct row, perf.times[TTP_PERF_KERNEL].start_cycles, program->run,
	 program->trace, program->replay)

/* From the end of the program before to the start of this one, by the program's own ns per cycle. */
static int64_t latency(const struct ttp_perf_time *t, uint64_t *previous, bool *had)
{
	int64_t ns = -1;

	if (!t->there)
		return -1;
	if (!*had)
		ns = 0;
	else if (t->start_cycles >= *previous && t->end_cycles > t->start_cycles)
		ns = llround((double)(t->start_cycles - *previous) * (double)t->ns /
			     (double)(t->end_cycles - t->start_cycles));
	*had = true;
	*previous = t->end_cycles;
	return ns;
}

static void write_head(struct out *o)
{
	out_text(o,
		 "GLOBAL CALL COUNT,METAL TRACE ID,METAL TRACE REPLAY SESSION ID,DEVICE ID,DEVICE "
		 "ARCH,OP NAME,CORE COUNT,AVAILABLE WORKER CORE COUNT");
	for (int t = 0; t < TTP_PERF_TIMES; t++) {
		out_printf(o, ",%s", analyses[t].column);
		if (analyses[t].cycles)
			out_printf(o, ",%s START CYCLE,%s END CYCLE", analyses[t].cycles,
				   analyses[t].cycles);
	}
	out_text(o, ",OP TO OP LATENCY [ns],OP TO OP LATENCY BR/NRISC START [ns]\n");
}

static void write_number(struct out *o, bool there, uint64_t v)
{
	out_char(o, ',');
	if (there)
		out_printf(o, "%llu", (unsigned long long)v);
}

static void write_row(struct out *o, const struct perf_data *p, const struct row *r,
		      const char *arch)
{
	bool traced = r->perf.trace != UINT32_MAX;
	SCOPED(buf) struct buf name = { 0 };

	if (r->program->name_1)
		log_writer_cell(&name, intern_get(&p->names, r->program->name_1 - 1));
	out_printf(o, "%u", r->perf.run_id);
	write_number(o, traced, r->perf.trace);
	write_number(o, traced, r->perf.replay);
	out_printf(o, ",%d,%s,%.*s,%u,%u", p->chip, arch, STR_ARG(buf_view(&name)), r->perf.cores,
		   r->perf.available_cores);
	for (int t = 0; t < TTP_PERF_TIMES; t++) {
		const struct ttp_perf_time *time = &r->perf.times[t];

		write_number(o, time->there, time->ns);
		if (analyses[t].cycles) {
			write_number(o, time->there, time->start_cycles);
			write_number(o, time->there, time->end_cycles);
		}
	}
	for (int i = 0; i < 2; i++)
		write_number(o, r->latency[i] >= 0, (uint64_t)r->latency[i]);
	out_char(o, '\n');
}

enum ttp_rc perf_data_write(struct perf_data *p, const char *folder, const char *arch, bool all,
			    struct ttp_err *e)
{
	SCOPED(vec) VEC(struct row) rows = { 0 };
	struct out_append file;
	enum ttp_rc rc;

	if (all) {
		keep(p, true);
		release_list(&p->latest);
		vec_each (program, &p->all.programs)
			vec_push(&rows)->program = program;
	} else {
		for (; p->written < p->latest.programs.len; p->written++)
			vec_push(&rows)->program = &p->latest.programs.at[p->written];
	}
	if (!rows.len)
		return TTP_OK;
	vec_each (r, &rows)
		perf_data_get(p, r->program, &r->perf);
	vec_sort(&rows, by_kernel_start);
	vec_each (r, &rows) {
		r->latency[0] =
			latency(&r->perf.times[TTP_PERF_KERNEL], &p->previous[0], &p->had[0]);
		r->latency[1] =
			latency(&r->perf.times[TTP_PERF_KERNEL_DM], &p->previous[1], &p->had[1]);
	}
	vec_sort(&rows, by_key);
	rc = out_append_open(&file, e, "%s/" RUN_PERF_REPORT, folder);
	if (!rc) {
		if (file.fresh)
			write_head(&file.out);
		vec_each (r, &rows)
			write_row(&file.out, p, r, arch);
		rc = out_append_close(&file, e);
	}
	return rc;
}
