// SPDX-License-Identifier: Apache-2.0
//
// tt-metal's spelling of <ttp/kernel/dataflow.h>, for data-movement kernels that include "dataflow_api.h".
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "compile_time_args.h"
#include "ttp/kernel.h"

#if TTP_RISC < 2

#define FORCE_INLINE inline __attribute__((always_inline))
#define tt_l1_ptr
#define tt_reg_ptr

constexpr uint8_t noc_index = NOC_INDEX;
constexpr bool IS_DRAM = true, IS_L1 = false;

/* Of the kernel in the user's documents, which names it and does not declare it. */
extern const uint32_t cb_id;

enum class DataFormat : uint8_t {
	Float32 = 0,
	Float16 = 1,
	Bfp8 = 2,
	Bfp4 = 3,
	Float16_b = 5,
	Bfp8_b = 6,
	UInt32 = 24,
	Invalid = 0xFF
};

template <typename T> FORCE_INLINE T get_arg_val(int i)
{
	static_assert(sizeof(T) == 4, "arguments are words");
	uint32_t v = ttp_get_arg((unsigned)i);
	T out;

	__builtin_memcpy(&out, &v, 4);
	return out;
}

template <typename T> FORCE_INLINE T get_common_arg_val(int i)
{
	static_assert(sizeof(T) == 4, "arguments are words");
	uint32_t v = ttp_get_common_arg((unsigned)i);
	T out;

	__builtin_memcpy(&out, &v, 4);
	return out;
}

FORCE_INLINE uint32_t get_arg_addr(int i)
{
	return TTP_L1_ARGS + TTP_RISC * TTP_ARGS_BYTES + 4 * (uint32_t)i;
}

FORCE_INLINE uint32_t get_semaphore(uint32_t id)
{
	return ttp_get_semaphore(id);
}

FORCE_INLINE void cb_reserve_back(int32_t cb, int32_t pages) { ttp_cb_reserve_back((unsigned)cb, (uint32_t)pages); }
FORCE_INLINE void cb_push_back(int32_t cb, int32_t pages) { ttp_cb_push_back((unsigned)cb, (uint32_t)pages); }
FORCE_INLINE void cb_wait_front(int32_t cb, int32_t pages) { ttp_cb_wait_front((unsigned)cb, (uint32_t)pages); }
FORCE_INLINE void cb_pop_front(int32_t cb, int32_t pages) { ttp_cb_pop_front((unsigned)cb, (uint32_t)pages); }
FORCE_INLINE uint32_t get_write_ptr(uint32_t cb) { return ttp_get_write_ptr(cb); }
FORCE_INLINE uint32_t get_read_ptr(uint32_t cb) { return ttp_get_read_ptr(cb); }
FORCE_INLINE constexpr DataFormat get_dataformat(uint32_t) { return DataFormat::Float16_b; }
FORCE_INLINE uint32_t get_tile_size(uint32_t cb) { return ttp_get_tile_size(cb); }
FORCE_INLINE bool cb_pages_available_at_front(int32_t cb, int32_t pages)
{
	return ttp_cb_held((unsigned)cb) >= (uint32_t)pages;
}

FORCE_INLINE uint64_t get_noc_addr(uint32_t x, uint32_t y, uint32_t addr, uint8_t = noc_index)
{
	return ttp_noc_addr(x, y, addr);
}
FORCE_INLINE uint64_t get_noc_addr(uint32_t addr, uint8_t = noc_index)
{
	return (uint64_t)TTP_STATE->own_mid << 32 | addr;
}
FORCE_INLINE uint64_t get_noc_multicast_addr(uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1,
					     uint32_t addr, uint8_t = noc_index)
{
	return ttp_noc_mcast_addr(x0, y0, x1, y1, addr);
}

/* Pages over DRAM banks, or over the workers' L1. */
template <bool DRAM> struct InterleavedAddrGen {
	uint32_t bank_base_address;
	uint32_t page_size;

	FORCE_INLINE uint64_t get_noc_addr(uint32_t id, uint32_t offset = 0, uint8_t noc = noc_index) const
	{
		uint32_t aligned = (page_size + (DRAM ? 31u : 15u)) & ~(DRAM ? 31u : 15u);

		return DRAM ? ttp_dram_page_addr_on(noc, bank_base_address + offset, aligned, id) :
			      ttp_l1_page_addr(bank_base_address + offset, aligned, id);
	}
};

template <bool DRAM> struct InterleavedAddrGenFast {
	uint32_t bank_base_address;
	uint32_t page_size;
	DataFormat data_format;

	FORCE_INLINE uint64_t get_noc_addr(uint32_t id, uint32_t offset = 0, uint8_t noc = noc_index) const
	{
		return DRAM ? ttp_dram_page_addr_on(noc, bank_base_address + offset, page_size, id) :
			      ttp_l1_page_addr(bank_base_address + offset, page_size, id);
	}
};

template <bool DRAM> struct InterleavedPow2AddrGen {
	uint32_t bank_base_address;
	uint32_t log_base_2_of_page_size;

	FORCE_INLINE uint64_t get_noc_addr(uint32_t id, uint32_t offset = 0, uint8_t noc = noc_index) const
	{
		uint32_t page = 1u << log_base_2_of_page_size;

		return DRAM ? ttp_dram_page_addr_on(noc, bank_base_address + offset, page, id) :
			      ttp_l1_page_addr(bank_base_address + offset, page, id);
	}
};

/* TensorAccessor, as far as interleaved buffers go: where and how large the pages are. */
template <uint32_t first = 0, uint32_t common = 0> struct TensorAccessorArgs {
	static constexpr uint32_t next_compile_time_args_offset() { return first + 1; }
};
struct TensorAccessor {
	uint32_t base, page_size;

	template <class Args>
	constexpr TensorAccessor(const Args &, uint32_t addr, uint32_t bytes) : base(addr), page_size(bytes)
	{
	}
	FORCE_INLINE uint64_t get_noc_addr(uint32_t id, uint32_t offset = 0, uint8_t noc = noc_index) const
	{
		return ttp_dram_page_addr_on(noc, base + offset, page_size, id);
	}
};

template <class Gen> FORCE_INLINE uint64_t get_noc_addr(uint32_t id, const Gen &gen, uint32_t offset = 0, uint8_t noc = noc_index)
{
	return gen.get_noc_addr(id, offset, noc);
}
template <bool DRAM> FORCE_INLINE uint64_t get_noc_addr_from_bank_id(uint32_t bank, uint32_t addr, uint8_t noc = noc_index)
{
	return DRAM ? ttp_dram_bank_addr_on(noc, bank, addr) : ttp_l1_page_addr(addr, 0, bank);
}

FORCE_INLINE void noc_async_read(uint64_t from, uint32_t to, uint32_t bytes, uint8_t noc = noc_index)
{
	ttp_noc_async_read_on(noc, from, to, bytes);
}
FORCE_INLINE void noc_async_write(uint32_t from, uint64_t to, uint32_t bytes, uint8_t noc = noc_index)
{
	ttp_noc_async_write_on(noc, from, to, bytes);
}
FORCE_INLINE void noc_async_write_multicast(uint32_t from, uint64_t to, uint32_t bytes, uint32_t tiles,
					    bool linked = false, uint8_t noc = noc_index)
{
	ttp_noc_async_write_multicast_on(noc, from, to, bytes, tiles, linked);
}
FORCE_INLINE void noc_async_write_multicast_loopback_src(uint32_t from, uint64_t to, uint32_t bytes,
							 uint32_t tiles, bool = false, uint8_t noc = noc_index)
{
	ttp_noc_async_write_multicast_loopback_on(noc, from, to, bytes, tiles);
}

template <class Gen> FORCE_INLINE void noc_async_read_page(uint32_t id, const Gen &gen, uint32_t to, uint32_t offset = 0, uint8_t noc = noc_index)
{
	ttp_noc_async_read_on(noc, gen.get_noc_addr(id, offset, noc), to, gen.page_size);
}
template <class Gen> FORCE_INLINE void noc_async_write_page(uint32_t id, const Gen &gen, uint32_t from, uint32_t = 0, uint32_t offset = 0, uint8_t noc = noc_index)
{
	ttp_noc_async_write_on(noc, from, gen.get_noc_addr(id, offset, noc), gen.page_size);
}
template <class Gen> FORCE_INLINE void noc_async_read_tile(uint32_t id, const Gen &gen, uint32_t to, uint32_t offset = 0, uint8_t noc = noc_index)
{
	noc_async_read_page(id, gen, to, offset, noc);
}
template <class Gen> FORCE_INLINE void noc_async_write_tile(uint32_t id, const Gen &gen, uint32_t from, uint8_t noc = noc_index)
{
	noc_async_write_page(id, gen, from, 0, 0, noc);
}

/* The short forms of the user's documents: a buffer by its address, a circular buffer by its number. */
FORCE_INLINE void noc_async_read_tile(uint32_t id, uint32_t base, uint32_t cb)
{
	ttp_noc_async_read_on(noc_index, ttp_dram_page_addr(base, ttp_get_tile_size(cb), id),
			      ttp_get_write_ptr(cb), ttp_get_tile_size(cb));
}
FORCE_INLINE void noc_async_write_tile(uint32_t id, uint32_t base, uint32_t cb)
{
	ttp_noc_async_write_on(noc_index, ttp_get_read_ptr(cb),
			       ttp_dram_page_addr(base, ttp_get_tile_size(cb), id), ttp_get_tile_size(cb));
}

FORCE_INLINE void noc_async_read_barrier(uint8_t noc = noc_index) { ttp_noc_read_barrier_on(noc); }
FORCE_INLINE void noc_async_write_barrier(uint8_t noc = noc_index) { ttp_noc_write_barrier_on(noc); }
FORCE_INLINE void noc_async_writes_flushed(uint8_t noc = noc_index) { ttp_noc_writes_flushed_on(noc); }
FORCE_INLINE void noc_async_atomic_barrier(uint8_t = noc_index) { ttp_noc_async_atomic_barrier(); }
FORCE_INLINE void noc_async_full_barrier(uint8_t = noc_index) { ttp_noc_async_full_barrier(); }

FORCE_INLINE void noc_semaphore_inc(uint64_t word, uint32_t by, uint8_t noc = noc_index) { ttp_noc_atomic_inc(noc, word, by); }
FORCE_INLINE void noc_semaphore_set(volatile uint32_t *word, uint32_t v) { ttp_noc_semaphore_set(word, v); }
FORCE_INLINE void noc_semaphore_wait(volatile uint32_t *word, uint32_t v) { ttp_noc_semaphore_wait(word, v); }
FORCE_INLINE void noc_semaphore_wait_min(volatile uint32_t *word, uint32_t v) { ttp_noc_semaphore_wait_min(word, v); }
FORCE_INLINE void noc_semaphore_set_remote(uint32_t from, uint64_t to, uint8_t = noc_index) { ttp_noc_semaphore_set_remote(from, to); }
FORCE_INLINE void noc_semaphore_set_multicast(uint32_t from, uint64_t to, uint32_t tiles, bool = false, uint8_t = noc_index)
{
	ttp_noc_semaphore_set_multicast(from, to, tiles);
}
FORCE_INLINE void noc_semaphore_set_multicast_loopback_src(uint32_t from, uint64_t to, uint32_t tiles, bool = false, uint8_t = noc_index)
{
	ttp_noc_semaphore_set_multicast_loopback(from, to, tiles);
}
FORCE_INLINE void noc_inline_dw_write(uint64_t to, uint32_t v, uint8_t = 0xF, uint8_t noc = noc_index) { ttp_noc_inline_write(noc, to, v); }

#endif
