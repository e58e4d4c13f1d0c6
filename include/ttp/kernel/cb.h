/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Circular buffers between the cores of a tile.  One core pushes pages, one takes them; how many were
 * pushed and taken is counted in registers of the tile, positions are each core's own.
 *
 * The compute cores work asynchronously: T2's pages are pushed when the packer has written them, T0's
 * taken when the unpackers have read them (ttp/kernel/compute.h).
 */
#ifndef TTP_KERNEL_CB_H
#define TTP_KERNEL_CB_H

#include "ttp/kernel/hw.h"

/* 17-bit registers; differences of 16 bits are what counts. */
#define TTP_CB_ACKED(n)    (TTP_REG_STREAM(n) + 0x0C)
#define TTP_CB_RECEIVED(n) (TTP_REG_STREAM(n) + 0x10)

/* Takes the program's circular buffers over; with `counters`, also starts counting anew. */
TTP_INLINE void ttp_cb_begin(uint32_t mask, bool counters)
{
	volatile struct ttp_cb_config *config =
		(volatile struct ttp_cb_config *)(uintptr_t)TTP_L1_CB_CONFIG;

	for (unsigned i = 0; mask; i++, mask >>= 1) {
		struct ttp_cb *cb = &TTP_STATE->cb[i];

		if (!(mask & 1))
			continue;
		cb->wr = config[i].addr;
		cb->rd = TTP_RISC == 4 ? 0 : config[i].addr;
		cb->size_bytes = config[i].size_bytes;
		cb->end = config[i].addr + config[i].size_bytes;
		cb->page_bytes = config[i].page_bytes;
		cb->pages = config[i].pages;
		if (counters) {
			TTP_REG(TTP_CB_ACKED(i)) = 0;
			TTP_REG(TTP_CB_RECEIVED(i)) = 0;
		}
	}
}

TTP_INLINE uint32_t ttp_cb_held(unsigned n)
{
	return (TTP_REG(TTP_CB_RECEIVED(n)) - TTP_REG(TTP_CB_ACKED(n))) & 0xFFFF;
}

TTP_INLINE void ttp_cb_reserve_back(unsigned n, uint32_t pages)
{
	while (TTP_STATE->cb[n].pages - ttp_cb_held(n) < pages)
		;
}

TTP_INLINE void ttp_cb_push_back(unsigned n, uint32_t pages)
{
	struct ttp_cb *cb = &TTP_STATE->cb[n];

	cb->wr += pages * cb->page_bytes;
	if (cb->wr >= cb->end)
		cb->wr -= cb->size_bytes;
	TTP_REG(TTP_CB_RECEIVED(n)) = TTP_REG(TTP_CB_RECEIVED(n)) + pages;
}

TTP_INLINE void ttp_cb_wait_front(unsigned n, uint32_t pages)
{
	while (ttp_cb_held(n) < pages)
		;
}

TTP_INLINE void ttp_cb_pop_front(unsigned n, uint32_t pages)
{
	struct ttp_cb *cb = &TTP_STATE->cb[n];

	cb->rd += pages * cb->page_bytes;
	if (cb->rd >= cb->end)
		cb->rd -= cb->size_bytes;
	TTP_REG(TTP_CB_ACKED(n)) = TTP_REG(TTP_CB_ACKED(n)) + pages;
}

TTP_INLINE uint32_t ttp_get_write_ptr(unsigned n)
{
	return TTP_STATE->cb[n].wr;
}

TTP_INLINE uint32_t ttp_get_read_ptr(unsigned n)
{
	return TTP_STATE->cb[n].rd;
}

TTP_INLINE uint32_t ttp_get_tile_size(unsigned n)
{
	return TTP_STATE->cb[n].page_bytes;
}

#endif /* TTP_KERNEL_CB_H */
