// SPDX-License-Identifier: Apache-2.0
#include "report/processes.h"

#include "base/keyed.h"
#include "report/part.h"

static void show_one(const struct report *r, uint32_t row, int64_t pid,
		     void (*fn)(void *ctx, const struct report_process *p), void *ctx)
{
	struct report_process p = { .pid = pid, .program = ops_text(r->table, OPS_PROGRAM, row) };
	struct report_options o = *r->o;
	struct report of;

	o.calls.process = pid;
	o.filter = NULL;
	o.id_from = o.id_to = 0;
	report_make(&of, r->table, &o);
	p.report = &of;
	fn(ctx, &p);
	report_release(&of);
}

void processes_each(const struct report *r, size_t most,
		    void (*fn)(void *ctx, const struct report_process *p), void *ctx)
{
	SCOPED(u64map) struct u64map seen = { 0 };

	for (uint32_t row = 0; row < r->table->rows && most; row++) {
		int64_t pid = row_process(r->table, row);

		if (pid < 0 || !ops_row_is(r->table, row, OPS_ROW_DEVICE_OP) ||
		    !keyed_is_new(&seen, (uint64_t)pid))
			continue;
		show_one(r, row, pid, fn, ctx);
		most--;
	}
}
