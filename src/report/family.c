// SPDX-License-Identifier: Apache-2.0
#include "report/family.h"

static const struct {
	struct str text;
	struct work work;
} works[] = {
#define OP(text, family, traffic) { STR_INIT(text), { FAMILY_##family, TRAFFIC_##traffic } },
#include "report/family.def"
#undef OP
};

struct work work_of(struct str op_code)
{
	for (size_t i = 0; i < sizeof(works) / sizeof(works[0]); i++)
		if (str_has(op_code, works[i].text))
			return works[i].work;
	return (struct work){ FAMILY_OTHER, TRAFFIC_ALL };
}

const char *family_name(enum family f)
{
	static const char *const names[FAMILIES] = {
#define FAMILY(id, name, category) name,
#include "report/family.def"
#undef FAMILY
	};

	return names[f];
}

enum category family_category(enum family f)
{
	static const enum category categories[FAMILIES] = {
#define FAMILY(id, name, category) CATEGORY_##category,
#include "report/family.def"
#undef FAMILY
	};

	return categories[f];
}

const char *category_name(enum category c)
{
	static const char *const names[CATEGORIES] = { "compute",    "TM",    "DM",
						       "collective", "other", "host" };

	return names[c];
}

struct str op_short_name(struct str op_code)
{
	static const struct str tails[] = { STR_INIT("DeviceOperation"), STR_INIT("Operation"),
					    STR_INIT("Op") };

	for (size_t i = 0; i < sizeof(tails) / sizeof(tails[0]); i++)
		if (op_code.len > tails[i].len && str_ends(op_code, tails[i]))
			return str_head(op_code, op_code.len - tails[i].len);
	return op_code;
}
