/* SPDX-License-Identifier: Apache-2.0 */
/* Where a page of a tensor is.  With L1_TENSORS, bit 0 of an address means that the tensor lies in L1 of the workers. */
#ifndef TTP_STANDIN_PAGES_H
#define TTP_STANDIN_PAGES_H

#include <ttp/kernel.h>

static inline uint64_t page_addr(uint32_t address, uint32_t bytes, uint32_t page)
{
#ifdef L1_TENSORS
	if (address & 1)
		return ttp_l1_page_addr(address & ~1u, bytes, page);
#endif
	return ttp_dram_page_addr(address, bytes, page);
}

#endif /* TTP_STANDIN_PAGES_H */
