/* SPDX-License-Identifier: Apache-2.0 */
/* Memory as C expects it: variables have their first values.  For firmware and kernels. */
#ifndef TTP_FW_START_H
#define TTP_FW_START_H

#include <stdint.h>

extern uint32_t ttp_data_image[], ttp_data_start[], ttp_data_end[], ttp_bss_start[], ttp_bss_end[];

static inline __attribute__((always_inline)) void start_memory(void)
{
	volatile uint32_t *to = ttp_data_start;

	for (const volatile uint32_t *from = ttp_data_image; to < ttp_data_end;)
		*to++ = *from++;
	for (to = ttp_bss_start; to < ttp_bss_end;)
		*to++ = 0;
}

#endif /* TTP_FW_START_H */
