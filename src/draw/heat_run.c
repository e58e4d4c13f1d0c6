// SPDX-License-Identifier: Apache-2.0
#include "draw/heat_run.h"

#include "base/suggest.h"
#include "base/width.h"

/* There is no device log: what the run has, and what to do. */
static enum ttp_rc no_log(const struct run *run, const struct ops_table *ops, struct ttp_err *e)
{
	const struct run_parts *p = &run->parts;

	return ttp_fail(
		e, TTP_USAGE,
		"%s: cores are in the device log (profile_log_device.csv), and this has none%s: only %s%s%s; "
		"name the folder with it, or profile with TT_METAL_DEVICE_PROFILER=1",
		p->given, p->left_out.len ? " that can be read" : "", ops ? "an ops report" : "",
		ops && p->trace.len ? " and " : "",
		p->trace.len ? "a trace"
		: ops        ? ""
			     : "logs of the host");
}

/* There is one, but none of its zones were chosen. */
static enum ttp_rc no_zones(const struct core_times *t, const struct device_log *log,
			    const struct core_want *want, const char *path, struct ttp_err *e)
{
	struct suggest near = { .word = want->zone };
	SCOPED(buf) struct buf names = { 0 }, clean = { 0 };

	if (!t->markers)
		return ttp_fail(e, TTP_FORMAT, "%s: the log has no markers", path);
	if (want->zone.len) {
		for (uint32_t i = 0; i < intern_count(&log->names.zones); i++)
			suggest_offer(&near, intern_get(&log->names.zones, i).at);
		for (uint32_t i = 0; i < t->zone_count.len && names.len < 160; i++)
			if (t->zone_count.at[i]) {
				buf_text(&names, names.len ? ", " : "");
				width_clean(&names, str_head(intern_get(&log->names.zones, i), 60));
			}
		width_clean(&clean, str_head(want->zone, 60));
		(void)ttp_fail(e, TTP_USAGE,
			       "--zone: no zone%s of the log has \"%s\"; there are %s",
			       want->riscs.len ? " on these RISCs" : "", clean.at ? clean.at : "",
			       names.at ? names.at : "none");
	} else if (want->riscs.len) {
		for (uint32_t i = 0; i < intern_count(&log->names.riscs); i++)
			buf_printf(&names, "%s%.*s", i ? ", " : "",
				   STR_ARG(str_head(intern_get(&log->names.riscs, i), 30)));
		(void)ttp_fail(e, TTP_USAGE,
			       "--risc: no kernel of \"%.*s\" in the log; RISCs are %s",
			       STR_ARG(str_head(want->riscs, 60)), names.at ? names.at : "none");
	} else {
		(void)ttp_fail(
			e, TTP_FORMAT,
			"%s: no kernel has both a start and an end; --zone NAME shows other zones",
			path);
	}
	return e->rc;
}

enum ttp_rc heat_run_open(struct heat_run *c, struct run *run, const struct heat_ask *ask,
			  struct ttp_err *e)
{
	struct run_parts *p = &run->parts;
	const struct ops_table *ops;
	struct device_log *log;
	struct ttp_err why;

	memset(c, 0, sizeof(*c));
	/* without names there are numbers */
	ops = run_ops(run, &calls_timed_want, &why);
	if (why.rc)
		run_parts_leave_out(p, &why);
	if (!p->log.len)
		return no_log(run, ops, e);
	log = run_log(run, e);
	if (!log)
		return e->rc;
	op_names_make(&c->names, p->old_ops.len ? NULL : ops);
	core_times_read(&c->times, log, &ask->zones);
	if (!c->times.spans.len)
		return no_zones(&c->times, log, &ask->zones, p->log.at, e);
	c->has_heat = true;
	c->heat.source = path_name(p->log.at);
	return heat_make(&c->heat, &c->times, &c->names, ask, e);
}

void heat_run_close(struct heat_run *c)
{
	if (c->has_heat)
		heat_release(&c->heat);
	core_times_release(&c->times);
	op_names_release(&c->names);
}
