// SPDX-License-Identifier: Apache-2.0
/*
 * Frozen: how process_ops_logs.py (tt-metal tools/tracy@e4f9f0b) decides where it differs from us.  Its
 * text is matched to the byte; nothing here changes for the better.
 */
#include "compat/process_ops_logs/ops_tool_original.h"

#include "compat/process_ops_logs/counter_rules_original.h"
#include "compat/process_ops_logs/exact_runs.h"

/* The time of the capture stays, so the replay stands where it was recorded. */
static int64_t time_of_capture(const struct host_events *h, const struct host_op *op,
			       const struct host_replays *r)
{
	(void)r;
	return host_op_message_ns(h, op);
}

static const struct join_rules join_rules_original = { .lost_replay_time = time_of_capture };

/* What follows the last ": "; its first line is the header, its second the message. */
static void after_last_colon(struct str text, struct str *header, struct str *message)
{
	size_t at, nl;

	while ((at = str_find(text, STR(": "))) != STR_NONE)
		text = str_from(text, at + 2);
	nl = str_find_char(text, '\n');
	*header = str_head(text, nl);
	*message = (struct str){ NULL, 0 };
	if (nl != STR_NONE) {
		text = str_from(text, nl + 1);
		*message = str_head(text, str_find_char(text, '\n'));
	}
}

static void cycles_less_overhead(struct buf *to, int64_t cycles)
{
	enum { PROFILER_OVERHEAD = 1500 }; /* taken off whatever the unit */

	buf_add_i64(to, cycles - PROFILER_OVERHEAD);
}

static const struct report_rules report_rules_original = {
	.join = &join_rules_original,
	.device_only = { .order = runs_in_detection_order,
			 .core_gap_cell = cycles_less_overhead,
			 .gaps_by_row = true,
			 .ids_alone = true },
	.entry = run_entry,
	.core_has = CORE_HAS_FW,
	.signpost = after_last_colon,
	.gaps = gaps_by_row,
	.replays_have_capture_times = true,
	.sums_over_cores = true,
	.report_tells_gaps = true,
	.quasar_from_report = true,
	.looks_up_sub_devices = true,
};

/* Runs as the original has them; as ours where it would give up. */
static void detect(struct ops_logs *l)
{
	struct detected_runs *d = &l->detected;

	if (!l->has_log)
		return;
	if (!runs_are_exact(&l->times) && exact_runs_read(d, l->log, &l->times)) {
		d->there = !l->has_host || (exact_runs_keep_ids(d) &&
					    count_replays(&d->times, &l->host, &d->replays));
		if (!d->there)
			detected_runs_release(d);
	} else if (l->has_host) {
		(void)count_replays(&l->times, &l->host, &d->replays);
	}
}

const struct ops_tool ops_tool_original = {
	.report = &report_rules_original,
	.with_host = &counter_rules_with_host,
	.devices_alone = &counter_rules_devices_alone,
	.trusts_logs = true,
	.detect = detect,
};
