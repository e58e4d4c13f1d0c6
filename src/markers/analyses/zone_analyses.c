// SPDX-License-Identifier: Apache-2.0
#include "markers/analyses/zone_analyses.h"

#include "markers/zone_class.h"

static const char *keep(struct arena *texts, struct str s)
{
	return arena_dup(texts, s.at, s.len);
}

static const char *name_of(struct arena *texts, struct str zone, struct str risc)
{
	struct buf s = { 0 };
	const char *kept;

	buf_printf(&s, "%.*s (%.*s)", STR_ARG(zone), STR_ARG(risc));
	kept = keep(texts, buf_view(&s));
	buf_release(&s);
	return kept;
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
	struct u64map seen = { 0 };

	vec_each (k, &m->all) {
		bool added;

		if (k->type != MARKER_ZONE_START)
			continue;
		(void)u64map_get_or_put(&seen, (uint64_t)k->zone << 16 | k->risc, 0, &added);
		if (added)
			zone_analysis_add(m->names, k->zone, k->risc, out, texts);
	}
	u64map_release(&seen);
}
