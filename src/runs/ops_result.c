// SPDX-License-Identifier: Apache-2.0
/* What was made of logs, for people and programs. */
#include <math.h>

#include "base/json.h"
#include "ops/account_json.h"
#include "runs/ops_reports.h"

static void write_cost(struct json_writer *w, const struct run_cost *c)
{
	json_put_number(w, "host_zone_ns", c->host_zone_ns);
	json_put_array(w, "devices");
	vec_each (d, &c->devices) {
		json_open_object(w);
		json_put_whole(w, "device", d->device);
		json_put_number(w, "zone_cycles", d->zone_cycles);
		json_put_number(w, "clock_error_ns",
				d->error_ns > 0 ? d->error_ns : NAN); /* null */
		json_close_object(w);
	}
	json_close_array(w);
}

/* Of the devices that were synced: how far host and device, and two devices, may be apart. */
static void print_clocks(const struct run_cost *c, struct buf *b)
{
	double most = 0, next = 0;
	size_t n = 0;

	vec_each (d, &c->devices) {
		n += d->error_ns > 0;
		if (d->error_ns > most) {
			next = most;
			most = d->error_ns;
		} else if (d->error_ns > next) {
			next = d->error_ns;
		}
	}
	if (!n)
		return;
	buf_printf(b, "clocks: device and host agree within %.2f us", most / 1000);
	if (n > 1)
		buf_printf(b, ", two of %zu devices within %.2f us", n, (most + next) / 1000);
	buf_char(b, '\n');
}

void ops_result_json(struct ops_result *r, struct buf *b)
{
	struct json_writer w = { .to = b, .pretty = true };

	json_open_object(&w);
	json_put_text(&w, "report", buf_view(&r->path));
	if (r->per_core_path.len && r->device_only)
		json_put_text(&w, "per_core", buf_view(&r->per_core_path));
	json_put_count(&w, "rows", r->made.report.join.rows.len);
	json_write_key(&w, STR("account"));
	account_json_write(&w, &r->account);
	if (r->made.logs.has_cost)
		write_cost(&w, &r->made.logs.cost);
	json_close_object(&w);
	buf_char(b, '\n');
}

static bool has_devices(const struct run_source *s)
{
	for (size_t i = 1; i < run_count(s); i++)
		if (run_at(s, i).device != run_at(s, 0).device)
			return true;
	return false;
}

void ops_result_text(struct ops_result *r, struct buf *b)
{
	/* in the words of `ttprof report`, where an op of several devices is one */
	account_summary(&r->account,
			has_devices(&r->made.logs.source) ? STR("rows (one per op and device)")
							  : STR("ops"),
			b);
	buf_char(b, '\n');
	account_details(&r->account, b);
	if (r->device_only && r->per_core_path.len)
		buf_printf(b, "per core times generated at: %s\n", r->per_core_path.at);
	if (r->made.logs.has_cost)
		print_clocks(&r->made.logs.cost, b);
	buf_printf(b, "OPs csv generated at: %s\n", r->path.at);
}

bool ops_result_is_whole(const struct ops_result *r)
{
	for (int i = ACCOUNT_FIRST_CAUSE; i < ACCOUNT_WHATS; i++)
		if (account_count(&r->account, (enum account_what)i))
			return false;
	return true;
}
