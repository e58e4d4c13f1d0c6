// SPDX-License-Identifier: Apache-2.0
/*
 * Kernels that run wild: any bytes as code, for any of the five cores, after any writes to registers and memory.  The
 * device may say FAULT; the program that hosts it must not notice more than that.
 *
 *	byte 0	cores to start (5 bits); 0x20: words are made into instructions first; 0x40: no parking; 0x80: both ends
 *	byte 1	how many register writes follow, 8 bytes each: address, value
 *	then	code, the same for all cores
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sim.h"

enum { CYCLES = 20000, POKES_MAX = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const uint32_t starts[] = { 0x0, 0x12000, 0x6000, 0xA000, 0xE000 };
static const uint32_t bases[] = { 0xFFB20000, 0xFFB12000, 0xFFB40000, 0xFFE70000,
				  0xFFEC0000, 0xFFEF0000, 0xFFB00000, 0x00001000,
				  0xFFB30000, 0xFFE80000, 0xFFB11000, 0x0016E000 };

/* Registers point at what is worth writing to, from x5 on. */
static size_t prelude(uint32_t *code)
{
	size_t n = 0;

	for (uint32_t i = 0; i < sizeof(bases) / sizeof(*bases); i++)
		code[n++] = bases[i] | (5 + i) << 7 | 0x37;
	return n;
}

/* Most words are no instructions; this makes them such, and leaves the rest of their bits. */
static uint32_t instruction(uint32_t w)
{
	static const uint32_t opcodes[16] = { 0x03, 0x03, 0x13, 0x13, 0x17, 0x23, 0x23, 0x23,
					      0x33, 0x33, 0x37, 0x63, 0x63, 0x67, 0x6F, 0x0F };
	uint32_t op = opcodes[w & 15];

	w = (w & ~0x7Fu) | op;
	if (op == 0x33)
		w &= ~0xFC000000u;
	if (op == 0x03 || op == 0x23)
		w = (w & ~0x7000u) | 0x2000;
	if (op == 0x67 || op == 0x0F)
		w &= ~0x7000u;
	return w;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* One row of workers will do, and costs less. */
	struct sim_config config = { .harvest = 0xFFF & ~2u, .harvest_given = true };
	const struct tile t = { 1, 1 }, other = { 2, 1 };
	static uint32_t code[4096];
	struct port *p;
	size_t n, pokes;
	uint32_t held = 0x47800, word;
	static const uint32_t bits[] = { 0x800, 0x40000, 0x1000, 0x2000, 0x4000 };

	if (size < 2)
		return 0;
	config.no_parking = data[0] & 0x40;
	if (sim_open(&config, &p, NULL))
		return 0;
	pokes = data[1] < POKES_MAX ? data[1] : POKES_MAX;
	n = prelude(code);
	for (size_t at = 2 + pokes * 8; at + 4 <= size && n < 1023; at += 4) {
		memcpy(&word, data + at, 4);
		code[n++] = data[0] & 0x20 ? instruction(word) : word;
	}
	code[n++] = 0x6F; /* j . */
	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++) {
		if (p->ops->write(p, t, starts[i], code, n * 4, NULL) ||
		    p->ops->write(p, other, starts[i], code, n * 4, NULL))
			abort();
		if (data[0] >> i & 1)
			held &= ~bits[i];
	}
	for (size_t i = 0; i < pokes && 2 + i * 8 + 8 <= size; i++) {
		uint32_t addr, value;

		memcpy(&addr, data + 2 + i * 8, 4);
		memcpy(&value, data + 2 + i * 8 + 4, 4);
		if (p->ops->write32(p, t, addr, value, NULL)) /* may be refused */
			continue;
	}
	if (p->ops->write32(p, t, 0xFFB121B0, held, NULL) ||
	    (data[0] & 0x80 && p->ops->write32(p, other, 0xFFB121B0, held, NULL)))
		abort();
	for (int i = 0; i < 4; i++)
		if (p->ops->wait(p, NULL, 0, CYCLES / 4) == WAIT_FAULT &&
		    !p->ops->fault(p)->what[0])
			abort(); /* a fault says what it is */
	if (p->ops->read(p, t, 0, code, sizeof(code), NULL))
		abort();
	p->ops->close(p);
	return 0;
}
