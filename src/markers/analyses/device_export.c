// SPDX-License-Identifier: Apache-2.0
#include "markers/analyses/device_export.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/csv.h"
#include "base/json.h"
#include "base/order.h"

static void write_stats(struct json_writer *w, const struct entry_stats *s)
{
	json_put_object(w, "cycles");
	JSON_MEMBERS(w, s, count, average, median, min, max, sum);
	json_close_object(w);
}

static void write_cores(struct json_writer *w, const struct analysis_summary *a)
{
	json_put_array(w, "cores");
	vec_each (c, &a->cores) {
		json_open_object(w);
		JSON_MEMBERS(w, c, x, y);
		write_stats(w, &c->cycles);
		json_close_object(w);
	}
	json_close_array(w);
}

static void write_device(struct json_writer *w, const struct device_summary *d)
{
	json_open_object(w);
	JSON_MEMBERS(w, d, device, cores, ops);
	json_put_array(w, "analyses");
	vec_each (a, &d->analyses) {
		json_open_object(w);
		json_put_text(w, "name", str_of(a->of->name));
		write_stats(w, &a->cycles);
		if (a->of->across == ACROSS_CORE)
			write_cores(w, a);
		json_close_object(w);
	}
	json_close_array(w);
	json_close_object(w);
}

void device_summaries_json(const device_summaries *all, const struct device_log *log,
			   uint64_t markers, struct buf *to)
{
	struct json_writer w = { .to = to, .pretty = true };

	json_open_object(&w);
	JSON_MEMBERS(&w, log, arch, freq_mhz);
	json_put_count(&w, "markers", markers);
	json_put_array(&w, "devices");
	vec_each (d, all)
		write_device(&w, d);
	json_close_array(&w);
	json_close_object(&w);
	buf_char(to, '\n');
}

void device_summaries_release(device_summaries *all)
{
	vec_each (d, all) {
		vec_release_with(&d->analyses, cores);
	}
	vec_release(all);
}

static void summarise_cores(const struct device_markers *d, uint32_t analysis,
			    struct analysis_summary *to)
{
	vec_each (c, &d->cores) {
		const struct analysis_result *r = result_of(&c->results, analysis);

		if (r)
			*vec_push(&to->cores) = (struct core_summary){ c->x, c->y, entry_stats(r) };
	}
}

void device_export_json(const struct marker_log *m, const struct analysis *list, size_t n,
			struct buf *to)
{
	SCOPED(device_summaries) device_summaries all = { 0 };

	vec_each (d, &m->devices) {
		struct device_summary *s = vec_push(&all);

		*s = (struct device_summary){ .device = d->device,
					      .cores = d->cores.len,
					      .ops = d->whole.ops.len };
		for (uint32_t i = device_next_analysis(d, 0); i < n;
		     i = device_next_analysis(d, i + 1)) {
			struct analysis_summary a = { .of = &list[i] };

			if (!device_stats(d, i, &a.cycles))
				continue;
			if (list[i].across == ACROSS_CORE)
				summarise_cores(d, i, &a);
			*vec_push(&s->analyses) = a;
		}
	}
	device_summaries_json(&all, m->log, m->all.len, to);
}

static uint64_t first_time(const struct marker_log *m)
{
	uint64_t first = UINT64_MAX;

	vec_each (k, &m->all)
		first = k->time_cycles < first ? k->time_cycles : first;
	return first;
}

/* Thousandths of a µs, by whole numbers. */
static void add_time(struct buf *b, const struct marker_log *m, uint64_t cycles)
{
	uint64_t mhz = m->log->freq_mhz > 0 ? (uint64_t)m->log->freq_mhz : 1000;

	buf_printf(b, "%llu.%03llu", (unsigned long long)(cycles / mhz),
		   (unsigned long long)(cycles % mhz * 1000 / mhz));
}

static void add_event(struct buf *b, const struct marker_log *m, const struct marker *k,
		      uint64_t first, uint32_t thread)
{
	static const char phases[MARKER_TYPES] = { 'B', 'E', 0, 'i', 'i', 0, 0 };

	if (!phases[k->type])
		return;
	buf_text(b, ",\n{\"ph\":\"");
	buf_char(b, phases[k->type]);
	buf_text(b, "\",\"name\":");
	json_quote(b, intern_get(&m->names->zones, k->zone));
	buf_printf(b, ",\"pid\":%u,\"tid\":%u,\"ts\":", k->device, thread);
	add_time(b, m, k->time_cycles - first);
	if (phases[k->type] == 'i')
		buf_printf(b, ",\"s\":\"t\",\"args\":{\"data\":%llu}", (unsigned long long)k->data);
	else if (k->run_id)
		buf_printf(b, ",\"args\":{\"op\":%llu}", (unsigned long long)k->run_id);
	buf_char(b, '}');
}

void device_export_chrome(const struct marker_log *m, struct out *to)
{
	uint64_t first = first_time(m);
	SCOPED(buf) struct buf b = { 0 };
	uint32_t thread = 0;

	buf_text(
		&b,
		"{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n{\"ph\":\"M\",\"name\":\"trace\",\"pid\":0,\"tid\":0,\"args\":{}}");
	vec_each (d, &m->devices) {
		buf_printf(
			&b,
			",\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%u,\"args\":{\"name\":\"device %u\"}}",
			d->device, d->device);
		vec_each (c, &d->cores)
			vec_each (r, &c->riscs) {
				thread++;
				buf_printf(
					&b,
					",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%u,\"tid\":%u,\"args\":{\"name\":\"core %u,%u %.*s\"}}",
					d->device, thread, c->x, c->y,
					STR_ARG(str_head(intern_get(&m->names->riscs, r->risc),
							 40)));
				vec_each (i, &r->series) {
					add_event(&b, m, &m->all.at[*i], first, thread);
					if (b.len > 1 << 18)
						out_buf(to, &b);
				}
			}
	}
	buf_text(&b, "\n]}\n");
	out_buf(to, &b);
}

ORDER_IN(by_row, struct core_log *, void, (*it)->x + 100u * (*it)->y)

static void write_times(struct csv_writer *w, const struct marker_log *m, const struct core_log *c,
			uint16_t risc, struct str zone, enum marker_type type)
{
	bool any = false;

	csv_plain(w);
	vec_each (r, &c->riscs) {
		if (r->risc != risc)
			continue;
		vec_each (i, &r->series) {
			const struct marker *k = &m->all.at[*i];

			if (k->type != type || !str_eq(intern_get(&m->names->zones, k->zone), zone))
				continue;
			buf_text(w->out, any ? " " : "");
			buf_add_u64(w->out, k->time_cycles);
			any = true;
		}
	}
}

void device_export_timestamps(const struct marker_log *m, struct out *to)
{
	static const char *const heads[] = { "BRISC Firmware Start",  "BRISC Kernel start",
					     "BRISC Kernel End",      "BRISC Firmware End",
					     "NCRISC Firmware Start", "NCRISC Kernel start",
					     "NCRISC Kernel End",     "NCRISC Firmware End" };
	SCOPED(buf) struct buf b = { 0 };
	struct csv_writer w = { .out = &b, .eol = "\r\n" };

	vec_each (d, &m->devices) {
		SCOPED(vec) VEC(const struct core_log *) cores = { 0 };

		vec_each (c, &d->cores)
			*vec_push(&cores) = c;
		vec_sort_in(&cores, by_row, NULL);
		buf_printf(&b, "Clock Frequency [MHz],%lld\r\nPCIe slot,%u\r\n",
			   (long long)m->log->freq_mhz, d->device);
		csv_field(&w, STR("core x"));
		csv_field(&w, STR("core y"));
		for (size_t i = 0; i < 8; i++)
			csv_field(&w, str_of(heads[i]));
		csv_end_row(&w);
		vec_each (at, &cores) {
			const struct core_log *c = *at;

			csv_plain(&w);
			buf_add_u64(&b, c->x);
			csv_plain(&w);
			buf_add_u64(&b, c->y);
			for (int r = 0; r < 2; r++) {
				uint16_t risc = r ? RISC_NCRISC : RISC_BRISC;
				struct str fw = r ? STR("NCRISC-FW") : STR("BRISC-FW");
				struct str kernel = r ? STR("NCRISC-KERNEL") : STR("BRISC-KERNEL");

				write_times(&w, m, c, risc, fw, MARKER_ZONE_START);
				write_times(&w, m, c, risc, kernel, MARKER_ZONE_START);
				write_times(&w, m, c, risc, kernel, MARKER_ZONE_END);
				write_times(&w, m, c, risc, fw, MARKER_ZONE_END);
			}
			csv_end_row(&w);
			out_buf(to, &b);
		}
	}
	out_buf(to, &b);
}
