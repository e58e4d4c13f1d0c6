// SPDX-License-Identifier: Apache-2.0
#include "cmd/info_text.h"

#include <unistd.h>

#include "base/table.h"
#include "base/width.h"
#include "cmd/cmd.h"
#include "cmd/keyed_text.h"
#include "trace/trace_units.h"
#include "trace/trace_warnings.h"

enum { KEY = 10 }; /* columns before what is said */

void info_format(const struct trace *t, struct buf *b)
{
	static const char *const containers[] = { "LZ4", "zstd", "LZ4, streams", "zstd, streams" };

	if (t->kind == TRACE_SPOOL)
		buf_text(b, "spool");
	else
		buf_printf(b, ".tracy %u.%u.%u, %s", t->version >> 16, t->version >> 8 & 255,
			   t->version & 255, containers[t->container]);
}

/* The answer: is it all there? */
static void verdict(const struct trace *t, const struct zone_table *z, struct buf *b)
{
	uint64_t dropped = 0, skipped = 0, crashed = t->crashed;
	const char *before = ": ";

	vec_each (p, &t->processes)
		for (int k = 0; k < TRACE_DROPS; k++)
			dropped += p->dropped[k];
	for (int k = 0; k < TRACE_SKIPS; k++)
		skipped += t->skipped[k];
	if (!dropped && !skipped && !z->unended && !crashed && !t->damaged) {
		buf_text(b, "= all of it is there: nothing was dropped, skipped or cut off\n");
		return;
	}
	buf_text(b, "= not all of it is there");
	if (t->damaged) {
		buf_printf(b, "%sthe file is damaged", before);
		before = ", ";
	}
	if (crashed) {
		buf_printf(b, "%sthe program crashed", before);
		before = ", ";
	}
	if (dropped) {
		buf_printf(b, "%s%llu dropped", before, (unsigned long long)dropped);
		before = ", ";
	}
	if (skipped) {
		buf_printf(b, "%s%llu skipped", before, (unsigned long long)skipped);
		before = ", ";
	}
	if (z->unended) {
		buf_text(b, before);
		keyed_text_count(b, z->unended, "zone");
		buf_text(b, " never ended");
	}
	buf_char(b, '\n');
}

static void add_text(const struct info *i, struct buf *b)
{
	const struct trace *t = i->t;
	const struct zone_table *z = i->z;
	uint64_t lanes = 0, count;
	unsigned shown = 0;
	const char *what;

	verdict(t, z, b);
	buf_text(b, "# What it is\nformat    ");
	info_format(t, b);
	buf_text(b, "\nspan      ");
	trace_print_time(b, t->last_ns);
	buf_char(b, '\n');
	vec_each (p, &t->processes) {
		buf_text(b, "program   ");
		width_clean(b, p->program);
		buf_printf(b, ", pid %llu", (unsigned long long)p->pid);
		if (p->key[0])
			buf_printf(b, ", protocol %s", p->key);
		if (t->processes.len > 1) {
			buf_printf(b, ", %llu zones, starts at ", (unsigned long long)p->zones);
			trace_print_time(b, p->shift_ns);
			buf_text(b, " give or take ");
			trace_print_time(b, p->error_ns);
		}
		if (!p->ended)
			buf_text(b, ", did not end in order");
		buf_char(b, '\n');
		for (int k = 0; k < TRACE_DROPS; k++)
			if (p->dropped[k])
				buf_printf(b, "dropped   %llu %s\n",
					   (unsigned long long)p->dropped[k],
					   trace_drop_text((unsigned)k));
	}
	if (t->processes.len) {
		struct str rest = t->processes.at[0].host, line;

		while (str_split(&rest, '\n', &line))
			if (line.len) {
				buf_text(b, "host      ");
				width_clean(b, line);
				buf_char(b, '\n');
			}
	}
	for (size_t f = 0; f < i->fact_count; f++) {
		buf_text(b, "fact      ");
		width_clean(b, str_of(i->facts[f]));
		buf_char(b, '\n');
	}
	vec_each (k, &t->tracks)
		lanes += k->context != TRACE_NONE;
	buf_text(b, "# What it holds\ntracks    ");
	keyed_text_count(b, t->tracks.len - lanes, "thread");
	buf_text(b, ", ");
	keyed_text_count(b, lanes, "device lane");
	buf_text(b, " in ");
	keyed_text_count(b, t->contexts.len, "context");
	buf_char(b, '\n');
	buf_printf(b, "zones     %llu, %llu of devices\n", (unsigned long long)t->zones,
		   (unsigned long long)t->device_zones);
	buf_printf(b, "messages  %llu\nframes    %llu\nplots     %zu, ",
		   (unsigned long long)t->messages, (unsigned long long)t->frames, t->plots.len);
	keyed_text_count(b, t->plot_points, "point");
	if (t->memory_events) {
		buf_text(b, "\nmemory    ");
		keyed_text_count(b, t->memory_events, "allocation");
	}
	buf_char(b, '\n');
	for (unsigned k = 0; trace_only_tracy(t, k, &what, &count); k++)
		if (count)
			buf_printf(b, "%s%llu %s\n", shown++ ? "          " : "also      ",
				   (unsigned long long)count, what);
	for (int k = 0; k < TRACE_SKIPS; k++)
		if (t->skipped[k])
			buf_printf(b, "skipped   %llu %s\n", (unsigned long long)t->skipped[k],
				   trace_skip_text(k));
	if (z->unended) {
		buf_text(b, "open      ");
		keyed_text_count(b, z->unended, "zone");
		buf_text(b, " never ended\n");
	}
	if (t->crashed)
		buf_text(b, "crashed   the program did\n");
}

static void zone_cell(void *ctx, size_t row, size_t column, struct buf *b, enum colour *colour)
{
	const struct info *i = ctx;
	uint32_t loc = i->zones[row].loc;
	const struct zone_stats *s = &i->z->places.at[loc].stats;

	(void)colour;
	if (column == 0) {
		buf_printf(b, "%.3f", (double)s->once_ns / 1e6);
	} else if (column == 1) {
		buf_add_u64(b, s->count);
	} else {
		trace_prefix(i->t, trace_loc_at(i->t, loc)->process, b);
		buf_str(b, trace_loc_name(i->t, loc));
	}
}

static void print_zones(const struct info *i)
{
	static const struct table_column columns[] = {
		{ .head = "time", .unit = "ms", .align = WIDTH_RIGHT, .min = 12 },
		{ .head = "calls", .align = WIDTH_RIGHT, .min = 10 },
		{ .head = "zone", .flexible = true, .is_name = true },
	};
	struct term term = term_of(STDOUT_FILENO, TERM_COLOUR_AUTO);
	struct table table = { .columns = columns,
			       .n = 3,
			       .rows = i->n,
			       .cell = zone_cell,
			       .ctx = (void *)(uintptr_t)i,
			       .width = keyed_text_width(&term),
			       .colour = term.colour,
			       .utf8 = term.utf8 };

	if (!i->n)
		return;
	out_char(cmd_stdout(), '\n');
	table_print(&table, cmd_stdout());
	table_release(&table);
}

void info_print(const struct info *i)
{
	SCOPED(buf) struct buf b = { 0 };

	add_text(i, &b);
	keyed_text_print(&b, KEY);
	print_zones(i);
}
