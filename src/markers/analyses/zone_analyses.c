// SPDX-License-Identifier: Apache-2.0
#include "markers/analyses/marker_log.h"

#include "base/keyed.h"
#include "markers/zone_class.h"

static const char *keep(struct arena *texts, struct str s)
{
	return arena_dup(texts, s.at, s.len);
}

static const char *name_of(struct arena *texts, struct str zone, struct str risc)
{
	SCOPED(buf) struct buf s = { 0 };

	buf_printf(&s, "%.*s (%.*s)", STR_ARG(zone), STR_ARG(risc));
	return keep(texts, buf_view(&s));
}

/* Neither firmware, nor the runtime's kernel around the user's, nor the command queue's. */
static bool is_users(struct str zone)
{
	return zone.len && !(classify_zone(zone) & (ZONE_OWNER | ZONE_IS_DISPATCH)) &&
	       !str_starts(zone, STR("CQ-"));
}

void zone_analysis_add(const struct marker_names *names, uint16_t zone_id, uint16_t risc_id,
		       analysis_vec *out, struct arena *texts)
{
	struct str zone = intern_get(&names->zones, zone_id);
	struct str risc = intern_get(&names->riscs, risc_id);
	const char *of_zone, *of_risc;

	if (!is_users(zone))
		return;
	of_zone = keep(texts, zone);
	of_risc = keep(texts, risc);
	*vec_push(out) = (struct analysis){
		.name = name_of(texts, zone, risc),
		.across = ACROSS_CORE,
		.type = ANALYSIS_ADJACENT,
		.start = { .risc = of_risc, .zones = { of_zone }, .phase = "ZONE_START" },
		.end = { .risc = of_risc, .zones = { of_zone }, .phase = "ZONE_END" },
	};
}

void zone_analyses(const struct marker_log *m, analysis_vec *out, struct arena *texts)
{
	SCOPED(u64map) struct u64map seen = { 0 };

	vec_each (k, &m->all) {
		if (k->type != MARKER_ZONE_START)
			continue;
		if (keyed_is_new(&seen, (uint64_t)k->zone << 16 | k->risc))
			zone_analysis_add(m->names, k->zone, k->risc, out, texts);
	}
}
