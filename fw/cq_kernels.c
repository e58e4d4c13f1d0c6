/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A command queue, modelled: for each program that the host starts, one pass of the prefetcher (CQ_PART 0), the dispatcher (1) and
 * its subordinate (2), with the zones and data that tt-metal's kernels record.  What moves is real: the commands come from DRAM into
 * the prefetcher's L1 and from there to the dispatcher's; each worker gets its program's id; and the subordinate is who lets the
 * workers go.  Kernels and arguments are on the workers already, so packed writes don't carry them.
 */
#include <ttp/kernel.h>

#define COMMANDS_AT TTP_L1_FREE
#define COMMANDS_IN 0x10000u /* at most, in one read */
#define COMMANDS    0        /* semaphores of the dispatcher: commands have come ... */
#define GO          1        /* ... and the subordinate's turn */

static inline uint64_t on_tile(uint32_t xy, uint32_t address)
{
	return ttp_noc_addr(xy & 63, xy >> 6, address);
}

static inline void read_all(uint64_t from, uint32_t bytes)
{
	while (bytes) {
		uint32_t n = bytes < COMMANDS_IN ? bytes : COMMANDS_IN;

		ttp_noc_async_read(from, COMMANDS_AT, n);
		ttp_noc_async_read_barrier();
		bytes -= n;
	}
}

static inline uint32_t mailbox_at(volatile const void *field)
{
	return (uint32_t)(uintptr_t)field;
}

#if CQ_PART == 0

/* Arguments: bytes, the dispatcher. */
void kernel_main(void)
{
	DeviceZoneScopedN("CQ-PREFETCH");

	read_all(ttp_dram_bank_addr_on(NOC_INDEX, 0, 0), ttp_get_arg(0));
	ttp_noc_semaphore_inc(on_tile(ttp_get_arg(1), ttp_get_semaphore(COMMANDS)), 1);
	ttp_noc_async_atomic_barrier();
}

#elif CQ_PART == 1

#define COMMAND(number) DeviceTimestampedData("process_cmd_d_dispatch", number)

/* Arguments: bytes, the prefetcher, the id in markers and as the worker has it, workers and how many. */
void kernel_main(void)
{
	uint32_t bytes = ttp_get_arg(0), workers = ttp_get_arg(4);

	ttp_noc_semaphore_wait(TTP_L1(ttp_get_semaphore(COMMANDS)), 1);
	{
		DeviceZoneScopedN("CQ-DISPATCH");
		COMMAND(CQ_SET_WRITE_OFFSET);
		DeviceTimestampedData("runtime_host_id_dispatch", ttp_get_arg(2));
	}
	{
		DeviceZoneScopedN("CQ-DISPATCH");
		COMMAND(CQ_WRITE_PACKED_LARGE);
		read_all(on_tile(ttp_get_arg(1), COMMANDS_AT), bytes);
	}
	{
		DeviceZoneScopedN("CQ-DISPATCH");
		COMMAND(CQ_WAIT);
	}
	{
		DeviceZoneScopedN("CQ-DISPATCH");
		COMMAND(CQ_WRITE_PACKED);
		for (uint32_t i = 0; i < workers; i++)
			ttp_noc_inline_write(NOC_INDEX,
					     on_tile(ttp_get_arg(5 + i),
						     mailbox_at(&TTP_MAILBOX->launch.host_id)),
					     ttp_get_arg(3));
		ttp_noc_async_write_barrier();
	}
	{
		DeviceZoneScopedN("CQ-DISPATCH");
		COMMAND(CQ_NOTIFY_SUBORDINATE);
		*TTP_L1(ttp_get_semaphore(GO)) = 1;
	}
}

#else

/* Arguments: how many workers, and each. */
void kernel_main(void)
{
	uint32_t workers = ttp_get_arg(0);

	ttp_noc_semaphore_wait(TTP_L1(ttp_get_semaphore(GO)), 1);
	DeviceZoneScopedN("CQ-DISPATCH-SUBORDINATE");
	DeviceTimestampedData("process_cmd_d_dispatch_subordinate", CQ_SEND_GO_SIGNAL);
	for (uint32_t i = 0; i < workers; i++)
		ttp_noc_inline_write(NOC_INDEX,
				     on_tile(ttp_get_arg(1 + i), mailbox_at(&TTP_MAILBOX->go)),
				     TTP_RUN_GO);
	ttp_noc_async_write_barrier();
}

#endif
