// SPDX-License-Identifier: Apache-2.0
#include "ops/ops_make.h"

const struct ops_tool ops_tool = {
	.report = &report_rules,
	.with_host = &counter_rules,
	.devices_alone = &counter_rules,
};

static void join_with_host(struct ops_make *m)
{
	struct ops_logs *l = &m->logs;

	m->report = (struct ops_report){
		.rules = m->tool->report,
		.host = &l->host,
		.source = &l->source,
		.sub_devices =
			l->has_report || m->tool->report->looks_up_sub_devices ? &l->times : NULL,
		.freq_mhz =
			ops_logs_lack_clock(l) && !m->tool->trusts_logs ? 1000 : l->log->freq_mhz,
		.compute_cores = l->log->compute_cores,
		.arch = l->log->arch,
		.quasar = l->has_log && str_has(l->log->arch, STR("quasar")),
		.analyses = m->analyses,
		.counters = m->counters,
		.npe = l->has_npe ? &l->npe : NULL,
		.cost = l->has_cost ? &l->cost : NULL,
		.processes = l->processes,
	};
	ops_report_make(&m->report);
}

static void take_devices_alone(struct ops_make *m)
{
	struct ops_logs *l = &m->logs;

	m->devices = (struct device_only){
		.times = l->source.times,
		.sub_devices = &l->times,
		.ids = l->detected.there ? l->detected.last_id.at : NULL,
		.core_gaps = l->detected.gaps.at,
		.n_core_gaps = l->detected.gaps.len,
		.freq_mhz = l->log->freq_mhz,
		.compute_cores = l->log->compute_cores,
		.arch = l->log->arch,
		.rules = m->tool->report,
		.analyses = m->analyses,
		.counters = m->counters,
		.processes = l->processes,
	};
	device_only_make(&m->devices);
}

enum ttp_rc ops_make_read(struct ops_make *m, const char *folder, const struct ops_logs_options *o,
			  uint64_t analyses, struct ttp_err *e)
{
	struct ops_logs *l = &m->logs;
	enum ttp_rc rc;

	*m = (struct ops_make){ .tool = o->tool, .analyses = analyses };
	rc = ops_logs_read(l, folder, o, e);
	if (rc || !ops_make_any(m))
		return rc;
	if (l->source.times && (analyses >> SHOW_COUNTERS & 1))
		m->counters = counter_table_new(
			&l->times, l->has_host ? o->tool->with_host : o->tool->devices_alone,
			l->log->compute_cores);
	if (l->has_host)
		join_with_host(m);
	else
		take_devices_alone(m);
	return TTP_OK;
}

void ops_make_rows(struct ops_make *m, struct ops_rows *to)
{
	if (m->logs.has_host)
		ops_report_rows(&m->report, to);
	else if (m->logs.has_log)
		device_only_rows(&m->devices, to);
}

void ops_make_account(const struct ops_make *m, struct account *a)
{
	ops_logs_account(&m->logs, m->logs.has_host ? &m->report : NULL, a);
}

void ops_make_release(struct ops_make *m)
{
	ops_report_release(&m->report);
	device_only_release(&m->devices);
	counter_table_free(m->counters);
	ops_logs_release(&m->logs);
	*m = (struct ops_make){ 0 };
}
