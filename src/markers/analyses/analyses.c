// SPDX-License-Identifier: Apache-2.0
#include "markers/analyses/analyses.h"

#define KERNELS                                                                                    \
	"BRISC-KERNEL", "NCRISC-KERNEL", "TRISC-KERNEL", "ERISC-KERNEL", "TENSIX_RISC_AGG-KERNEL", \
		"DM-KERNEL"
#define FIRMWARES "BRISC-FW", "NCRISC-FW", "TRISC-FW", "ERISC-FW", "TENSIX_RISC_AGG-FW", "DM-FW"

#define ANY_OF(when, ...)                                                                     \
	{                                                                                     \
		.any_core = true, .risc = "ANY", .zones = { __VA_ARGS__ }, .zone_list = true, \
		.phase = when                                                                 \
	}
#define ONE(who, zone, when)                                                    \
	{                                                                       \
		.any_core = true, .risc = who, .zones = { zone }, .phase = when \
	}
#define PLAIN(who, zone)                       \
	{                                      \
		.risc = who, .zones = { zone } \
	}
#define SAME(who, zone)    ONE(who, zone, NULL), ONE(who, zone, NULL)
#define BETWEEN(who, zone) PLAIN(who, zone), PLAIN(who, zone)
#define ALL(when, ...)     ANY_OF(when, __VA_ARGS__), ANY_OF(when, __VA_ARGS__)
#define OPS_FIRST_LAST     ACROSS_OPS, ANALYSIS_FIRST_LAST
#define NOTHING              \
	{                    \
		.risc = NULL \
	}

static const struct analysis default_analyses[] = {
	{ "trace_fw_duration", OPS_FIRST_LAST, SAME("TENSIX_RISC_AGG", "TRACE-FW") },
	{ "trace_kernel_duration", OPS_FIRST_LAST, SAME("TENSIX_RISC_AGG", "TRACE-KERNEL") },
	{ "trace2trace - FW", ACROSS_DEVICE, ANALYSIS_ADJACENT, ONE("ANY", "TRACE-FW", "ZONE_END"),
	  ONE("ANY", "TRACE-FW", "ZONE_START") },
	{ "trace2trace - kernel", ACROSS_DEVICE, ANALYSIS_ADJACENT,
	  ONE("ANY", "TRACE-KERNEL", "ZONE_END"), ONE("ANY", "TRACE-KERNEL", "ZONE_START") },
	{ "op2op", ACROSS_CORE, ANALYSIS_ADJACENT, ANY_OF("ZONE_END", KERNELS),
	  ANY_OF("ZONE_START", "BRISC-KERNEL", "NCRISC-KERNEL") },
	{ "device_kernel_first_to_last_start", OPS_FIRST_LAST, ALL("ZONE_START", KERNELS) },
	{ "device_kernel_duration_per_core", ACROSS_OPS, ANALYSIS_CORE_FIRST_LAST,
	  ALL(NULL, KERNELS) },
	{ "device_fw_duration", OPS_FIRST_LAST, ALL(NULL, FIRMWARES) },
	{ "device_kernel_duration", OPS_FIRST_LAST, ALL(NULL, KERNELS) },
	{ "device_kernel_duration_dm_start", OPS_FIRST_LAST,
	  ANY_OF(NULL, "BRISC-KERNEL", "NCRISC-KERNEL", "ERISC-KERNEL"), ANY_OF(NULL, KERNELS) },
	{ "device_brisc_kernel_duration", OPS_FIRST_LAST, SAME("BRISC", "BRISC-KERNEL") },
	{ "device_ncrisc_kernel_duration", OPS_FIRST_LAST, SAME("NCRISC", "NCRISC-KERNEL") },
	{ "device_trisc0_kernel_duration", OPS_FIRST_LAST, SAME("TRISC_0", "TRISC-KERNEL") },
	{ "device_trisc1_kernel_duration", OPS_FIRST_LAST, SAME("TRISC_1", "TRISC-KERNEL") },
	{ "device_trisc2_kernel_duration", OPS_FIRST_LAST, SAME("TRISC_2", "TRISC-KERNEL") },
	{ "device_erisc_kernel_duration", OPS_FIRST_LAST, SAME("ERISC", "ERISC-KERNEL") },
	{ "device_compute_cb_wait_front", ACROSS_OPS, ANALYSIS_SUM,
	  PLAIN("TRISC_0", "CB-COMPUTE-WAIT-FRONT"), NOTHING },
	{ "device_compute_cb_reserve_back", ACROSS_OPS, ANALYSIS_SUM,
	  PLAIN("TRISC_2", "CB-COMPUTE-RESERVE-BACK"), NOTHING },
	{ "dispatch_total_cq_cmd_op_time", ACROSS_DISPATCH_OPS, ANALYSIS_FIRST_LAST,
	  SAME("BRISC", "CQ_DISPATCH_*") },
	{ "dispatch_go_send_wait_time", ACROSS_DISPATCH_OPS, ANALYSIS_FIRST_LAST,
	  SAME("NCRISC", "CQ_DISPATCH_CMD_SEND_GO_SIGNAL") },
	{ "perf_counter_data", ACROSS_DEVICE, ANALYSIS_EVENT, { .risc = "BRISC" }, NOTHING },
	{ 0 },
};

#define KERNEL_TIME(risc, zone)                                                                    \
	{                                                                                          \
		risc " KERNEL_START->KERNEL_END", ACROSS_CORE, ANALYSIS_ADJACENT, SAME(risc, zone) \
	}

static const struct analysis events[] = {
	{ "erisc_events", ACROSS_DEVICE, ANALYSIS_EVENT, { .risc = "ERISC" }, NOTHING },
	{ "all_events", ACROSS_DEVICE, ANALYSIS_EVENT, { .risc = "ANY" }, NOTHING },
	{ 0 },
};
#define FIVE_KERNELS                                                                            \
	KERNEL_TIME("BRISC", "BRISC-KERNEL"), KERNEL_TIME("NCRISC", "NCRISC-KERNEL"),           \
		KERNEL_TIME("TRISC_0", "TRISC-KERNEL"), KERNEL_TIME("TRISC_1", "TRISC-KERNEL"), \
		KERNEL_TIME("TRISC_2", "TRISC-KERNEL")
#define DM_KERNEL(n)       KERNEL_TIME("QUASAR_DM" #n, "DM-KERNEL")
#define NEO_KERNEL(neo, n) KERNEL_TIME("QUASAR_NEO" #neo "_TRISC" #n, "TRISC-KERNEL")
#define NEO_KERNELS(neo) \
	NEO_KERNEL(neo, 0), NEO_KERNEL(neo, 1), NEO_KERNEL(neo, 2), NEO_KERNEL(neo, 3)

static const struct analysis one_kernel[] = { KERNEL_TIME("BRISC", "BRISC-KERNEL"), { 0 } };
static const struct analysis five_kernels[] = { FIVE_KERNELS, { 0 } };
static const struct analysis all_kernels[] = {
	FIVE_KERNELS, DM_KERNEL(2),   DM_KERNEL(3),   DM_KERNEL(4),   DM_KERNEL(5),   DM_KERNEL(6),
	DM_KERNEL(7), NEO_KERNELS(0), NEO_KERNELS(1), NEO_KERNELS(2), NEO_KERNELS(3), { 0 },
};
static const struct analysis full_buffer[] = {
	{ "Marker Repeat", ACROSS_CORE, ANALYSIS_ADJACENT, BETWEEN("ANY", "TEST-FULL") },
	{ "Marker Repeat ETH", ACROSS_CORE, ANALYSIS_ADJACENT, BETWEEN("ERISC", "TEST-FULL") },
	{ 0 },
};
#define COMMAND(name, command)                                              \
	{                                                                   \
		"Tensix CQ Dispatch " name, ACROSS_CORE, ANALYSIS_ADJACENT, \
			BETWEEN("BRISC", "CQ-DISPATCH:0:" command)          \
	}

/* The zone of a command is named after it and its kind. */
static const struct analysis dispatch_cores[] = {
	COMMAND("Write Offset",
		"CQ_DISPATCH_CMD_SET_WRITE_OFFSET:0:CQ_DISPATCH_CMD_SET_WRITE_OFFSET"),
	COMMAND("Terminate", "CQ_DISPATCH_CMD_TERMINATE"),
	COMMAND("Wait", "CQ_DISPATCH_CMD_WAIT"),
	COMMAND("Write Linear", "CQ_DISPATCH_CMD_WRITE_LINEAR"),
	COMMAND("Write Linear H Host", "CQ_DISPATCH_CMD_WRITE_LINEAR_H_HOST"),
	COMMAND("Write Packed Large Type Program Binaries",
		"CQ_DISPATCH_CMD_WRITE_PACKED_LARGE:0:CQ_DISPATCH_CMD_PACKED_WRITE_LARGE_TYPE_PROGRAM_BINARIES"),
	COMMAND("Write Packed Flag Type Event",
		"CQ_DISPATCH_CMD_WRITE_PACKED:0:CQ_DISPATCH_CMD_PACKED_WRITE_FLAG_TYPE_EVENT"),
	COMMAND("Write Packed Flag Type Launch",
		"CQ_DISPATCH_CMD_WRITE_PACKED:0:MCAST;CQ_DISPATCH_CMD_PACKED_WRITE_FLAG_TYPE_LAUNCH"),
	COMMAND("Write Paged", "CQ_DISPATCH_CMD_WRITE_PAGED"),
	COMMAND("Notify Subordinate Go Signal", "CQ_DISPATCH_NOTIFY_SUBORDINATE_GO_SIGNAL"),
	{ "Tensix CQ Prefetch", ACROSS_CORE, ANALYSIS_ADJACENT, BETWEEN("BRISC", "CQ-PREFETCH") },
	{ 0 },
};
static const struct analysis ethernet_dispatch_cores[] = {
	{ "Ethernet CQ Dispatch", ACROSS_CORE, ANALYSIS_ADJACENT, BETWEEN("ERISC", "CQ-DISPATCH") },
	{ "Ethernet CQ Prefetch", ACROSS_CORE, ANALYSIS_ADJACENT, BETWEEN("ERISC", "CQ-PREFETCH") },
	{ 0 },
};
static const struct analysis noc[] = {
	{ "NoC For Loop", ACROSS_CORE, ANALYSIS_ADJACENT, BETWEEN("NCRISC", "NOC-FOR-LOOP") },
	{ 0 },
};
static const struct analysis none[] = { { 0 } };

const struct setup setups[] = {
	{ "default_setup", true, none },
	{ "test_timestamped_events", false, events },
	{ "test_multi_op", false, one_kernel },
	{ "test_multi_op_buffer_overflow", false, five_kernels },
	{ "test_custom_cycle_count", false, all_kernels },
	{ "test_custom_cycle_count_slow_dispatch", false, all_kernels },
	{ "test_full_buffer", false, full_buffer },
	{ "test_dispatch_cores", false, dispatch_cores },
	{ "test_dispatch_cores_extended_worker", false, dispatch_cores },
	{ "test_ethernet_dispatch_cores", false, ethernet_dispatch_cores },
	{ "test_noc", false, noc },
	{ NULL, false, NULL },
};

const char *across_name(enum across a)
{
	static const char *const names[] = { ACROSS_LIST(LIST_2ND) };

	return names[a];
}

const char *analysis_type_name(enum analysis_type t)
{
	static const char *const names[] = { ANALYSIS_TYPE_LIST(LIST_2ND) };

	return names[t];
}

const struct setup *setup_find(struct str name)
{
	for (const struct setup *s = setups; s->name; s++)
		if (str_eq(name, str_of(s->name)))
			return s;
	return NULL;
}

const struct analysis *setup_default_analyses(void)
{
	return default_analyses;
}

void setup_analyses(const struct setup *s, analysis_vec *out)
{
	for (const struct analysis *a = s->own; a->name; a++)
		*vec_push(out) = *a;
	for (const struct analysis *a = default_analyses; a->name; a++)
		*vec_push(out) = *a;
}

static const char *keep(struct arena *texts, struct str s)
{
	return arena_dup(texts, s.at, s.len);
}

/* "BRISC MY-ZONE ZONE_START" */
static bool read_side(struct str value, struct analysis_side *side, struct arena *texts)
{
	struct str rest = str_trim(value), word;
	size_t zones = 0;

	*side = (struct analysis_side){ .any_core = true };
	while (rest.len) {
		size_t blank = str_find_char(rest, ' ');

		word = str_head(rest, blank);
		rest = blank == STR_NONE ? str_n(rest.at, 0) : str_trim(str_from(rest, blank));
		if (!side->risc)
			side->risc = keep(texts, word);
		else if (str_eq(word, STR("ZONE_START")) || str_eq(word, STR("ZONE_END")))
			side->phase = keep(texts, word);
		else if (zones < ANALYSIS_ZONES_MAX - 1)
			side->zones[zones++] = keep(texts, word);
		else
			return false;
	}
	side->zone_list = zones > 1;
	return side->risc && zones;
}

static bool set_key(struct analysis *a, struct str key, struct str value, struct arena *texts)
{
	if (str_eq(key, STR("start")) || str_eq(key, STR("marker")))
		return read_side(value, &a->start, texts);
	if (str_eq(key, STR("end")))
		return read_side(value, &a->end, texts);
	if (str_eq(key, STR("across"))) {
		for (int i = 0; i < ACROSS_KINDS; i++)
			if (str_eq(value, str_of(across_name((enum across)i)))) {
				a->across = (enum across)i;
				return true;
			}
		return false;
	}
	if (!str_eq(key, STR("type")))
		return false;
	for (int i = 0; i < ANALYSIS_EVENT; i++) {
		struct str name = str_of(analysis_type_name((enum analysis_type)i));

		/* first_last is op_first_last as well */
		if (str_eq(value, name) ||
		    (str_starts(name, STR("op_")) && str_eq(value, str_from(name, 3)))) {
			a->type = (enum analysis_type)i;
			return true;
		}
	}
	return false;
}

static enum ttp_rc check(const struct analysis *a, const char *name, struct ttp_err *e)
{
	if (!a->name)
		return TTP_OK;
	if (!a->start.risc || (a->type != ANALYSIS_SUM && !a->end.risc))
		return ttp_fail(e, TTP_FORMAT, "%s: [%s] lacks a start or an end", name, a->name);
	if (a->type == ANALYSIS_CORE_FIRST_LAST && a->across != ACROSS_OPS)
		return ttp_fail(e, TTP_FORMAT, "%s: [%s] core_first_last is across ops", name,
				a->name);
	return TTP_OK;
}

enum ttp_rc analyses_read(struct str text, const char *name, analysis_vec *out, struct arena *texts,
			  struct ttp_err *e)
{
	struct analysis a = { 0 };
	struct str line;
	enum ttp_rc rc;

	if (str_starts(str_trim(text), STR("{")))
		return analyses_read_json(text, name, out, texts, e);
	for (unsigned n = 1; str_split(&text, '\n', &line); n++) {
		size_t equals;

		line = str_trim(line);
		if (!line.len || line.at[0] == '#')
			continue;
		if (line.at[0] == '[' && line.at[line.len - 1] == ']' && line.len > 2) {
			TTP_TRY(check(&a, name, e));
			if (a.name)
				*vec_push(out) = a;
			a = (struct analysis){ .name = keep(texts,
							    str_n(line.at + 1, line.len - 2)) };
			continue;
		}
		equals = str_find_char(line, '=');
		if (!a.name || equals == STR_NONE ||
		    !set_key(&a, str_trim(str_head(line, equals)),
			     str_trim(str_from(line, equals + 1)), texts))
			return ttp_fail(e, TTP_FORMAT, "%s: line %u: not understood: \"%.*s\"",
					name, n, STR_ARG(str_head(line, 60)));
	}
	rc = check(&a, name, e);
	if (!rc && a.name)
		*vec_push(out) = a;
	return rc;
}
