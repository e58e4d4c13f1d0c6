// SPDX-License-Identifier: Apache-2.0
/*
 * Frozen: device_chrome_tracing.json of 2023 (tt-metal d6ef7b5c340).  Firmware of all cores in one process per RISC; each
 * starts at T0, whenever it did start, and every mark names its thread anew.
 */
#include "ops/compat/device_chrome_2023.h"

#include <stdlib.h>

struct mark {
	uint64_t cycles;
	uint32_t order; /* of cores, RISCs and marks in the log */
	uint32_t id;
	const struct core_log *core;
	uint16_t risc;
};

typedef VEC(struct mark) mark_vec;

static int by_time(const void *a, const void *b)
{
	const struct mark *l = a, *r = b;

	if (l->cycles != r->cycles)
		return l->cycles < r->cycles ? -1 : 1;
	return l->order < r->order ? -1 : l->order > r->order;
}

/* T0 is the earliest mark of this device and of those before it. */
static const struct core_log *find_t0(const struct marker_log *m, const struct device_markers *d,
				      uint64_t *t0, const struct core_log *core)
{
	vec_each (c, &d->cores)
		vec_each (i, &c->series)
			if (m->all.at[*i].time_cycles < *t0) {
				*t0 = m->all.at[*i].time_cycles;
				core = c;
			}
	return core;
}

static void take_marks(const struct marker_log *m, const struct device_markers *d, uint64_t t0,
		       const struct core_log *t0_core, mark_vec *out)
{
	vec_each (c, &d->cores)
		vec_each (r, &c->riscs) {
			/* T0 is put in front of every RISC's marks, and belongs to the core that set it */
			*vec_push(out) =
				(struct mark){ t0, (uint32_t)out->len, 0, t0_core, r->risc };
			vec_each (i, &r->series)
				*vec_push(out) =
					(struct mark){ m->all.at[*i].time_cycles,
						       (uint32_t)out->len, m->all.at[*i].timer_id,
						       c, r->risc };
		}
	if (out->len)
		qsort(out->at, out->len, sizeof(*out->at), by_time);
}

static unsigned thread_of(const struct mark *k)
{
	return 1u + k->risc + k->core->x * 100u + k->core->y * 10000u;
}

static void put_event(struct buf *b, const struct mark *k, struct str risc, char phase, uint64_t at)
{
	buf_printf(b,
		   "  {\n    \"cat\": \"PERF\",\n    \"name\": \"%.*s\",\n    \"ph\": \"%c\",\n"
		   "    \"pid\": %u,\n    \"tid\": %u,\n    \"ts\": %llu\n  },\n",
		   STR_ARG(str_head(risc, 40)), phase, thread_of(k), thread_of(k),
		   (unsigned long long)at);
}

void device_chrome_2023_write(const struct marker_log *m, struct out *to)
{
	const struct core_log *t0_core = NULL;
	uint64_t t0 = UINT64_MAX;
	struct buf b = { 0 };
	bool any = false;

	buf_char(&b, '[');
	vec_each (d, &m->devices) {
		mark_vec marks = { 0 };

		t0_core = find_t0(m, d, &t0, t0_core);
		take_marks(m, d, t0, t0_core, &marks);
		vec_each (k, &marks) {
			struct str risc = intern_get(&m->names->riscs, k->risc);

			buf_text(&b, any ? ",\n" : "\n");
			any = true;
			if (k->id == 1)
				put_event(&b, k, risc, 'B', t0);
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
		vec_release(&marks);
	}
	buf_text(&b, any ? "\n]" : "]");
	out_buf(to, &b);
	buf_release(&b);
}
