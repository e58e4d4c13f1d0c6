// SPDX-License-Identifier: Apache-2.0
/*
 * Frozen: marks of logs of 2023; and their device_chrome_tracing.json.  There firmware of all cores is in one process per RISC; each
 * starts at T0, whenever it did start, and every mark names its thread anew.
 */
#include "base/order.h"
#include "compat/process_device_log/device_files.h"

void t0_2023_find(const struct marker_log *m, const struct device_markers *d, struct t0_2023 *t0)
{
	vec_each (c, &d->cores)
		vec_each (r, &c->riscs)
			if (r->series.len && m->all.at[r->series.at[0]].time_cycles < t0->cycles)
				*t0 = (struct t0_2023){ m->all.at[r->series.at[0]].time_cycles, c,
							r->risc };
}

ORDER_BY(by_time, struct mark_2023, cycles, order)

void marks_2023_take(const struct marker_log *m, const struct core_log *cores, size_t n,
		     const struct risc_log *risc, const struct t0_2023 *t0, marks_2023 *out)
{
	for (const struct core_log *c = cores; c < cores + n; c++)
		vec_each (r, &c->riscs) {
			if (risc && r->risc != risc->risc)
				continue;
			*vec_push(out) = (struct mark_2023){ t0->cycles, (uint32_t)out->len, 0,
							     t0->core, r->risc };
			vec_each (i, &r->series)
				*vec_push(out) =
					(struct mark_2023){ m->all.at[*i].time_cycles,
							    (uint32_t)out->len,
							    m->all.at[*i].timer_id, c, r->risc };
		}
	vec_sort(out, by_time);
}

static unsigned thread_of(const struct mark_2023 *k)
{
	return 1u + k->risc + k->core->x * 100u + k->core->y * 10000u;
}

static void put_event(struct buf *b, const struct mark_2023 *k, struct str risc, char phase,
		      uint64_t at)
{
	buf_printf(b,
		   "  {\n    \"cat\": \"PERF\",\n    \"name\": \"%.*s\",\n    \"ph\": \"%c\",\n"
		   "    \"pid\": %u,\n    \"tid\": %u,\n    \"ts\": %llu\n  },\n",
		   STR_ARG(str_head(risc, 40)), phase, thread_of(k), thread_of(k),
		   (unsigned long long)at);
}

void device_chrome_2023_write(const struct device_analysed *a, struct out *to)
{
	const struct marker_log *m = a->markers;
	struct t0_2023 t0 = { .cycles = UINT64_MAX };
	SCOPED(buf) struct buf b = { 0 };
	bool any = false;

	buf_char(&b, '[');
	vec_each (d, &m->devices) {
		SCOPED(vec) marks_2023 marks = { 0 };

		t0_2023_find(m, d, &t0);
		marks_2023_take(m, d->cores.at, d->cores.len, NULL, &t0, &marks);
		vec_each (k, &marks) {
			struct str risc = intern_get(&m->names->riscs, k->risc);

			buf_text(&b, any ? ",\n" : "\n");
			any = true;
			if (k->id == 1)
				put_event(&b, k, risc, 'B', t0.cycles);
			else if (k->id == 4)
				put_event(&b, k, risc, 'E', k->cycles);
			buf_printf(
				&b,
				"  {\n    \"args\": {\n      \"name\": \"(%u, %u)\"\n    },\n"
				"    \"name\": \"thread_name\",\n    \"ph\": \"M\",\n    \"pid\": %u,\n"
				"    \"tid\": %u\n  }",
				k->core->x, k->core->y, thread_of(k), thread_of(k));
			if (b.len > 1 << 18)
				out_buf(to, &b);
		}
	}
	buf_text(&b, any ? "\n]" : "]");
	out_buf(to, &b);
}
