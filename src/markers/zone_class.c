// SPDX-License-Identifier: Apache-2.0
#include "markers/zone_class.h"

uint16_t classify_zone(struct str name)
{
	static const struct {
		const char *name;
		enum zone_owner owner;
	} owners[] = {
		{ "BRISC", OWNER_BRISC }, { "NCRISC", OWNER_NCRISC },
		{ "TRISC", OWNER_TRISC }, { "ERISC", OWNER_ERISC },
		{ "DM", OWNER_DM },       { "DM0", OWNER_DM0 },
		{ "TRACE", OWNER_TRACE }, { "TENSIX_RISC_AGG", OWNER_AGG },
	};
	bool kernel = str_ends(name, STR("-KERNEL")), fw = str_ends(name, STR("-FW"));
	struct str owner = str_head(name, name.len - (kernel ? 7 : fw ? 3 : 0));
	unsigned c = 0;

	if (str_has(name, STR("FW")))
		c |= ZONE_HOLDS_FW;
	if (str_has(name, STR("CQ-DISPATCH")) || str_has(name, STR("CQ-PREFETCH")))
		c |= ZONE_IS_DISPATCH;
	if (str_eq(name, STR("CB-COMPUTE-WAIT-FRONT")))
		c |= ZONE_CB_WAIT;
	if (str_eq(name, STR("CB-COMPUTE-RESERVE-BACK")))
		c |= ZONE_CB_RESERVE;
	for (size_t i = 0; (kernel || fw) && i < sizeof(owners) / sizeof(*owners); i++)
		if (str_eq(owner, str_of(owners[i].name)))
			c |= owners[i].owner | (kernel ? ZONE_IS_KERNEL : 0);
	return (uint16_t)c;
}

uint8_t classify_risc(struct str name, uint32_t id)
{
	if (id < RISC_ERISC)
		return (uint8_t)(LANE_BRISC + id);
	if (id == RISC_ERISC)
		return LANE_ERISC;
	if (id == RISC_AGG)
		return LANE_AGG;
	if (str_eq(name, STR("QUASAR_DM0")))
		return LANE_DM0;
	if (str_starts(name, STR("QUASAR_DM")))
		return LANE_DM;
	if (str_starts(name, STR("QUASAR_NEO")))
		return LANE_NEO;
	return LANE_OTHER;
}
