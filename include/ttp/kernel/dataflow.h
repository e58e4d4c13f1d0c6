/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What data-movement kernels do: arguments, reads and writes over the NoC, semaphores, pages that are
 * spread over DRAM banks.  tt-metal's names with ttp_ before them; <dataflow_api.h> has the plain ones.
 * All of them return at once, except barriers and waits.
 */
#ifndef TTP_KERNEL_DATAFLOW_H
#define TTP_KERNEL_DATAFLOW_H

#include "ttp/kernel/cb.h"
#include "ttp/kernel/noc.h"
#include "ttp/kernel/noc_events.h"

TTP_INLINE uint32_t ttp_get_arg(unsigned i)
{
	return TTP_L1(TTP_L1_ARGS + TTP_RISC * TTP_ARGS_BYTES)[i];
}

TTP_INLINE uint32_t ttp_get_common_arg(unsigned i)
{
	return TTP_L1(TTP_L1_COMMON_ARGS + TTP_RISC * TTP_COMMON_ARGS_BYTES)[i];
}

/* L1 address of a semaphore of the program. */
TTP_INLINE uint32_t ttp_get_semaphore(unsigned id)
{
	return TTP_L1_SEMAPHORES + id * TTP_SEMAPHORE_BYTES;
}

TTP_INLINE void ttp_noc_async_read_on(unsigned noc, uint64_t from, uint32_t to, uint32_t bytes)
{
	TTP_NOC_EVENT(READ, from, bytes, TTP_VC_UNICAST, false, noc);
	TTP_DELAY(READ);
	ttp_noc_read_any(noc, from, to, bytes);
}

TTP_INLINE void ttp_noc_async_read(uint64_t from, uint32_t to, uint32_t bytes)
{
	ttp_noc_async_read_on(NOC_INDEX, from, to, bytes);
}

TTP_INLINE void ttp_noc_async_write_on(unsigned noc, uint32_t from, uint64_t to, uint32_t bytes)
{
	TTP_NOC_EVENT(WRITE_, to, bytes, TTP_VC_UNICAST, false, noc);
	TTP_DELAY(WRITE);
	ttp_noc_write_any(noc, from, to, bytes, TTP_WRITE_UNICAST, 1);
}

TTP_INLINE void ttp_noc_async_write(uint32_t from, uint64_t to, uint32_t bytes)
{
	ttp_noc_async_write_on(NOC_INDEX, from, to, bytes);
}

/* To `tiles` tiles of a rectangle (ttp_noc_rect_addr); the sender is none of them. */
TTP_INLINE void ttp_noc_async_write_multicast_on(unsigned noc, uint32_t from, uint64_t to,
						 uint32_t bytes, uint32_t tiles, bool linked)
{
	NOC_TRACE_QUICK_PUSH_IF_LINKED(TTP_NOC_BUF_WRITE, linked);
	TTP_NOC_EVENT_MCAST(WRITE_MULTICAST, to, bytes, TTP_VC_MCAST, false, noc);
	TTP_DELAY(WRITE);
	ttp_noc_write_any(noc, from, to, bytes, TTP_WRITE_MCAST | (linked ? TTP_CTRL_LINKED : 0),
			  tiles);
}

TTP_INLINE void ttp_noc_async_write_multicast(uint32_t from, uint64_t to, uint32_t bytes,
					      uint32_t tiles)
{
	ttp_noc_async_write_multicast_on(NOC_INDEX, from, to, bytes, tiles, false);
}

/* As before, and the sender is among them. */
TTP_INLINE void ttp_noc_async_write_multicast_loopback_on(unsigned noc, uint32_t from, uint64_t to,
							  uint32_t bytes, uint32_t tiles)
{
	TTP_NOC_EVENT_MCAST(WRITE_MULTICAST, to, bytes, TTP_VC_MCAST, false, noc);
	TTP_DELAY(WRITE);
	ttp_noc_write_any(noc, from, to, bytes, TTP_WRITE_MCAST | TTP_CTRL_SELF, tiles);
}

TTP_INLINE void ttp_noc_read_barrier_on(unsigned noc)
{
	ttp_noc_wait_counter(noc, TTP_NIU_READ_RESPONSES, TTP_STATE->reads_issued[noc]);
}
TTP_INLINE void ttp_noc_async_read_barrier(void)
{
	ttp_noc_read_barrier_on(NOC_INDEX);
}

TTP_INLINE void ttp_noc_write_barrier_on(unsigned noc)
{
	ttp_noc_wait_counter(noc, TTP_NIU_WRITE_ACKS, TTP_STATE->writes_acked[noc]);
}
TTP_INLINE void ttp_noc_async_write_barrier(void)
{
	ttp_noc_write_barrier_on(NOC_INDEX);
}

/* Written data has left L1, so that it can be overwritten; it may be on its way. */
TTP_INLINE void ttp_noc_writes_flushed_on(unsigned noc)
{
	ttp_noc_wait_counter(noc, TTP_NIU_WRITES_SENT, TTP_STATE->writes_sent[noc]);
}
TTP_INLINE void ttp_noc_async_writes_flushed(void)
{
	ttp_noc_writes_flushed_on(NOC_INDEX);
}

TTP_INLINE void ttp_noc_async_atomic_barrier(void)
{
	ttp_noc_wait_counter(NOC_INDEX, TTP_NIU_ATOMIC_RESPONSES,
			     TTP_STATE->atomics_acked[NOC_INDEX]);
}

TTP_INLINE void ttp_noc_async_full_barrier(void)
{
	ttp_noc_async_read_barrier();
	ttp_noc_async_writes_flushed();
	ttp_noc_async_write_barrier();
	ttp_noc_async_atomic_barrier();
}

TTP_INLINE void ttp_noc_semaphore_inc(uint64_t word, uint32_t by)
{
	ttp_noc_atomic_inc(NOC_INDEX, word, by);
}

TTP_INLINE void ttp_noc_semaphore_set(volatile uint32_t *word, uint32_t value)
{
	*word = value;
}

TTP_INLINE void ttp_noc_semaphore_wait(volatile uint32_t *word, uint32_t value)
{
	while (*word != value)
		;
}

TTP_INLINE void ttp_noc_semaphore_wait_min(volatile uint32_t *word, uint32_t value)
{
	while (*word < value)
		;
}

/* A word of this tile to a word of another, or of many. */
TTP_INLINE void ttp_noc_semaphore_set_remote(uint32_t from, uint64_t to)
{
	TTP_DELAY(WRITE);
	ttp_noc_write_any(NOC_INDEX, from, to, 4, TTP_WRITE_UNICAST, 1);
}

TTP_INLINE void ttp_noc_semaphore_set_multicast(uint32_t from, uint64_t to, uint32_t tiles)
{
	TTP_DELAY(WRITE);
	ttp_noc_write_any(NOC_INDEX, from, to, 4, TTP_WRITE_MCAST, tiles);
}

TTP_INLINE void ttp_noc_semaphore_set_multicast_loopback(uint32_t from, uint64_t to, uint32_t tiles)
{
	TTP_DELAY(WRITE);
	ttp_noc_write_any(NOC_INDEX, from, to, 4, TTP_WRITE_MCAST | TTP_CTRL_SELF, tiles);
}

/* Banks that pages go round over; known when the kernel is compiled, so that dividing is cheap. */
#ifdef NUM_DRAM_BANKS
#define TTP_DRAM_BANKS ((uint32_t)NUM_DRAM_BANKS)
#else
#define TTP_DRAM_BANKS (TTP_MAILBOX->dram_banks)
#endif

TTP_INLINE uint64_t ttp_dram_bank_addr_on(unsigned noc, uint32_t bank, uint32_t offset)
{
	return (uint64_t)((uint32_t)TTP_STATE->bank_xy[noc][bank] << 4) << 32 |
	       (TTP_STATE->bank_offset[bank] + offset);
}

/* Page `page` of a buffer whose pages lie in DRAM banks one after the other. */
TTP_INLINE uint64_t ttp_dram_page_addr_on(unsigned noc, uint32_t base, uint32_t page_bytes,
					  uint32_t page)
{
	return ttp_dram_bank_addr_on(noc, page % TTP_DRAM_BANKS,
				     base + page / TTP_DRAM_BANKS * page_bytes);
}

TTP_INLINE uint64_t ttp_dram_page_addr(uint32_t base, uint32_t page_bytes, uint32_t page)
{
	return ttp_dram_page_addr_on(NOC_INDEX, base, page_bytes, page);
}

/* The same over the workers' L1: bank n is worker n, row by row. */
#ifndef TTP_GRID_COLUMNS
#define TTP_GRID_COLUMNS 8u
#endif
#ifndef NUM_L1_BANKS
#define NUM_L1_BANKS 64u
#endif
TTP_INLINE uint64_t ttp_l1_page_addr(uint32_t base, uint32_t page_bytes, uint32_t page)
{
	uint32_t bank = page % (uint32_t)NUM_L1_BANKS;

	return ttp_noc_addr(18 + bank % TTP_GRID_COLUMNS, 18 + bank / TTP_GRID_COLUMNS,
			    base + page / (uint32_t)NUM_L1_BANKS * page_bytes);
}

#endif /* TTP_KERNEL_DATAFLOW_H */
