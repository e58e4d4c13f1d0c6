/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One of the two inputs of a block of the result.  The first core of a row (of a column, for the other input)
 * reads tiles from DRAM and sends them to the others; these say that they have room, and are notified when the
 * tiles are there.  With WRITER, the block is written at the end.
 */
#include <ttp/kernel.h>

enum {
	BUFFER,			/* in DRAM */
	FIRST, BETWEEN, NEXT,	/* the first tile, the next of the same step, of the next step */
	COUNT, STEPS,		/* tiles of a step, steps */
	CB,
	ROOM, THERE,		/* semaphores: how many have room; the tiles are there */
	SENDER, SENDER_X, SENDER_Y,
	X0, Y0, X1, Y1, OTHERS,	/* whom it is sent to */
	OUT, OUT_FIRST, OUT_ROWS, OUT_COLUMNS, OUT_NEXT_ROW
};

static void write_block(void)
{
	uint32_t rows = ttp_get_arg(OUT_ROWS), columns = ttp_get_arg(OUT_COLUMNS);
	uint32_t bytes = ttp_get_tile_size(16), at;

	ttp_cb_wait_front(16, rows * columns);
	at = ttp_get_read_ptr(16);
	for (uint32_t m = 0; m < rows; m++)
		for (uint32_t n = 0; n < columns; n++, at += bytes)
			ttp_noc_async_write(at,
					    ttp_dram_page_addr(ttp_get_arg(OUT), bytes,
							       ttp_get_arg(OUT_FIRST) + n +
								       m * ttp_get_arg(OUT_NEXT_ROW)),
					    bytes);
	ttp_noc_async_write_barrier();
	ttp_cb_pop_front(16, rows * columns);
}

void kernel_main(void)
{
	uint32_t cb = ttp_get_arg(CB), bytes = ttp_get_tile_size(cb), count = ttp_get_arg(COUNT);
	uint32_t room = ttp_get_semaphore(ttp_get_arg(ROOM)), there = ttp_get_semaphore(ttp_get_arg(THERE));
	uint32_t others = ttp_get_arg(OTHERS);

	for (uint32_t k = 0; k < ttp_get_arg(STEPS); k++) {
		DeviceZoneScopedN("step");
		uint32_t to;

		ttp_cb_reserve_back(cb, count);
		to = ttp_get_write_ptr(cb);
		if (ttp_get_arg(SENDER)) {
			for (uint32_t i = 0; i < count; i++)
				ttp_noc_async_read(ttp_dram_page_addr(ttp_get_arg(BUFFER), bytes,
								      ttp_get_arg(FIRST) +
									      i * ttp_get_arg(BETWEEN) +
									      k * ttp_get_arg(NEXT)),
						   to + i * bytes, bytes);
			ttp_noc_async_read_barrier();
			if (others) {
				ttp_noc_semaphore_wait(TTP_L1(room), others);
				ttp_noc_semaphore_set(TTP_L1(room), 0);
				ttp_noc_async_write_multicast(
					to,
					ttp_noc_rect_addr(NOC_INDEX, ttp_get_arg(X0), ttp_get_arg(Y0),
							  ttp_get_arg(X1), ttp_get_arg(Y1), to),
					count * bytes, others);
				ttp_noc_async_write_barrier();
				ttp_noc_semaphore_set_multicast(
					there,
					ttp_noc_rect_addr(NOC_INDEX, ttp_get_arg(X0), ttp_get_arg(Y0),
							  ttp_get_arg(X1), ttp_get_arg(Y1), there),
					others);
				ttp_noc_async_write_barrier();
			}
		} else {
			ttp_noc_semaphore_set(TTP_L1(there), 0);
			ttp_noc_semaphore_inc(ttp_noc_addr(ttp_get_arg(SENDER_X),
							   ttp_get_arg(SENDER_Y), room),
					      1);
			ttp_noc_semaphore_wait(TTP_L1(there), 1);
		}
		ttp_cb_push_back(cb, count);
	}
	ttp_noc_async_atomic_barrier();
#ifdef WRITER
	write_block();
#endif
}
