// SPDX-License-Identifier: Apache-2.0
#include "device/print.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

static const char *const short_names[RISCS] = { "BR", "NC", "TR0", "TR1", "TR2" };

static struct print_core *core_of(struct print_reader *r, struct tile t, int risc)
{
	return &r->cores[(t.y * PORT_GRID_MAX + t.x) * RISCS + risc];
}

static uint64_t ring_at(int risc)
{
	return TTP_L1_PROF_BUFFER + (uint64_t)risc * 4 * TTP_PROF_WORDS;
}

enum ttp_rc print_start(struct print_reader *r, struct device *d, struct ttp_err *e)
{
	uint32_t head[4] = { TTP_PRINT_ON, 0, 0, 0 };
	enum ttp_rc rc = TTP_OK;

	r->device = d;
	r->damaged = 0;
	r->cores = mem_zero((size_t)PORT_GRID_MAX * PORT_GRID_MAX * RISCS, sizeof(*r->cores));
	for (size_t i = 0; i < (size_t)PORT_GRID_MAX * PORT_GRID_MAX * RISCS; i++)
		r->cores[i].base = 10;
	for (int risc = 0; !rc && risc < RISCS; risc++)
		rc = device_write_workers(d, ring_at(risc), head, sizeof(head), e);
	if (rc)
		print_release(r);
	return rc;
}

static void add_number(struct print_core *c, uint64_t v, bool negative)
{
	char text[32];
	int n;

	if (negative && c->base == 10)
		n = snprintf(text, sizeof(text), "-%llu", (unsigned long long)-v);
	else
		n = snprintf(text, sizeof(text),
			     c->base == 16  ? "%llx"
			     : c->base == 8 ? "%llo"
					    : "%llu",
			     (unsigned long long)v);
	for (; n < c->width; c->width--)
		buf_char(&c->line, ' ');
	c->width = 0;
	buf_text(&c->line, text);
}

static uint64_t number_at(const uint8_t *at, unsigned n)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < n; i++)
		v |= (uint64_t)at[i] << 8 * i;
	return v;
}

static unsigned payload(uint8_t type)
{
	switch (type) {
	case TTP_PRINT_INT:
	case TTP_PRINT_UINT:
	case TTP_PRINT_FLOAT:
	case TTP_PRINT_PTR:
		return 4;
	case TTP_PRINT_INT64:
	case TTP_PRINT_UINT64:
		return 8;
	case TTP_PRINT_BF16:
		return 2;
	case TTP_PRINT_CHAR:
	case TTP_PRINT_BASE:
	case TTP_PRINT_WIDTH:
		return 1;
	default:
		return 0;
	}
}

static void end_line(struct print_reader *r, struct print_core *c, struct tile t, int risc,
		     struct buf *to)
{
	buf_printf(to, "%d:(x=%d,y=%d):%s: ", r->device->id, t.x, t.y, short_names[risc]);
	buf_str(to, buf_view(&c->line));
	buf_char(to, '\n');
	buf_clear(&c->line);
}

static void add_piece(struct print_reader *r, struct print_core *c, struct tile t, int risc,
		      uint8_t type, const uint8_t *at, struct buf *to)
{
	uint64_t v = number_at(at, payload(type));
	uint32_t bits;
	float f;

	switch (type) {
	case TTP_PRINT_INT:
		add_number(c, c->base == 10 ? (uint64_t)(int64_t)(int32_t)v : v, (int32_t)v < 0);
		break;
	case TTP_PRINT_INT64:
		add_number(c, v, (int64_t)v < 0);
		break;
	case TTP_PRINT_UINT:
	case TTP_PRINT_UINT64:
		add_number(c, v, false);
		break;
	case TTP_PRINT_FLOAT:
	case TTP_PRINT_BF16:
		bits = (uint32_t)(type == TTP_PRINT_BF16 ? v << 16 : v);
		memcpy(&f, &bits, 4);
		buf_printf(&c->line, "%.6g", (double)f);
		break;
	case TTP_PRINT_PTR:
		buf_printf(&c->line, "0x%llx", (unsigned long long)v);
		break;
	case TTP_PRINT_CHAR:
		if (v == '\n')
			end_line(r, c, t, risc, to);
		else
			buf_char(&c->line, (char)v);
		break;
	case TTP_PRINT_BASE:
		c->base = (uint8_t)v;
		break;
	case TTP_PRINT_WIDTH:
		c->width = (uint8_t)v;
		break;
	}
}

/* A new line in a text ends the line, too. */
static void add_text(struct print_reader *r, struct print_core *c, struct tile t, int risc,
		     const uint8_t *at, unsigned n, struct buf *to)
{
	for (unsigned i = 0; i < n; i++)
		if (at[i] == '\n')
			end_line(r, c, t, risc, to);
		else
			buf_char(&c->line, (char)at[i]);
}

static enum ttp_rc read_core(struct print_reader *r, struct tile t, int risc, struct buf *to,
			     struct ttp_err *e)
{
	struct port *p = r->device->port;
	struct print_core *c = core_of(r, t, risc);
	struct ttp_print_ring ring;
	uint8_t bytes[TTP_PRINT_BYTES];
	uint32_t n;
	enum ttp_rc rc =
		p->ops->read(p, t, ring_at(risc), &ring, offsetof(struct ttp_print_ring, data), e);

	if (rc || ring.on != TTP_PRINT_ON || ring.written == c->read)
		return rc;
	rc = p->ops->read(p, t, ring_at(risc), &ring, sizeof(ring), e);
	if (rc)
		return rc;
	n = ring.written - c->read;
	if (n > TTP_PRINT_BYTES) {
		r->damaged++;
		n = 0;
	}
	for (uint32_t i = 0; i < n; i++)
		bytes[i] = ring.data[(c->read + i) % TTP_PRINT_BYTES];
	for (uint32_t i = 0; i < n;) {
		bool text = bytes[i] == TTP_PRINT_TEXT;
		uint32_t head = text ? 2 : 1, len;

		len = text ? (i + 1 < n ? bytes[i + 1] : n) : payload(bytes[i]);
		if (!len || head + len > n - i) {
			r->damaged++;
			break;
		}
		if (text)
			add_text(r, c, t, risc, bytes + i + 2, len, to);
		else
			add_piece(r, c, t, risc, bytes[i], bytes + i + 1, to);
		i += head + len;
	}
	c->read = ring.written;
	return p->ops->write(p, t, ring_at(risc) + offsetof(struct ttp_print_ring, read), &c->read,
			     4, e);
}

enum ttp_rc print_read(struct print_reader *r, struct buf *to, struct ttp_err *e)
{
	const struct coord *c = &r->device->coord;
	enum ttp_rc rc = TTP_OK;

	for (int row = 0; row < c->rows; row++)
		for (int column = 0; column < c->columns; column++)
			for (int risc = 0; !rc && risc < RISCS; risc++)
				rc = read_core(r,
					       (struct tile){ c->column_x[column], c->row_y[row] },
					       risc, to, e);
	return rc;
}

void print_rest(struct print_reader *r, struct buf *to)
{
	for (int y = 0; y < PORT_GRID_MAX; y++)
		for (int x = 0; x < PORT_GRID_MAX; x++)
			for (int risc = 0; risc < RISCS; risc++) {
				struct tile t = { (uint8_t)x, (uint8_t)y };

				if (core_of(r, t, risc)->line.len)
					end_line(r, core_of(r, t, risc), t, risc, to);
			}
}

void print_release(struct print_reader *r)
{
	for (size_t i = 0; r->cores && i < (size_t)PORT_GRID_MAX * PORT_GRID_MAX * RISCS; i++)
		buf_release(&r->cores[i].line);
	free(r->cores);
	memset(r, 0, sizeof(*r));
}
