// SPDX-License-Identifier: Apache-2.0
#include "trace/trace_readers.h"

uint32_t lane_begin(struct device_lane *l, int64_t cpu_ns, uint32_t loc, uint32_t thread)
{
	uint32_t zone = (uint32_t)l->tree.len;

	if (l->open.len)
		l->tree.at[l->open.at[l->open.len - 1]].children++;
	*vec_push(&l->tree) = (struct trace_device_zone){
		.cpu_start_ns = cpu_ns,
		.cpu_end_ns = -1,
		.gpu_start_ns = -1,
		.gpu_end_ns = -1,
		.loc = loc,
		.thread = thread,
		.depth = (uint16_t)l->open.len,
	};
	*vec_push(&l->open) = zone;
	l->untimed += 2;
	return zone;
}

uint32_t lane_end(struct device_lane *l, int64_t cpu_ns)
{
	uint32_t zone;

	if (!l->open.len)
		return TRACE_NONE;
	zone = l->open.at[--l->open.len];
	l->tree.at[zone].cpu_end_ns = cpu_ns;
	return zone;
}

bool lane_time(struct device_lane *l, uint32_t zone, int64_t gpu_ns)
{
	struct trace_device_zone *z = &l->tree.at[zone];
	bool start = z->gpu_start_ns < 0;

	if (start)
		z->gpu_start_ns = gpu_ns;
	else
		z->gpu_end_ns = gpu_ns;
	if (l->untimed)
		l->untimed--;
	return start;
}

void lane_add_whole(struct device_lane *l, struct trace_device_zone z)
{
	size_t at = l->tree.len;

	/* Whatever began inside of it belongs to it: whole trees at the end of the list. */
	while (at > 0) {
		size_t root = at - 1;

		while (root > 0 && l->tree.at[root].depth)
			root--;
		if (l->tree.at[root].gpu_start_ns < z.gpu_start_ns)
			break;
		at = root;
		z.children++;
	}
	(void)vec_push(&l->tree);
	for (size_t i = l->tree.len - 1; i > at; i--) {
		l->tree.at[i] = l->tree.at[i - 1];
		if (l->tree.at[i].depth < UINT16_MAX)
			l->tree.at[i].depth++;
	}
	z.depth = 0;
	l->tree.at[at] = z;
}

void lane_report(struct device_lane *l, const struct trace_sink *sink, bool all)
{
	if (!l->tree.len || (!all && (l->open.len || l->untimed)))
		return;
	TRACE_TELL(sink, device_tree, l->track, l->tree.at, l->tree.len);
	vec_clear(&l->tree);
	vec_clear(&l->open);
	l->untimed = 0;
}

void lane_release(struct device_lane *l)
{
	RELEASE(vec, &l->tree, &l->open);
}
