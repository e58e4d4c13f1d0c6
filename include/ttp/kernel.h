/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels: C11 or C++17 for the five cores of a worker tile.
 *
 *	#include <ttp/kernel.h>
 *
 *	void kernel_main(void)
 *	{
 *		DeviceZoneScopedN("copy");
 *		ttp_noc_async_read(ttp_dram_page_addr(ttp_get_arg(0), 2048, 0), ttp_get_write_ptr(0), 2048);
 *		ttp_noc_async_read_barrier();
 *	}
 *
 * docs/guide/kernels.md is the guide.  Kernels written for tt-metal include its headers by their own names,
 * which are in include/compat.
 */
#ifndef TTP_KERNEL_H
#define TTP_KERNEL_H

#include "ttp/kernel/hw.h"
#include "ttp/kernel/layout.h"
#include "ttp/kernel/print.h"
#include "ttp/kernel/profiler.h"

#if TTP_RISC < 2
#include "ttp/kernel/dataflow.h"
#else
#include "ttp/kernel/compute.h"
#endif

/* The kernel's entry; in C++ too, where its linkage does not matter. */
void kernel_main(void);

#endif /* TTP_KERNEL_H */
