// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stdio.h>

#include "sim/machine.h"

const char *risc_name(int risc)
{
	static const char *const names[RISCS] = { "BRISC", "NCRISC", "TRISC0", "TRISC1", "TRISC2" };

	return risc >= 0 && risc < RISCS ? names[risc] : "no core";
}

__attribute__((format(printf, 5, 0))) static void record(struct node *n, int risc, uint32_t pc,
							 uint64_t t, const char *fmt, va_list args)
{
	/* Cores run one after the other, so the one that comes second may be the first in time. */
	if (n->has_fault && n->fault.cycle <= t)
		return;
	n->has_fault = true;
	n->fault = (struct fault){ .tile = n->tile, .risc = risc, .pc = pc, .cycle = t };
	vsnprintf(n->fault.what, sizeof(n->fault.what), fmt, args);
}

void node_fault(struct node *n, int risc, uint32_t pc, uint64_t t, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	record(n, risc, pc, t, fmt, args);
	va_end(args);
}

bool hart_fault(struct hart *h, const char *fmt, ...)
{
	va_list args;

	h->state = HART_FAULT;
	va_start(args, fmt);
	record(h->node, h->id, h->pc, h->t, fmt, args);
	va_end(args);
	return false;
}
