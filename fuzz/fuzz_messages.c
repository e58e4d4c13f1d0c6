// SPDX-License-Identifier: Apache-2.0
/*
 * Messages and zones of the host (parted by a line "%%"): every op is found by its id, and has its record.  The whole as one message: what
 * a client says of itself is the same when it is said again.
 */
#include <stdint.h>
#include <stdlib.h>

#include "ops/host/host_csv.h"
#include "wire/self_report.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool truth)
{
	if (!truth)
		abort();
}

static void read_self_report(struct str text)
{
	struct self_report r, again;
	char said[SELF_REPORT_MAX];

	if (!self_report_get(text, &r))
		return;
	must(self_report_get(str_n(said, self_report_put(said, &r)), &again));
	must(again.kind == r.kind);
	for (int i = 0; i < SELF_REPORT_VALUES; i++)
		must(again.values[i] == r.values[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = str_n((const char *)data, size);
	size_t cut = str_find(text, STR("\n%%\n"));
	struct host_events h = { 0 };

	if (size > 200000)
		return 0;
	read_self_report(text);
	host_events_add_messages(&h, str_head(text, cut == STR_NONE ? size : cut + 1));
	if (cut != STR_NONE)
		host_events_add_zones(&h, str_from(text, cut + 4));
	host_events_records(&h);
	for (uint32_t i = 0; i < h.ops.len; i++) {
		const struct host_op *op = &h.ops.at[i];

		must(host_op_find(&h, op->id) == i);
		must(op->has_message || op->has_zone);
		must(host_op_program(&h, op)->record == HOST_NONE ||
		     host_op_program(&h, op)->record < h.records.len);
		if (host_op_program(&h, op)->record != HOST_NONE) {
			const struct op_record *r =
				host_record_read(&h, host_op_program(&h, op)->record);

			must(r->inputs.len <= h.most_inputs && r->outputs.len <= h.most_outputs);
		}
		if (host_op_program(&h, op)->trace_id >= 0)
			(void)host_replays_find(&h, host_op_program(&h, op)->device,
						host_op_program(&h, op)->trace_id);
	}
	vec_each (c, &h.children)
		must(c->op < h.ops.len && c->name < intern_count(&h.child_names));
	host_events_release(&h);
	return 0;
}
