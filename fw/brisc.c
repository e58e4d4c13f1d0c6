/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Firmware of BRISC, which is in charge of its tile: it lets the other cores out of their reset, takes
 * programs from the host, starts the cores that have a kernel, and at the end of each program moves
 * the markers of all cores to DRAM.
 */
#include "firmware.h"
#include "ttp/tensix_macros.h"

#define RESET_NONE 0u

FW_ENTRY

/* Before any core of this launch records something. */
static void markers_begin_all(void)
{
	volatile uint32_t *c = ttp_prof_ctrl();
	uint32_t replays = 0;

	c[TTP_PROF_DONE] = 0;
	if (TTP_MAILBOX->launch.flags & TTP_LAUNCH_REPLAY)
		c[TTP_PROF_TRACE_STATUS] = (c[TTP_PROF_TRACE_STATUS] + 1) & 0xFFFF;
	replays = c[TTP_PROF_TRACE_STATUS] << 13 & TTP_PROF_TRACE_MASK;
	if (c[TTP_PROF_RUN_COUNTER] == 0) {
		c[TTP_PROF_NOC_X] = TTP_MAILBOX->noc_x;
		c[TTP_PROF_NOC_Y] = TTP_MAILBOX->noc_y;
	}
	for (unsigned r = 0; r < TTP_RISCS; r++) {
		volatile uint32_t *b = ttp_prof_buffer(r);

		c[TTP_PROF_DEVICE_END + r] = 0; /* a core that does not run has nothing to push */
		b[TTP_PROF_ID_HH] = b[TTP_PROF_ID_HL] = 0;
		b[TTP_PROF_ID_LH] = r | (c[TTP_PROF_FLAT_ID] & 0xFF) << 5 | replays;
		b[TTP_PROF_ID_LL] = TTP_MAILBOX->launch.host_id;
		for (unsigned i = TTP_PROF_FW_START; i < TTP_PROF_CUSTOM; i++)
			b[i] = TTP_PROF_BLANK;
	}
}

/* Everything that the cores recorded, behind what is in DRAM already. */
static void push_all(void)
{
	volatile uint32_t *c = ttp_prof_ctrl();
	uint32_t cap = TTP_MAILBOX->profiler_cap_words, per_bank = c[TTP_PROF_CORES_PER_BANK];
	uint32_t flat = c[TTP_PROF_FLAT_ID], bank, dram;

	if (c[TTP_PROF_DONE] == 1)
		return;
	if (c[TTP_PROF_DRAM_ADDRESS] && per_bank) {
		bank = flat / per_bank;
		dram = c[TTP_PROF_DRAM_ADDRESS] + TTP_MAILBOX->dram_bank_offset[bank] +
		       flat % per_bank * TTP_RISCS * cap * 4;
		for (unsigned r = 0; r < TTP_RISCS; r++, dram += cap * 4) {
			uint32_t held = c[TTP_PROF_HOST_END + r];
			uint32_t words = c[TTP_PROF_DEVICE_END + r];
			uint32_t mid = (uint32_t)TTP_MAILBOX->dram_bank_xy[0][bank] << 4;

			if (!words || TTP_MAILBOX->launch.flags & TTP_LAUNCH_SILENT << r)
				continue;
			if (held + words > cap) {
				/* Of the others the host knows that it fits. */
				held = r < 2 ? ttp_prof_wait_read(r) : held;
			}
			if (held + words > cap) {
				uint32_t all = words;

				c[TTP_PROF_DROPPED] |= 1u << r;
				words = TTP_PROF_CUSTOM; /* at least firmware and kernel */
				if (held + words > cap)
					words = 0;
				ttp_prof_extra()->dram_lost[r] += ttp_markers_count(
					ttp_prof_buffer(r), words ? words : TTP_PROF_FW_START, all);
				if (!words)
					continue;
			}
			ttp_noc_write_any(0, (uint32_t)(uintptr_t)ttp_prof_buffer(r),
					  (uint64_t)mid << 32 | (dram + held * 4), words * 4,
					  TTP_WRITE_UNICAST, 1);
			c[TTP_PROF_HOST_END + r] = held + words;
		}
		/* Acknowledged, not only sent: the host reads DRAM as soon as it sees that we are done. */
		ttp_noc_wait_counter(0, TTP_NIU_WRITE_ACKS, TTP_STATE->writes_acked[0]);
	}
	c[TTP_PROF_RUN_COUNTER]++;
	c[TTP_PROF_DONE] = 1;
}

static void start_others(void)
{
	uint32_t id = TTP_REG(TTP_REG_NIU(0) + TTP_NIU_ID_LOGICAL);
	struct ttp_local *s = TTP_STATE;

	TTP_MAILBOX->noc_x = id & 63;
	TTP_MAILBOX->noc_y = id >> 6 & 63;
	s->own_mid = (id & 63) << 4 | (id >> 6 & 63) << 10;
	for (unsigned i = 0; i < TTP_DRAM_BANKS_MAX; i++) {
		s->bank_xy[0][i] = TTP_MAILBOX->dram_bank_xy[0][i];
		s->bank_xy[1][i] = TTP_MAILBOX->dram_bank_xy[1][i];
		s->bank_offset[i] = TTP_MAILBOX->dram_bank_offset[i];
	}
	for (unsigned r = 1; r < TTP_RISCS; r++)
		TTP_MAILBOX->sync[r] = TTP_RUN_INIT;
	TTP_REG(TTP_REG_CONFIG(TTP_CONFIG_T0_PC)) = TTP_L1_FW_T0;
	TTP_REG(TTP_REG_CONFIG(TTP_CONFIG_T0_PC + 1)) = TTP_L1_FW_T1;
	TTP_REG(TTP_REG_CONFIG(TTP_CONFIG_T0_PC + 2)) = TTP_L1_FW_T2;
	TTP_REG(TTP_REG_CONFIG(TTP_CONFIG_T_OVERRIDE)) = 7;
	TTP_REG(TTP_REG_CONFIG(TTP_CONFIG_NC_PC)) = TTP_L1_FW_NC;
	TTP_REG(TTP_REG_CONFIG(TTP_CONFIG_NC_OVERRIDE)) = 1;
	TTP_REG(TTP_REG_SOFT_RESET) = RESET_NONE;
	for (unsigned r = 1; r < TTP_RISCS; r++)
		while (TTP_MAILBOX->sync[r] != TTP_RUN_DONE)
			;
}

/* The counters of the circular buffers are the tile's; nobody uses them yet. */
static void reset_cb_counters(void)
{
	uint32_t mask = TTP_MAILBOX->launch.cb_mask;

	for (unsigned i = 0; mask; i++, mask >>= 1)
		if (mask & 1) {
			TTP_REG(TTP_REG_STREAM(i) + 0x0C) = 0;
			TTP_REG(TTP_REG_STREAM(i) + 0x10) = 0;
		}
}

/* ---- counters of the compute engine, as data of BRISC ---- */

#define NIU_READ_WORDS    3 /* that came into L1 */
#define NIU_WRITTEN_WORDS 8 /* that left it; 9: those without an answer */

/* What the tile's own requests moved so far, of the NoC that the chosen bank of L1 stands for. */
static void noc_words(uint32_t words[4])
{
	unsigned noc = TTP_MAILBOX->perf_counters & TTP_COUNTERS_L1_1 ? 1 : 0;

	words[0] = ttp_niu_counter(noc, NIU_WRITTEN_WORDS);
	words[1] = ttp_niu_counter(noc, NIU_WRITTEN_WORDS + 1);
	words[2] = ttp_niu_counter(noc, NIU_READ_WORDS);
	words[3] = 0;
}

static bool counted(void)
{
	return TTP_MAILBOX->perf_counters && TTP_MAILBOX->launch.entry[3];
}

static void add_counter(uint32_t number, uint32_t value, uint32_t against)
{
	volatile uint32_t *at = TTP_STATE->marker;

	if (!ttp_marker_room(6))
		return;
	ttp_marker_next(TTP_MARKER(TTP_MARKER_DATA_16B, TTP_ID_PERF_COUNTER));
	at[2] = against;
	at[3] = value;
	at[4] = 0;
	at[5] = number;
	TTP_STATE->marker += 4;
}

static void add_counters(const uint32_t before[4])
{
	static const uint8_t of_engine[][2] = {
#define X(name, number, group) { number, TTP_COUNTERS_##group },
		TTP_COUNTERS(X)
	}, of_noc[][2] = {
		TTP_COUNTERS_OF_NOC(X)
#undef X
	};
	uint32_t groups = TTP_MAILBOX->perf_counters, against = TTP_REG(TTP_COUNTERS_REF), now[4];

	for (unsigned i = 0; i < TTP_COUNTERS_N; i++)
		if (of_engine[i][1] & groups)
			add_counter(of_engine[i][0], TTP_REG(TTP_COUNTERS_VALUE(i)), against);
	noc_words(now);
	for (unsigned i = 0; i < sizeof(of_noc) / sizeof(of_noc[0]); i++)
		if (of_noc[i][1] & groups)
			add_counter(of_noc[i][0], now[i & 3] - before[i & 3], against);
}

static void run_program(void)
{
	reset_cb_counters();
	for (unsigned r = 1; r < TTP_RISCS; r++)
		if (TTP_MAILBOX->launch.entry[r])
			TTP_MAILBOX->sync[r] = TTP_RUN_GO;
	fw_run_kernel();
	for (unsigned r = 1; r < TTP_RISCS; r++)
		while (TTP_MAILBOX->sync[r] != TTP_RUN_DONE)
			;
}

void fw_main(void)
{
	start_memory();
	start_others();
	TTP_MAILBOX->version = TTP_LAYOUT_VERSION;
	TTP_MAILBOX->go = TTP_RUN_DONE;
	for (;;) {
		while (TTP_MAILBOX->go != TTP_RUN_GO)
			;
		if (fw_profiled()) {
			TTP_PLACE_AND_ID(id, "BRISC-FW");

			markers_begin_all();
			fw_markers_begin();
			fw_zone_start(id);
			if (counted()) {
				uint32_t words[4];

				TTP_REG(TTP_COUNTERS_CLEAR) = 0;
				noc_words(words);
				run_program();
				add_counters(words);
			} else {
				run_program();
			}
			fw_zone_end(id);
			fw_markers_end();
			ttp_noc_begin();
			push_all();
		} else {
			fw_markers_begin();
			run_program();
		}
		TTP_MAILBOX->go = TTP_RUN_DONE;
	}
}
