/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Printing from a kernel: pieces go into a ring in L1, the host puts them together.  When the ring is
 * full the core waits for the host; when nobody reads, nothing is written.  The rings are where the
 * profiler's buffers are, so the two exclude each other, and with PROFILE_KERNEL this is nothing.
 *
 *	ttp_print_text("n = "); ttp_print_uint(n); ttp_print_line();
 *
 * In C++, <debug/dprint.h> has DPRINT << "n = " << n << ENDL().
 */
#ifndef TTP_KERNEL_PRINT_H
#define TTP_KERNEL_PRINT_H

#include "ttp/kernel/hw.h"
#include "ttp/kernel/profiler.h"

#if !TTP_PROFILE_ON && defined(TTP_KERNEL_PRINT)
#define TTP_PRINT_COMPILED 1
#else
#define TTP_PRINT_COMPILED 0
#endif

TTP_INLINE volatile struct ttp_print_ring *ttp_print_ring(void)
{
	return (volatile struct ttp_print_ring *)(uintptr_t)(TTP_L1_PROF_BUFFER +
							     TTP_RISC * 4 * TTP_PROF_WORDS);
}

/* One piece: a head of one or two bytes, then `n` bytes; never split, so the host sees whole ones. */
TTP_OUTLINE void ttp_print_piece(uint8_t type, const void *bytes, unsigned n)
{
	volatile struct ttp_print_ring *r = ttp_print_ring();
	unsigned head = type == TTP_PRINT_TEXT ? 2 : 1;
	uint32_t at = r->written;

	if (!TTP_PRINT_COMPILED || r->on != TTP_PRINT_ON)
		return;
	while (TTP_PRINT_BYTES - (at - r->read) < n + head)
		;
	for (unsigned i = 0; i < n + head; i++, at++)
		r->data[at % TTP_PRINT_BYTES] = i == 0     ? type
						: i < head ? (uint8_t)n
							   : ((const uint8_t *)bytes)[i - head];
	r->written = at;
}

TTP_INLINE void ttp_print_text(const char *text)
{
	while (*text) {
		unsigned n = 0;

		while (n < 255 && text[n])
			n++;
		ttp_print_piece(TTP_PRINT_TEXT, text, n);
		text += n;
	}
}

TTP_INLINE void ttp_print_uint(uint32_t v)
{
	ttp_print_piece(TTP_PRINT_UINT, &v, 4);
}

TTP_INLINE void ttp_print_int(int32_t v)
{
	ttp_print_piece(TTP_PRINT_INT, &v, 4);
}

TTP_INLINE void ttp_print_hex(uint32_t v)
{
	ttp_print_piece(TTP_PRINT_PTR, &v, 4);
}

/* Single precision, by its bits: the cores have no floating point. */
TTP_INLINE void ttp_print_float_bits(uint32_t bits)
{
	ttp_print_piece(TTP_PRINT_FLOAT, &bits, 4);
}

TTP_INLINE void ttp_print_line(void)
{
	ttp_print_piece(TTP_PRINT_CHAR, "\n", 1);
}

#endif /* TTP_KERNEL_PRINT_H */
