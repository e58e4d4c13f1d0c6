// SPDX-License-Identifier: Apache-2.0
#include "compat/tt_perf_report/version.h"

/* Blackhole's peaks are its clock by the passes that a fidelity takes; Wormhole's are published. */
#define BLACKHOLE_PEAKS(ghz)                                                               \
	{                                                                                  \
		4096 * (ghz) / 1000 / 4, 4096 * (ghz) / 1000 / 3, 4096 * (ghz) / 1000 / 2, \
			4096 * (ghz) / 1000                                                \
	}
#define BLACKHOLE_PEAKS_1_2_4(ghz)                                                       \
	{                                                                                \
		4096 * (ghz) / 1000 / 4, 0, 4096 * (ghz) / 1000 / 2, 4096 * (ghz) / 1000 \
	}

static const struct arch archs_1_2_4[] = {
	{ "wormhole", 64, 12, 288, { 74.0 / 72, 0, 148.0 / 72, 262.0 / 72 } },
	{ "blackhole", 130, 12, 512, BLACKHOLE_PEAKS_1_2_4(1.35) },
	{ "bh20", 20, 12, 512, BLACKHOLE_PEAKS_1_2_4(1.35) },
	{ "n1", 20, 12, 120, BLACKHOLE_PEAKS_1_2_4(0.65) },
	{ 0 },
};

static const struct arch archs_1_3[] = {
	{ "wormhole", 64, 12, 288, { 74.0 / 72, 74.0 / 72 * 4 / 3, 148.0 / 72, 262.0 / 72 } },
	{ "blackhole", 110, 8, 512, BLACKHOLE_PEAKS(1.35) },
	{ "blackhole_p100", 110, 7, 448, BLACKHOLE_PEAKS(1.35) },
	{ "bh20", 20, 8, 512, BLACKHOLE_PEAKS(1.35) },
	{ "n1", 20, 8, 120, BLACKHOLE_PEAKS(0.65) },
	{ 0 },
};

static const struct arch_alias aliases_1_2_4[] = {
	{ "wormhole_b0", "wormhole" },
	{ 0 },
};

static const struct arch_alias aliases_1_3[] = {
	{ "wormhole_b0", "wormhole" },     { "p100", "blackhole_p100" },
	{ "p100a", "blackhole_p100" },     { "blackhole_p100a", "blackhole_p100" },
	{ "p150", "blackhole" },           { "p150a", "blackhole" },
	{ "p150b", "blackhole" },          { "p150c", "blackhole" },
	{ "blackhole_p150", "blackhole" }, { 0 },
};

static const struct compat_version versions[RELEASES] = {
	[RELEASE_1_2_4] = {
		.release = RELEASE_1_2_4,
		.name = "1.2.4",
		.archs = archs_1_2_4,
		.aliases = aliases_1_2_4,
		.gap_hint = " and use device.enable_async(True)",
		.bfp4_too_high = "HiFi2 is very likely to work for BFP8 output; it discards the lowest bit of the activations and has 2x the throughput of HiFi4",
	},
	[RELEASE_1_3] = {
		.release = RELEASE_1_3,
		.name = "1.3",
		.archs = archs_1_3,
		.aliases = aliases_1_3,
		.arch_asked = true,
		.own_budget = true,
		.careful = true,
		.drops_controls = true,
		.marks_formulas = true,
		.sparse = true,
		.whole_roofline = true,
		.tags_ops = true,
		.host_anywhere = true,
		.says_tracing = true,
		.gap_hint = "",
		.bfp4_too_high = "HiFi2 is very likely to work for BFP4 output; it discards the lowest bit of the activations and has 2x the throughput of HiFi4",
	},
};

const struct compat_version *compat_version_named(const char *name)
{
	if (!name || !name[0])
		return &versions[RELEASES - 1];
	for (int i = 0; i < RELEASES; i++)
		if (str_eq(str_of(versions[i].name), str_of(name)))
			return &versions[i];
	return NULL;
}

void compat_version_list(struct buf *b)
{
	for (int i = 0; i < RELEASES; i++)
		buf_printf(b, "%s%s", i ? ", " : "", versions[i].name);
}

const struct arch *compat_arch_named(const struct compat_version *v, struct str name)
{
	if (!name.len)
		return &v->archs[0];
	for (const struct arch_alias *a = v->aliases; a->alias; a++)
		if (str_eq_nocase(str_of(a->alias), name))
			name = str_of(a->name);
	for (const struct arch *a = v->archs; a->name; a++)
		if (str_eq_nocase(str_of(a->name), name))
			return a;
	return NULL;
}
