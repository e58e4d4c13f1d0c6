// SPDX-License-Identifier: Apache-2.0
#include "runs/trace_cores.h"

#include "wire/run_processes.h"

/* Digits behind a text; -1 without. */
static int32_t number_after(struct str s, struct str text)
{
	size_t at = str_find(s, text);
	int64_t n = 0;
	bool any = false;

	if (at == STR_NONE)
		return -1;
	for (s = str_from(s, at + text.len); s.len && *s.at >= '0' && *s.at <= '9' && n < INT32_MAX;
	     s = str_from(s, 1)) {
		n = n * 10 + (*s.at - '0');
		any = true;
	}
	return any && n < INT32_MAX ? (int32_t)n : -1;
}

static struct trace_core core_of(struct str name)
{
	struct trace_core c = { number_after(name, STR("Device: ")), -1, -1 };
	size_t at = str_find(name, STR("Physical ("));

	if (at != STR_NONE) {
		c.x = number_after(str_from(name, at), STR("("));
		c.y = number_after(str_from(name, at), STR(","));
	}
	if (c.x < 0 || c.y < 0 || c.x > UINT16_MAX || c.y > UINT16_MAX)
		c.x = c.y = -1;
	return c;
}

/* Devices of one number in several processes are as many chips. */
static int32_t stride_of(const struct trace *t)
{
	int32_t most = 0;
	bool shared = false;

	for (uint32_t i = 0; t->processes.len > 1 && i < t->contexts.len; i++) {
		int32_t device = core_of(trace_str(t, t->contexts.at[i].name)).device;

		most = device > most && device < 1024 ? device : most;
		for (uint32_t k = 0; !shared && k < i; k++)
			shared = t->contexts.at[k].process != t->contexts.at[i].process &&
				 device >= 0 &&
				 core_of(trace_str(t, t->contexts.at[k].name)).device == device;
	}
	return shared ? most + 1 : -1;
}

static int32_t chip_of(struct trace_cores *c, const struct trace *t, uint32_t context,
		       int32_t device)
{
	uint32_t process = t->contexts.at[context].process;

	if (device < 0 || process >= t->processes.len)
		return device;
	if (c->processes)
		return (int32_t)run_chip_of(c->processes, (int64_t)t->processes.at[process].pid,
					    (uint32_t)device);
	if (!c->stride)
		c->stride = stride_of(t);
	return c->stride > device ? (int32_t)process * c->stride + device : device;
}

struct trace_core trace_cores_lane(struct trace_cores *c, const struct trace *t, uint32_t lane)
{
	uint32_t context = lane < t->tracks.len ? t->tracks.at[lane].context : TRACE_NONE;

	if (context >= t->contexts.len)
		return (struct trace_core){ -1, -1, -1 };
	while (c->of_context.len <= context) {
		uint32_t i = (uint32_t)c->of_context.len;
		struct trace_core core = core_of(trace_str(t, t->contexts.at[i].name));

		core.device = chip_of(c, t, i, core.device);
		*vec_push(&c->of_context) = core;
	}
	return c->of_context.at[context];
}

void trace_cores_release(struct trace_cores *c)
{
	vec_release(&c->of_context);
}

/* Zones of the firmware name the RISC as well. */
enum risc trace_lane_risc(const struct trace *t, uint32_t lane, uint32_t loc)
{
	struct str name = trace_loc_name(t, loc);
	uint64_t number = lane < t->tracks.len ? t->tracks.at[lane].tid % 8 : RISC_ERISC;

	if (str_starts(name, STR("BRISC")))
		return RISC_BRISC;
	if (str_starts(name, STR("NCRISC")))
		return RISC_NCRISC;
	if (str_starts(name, STR("ERISC")))
		return RISC_ERISC;
	return number < 5 ? (enum risc)number : RISC_ERISC;
}

uint64_t trace_loc_run_id(const struct trace *t, uint32_t loc)
{
	struct str f = trace_str(t, trace_loc_at(t, loc)->function);
	uint64_t v = 0;

	if (!str_starts(f, STR("OP ID:")))
		return 0;
	for (f = str_from(f, 6); f.len && *f.at >= '0' && *f.at <= '9'; f = str_from(f, 1))
		v = v * 10 + (uint64_t)(*f.at - '0');
	return v;
}

void trace_cores_sights(struct trace_cores *c, const struct trace *t, uint32_t lane,
			const struct trace_device_zone *zones, size_t n, struct clock_map *to)
{
	struct trace_core core = trace_cores_lane(c, t, lane);

	for (size_t i = 0; i < n && core.device >= 0; i++) {
		const struct trace_device_zone *z = &zones[i];
		struct device_sight s = { .device = (uint32_t)core.device,
					  .start_ns = z->gpu_start_ns };

		if (z->depth || z->gpu_start_ns < 0 || z->gpu_end_ns < z->gpu_start_ns)
			continue;
		if (core.x >= 0) {
			s.x = (uint16_t)core.x;
			s.y = (uint16_t)core.y;
			s.risc = (uint8_t)trace_lane_risc(t, lane, z->loc);
			s.run_id = trace_loc_run_id(t, z->loc);
		}
		clock_map_sight(to, &s);
	}
}
