/* SPDX-License-Identifier: Apache-2.0 */
/* Of rows of buffer 0, HOW (sums or maxima), times what 3 begins with, into column 0 of 16.  Common argument: tiles of a row. */
#include "tiles.h"

void kernel_main(void)
{
	uint32_t wide = ttp_compute_common_arg(0);

	ttp_compute_cb_wait_front(3, 1);
	for (uint32_t n = COUNT; n; n--) {
		ttp_compute_cb_wait_front(0, wide);
		reduce_rows(HOW, 0, 3, wide);
		ttp_compute_cb_pop_front(0, wide);
		hand_on(16, 1);
	}
}
