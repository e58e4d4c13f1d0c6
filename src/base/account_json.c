// SPDX-License-Identifier: Apache-2.0
#include "base/account_json.h"

void account_json(struct account *a, struct json_writer *w)
{
	static const char *const totals[ACCOUNT_TOTALS] = { NULL, "seen", "timed", "partial",
							    "dropped" };
	const struct account_entry *entry;
	size_t n;

	json_open_object(w);
	for (int i = ACCOUNT_TOTAL_SEEN; i < ACCOUNT_TOTALS; i++) {
		json_write_key(w, str_of(totals[i]));
		json_write_u64(w, account_total(a, (enum account_total)i));
	}
	json_write_key(w, STR("causes"));
	json_open_array(w);
	entry = account_sorted(a, &n);
	for (size_t i = 0; i < n; i++) {
		if (entry[i].what < ACCOUNT_FIRST_CAUSE)
			continue;
		json_open_object(w);
		json_write_key(w, STR("what"));
		json_write_str(w, str_of(account_text(entry[i].what, entry[i].count)));
		json_write_key(w, STR("count"));
		json_write_u64(w, entry[i].count);
		if (entry[i].place.device >= 0) {
			json_write_key(w, STR("device"));
			json_write_i64(w, entry[i].place.device);
		}
		if (entry[i].place.core_x >= 0) {
			json_write_key(w, STR("core"));
			json_open_array(w);
			json_write_i64(w, entry[i].place.core_x);
			json_write_i64(w, entry[i].place.core_y);
			json_close_array(w);
		}
		if (entry[i].place.risc) {
			json_write_key(w, STR("risc"));
			json_write_str(w, str_of(entry[i].place.risc));
		}
		json_write_key(w, STR("hint"));
		json_write_str(w, str_of(account_hint(entry[i].what)));
		json_close_object(w);
	}
	json_close_array(w);
	json_close_object(w);
}
