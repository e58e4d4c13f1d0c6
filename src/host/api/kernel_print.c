// SPDX-License-Identifier: Apache-2.0
/*
 * What kernels print.  Each core has a ring of pieces in L1; here they become lines, each with its core in
 * front, as tt-metal prints them:
 *
 *	0:0-0:BR: n = 7
 *
 * Rings are emptied while the host waits for a program.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/host_device.h"

enum { LINE_MAX = 4096 };

struct print_core {
	struct tile tile;
	struct logical_tile logical;
	int risc;
	struct buf line;
	struct buf pieces; /* of which the last may be incomplete */
	uint8_t base, width;
	bool overwritten; /* its ring is a kernel's now */
};

struct print {
	VEC(struct print_core) cores;
	FILE *to;
	bool cant_write;
};

static const char *const short_names[RISCS] = { "BR", "NC", "TR0", "TR1", "TR2" };

static uint64_t ring_at(int risc)
{
	return TTP_L1_PROF_BUFFER + (uint64_t)risc * sizeof(struct ttp_print_ring);
}

enum ttp_rc print_start(struct ttp_dev *d, struct ttp_err *e)
{
	struct {
		uint32_t on, written, read, unused;
	} head = { TTP_PRINT_ON, 0, 0, 0 };
	bool on[PORT_GRID_MAX][PORT_GRID_MAX] = { 0 };
	const struct coord *c = &d->device.coord;
	struct print *p;
	enum ttp_rc rc = TTP_OK;

	TTP_TRY(choice_cores(&d->settings.print, d->id, c, on, e));
	p = d->print = mem_zero(1, sizeof(*p));
	p->to = stdout;
	if (d->settings.print_file[0])
		p->to = fopen(d->settings.print_file, "w");
	if (!p->to)
		return ttp_fail_errno(e, "TT_METAL_DPRINT_FILE=%s", d->settings.print_file);
	d->printing = true;
	for (int y = 0; y < c->rows; y++)
		for (int x = 0; x < c->columns; x++)
			for (int r = 0; !rc && on[y][x] && r < RISCS; r++) {
				if (!(d->settings.print.riscs >> r & 1))
					continue;
				struct tile t = { c->column_x[x], c->row_y[y] };

				*vec_push(&p->cores) = (struct print_core){
					.tile = t,
					.logical = { (uint8_t)x, (uint8_t)y },
					.risc = r,
					.base = 10,
				};
				rc = d->port->ops->write(d->port, t, ring_at(r), &head,
							 sizeof(head), e);
			}
	return rc;
}

static void end_line(struct ttp_dev *d, struct print_core *core)
{
	fprintf(d->print->to, "%d:%d-%d:%s: %.*s\n", d->id, core->logical.x, core->logical.y,
		short_names[core->risc], STR_ARG(buf_view(&core->line)));
	buf_clear(&core->line);
}

static void add_char(struct ttp_dev *d, struct print_core *core, char c)
{
	if (c == '\n' || core->line.len >= LINE_MAX)
		end_line(d, core);
	if (c != '\n')
		buf_char(&core->line, c);
}

static uint64_t bytes_as_number(const char *at, size_t n)
{
	uint64_t v = 0;

	for (size_t i = n; i-- > 0;)
		v = v << 8 | (uint8_t)at[i];
	return v;
}

static void add_number(struct print_core *core, uint64_t v, bool is_signed, int bits)
{
	int width = core->width;

	core->width = 0;
	if (core->base == 16)
		buf_printf(&core->line, "%*llx", width, (unsigned long long)v);
	else if (core->base == 8)
		buf_printf(&core->line, "%*llo", width, (unsigned long long)v);
	else if (is_signed)
		buf_printf(&core->line, "%*lld", width,
			   bits == 32 ? (long long)(int32_t)v : (long long)v);
	else
		buf_printf(&core->line, "%*llu", width, (unsigned long long)v);
}

static void add_float(struct print_core *core, uint32_t bits)
{
	float f;

	memcpy(&f, &bits, 4);
	buf_printf(&core->line, "%*.6g", core->width, (double)f);
	core->width = 0;
}

/* Bytes of a piece behind its type; 0: there is no such type. */
static size_t piece_bytes(uint8_t type)
{
	static const uint8_t bytes[] = {
		[TTP_PRINT_INT] = 4,  [TTP_PRINT_UINT] = 4,  [TTP_PRINT_FLOAT] = 4,
		[TTP_PRINT_PTR] = 4,  [TTP_PRINT_INT64] = 8, [TTP_PRINT_UINT64] = 8,
		[TTP_PRINT_CHAR] = 1, [TTP_PRINT_BASE] = 1,  [TTP_PRINT_WIDTH] = 1,
		[TTP_PRINT_BF16] = 2,
	};

	return type < sizeof(bytes) ? bytes[type] : 0;
}

static void add_piece(struct ttp_dev *d, struct print_core *core, uint8_t type, struct str bytes)
{
	uint64_t v = type == TTP_PRINT_TEXT ? 0 : bytes_as_number(bytes.at, bytes.len);

	switch (type) {
	case TTP_PRINT_TEXT:
		for (size_t i = 0; i < bytes.len; i++)
			add_char(d, core, bytes.at[i]);
		break;
	case TTP_PRINT_CHAR:
		add_char(d, core, (char)v);
		break;
	case TTP_PRINT_INT:
		add_number(core, core->base == 10 ? (uint64_t)(int64_t)(int32_t)v : v, true, 32);
		break;
	case TTP_PRINT_UINT:
	case TTP_PRINT_UINT64:
		add_number(core, v, false, 64);
		break;
	case TTP_PRINT_INT64:
		add_number(core, v, true, 64);
		break;
	case TTP_PRINT_FLOAT:
		add_float(core, (uint32_t)v);
		break;
	case TTP_PRINT_BF16:
		add_float(core, (uint32_t)v << 16);
		break;
	case TTP_PRINT_PTR:
		buf_printf(&core->line, "0x%llx", (unsigned long long)v);
		break;
	case TTP_PRINT_BASE:
		core->base = (uint8_t)v;
		break;
	case TTP_PRINT_WIDTH:
		core->width = (uint8_t)v;
		break;
	default:
		break;
	}
}

/* Whole pieces; a type that is none loses the rest, because its length is not known. */
static void decode(struct ttp_dev *d, struct print_core *core)
{
	struct str s = buf_view(&core->pieces);
	size_t left;

	while (s.len >= 2) {
		uint8_t type = (uint8_t)s.at[0];
		size_t head = type == TTP_PRINT_TEXT ? 2 : 1;
		size_t n = type == TTP_PRINT_TEXT ? (uint8_t)s.at[1] : piece_bytes(type);

		if (!n && type != TTP_PRINT_TEXT) {
			buf_text(&core->line, "[damaged print]");
			end_line(d, core);
			s = str_n("", 0);
			break;
		}
		if (s.len < head + n)
			break;
		add_piece(d, core, type, str_n(s.at + head, n));
		s = str_from(s, head + n);
	}
	left = s.len;
	if (left)
		memmove(core->pieces.at, s.at, left);
	core->pieces.len = left;
}

/* A kernel wrote over the words of the ring: what is in it can't be distinguished from what was. */
static void tell_overwritten(struct ttp_dev *d, struct print_core *core)
{
	if (core->overwritten)
		return;
	core->overwritten = true;
	buf_printf(&core->line,
		   "[the print ring at 0x%llx was overwritten: nothing more is printed]",
		   (unsigned long long)ring_at(core->risc));
	end_line(d, core);
}

enum ttp_rc print_drain(struct ttp_dev *d, bool *some, struct ttp_err *e)
{
	struct port *p = d->port;

	*some = false;
	vec_each (core, &d->print->cores) {
		struct ttp_print_ring ring;
		uint64_t at = ring_at(core->risc);
		uint32_t n;

		TTP_TRY(p->ops->read(p, core->tile, at, &ring,
				     offsetof(struct ttp_print_ring, data), e));
		n = ring.written - ring.read;
		if (ring.on != TTP_PRINT_ON || n > TTP_PRINT_BYTES) {
			tell_overwritten(d, core);
			continue;
		}
		if (!n)
			continue;
		TTP_TRY(p->ops->read(p, core->tile, at, &ring, sizeof(ring), e));
		for (uint32_t i = 0; i < n; i++)
			buf_char(&core->pieces, (char)ring.data[(ring.read + i) % TTP_PRINT_BYTES]);
		ring.read = ring.written;
		TTP_TRY(p->ops->write(p, core->tile, at + offsetof(struct ttp_print_ring, read),
				      &ring.read, 4, e));
		*some = true;
		decode(d, core);
	}
	if (fflush(d->print->to) && !d->print->cant_write) {
		d->print->cant_write = true; /* logged once; the kernels go on */
		return ttp_fail_errno(e, "what kernels print can't be written%s%s",
				      d->settings.print_file[0] ? " to " : "",
				      d->settings.print_file);
	}
	return TTP_OK;
}

void print_release(struct ttp_dev *d)
{
	struct print *p = d->print;

	if (!p)
		return;
	vec_each (core, &p->cores) {
		if (core->line.len)
			end_line(d, core);
		RELEASE(buf, &core->line, &core->pieces);
	}
	vec_release(&p->cores);
	if (p->to && p->to != stdout)
		fclose(p->to);
	else
		fflush(stdout);
	free(p);
	d->print = NULL;
}
