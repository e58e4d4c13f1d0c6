// SPDX-License-Identifier: Apache-2.0
/* Matmuls: how a result is cut into blocks, and where the tiles are. */
#include "functions.h"
#include "reference.h"

enum { DST_TILES = 8 };

struct part whole(struct tensor *t)
{
	return (struct part){ .tensor = t, .high = t->high, .wide = t->wide };
}

/*
 * A block is what a core keeps in Dst.  Larger blocks read less, smaller ones give work to more cores: the largest
 * number of cores first, then the squarest block.
 */
static void choose_block(uint32_t batch, uint32_t high, uint32_t wide, uint32_t *rows,
			 uint32_t *columns)
{
	uint32_t best_rounds = ~0u, best_reads = ~0u;

	*rows = *columns = 1;
	for (uint32_t r = 1; r <= DST_TILES; r++)
		for (uint32_t c = 1; r * c <= DST_TILES; c++) {
			uint32_t blocks, rounds, reads;

			if (high % r || wide % c)
				continue;
			blocks = batch * (high / r) * (wide / c);
			/* time of the busiest core, in tiles of the result, and what it reads for them */
			rounds = (blocks + OP_ALL_CORES - 1) / OP_ALL_CORES * r * c;
			reads = (blocks + OP_ALL_CORES - 1) / OP_ALL_CORES * (r + c);
			if (rounds < best_rounds || (rounds == best_rounds && reads < best_reads)) {
				best_rounds = rounds;
				best_reads = reads;
				*rows = r;
				*columns = c;
			}
		}
}

/* Steps down a column and along a row, of the matrix as it is multiplied. */
static void add_part(struct words *w, const struct part *p, bool turned)
{
	uint32_t down = p->tensor->wide, along = 1;

	op_word(w, ttp_buffer_address(p->tensor->buffer));
	op_word(w, p->first);
	op_word(w, p->outer_step);
	op_word(w, p->inner_step);
	op_word(w, turned ? along : down);
	op_word(w, turned ? down : along);
}

/* Steps along K that are read at once. */
static uint32_t chunk_of(uint32_t steps)
{
	uint32_t chunk = 4;

	while (steps % chunk)
		chunk--;
	return chunk;
}

static void add_head(struct words *w, const struct matmul *m, uint32_t steps, uint32_t rows,
		     uint32_t columns)
{
	op_word(w, m->inner);
	op_word(w, steps);
	op_word(w, m->to.high / rows);
	op_word(w, m->to.wide / columns);
	op_word(w, rows);
	op_word(w, columns);
	op_word(w, m->a_turned);
	op_word(w, chunk_of(steps));
}

/* As it lies, for each text and head; that it is transposed is an attribute. */
static void set_shape(struct operand *d, const struct matmul *m, const struct part *p)
{
	d->shape[0] = m->batch / m->inner;
	d->shape[1] = m->inner;
	d->shape[2] = p->high * TILE;
	d->shape[3] = p->wide * TILE;
}

void matmul_run(struct ops *o, const struct matmul *m)
{
	struct op op = { .code = m->code ? m->code : "MatmulDeviceOperation",
			 .reader = "matmul_read.c",
			 .writer = "matmul_write.c",
			 .compute = "matmul_compute.c" };
	uint32_t steps = m->a_turned ? m->a.high : m->a.wide, rows, columns;
	uint32_t steps_b = m->b_turned ? m->b.wide : m->b.high;

	if (steps != steps_b || m->to.high != (m->a_turned ? m->a.wide : m->a.high) ||
	    m->to.wide != (m->b_turned ? m->b.high : m->b.wide))
		fail("matmul: %s and %s do not fit to %s", m->a.tensor->name, m->b.tensor->name,
		     m->to.tensor->name);
	choose_block(m->batch, m->to.high, m->to.wide, &rows, &columns);
	op.units = m->batch * (m->to.high / rows) * (m->to.wide / columns);
	op_in(&op, m->a.tensor, 0, rows * chunk_of(steps), 0, 0);
	op_in(&op, m->b.tensor, 1, columns * chunk_of(steps), 0, 0);
	op_out(&op, m->to.tensor, 16, rows * columns, 0, 0);
	set_shape(&op.in[0], m, &m->a);
	set_shape(&op.in[1], m, &m->b);
	set_shape(&op.out[0], m, &m->to);
	op_attribute(&op, "transpose_a", "%s", m->a_turned ? "true" : "false");
	op_attribute(&op, "transpose_b", "%s", m->b_turned ? "true" : "false");
	if (m->a_turned)
		op_local(&op, 24, steps * rows);
	add_head(&op.read_args, m, steps, rows, columns);
	add_part(&op.read_args, &m->a, m->a_turned);
	add_part(&op.read_args, &m->b, m->b_turned);
	add_head(&op.write_args, m, steps, rows, columns);
	add_part(&op.write_args, &m->to, false);
	op_word(&op.compute_args, rows);
	op_word(&op.compute_args, columns);
	op_word(&op.compute_args, steps);
	op_word(&op.compute_args, m->a_turned);
	op_word(&op.compute_args, m->b_turned);
	op_run(o, &op);
	reference_matmul(m);
}

void matmul(struct ops *o, struct tensor *a, bool a_turned, struct tensor *b, bool b_turned,
	    struct tensor *to)
{
	struct matmul m = { .a = whole(a),
			    .b = whole(b),
			    .to = whole(to),
			    .batch = 1,
			    .inner = 1,
			    .a_turned = a_turned,
			    .b_turned = b_turned };

	matmul_run(o, &m);
}
