/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Firmware of NCRISC and the three TRISCs: wait for BRISC's word, run the kernel, say that it is done.
 */
#include "firmware.h"
#include "ttp/tensix_macros.h"

#if TTP_RISC == 1
#define FW_ZONE "NCRISC-FW"
#else
#define FW_ZONE "TRISC-FW"
#endif

FW_ENTRY

void fw_main(void)
{
	volatile uint32_t *sync = &TTP_MAILBOX->sync[TTP_RISC];

	start_memory();
#if TTP_RISC == 1
	struct ttp_local *s = TTP_STATE;

	s->own_mid = TTP_MAILBOX->noc_x << 4 | TTP_MAILBOX->noc_y << 10;
	for (unsigned i = 0; i < TTP_DRAM_BANKS_MAX; i++) {
		s->bank_xy[0][i] = TTP_MAILBOX->dram_bank_xy[0][i];
		s->bank_xy[1][i] = TTP_MAILBOX->dram_bank_xy[1][i];
		s->bank_offset[i] = TTP_MAILBOX->dram_bank_offset[i];
	}
#endif
	*sync = TTP_RUN_DONE;
	for (;;) {
		while (*sync != TTP_RUN_GO)
			;
		fw_markers_begin();
		if (fw_profiled()) {
			TTP_PLACE_AND_ID(id, FW_ZONE);

			fw_zone_start(id);
#if TTP_RISC == 3
			if (TTP_MAILBOX->perf_counters)
				TTP_REG(TTP_COUNTERS_START) = 0;
#endif
			fw_run_kernel();
#if TTP_RISC >= 2
			if (TTP_MAILBOX->perf_counters)
				TTP_REG(TTP_COUNTERS_STOP) = 0;
#endif
			fw_zone_end(id);
			fw_markers_end();
		} else {
			fw_run_kernel();
		}
		*sync = TTP_RUN_DONE;
	}
}
