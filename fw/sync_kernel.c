/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Says what the clock was when the host wrote a word: pairs (clock, word), 249 of them, behind a first pair that has the
 * clock's upper half.  Words and addresses are tt-metal's.  The word is looked at first and the clock after it, the other
 * way round than there: between two words this core does nothing but wait.
 */
#include <ttp/kernel.h>

void kernel_main(void)
{
	volatile uint32_t *word = TTP_L1(TTP_L1_PROF_CTRL) + TTP_PROF_FW_RESET_L;
	volatile uint32_t *to = TTP_L1(TTP_L1_PROF_BUFFER) + TTP_PROF_CUSTOM;

	for (uint32_t i = 0; i < SYNC_SAMPLES; i++) {
		struct ttp_time t;
		uint32_t host;

		while (!(host = *word))
			;
		t = ttp_time_now();
		if (!i) {
			to[0] = t.high;
			to[1] = t.low;
		}
		to[2 + 2 * i] = t.low;
		to[3 + 2 * i] = host;
		*word = 0;
	}
}
