// SPDX-License-Identifier: Apache-2.0
#include "wire/self_report.h"

#include <stdio.h>

#define DROP_KEYS                                                                                 \
	{                                                                                         \
		"zones", "texts", "messages", "plots", "frames", "memory", "device", "in_signal", \
			"locks", "first_us_ago", "last_us_ago"                                    \
	}

static const struct {
	const char *head;
	const char *keys[SELF_REPORT_VALUES];
} texts[SELF_REPORT_KINDS] = {
	[SELF_REPORT_DROPPED] = { "ttp: dropped:", DROP_KEYS },
	[SELF_REPORT_DROPPING] = { "ttp: dropping:", DROP_KEYS },
	[SELF_REPORT_WINDOW] = { "ttp: window:", { "steps", "recorded" } },
	[SELF_REPORT_RECORDING] = { "ttp: recording:", { "step" } },
	[SELF_REPORT_NOT_RECORDING] = { "ttp: not recording:", { "step" } },
};

size_t self_report_put(char text[SELF_REPORT_MAX], const struct self_report *r)
{
	int n = snprintf(text, SELF_REPORT_MAX, "%s", texts[r->kind].head);

	for (unsigned i = 0; i < SELF_REPORT_VALUES && texts[r->kind].keys[i]; i++)
		n += snprintf(text + n, SELF_REPORT_MAX - (size_t)n, " %s=%llu",
			      texts[r->kind].keys[i], (unsigned long long)r->values[i]);
	return (size_t)n;
}

/* " key=12": the number, and what follows; false if there is none. */
static bool next_value(struct str *rest, struct str *key, uint64_t *value)
{
	size_t at = 0, equals;

	while (at < rest->len && rest->at[at] == ' ')
		at++;
	*rest = str_from(*rest, at);
	for (equals = 0; equals < rest->len && rest->at[equals] != '='; equals++)
		;
	if (equals == rest->len)
		return false;
	*key = str_head(*rest, equals);
	*value = 0;
	for (at = equals + 1; at < rest->len && rest->at[at] >= '0' && rest->at[at] <= '9'; at++)
		if (*value < UINT64_MAX / 20)
			*value = *value * 10 + (uint64_t)(rest->at[at] - '0');
	*rest = str_from(*rest, at);
	return true;
}

bool self_report_get(struct str text, struct self_report *r)
{
	unsigned kind = 0;
	struct str rest, key;
	uint64_t value;

	while (kind < SELF_REPORT_KINDS && !str_starts(text, str_of(texts[kind].head)))
		kind++;
	if (kind == SELF_REPORT_KINDS)
		return false;
	*r = (struct self_report){ .kind = kind };
	rest = str_from(text, str_of(texts[kind].head).len);
	while (next_value(&rest, &key, &value))
		for (unsigned i = 0; i < SELF_REPORT_VALUES && texts[kind].keys[i]; i++)
			if (str_eq(key, str_of(texts[kind].keys[i])))
				r->values[i] = value;
	return true;
}

bool self_report_counts_drops(const struct self_report *r)
{
	return r->kind == SELF_REPORT_DROPPED || r->kind == SELF_REPORT_DROPPING;
}
