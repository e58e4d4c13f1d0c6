// SPDX-License-Identifier: Apache-2.0
#include "compat/process_ops_logs/counter_rules_original.h"

#include <string.h>

struct need {
	const char *metric;
	enum counter_type all_of[2];
};

static const struct need with_host[] = {
	{ "NOC Ring 0 Outgoing Backpressure",
	  { C_L1_0_NOC_RING0_OUTGOING_0, C_L1_0_NOC_RING0_OUTGOING_0_GRANT } },
	{ "NOC Ring 0 Incoming Backpressure",
	  { C_L1_0_NOC_RING0_INCOMING_0, C_L1_0_NOC_RING0_INCOMING_0_GRANT } },
	{ "NOC Ring 1 Outgoing Backpressure",
	  { C_L1_1_NOC_RING1_OUTGOING_0, C_L1_1_NOC_RING1_OUTGOING_0_GRANT } },
	{ "NOC Ring 1 Incoming Backpressure",
	  { C_L1_1_NOC_RING1_INCOMING_0, C_L1_1_NOC_RING1_INCOMING_0_GRANT } },
	{ "L1 Total Bandwidth Util", { C_L1_0_UNPACKER_0, C_L1_0_NOC_RING0_OUTGOING_0 } },
	{ "L1 Read vs Write Ratio", { C_L1_0_UNPACKER_0, C_L1_0_NOC_RING0_OUTGOING_0 } },
	{ "NOC Ring 0 Asymmetry", { C_L1_0_UNPACKER_0, C_L1_0_NOC_RING0_OUTGOING_0 } },
	{ "TDMA vs NOC L1 Share", { C_L1_0_UNPACKER_0, C_L1_0_NOC_RING0_OUTGOING_0 } },
	{ "L1 Contention Index", { C_L1_0_UNPACKER_0_GRANT, C_L1_0_NOC_RING0_OUTGOING_0_GRANT } },
	{ "NOC vs Compute Balance", { C_FPU_COUNTER, C_L1_0_NOC_RING0_OUTGOING_0 } },
	{ NULL, { 0 } },
};

static const struct need device_only[] = {
	{ "Unpacker0 Write Efficiency", { C_SRCA_WRITE_ACTUAL, C_SRCA_WRITE_ACTUAL } },
	{ "Unpacker1 Write Efficiency", { C_SRCB_WRITE_ACTUAL, C_SRCB_WRITE_ACTUAL } },
	{ "Unpacker Write Efficiency", { C_SRCA_WRITE_ACTUAL, C_SRCA_WRITE_ACTUAL } },
	{ "Packer Engine 0 Util", { C_PACKER_BUSY_0, C_PACKER_BUSY_0 } },
	{ "Packer Engine 1 Util", { C_PACKER_BUSY_0, C_PACKER_BUSY_0 } },
	{ "Packer Engine 2 Util", { C_PACKER_BUSY_0, C_PACKER_BUSY_0 } },
	{ "Compute-to-Unpack Ratio", { C_MATH_COUNTER, C_UNPACK0_BUSY_THREAD0 } },
	{ NULL, { 0 } },
};

static bool is(enum metric m, const char *name)
{
	return !strcmp(metric_info[m].name, name);
}

static const struct need *need_of(const struct need *list, enum metric m)
{
	for (; list->metric; list++)
		if (is(m, list->metric))
			return list;
	return NULL;
}

/* The first eleven are always worked out, be it to nothing. */
static bool is_of_the_first(enum metric m)
{
	for (int i = 0; i <= (int)m; i++)
		if (!strcmp(metric_info[i].name, "Unpacker-to-Math Data Flow"))
			return i == (int)m;
	return true;
}

static bool exists_with_host(enum metric m, const struct metric_facts *f)
{
	const struct need *n = need_of(with_host, m);

	if (metric_is_dead(m, f))
		return false;
	if (n)
		return f->occurs[n->all_of[0]] && f->occurs[n->all_of[1]];
	return is_of_the_first(m) || metric_needs_are_met(m, f);
}

static bool exists_without_host(enum metric m, const struct metric_facts *f)
{
	const struct need *n = need_of(device_only, m);

	if (metric_is_dead(m, f))
		return false;
	if (n)
		return f->occurs[n->all_of[0]] && f->occurs[n->all_of[1]];
	if (is(m, "Packer Efficiency"))
		return f->occurs[C_DEST_READ_GRANTED_0] || f->total[C_PACKER_BUSY] > 0;
	if (is(m, "Math-to-Pack Handoff Efficiency"))
		return f->occurs[C_AVAILABLE_MATH] || f->total[C_PACKER_BUSY] > 0;
	if (is(m, "Math Pipeline Utilization"))
		return f->total[C_MATH_INSTRN_STARTED] > 0;
	return !metric_info[m].late || metric_needs_are_met(m, f);
}

const struct counter_rules counter_rules_with_host = {
	.exists = exists_with_host,
	.infinite_loss_is_0 = true, /* pandas clips minus infinity */
	.loss_may_be_negative = true,
	.recorded_ports_count = true,
	.overlap_is_factor = true, /* under a percent sign */
	.late_are_hidden = true,
	.nameless_ops_are_hidden = true,
};

const struct counter_rules counter_rules_devices_alone = {
	.exists = exists_without_host,
	.unrecorded_is_0 = true,
	.unknown_loss_is_0 = true, /* Python's max(0.0, nan) */
	.overlap_is_factor = true,
	.first_packer_counts =
		true, /* max() and min() keep a first one that is unknown, and pass over the others */
	.srcb_by_writes = true,
	.first_sample_counts = true,
	.cores_by_place = true,
	.grid_is_average = true,
};
