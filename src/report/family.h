// SPDX-License-Identifier: Apache-2.0
/* What kind of work an op does, known from its name by the list in family.def. */
#ifndef TTP_REPORT_FAMILY_H
#define TTP_REPORT_FAMILY_H

#include "base/str.h"

enum family {
#define FAMILY(id, name, category) FAMILY_##id,
#include "report/family.def"
#undef FAMILY
	FAMILIES
};

enum category {
	CATEGORY_COMPUTE,
	CATEGORY_TM, /* shape and layout changes */
	CATEGORY_DM, /* data movement */
	CATEGORY_COLLECTIVE,
	CATEGORY_OTHER,
	CATEGORY_HOST,
	CATEGORIES
};

enum traffic { TRAFFIC_ALL, TRAFFIC_OUT_SIZED, TRAFFIC_IN0_TWICE, TRAFFIC_IN1_TWICE };

struct work {
	enum family family;
	enum traffic traffic;
};

struct work work_of(struct str op_code);
const char *family_name(enum family f);
enum category family_category(enum family f);
const char *category_name(enum category c);

/* The name without the "DeviceOperation" that nearly all carry. */
struct str op_short_name(struct str op_code);

#endif /* TTP_REPORT_FAMILY_H */
