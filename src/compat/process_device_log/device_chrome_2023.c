// SPDX-License-Identifier: Apache-2.0
/*
 * Frozen: device_chrome_tracing.json of 2023 (tt-metal d6ef7b5c340).  Firmware of all cores in one process per RISC; each
 * starts at T0, whenever it did start, and every mark names its thread anew.
 */
#include "compat/process_device_log/device_chrome_2023.h"

#include "compat/process_device_log/marks_2023.h"

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

void device_chrome_2023_write(const struct marker_log *m, struct out *to)
{
	struct t0_2023 t0 = { .cycles = UINT64_MAX };
	struct buf b = { 0 };
	bool any = false;

	buf_char(&b, '[');
	vec_each (d, &m->devices) {
		marks_2023 marks = { 0 };

		t0_2023_find(m, d, &t0);
		marks_2023_take(m, d->cores.at, d->cores.len, MARKS_OF_ALL, &t0, &marks);
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
		vec_release(&marks);
	}
	buf_text(&b, any ? "\n]" : "]");
	out_buf(to, &b);
	buf_release(&b);
}
