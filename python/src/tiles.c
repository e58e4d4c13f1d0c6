// SPDX-License-Identifier: Apache-2.0
/* Values of tensors to tiles and back, for the stand-in of ttnn: what would be slow in Python. */
#include "tiles.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { TILE = 32, FACE = 16, TILE_VALUES = TILE * TILE };

struct shape {
	Py_ssize_t batch, rows, columns, high, wide; /* high, wide: in tiles */
	int bytes;                                   /* of a value on the device: 2 or 4 */
};

static bool shape_of(struct shape *s, Py_ssize_t batch, Py_ssize_t rows, Py_ssize_t columns,
		     int bytes)
{
	const Py_ssize_t limit = (Py_ssize_t)1 << 32;

	if (batch < 0 || rows < 0 || columns < 0 || (bytes != 2 && bytes != 4) ||
	    (rows && columns > limit / rows) || (batch && rows * columns > limit / batch)) {
		PyErr_SetString(PyExc_ValueError, "a tensor of this shape is too large");
		return false;
	}
	*s = (struct shape){
		batch, rows, columns, (rows + TILE - 1) / TILE, (columns + TILE - 1) / TILE, bytes
	};
	return true;
}

static Py_ssize_t bytes_of(const struct shape *s)
{
	return s->batch * s->high * s->wide * TILE_VALUES * s->bytes;
}

/* Four faces of 16 x 16 in each tile. */
static Py_ssize_t place(const struct shape *s, Py_ssize_t row, Py_ssize_t column)
{
	Py_ssize_t tile = row / TILE * s->wide + column / TILE;
	Py_ssize_t r = row % TILE, c = column % TILE;

	return tile * TILE_VALUES + (r / FACE * 2 + c / FACE) * FACE * FACE + r % FACE * FACE +
	       c % FACE;
}

static uint16_t half_of(uint32_t bits)
{
	/* A NaN stays one, whichever bits are cut off. */
	if ((bits & 0x7FFFFFFF) > 0x7F800000)
		return (uint16_t)(bits >> 16 | 0x40);
	return (uint16_t)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

/* One direction or the other, value by value. */
static void move(const struct shape *s, uint8_t *tiles, uint8_t *values, bool pack)
{
	Py_ssize_t matrix = s->high * s->wide * TILE_VALUES;

	for (Py_ssize_t b = 0; b < s->batch; b++, tiles += matrix * s->bytes)
		for (Py_ssize_t r = 0; r < s->rows; r++)
			for (Py_ssize_t c = 0; c < s->columns; c++, values += 4) {
				uint8_t *at = tiles + place(s, r, c) * s->bytes;
				uint32_t bits;
				uint16_t half;

				if (s->bytes == 4) {
					memcpy(pack ? at : values, pack ? values : at, 4);
				} else if (pack) {
					memcpy(&bits, values, 4);
					half = half_of(bits);
					memcpy(at, &half, 2);
				} else {
					memcpy(&half, at, 2);
					bits = (uint32_t)half << 16;
					memcpy(values, &bits, 4);
				}
			}
}

static PyObject *convert(PyObject *args, bool pack)
{
	Py_ssize_t batch, rows, columns, want, given;
	struct shape s;
	Py_buffer from;
	PyObject *to = NULL;
	int bytes;

	if (!PyArg_ParseTuple(args, "y*nnni", &from, &batch, &rows, &columns, &bytes))
		return NULL;
	if (!shape_of(&s, batch, rows, columns, bytes))
		goto out;
	want = pack ? s.batch * s.rows * s.columns * 4 : bytes_of(&s);
	given = from.len;
	if (given != want) {
		PyErr_Format(PyExc_ValueError, "%zd bytes, where the shape needs %zd", given, want);
		goto out;
	}
	to = PyBytes_FromStringAndSize(NULL,
				       pack ? bytes_of(&s) : s.batch * s.rows * s.columns * 4);
	if (!to)
		goto out;
	if (pack) {
		memset(PyBytes_AS_STRING(to), 0, (size_t)bytes_of(&s));
		move(&s, (uint8_t *)PyBytes_AS_STRING(to), from.buf, true);
	} else {
		move(&s, from.buf, (uint8_t *)PyBytes_AS_STRING(to), false);
	}
out:
	PyBuffer_Release(&from);
	return to;
}

static PyObject *pack_tiles(PyObject *self, PyObject *args)
{
	(void)self;
	return convert(args, true);
}

static PyObject *unpack_tiles(PyObject *self, PyObject *args)
{
	(void)self;
	return convert(args, false);
}

PyMethodDef tiles_methods[] = {
	{ "pack_tiles", pack_tiles, METH_VARARGS,
	  "pack_tiles(fp32, batch, rows, columns, bytes) -> bytes" },
	{ "unpack_tiles", unpack_tiles, METH_VARARGS,
	  "unpack_tiles(tiles, batch, rows, columns, bytes) -> bytes of fp32" },
	{ NULL, NULL, 0, NULL },
};
