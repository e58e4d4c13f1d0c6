// SPDX-License-Identifier: Apache-2.0
#include "host/api/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/embedded_files.h"

#define LOG_AREA "device"
#include "base/log.h"

/* Commands, in tt-metal's names: X(our name, number, name in logs) */
#define COMMANDS(X)                                                       \
	X(CQ_WRITE_PACKED, 5, "CQ_DISPATCH_CMD_WRITE_PACKED")             \
	X(CQ_WRITE_PACKED_LARGE, 6, "CQ_DISPATCH_CMD_WRITE_PACKED_LARGE") \
	X(CQ_WAIT, 7, "CQ_DISPATCH_CMD_WAIT")                             \
	X(CQ_SET_WRITE_OFFSET, 12, "CQ_DISPATCH_CMD_SET_WRITE_OFFSET")    \
	X(CQ_SEND_GO_SIGNAL, 14, "CQ_DISPATCH_CMD_SEND_GO_SIGNAL")        \
	X(CQ_NOTIFY_SUBORDINATE, 15, "CQ_DISPATCH_NOTIFY_SUBORDINATE_GO_SIGNAL")

enum { PREFETCHER, DISPATCHER, SUBORDINATE, PARTS };
static const struct {
	uint32_t x; /* in the row that is ours */
	enum ttp_processor processor;
} places[PARTS] = {
	[PREFETCHER] = { 1, TTP_BRISC },
	[DISPATCHER] = { 0, TTP_BRISC },
	[SUBORDINATE] = { 0, TTP_NCRISC },
};

/* Row of the logical grid, while it is lent back to it. */
static void lend_row(struct ttp_dev *d, int rows)
{
	struct coord *c = &d->device.coord;

	c->rows = rows;
}

static enum ttp_rc build(struct ttp_dev *d, struct ttp_err *e)
{
	int subs = d->subs, rows = d->device.coord.rows;
	enum ttp_rc rc;

	d->subs = 0;
	lend_row(d, rows + 1);
	rc = program_build(d->dispatch.program, e);
	lend_row(d, rows);
	d->subs = subs;
	return rc;
}

static enum ttp_rc add_kernel(struct ttp_dev *d, int part, struct str source, struct ttp_err *e)
{
	struct ttp_cores core = TTP_CORE(places[part].x, d->dispatch.row);
	SCOPED(buf) struct buf text = { 0 };
	struct ttp_kernel *k;
	char number[16];
	bool bad;

	buf_str(&text, source);
	k = ttp_program_kernel_text(d->dispatch.program, "ttprof/cq_kernels.c", text.at,
				    places[part].processor, &core, 1);
	(void)snprintf(number, sizeof(number), "%d", part);
	bad = !k || ttp_kernel_define(k, "CQ_PART", number);
#define X(name, value, text) bad = bad || ttp_kernel_define(k, #name, #value);
	COMMANDS(X)
#undef X
	d->dispatch.kernels[part] = k;
	return bad ? ttp_fail(e, TTP_USAGE, "%s", ttp_device_error()) : TTP_OK;
}

static enum ttp_rc make_program(struct ttp_dev *d, struct ttp_err *e)
{
	struct ttp_cores core = TTP_CORE(places[DISPATCHER].x, d->dispatch.row);
	int rows = d->device.coord.rows;
	enum ttp_rc rc = TTP_OK;
	struct str source;

	if (!device_file("fw/cq_kernels.c", &source))
		return ttp_fail(e, TTP_VERSION, "this build has no cq_kernels.c");
	d->dispatch.program = ttp_program_new(d);
	if (!d->dispatch.program)
		return ttp_fail(e, TTP_USAGE, "%s", ttp_device_error());
	lend_row(d, rows + 1);
	for (int i = 0; !rc && i < PARTS; i++) {
		d->recorded[d->dispatch.row][places[i].x] = true; /* whatever workers are chosen */
		rc = add_kernel(d, i, source, e);
	}
	for (int i = 0; !rc && i < 2; i++)
		if (ttp_program_semaphore(d->dispatch.program, 0, &core, 1) < 0)
			rc = ttp_fail(e, TTP_USAGE, "%s", ttp_device_error());
	lend_row(d, rows);
	return rc;
}

void dispatch_start(struct ttp_dev *d)
{
	struct coord *c = &d->device.coord;

	if (!d->settings.dispatch || !d->settings.profiler)
		return;
	if (strcmp(d->port->info.driver, "sim") != 0 || c->rows < 2) {
		log_warn("TT_METAL_DEVICE_PROFILER_DISPATCH: only the embedded chip has dispatch "
			 "cores, this is %s",
			 d->port->info.driver);
		return;
	}
	d->dispatch.on = true;
	d->dispatch.row = (uint32_t)--c->rows;
	c->y_row[c->row_y[c->rows]] = 255;
}

/* x | y << 6, translated, as the kernels take it. */
static uint32_t place_of(const struct ttp_dev *d, struct tile t)
{
	struct xlat_tile x = coord_xlat(&d->device.coord, t);

	return (uint32_t)(x.x | x.y << 6);
}

/* What the queue carries for a program: code, arguments, and a message for each worker. */
static uint32_t bytes_of(const struct built *b)
{
	uint32_t bytes = 0;

	for (int r = 0; b->work_n && r < RISCS; r++)
		if (b->work[0].kernel[r])
			vec_each (s, &b->work[0].kernel[r]->segments)
				bytes += s->len;
	for (size_t i = 0; i < b->work_n; i++) {
		bytes += (uint32_t)sizeof(struct ttp_launch);
		for (int r = 0; r < RISCS; r++)
			bytes += 4 * (uint32_t)b->work[i].args[r].n;
	}
	return (bytes + 63) & ~63u;
}

static bool give(struct ttp_dev *d, int part, const uint32_t *words, size_t n)
{
	return ttp_kernel_args(d->dispatch.kernels[part], places[part].x, d->dispatch.row, words,
			       n) != 0;
}

enum ttp_rc dispatch_pass(struct ttp_dev *d, const struct built *b, uint32_t id, struct built **out,
			  struct ttp_err *e)
{
	uint32_t bytes = bytes_of(b), row_y = d->device.coord.row_y[d->dispatch.row], *words;
	struct tile to[2];
	int rows = d->device.coord.rows;
	enum ttp_rc rc = TTP_OK;
	bool bad;

	*out = NULL;
	if (!d->dispatch.program)
		TTP_TRY(make_program(d, e));
	for (int i = 0; i < 2; i++)
		to[i] = (struct tile){ d->device.coord.column_x[places[i].x], (uint8_t)row_y };
	words = mem_zero(b->work_n + 5, sizeof(*words));
	for (size_t i = 0; i < b->work_n; i++)
		words[5 + i] = place_of(d, b->work[i].tile);
	lend_row(d, rows + 1);
	words[4] = (uint32_t)b->work_n;
	bad = give(d, SUBORDINATE, words + 4, b->work_n + 1);
	words[3] = id;
	words[2] = ttp_encode_program_id(id, (uint32_t)d->id, false) | (id & 1u << 31);
	words[1] = place_of(d, to[PREFETCHER]);
	words[0] = bytes;
	bad = bad || give(d, DISPATCHER, words, b->work_n + 5);
	words[1] = place_of(d, to[DISPATCHER]);
	bad = bad || give(d, PREFETCHER, words, 2);
	lend_row(d, rows);
	free(words);
	rc = bad ? ttp_fail(e, TTP_USAGE, "%s", ttp_device_error()) : build(d, e);
	if (!rc)
		*out = built_take(d->dispatch.program->built);
	return rc;
}

bool dispatch_meaning(struct str zone, const struct device_marker *m, struct buf *meta)
{
	static const struct {
		uint64_t number;
		const char *name;
	} commands[] = {
#define X(name, number, text) { number, text },
		COMMANDS(X)
#undef X
	};

	buf_clear(meta);
	if (str_starts(zone, STR("process_cmd_"))) {
		for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
			if (commands[i].number == m->data[0])
				buf_printf(meta, "{\"dispatch_command_type\":\"%s\"}",
					   commands[i].name);
		return true;
	}
	if (str_starts(zone, STR("runtime_host_id_"))) {
		buf_printf(meta, "{\"workers_runtime_id\":%llu}", (unsigned long long)m->data[0]);
		return true;
	}
	return str_starts(zone, STR("CQ-"));
}
