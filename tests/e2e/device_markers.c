// SPDX-License-Identifier: Apache-2.0
/* Counts of markers: what upstream's tests expect (A1 to A6), and what upstream loses (E). */
#include "device_probe.h"

#define TRY(call)                          \
	do {                               \
		const char *wrong_ = call; \
		if (wrong_)                \
			return wrong_;     \
	} while (0)

/* A kernel of `file` on the cores of `mask`. */
static const char *with(struct probe *p, struct launch_tile *work, const char *file, unsigned mask)
{
	for (int r = 0; r < RISCS; r++)
		if (mask >> r & 1 && !(work->kernel[r] = probe_kernel(p, file, r)))
			return because("%s for core %d: %.900s", file, r, p->reason);
	return NULL;
}

static void with_args(struct launch_tile *work, const uint32_t *args, size_t n)
{
	for (int r = 0; r < RISCS; r++)
		work->args[r] = (struct words){ args, n };
}

static const char *zones_reach_the_host(struct probe *p)
{
	uint32_t n = 3;
	struct launch_tile work = { 0 };

	TRY(probe_start(p, 1000));
	TRY(with(p, &work, "zones.c", 31));
	with_args(&work, &n, 1);
	TRY(probe_run(p, &work, 3000000)); /* more than the 21 bits that tt-metal encodes */
	TRY(probe_read(p));
	for (int r = 0; r < RISCS; r++)
		for (int type = MARKER_ZONE_START; type <= MARKER_ZONE_END; type++) {
			size_t got = probe_count(p, type, r, "TEST-FULL");

			CHECK(got == 3u * p->workers, "%zu of TEST-FULL on %s", got, risc_label(r));
		}
	CHECK(probe_count(p, MARKER_ZONE_START, 0, "BRISC-FW") == p->workers, "BRISC-FW");
	CHECK(probe_count(p, MARKER_ZONE_END, 1, "NCRISC-KERNEL") == p->workers, "NCRISC-KERNEL");
	CHECK(p->markers.at[0].host_id == 3000000, "program %u", p->markers.at[0].host_id);
	CHECK(!account_total(&p->account, ACCOUNT_TOTAL_DROPPED), "something was dropped");
	return NULL;
}

/* A1 */
static const char *thousand_programs_twice(struct probe *p)
{
	uint32_t loops = 2;
	struct launch_tile work = { 0 };

	TRY(probe_start(p, 1200));
	TRY(with(p, &work, "nops.c", 31));
	with_args(&work, &loops, 1);
	for (int round = 0; round < 2; round++) {
		for (uint32_t i = 1; i <= 1000; i++)
			TRY(probe_run(p, &work, i));
		TRY(probe_read(p));
	}
	for (int type = MARKER_ZONE_START; type <= MARKER_ZONE_END; type++) {
		size_t got = probe_count(p, type, 0, "BRISC-KERNEL");

		CHECK(got == 2000u * p->workers, "%zu of BRISC-KERNEL", got);
	}
	CHECK(!p->losses.len, "something was lost");
	return NULL;
}

/* A2; a core without a kernel takes no room, so 280 of the compute kernels fit where tt-metal has 200. */
static const char *full_dram_keeps_what_fits(struct probe *p)
{
	uint32_t loops = 1;
	struct launch_tile mover = { 0 }, all;
	size_t full = 0;

	TRY(probe_start(p, 1000));
	TRY(with(p, &mover, "nops.c", 31));
	with_args(&mover, &loops, 1);
	all = mover;
	mover.kernel[2] = mover.kernel[3] = mover.kernel[4] = NULL;
	for (uint32_t i = 0; i < 1400; i++)
		TRY(probe_run(p, i % 5 ? &mover : &all, i + 1));
	TRY(probe_read(p));
	for (int r = 0; r < RISCS; r++) {
		static const char *const names[] = { "BRISC-KERNEL", "NCRISC-KERNEL",
						     "TRISC-KERNEL" };
		size_t want = (r < 2 ? 1000u : 280u) * p->workers;
		size_t got = probe_count(p, MARKER_ZONE_END, r, names[r < 2 ? r : 2]);

		CHECK(got == want, "%zu of %s on %s, not %zu", got, names[r < 2 ? r : 2],
		      risc_label(r), want);
	}
	vec_each (l, &p->losses)
		full += l->dram_full;
	CHECK(full == 2u * p->workers, "%zu cores say that DRAM was full", full);
	CHECK(account_count(&p->account, ACCOUNT_MARKER_DRAM_FULL) == full, "the account");
	return NULL;
}

/* A3 */
static const char *cycles_are_counted(struct probe *p)
{
	uint32_t loops = 2000;
	struct launch_tile work = { 0 };
	uint64_t start[RISCS] = { 0 }, first[RISCS] = { 0 };

	TRY(probe_start(p, 1000));
	TRY(with(p, &work, "nops.c", 31));
	with_args(&work, &loops, 1);
	TRY(probe_run(p, &work, 1));
	TRY(probe_read(p));
	vec_each (m, &p->markers) {
		if (!strstr(probe_zone_name(p, m), "-KERNEL"))
			continue;
		if (m->type == MARKER_ZONE_START) {
			start[m->risc] = m->cycles;
			continue;
		}
		uint64_t took = m->cycles - start[m->risc];

		CHECK(took > 104000 && took < 104000 + 2000, "%llu cycles on %s",
		      (unsigned long long)took, risc_label(m->risc));
		if (!first[m->risc])
			first[m->risc] = took;
		CHECK(took - first[m->risc] + 100 < 200, "cores of a kind differ by %lld",
		      (long long)(took - first[m->risc]));
	}
	return NULL;
}

/* A4, E3: tt-metal says nothing about the 25 zones that did not fit. */
static const char *full_buffers_are_full_and_said_so(struct probe *p)
{
	uint32_t n = 150;
	struct launch_tile work = { 0 };

	TRY(probe_start(p, 1000));
	TRY(with(p, &work, "zones.c", 31));
	with_args(&work, &n, 1);
	for (uint32_t i = 1; i <= 23; i++)
		TRY(probe_run(p, &work, i));
	TRY(probe_read(p));
	for (int type = MARKER_ZONE_START; type <= MARKER_ZONE_END; type++) {
		size_t got = probe_count(p, type, -1, "TEST-FULL");

		CHECK(got == 5u * 23 * 125 * p->workers, "%zu of TEST-FULL", got);
	}
	CHECK(p->losses.len == 5u * p->workers, "%zu cores lost something", p->losses.len);
	vec_each (l, &p->losses)
		CHECK(l->l1_lost == 25u * 2 * 23 && !l->dram_full, "%u lost", l->l1_lost);
	CHECK(account_count(&p->account, ACCOUNT_MARKER_BUFFER_FULL) == 50ull * 23 * 5 * p->workers,
	      "the account");
	return NULL;
}

/* A6 */
static const char *data_and_events(struct probe *p)
{
	struct launch_tile work = { 0 };
	size_t got;

	TRY(probe_start(p, 1000));
	TRY(with(p, &work, "timestamped.c", 31));
	TRY(probe_run(p, &work, 1));
	TRY(probe_run(p, &work, 2));
	TRY(probe_read(p));
	got = probe_count(p, MARKER_DATA, -1, NULL) + probe_count(p, MARKER_EVENT, -1, NULL);
	CHECK(got == 5u * 2 * 100 * p->workers, "%zu markers of data and events", got);
	uint32_t next = 0;

	vec_each (m, &p->markers)
		if (m->type == MARKER_DATA) {
			CHECK(m->data[0] == (1ull << 32) + next % 50, "data 0x%llx",
			      (unsigned long long)m->data[0]);
		} else if (m->type == MARKER_EVENT) {
			CHECK(m->id == next % 50, "event %u", m->id);
			next++;
		}
	return NULL;
}

static const char *kept_zones_are_kept(struct probe *p)
{
	struct launch_tile work = { 0 };

	TRY(probe_start(p, 1000));
	TRY(with(p, &work, "kept.c", 31));
	TRY(probe_run(p, &work, 1));
	TRY(probe_read(p));
	static const char *const names[] = { "USER-MAIN", "USER-CHILD" };

	for (int i = 0; i < 2; i++)
		for (int type = MARKER_ZONE_START; type <= MARKER_ZONE_END; type++)
			CHECK(probe_count(p, type, -1, names[i]) == 5u * p->workers, "%zu of %s",
			      probe_count(p, type, -1, names[i]), names[i]);
	CHECK(probe_count(p, MARKER_ZONE_START, -1, "FILL") == 5u * 123 * p->workers, "%zu of FILL",
	      probe_count(p, MARKER_ZONE_START, -1, "FILL"));
	CHECK(!probe_count(p, -1, -1, "NEVER"), "a third one");
	CHECK(probe_count(p, MARKER_ZONE_END, 0, "BRISC-FW") == p->workers, "BRISC-FW");
	CHECK(probe_count(p, MARKER_ZONE_END, 0, "BRISC-KERNEL") == p->workers, "BRISC-KERNEL");
	return NULL;
}

/* E7 */
static const char *sums_add_up(struct probe *p)
{
	struct launch_tile work = { 0 };

	p->profile = 9;
	TRY(probe_start(p, 1000));
	TRY(with(p, &work, "sums.c", 31));
	TRY(probe_run(p, &work, 1));
	TRY(probe_read(p));
	CHECK(probe_count(p, MARKER_ZONE_TOTAL, -1, NULL) == 4u * 5 * p->workers, "%zu sums",
	      probe_count(p, MARKER_ZONE_TOTAL, -1, NULL));
	vec_each (m, &p->markers)
		if (m->type == MARKER_ZONE_TOTAL) {
			const char *name = probe_zone_name(p, m);

			if (!strcmp(name, "SUM-LONG"))
				CHECK(m->data[0] == UINT32_MAX, "SUM-LONG is %llu",
				      (unsigned long long)m->data[0]);
			else
				CHECK(m->data[0] >= 10 && m->data[0] < 2000, "%s is %llu", name,
				      (unsigned long long)m->data[0]);
		}
	vec_each (l, &p->losses)
		CHECK(l->saturated == 1 && l->sums_lost == 1, "%u saturated, %u lost", l->saturated,
		      l->sums_lost);
	CHECK(p->losses.len == 5u * p->workers, "%zu cores", p->losses.len);
	return NULL;
}

/* E1, E13, E14 */
static const char *names_survive(struct probe *p)
{
	static const char *const names[] = { "template, \"quoted\"", "two\nlines\t50%",
					     "Gr\303\274\303\237e-FW", "MY-KERNEL" };
	struct launch_tile work = { 0 };

	TRY(probe_start(p, 1000));
	TRY(with(p, &work, "odd_names.cpp", 31));
	TRY(probe_run(p, &work, 1));
	TRY(probe_read(p));
	for (int i = 0; i < 4; i++) {
		size_t want = (i ? 5u : 10u) * p->workers;

		CHECK(probe_count(p, MARKER_ZONE_END, -1, names[i]) == want, "%zu of %s",
		      probe_count(p, MARKER_ZONE_END, -1, names[i]), names[i]);
	}
	CHECK(zone_hash_text(STR("TEST-FULL,./kernel.cpp,10,KERNEL_PROFILER")) == 36986, "hash");
	return NULL;
}

/* E2 */
static const char *places_that_clash(struct probe *p)
{
	char other[32], text[600];
	unsigned i;

	TRY(probe_start(p, 1000));
	for (i = 0;; i++) {
		snprintf(other, sizeof(other), "other-%u", i);
		if (zone_hash(str_of(other), STR("clash.c"), 3) ==
		    zone_hash(STR("one"), STR("clash.c"), 2))
			break;
	}
	snprintf(text, sizeof(text),
		 "#include <ttp/kernel.h>\nvoid kernel_main(void) { DeviceZoneScopedN(\"one\"); {\n"
		 "DeviceZoneScopedN(\"%s\"); } }\n",
		 other);
	CHECK(!probe_kernel_text(p, "clash.c", text, 0), "two places with one id were taken");
	CHECK(strstr(p->reason, "rename one"), "no hint: %s", p->reason);
	return NULL;
}

static const char *invalid_launches_are_not_kept(struct probe *p)
{
	struct launch_tile work = { 0 };
	uint32_t valid = 0;

	TRY(probe_start(p, 1000));
	TRY(with(p, &work, "validate.c", 3));
	with_args(&work, &valid, 1);
	TRY(probe_run(p, &work, 1));
	valid = 1;
	TRY(probe_run(p, &work, 2));
	TRY(probe_read(p));
	vec_each (m, &p->markers)
		CHECK(m->host_id == 2, "a marker of program %u", m->host_id);
	CHECK(probe_count(p, MARKER_ZONE_END, -1, "JUDGED") == 2u * p->workers, "JUDGED");
	return NULL;
}

static const char *clock_wraps(struct probe *p, uint64_t at)
{
	struct launch_tile work = { 0 };
	uint32_t n = 120;
	uint64_t last = 0;
	bool before = false, behind = false;
	unsigned near = 0;

	TRY(probe_start(p, 1000));
	TRY(with(p, &work, "zones.c", 31));
	with_args(&work, &n, 1);
	for (uint32_t i = 1; i <= 8; i++)
		TRY(probe_run(p, &work, i));
	TRY(probe_read(p));
	vec_each (m, &p->markers) {
		CHECK(m->cycles >= at - 400000 && m->cycles < at + 400000, "a time of %llx",
		      (unsigned long long)m->cycles);
		near += m->cycles + 4 >= at && m->cycles < at + 4;
		before |= m->cycles < at;
		behind |= m->cycles >= at;
		if (m->type == MARKER_ZONE_START && !strcmp(probe_zone_name(p, m), "TEST-FULL"))
			last = m->cycles;
		else if (m->type == MARKER_ZONE_END && !strcmp(probe_zone_name(p, m), "TEST-FULL"))
			CHECK(m->cycles - last < 200, "a zone took %lld",
			      (long long)(m->cycles - last));
	}
	CHECK(before && behind, "the clock did not wrap meanwhile");
	CHECK(near || at != 5ull << 32, "no marker near the wrap");
	return NULL;
}

/* E5: every tile wraps at another moment of the run, so that all places of the code are met. */
static const char *low_word_wraps(struct probe *p)
{
	static int64_t offset[PORT_GRID_MAX][PORT_GRID_MAX];

	for (int y = 0; y < PORT_GRID_MAX; y++)
		for (int x = 0; x < PORT_GRID_MAX; x++)
			offset[y][x] = 401 * (y * 10 + x);
	p->sim.clock_start = (5ull << 32) - 50000;
	p->sim.clock_offset = offset;
	return clock_wraps(p, 5ull << 32);
}

/* E6 */
static const char *clock_of_44_bits_wraps(struct probe *p)
{
	p->sim.clock_start = (1ull << 44) - 30000;
	return clock_wraps(p, 1ull << 44);
}

/* E9 */
static const char *replays_past_16_bits(struct probe *p)
{
	uint32_t loops = 1, count = 65535;
	struct launch_tile work = { 0 };
	struct ttp_err e;

	TRY(probe_start(p, 1000));
	TRY(with(p, &work, "nops.c", 1));
	with_args(&work, &loops, 1);
	work.tile = probe_worker(p, 0);
	CHECK(!p->port->ops->write(p->port, work.tile, TTP_L1_PROF_CTRL + 4 * TTP_PROF_TRACE_STATUS,
				   &count, 4, &e),
	      "%s", e.msg);
	TRY(probe_run_on(p, &work, 1, 1));
	CHECK(!launch(&p->device, &work, 1, 2, TTP_LAUNCH_PROFILE | TTP_LAUNCH_REPLAY, &e) &&
		      !launch_wait(&p->device, 1000000, &e),
	      "%s", e.msg);
	TRY(probe_read(p));
	CHECK(p->markers.at[0].replay == 65535, "%u", p->markers.at[0].replay);
	CHECK(p->markers.at[p->markers.len - 1].replay == 65536, "%u",
	      p->markers.at[p->markers.len - 1].replay);
	return NULL;
}

/* E4; all reads are there, as many pushes as they need. */
static const char *noc_events_in_open_zones(struct probe *p)
{
	uint32_t args[2] = { 1000, 1 };
	struct launch_tile work = { 0 };

	p->noc_events = true;
	TRY(probe_start(p, 5000));
	TRY(with(p, &work, "noc_events.c", 3));
	with_args(&work, args, 2);
	for (args[1] = 0; args[1] <= 3; args[1]++)
		TRY(probe_run(p, &work, args[1]));
	TRY(probe_read(p));
	for (int r = 0; r < 2; r++) {
		size_t got = probe_count(p, MARKER_DATA, r, NULL);

		CHECK(got == 4000u * p->workers, "%zu events of %u on %s", got, 4000 * p->workers,
		      risc_label(r));
		CHECK(probe_count(p, MARKER_ZONE_END, r, "NESTED") == 7u * p->workers,
		      "%zu of NESTED", probe_count(p, MARKER_ZONE_END, r, "NESTED"));
		CHECK(probe_count(p, MARKER_ZONE_START, r, r ? "NCRISC-KERNEL" : "BRISC-KERNEL") ==
			      4u * p->workers,
		      "a KERNEL start twice");
	}
	CHECK(!p->losses.len, "something was lost");
	return NULL;
}

/* What a zone costs: two stamps and 4 words. */
static const char *a_zone_costs_30_cycles(struct probe *p)
{
	struct launch_tile work = { 0 };
	uint32_t n = 60;

	TRY(probe_start(p, 1000));
	TRY(with(p, &work, "zones.c", 31));
	with_args(&work, &n, 1);
	TRY(probe_run(p, &work, 1));
	TRY(probe_read(p));
	uint64_t start[RISCS] = { 0 }, most[RISCS] = { 0 }, inside[RISCS] = { 0 };
	unsigned seen[RISCS] = { 0 };

	vec_each (m, &p->markers) {
		if (strcmp(probe_zone_name(p, m), "TEST-FULL"))
			continue;
		if (m->type == MARKER_ZONE_START) {
			/* A nop, counting and a branch of the loop are not the zone's. */
			if (seen[m->risc]++ > 2 && m->cycles - start[m->risc] > most[m->risc] &&
			    m->cycles - start[m->risc] < 1000)
				most[m->risc] = m->cycles - start[m->risc];
			start[m->risc] = m->cycles;
		} else if (m->cycles - start[m->risc] > inside[m->risc]) {
			inside[m->risc] = m->cycles - start[m->risc];
		}
	}
	for (int r = 0; r < RISCS; r++) {
		if (getenv("PROBE_VERBOSE"))
			printf("# %s: start to start %llu, start to end %llu\n", risc_label(r),
			       (unsigned long long)most[r], (unsigned long long)inside[r]);
		CHECK(most[r] - 3 <= 30, "%llu cycles from start to start on %s",
		      (unsigned long long)most[r], risc_label(r));
	}
	return NULL;
}

/* The same in code that runs once, where nothing is in registers yet: ten zones, one behind the other. */
static const char *a_cold_zone_costs_30_cycles(struct probe *p)
{
#define COLD "{ DeviceZoneScopedN(\"cold\"); }\n"
	static const char text[] =
		"#include <ttp/kernel.h>\n"
		"void kernel_main(void) {\n"
		"uint32_t from = TTP_REG(TTP_REG_CLOCK_LOW);\n" COLD COLD COLD COLD COLD COLD COLD
			COLD COLD COLD
		"TTP_L1(TTP_L1_FREE)[TTP_RISC] = TTP_REG(TTP_REG_CLOCK_LOW) - from;\n"
		"}\n";
	struct launch_tile work = { 0 };
	uint32_t took[RISCS];
	struct ttp_err e;

	TRY(probe_start(p, 1000));
	work.tile = probe_worker(p, 0);
	for (int r = 0; r < RISCS; r++) {
		work.kernel[r] = probe_kernel_text(p, "cold.c", text, r);
		CHECK(work.kernel[r], "%s", p->reason);
	}
	TRY(probe_run(p, &work, 1));
	CHECK(!p->port->ops->read(p->port, work.tile, TTP_L1_FREE, took, sizeof(took), &e), "%s",
	      e.msg);
	for (int r = 0; r < RISCS; r++)
		CHECK(took[r] > 200 && took[r] <= 300, "ten zones take %u cycles on %s", took[r],
		      risc_label(r));
	TRY(probe_read(p));
	CHECK(probe_count(p, MARKER_ZONE_END, 4, "cold") == 10u * p->workers, "%zu zones",
	      probe_count(p, MARKER_ZONE_END, 4, "cold"));
	return NULL;
}

const struct scenario scenarios_markers[] = {
	{ "zones_reach_the_host", true, zones_reach_the_host },
	{ "thousand_programs_twice", false, thousand_programs_twice },
	{ "full_dram_keeps_what_fits", false, full_dram_keeps_what_fits },
	{ "cycles_are_counted", false, cycles_are_counted },
	{ "full_buffers_are_full_and_said_so", false, full_buffers_are_full_and_said_so },
	{ "data_and_events", true, data_and_events },
	{ "kept_zones_are_kept", true, kept_zones_are_kept },
	{ "sums_add_up", true, sums_add_up },
	{ "names_survive", true, names_survive },
	{ "places_that_clash", true, places_that_clash },
	{ "invalid_launches_are_not_kept", true, invalid_launches_are_not_kept },
	{ "low_word_wraps", false, low_word_wraps },
	{ "clock_of_44_bits_wraps", false, clock_of_44_bits_wraps },
	{ "replays_past_16_bits", true, replays_past_16_bits },
	{ "noc_events_in_open_zones", false, noc_events_in_open_zones },
	{ "a_zone_costs_30_cycles", false, a_zone_costs_30_cycles },
	{ "a_cold_zone_costs_30_cycles", false, a_cold_zone_costs_30_cycles },
	{ NULL, false, NULL },
};
