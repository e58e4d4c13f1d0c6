// SPDX-License-Identifier: Apache-2.0
/* Layouts: docs/reference/formats/spool.md has the welcome byte by byte. */
#include "wire/welcome.h"

#include "wire/put.h"

// NOLINTNEXTLINE(readability-non-const-parameter): it is written through `o`
void wire_welcome_put(const struct wire_proto *p, const struct wire_welcome *w, uint8_t *out)
{
	struct wire_out o = { .proto = p, .at = out };

	put_raw(&o, &w->ns_per_tick, 8);
	put_u64(&o, (uint64_t)w->init_begin);
	put_u64(&o, (uint64_t)w->init_end);
	if (p->welcome_bytes == WIRE_WELCOME_MAX)
		put_u64(&o, w->event_ticks);
	put_u64(&o, w->resolution_ticks);
	put_u64(&o, w->epoch_s);
	put_u64(&o, w->exe_time_s);
	put_u64(&o, w->pid);
	put_u64(&o, (uint64_t)w->sampling_period);
	put_u8(&o, w->flags);
	put_u8(&o, w->cpu_arch);
	put_raw(&o, w->cpu_maker, sizeof(w->cpu_maker));
	put_u32(&o, w->cpu_id);
	put_raw(&o, w->program, sizeof(w->program));
	put_raw(&o, w->host, sizeof(w->host));
}

void wire_welcome_get(const struct wire_proto *p, const uint8_t *in, struct wire_welcome *w)
{
	struct cursor c = cursor_of(in, p->welcome_bytes);

	memset(w, 0, sizeof(*w));
	w->ns_per_tick = cursor_f64(&c);
	w->init_begin = cursor_i64(&c);
	w->init_end = cursor_i64(&c);
	if (p->welcome_bytes == WIRE_WELCOME_MAX)
		w->event_ticks = cursor_u64(&c);
	w->resolution_ticks = cursor_u64(&c);
	w->epoch_s = cursor_u64(&c);
	w->exe_time_s = cursor_u64(&c);
	w->pid = cursor_u64(&c);
	w->sampling_period = cursor_i64(&c);
	w->flags = cursor_u8(&c);
	w->cpu_arch = cursor_u8(&c);
	memcpy(w->cpu_maker, cursor_take(&c, sizeof(w->cpu_maker)), sizeof(w->cpu_maker));
	w->cpu_id = cursor_u32(&c);
	memcpy(w->program, cursor_take(&c, sizeof(w->program)), sizeof(w->program));
	memcpy(w->host, cursor_take(&c, sizeof(w->host)), sizeof(w->host));
	w->program[sizeof(w->program) - 1] = w->host[sizeof(w->host) - 1] = 0;
}

size_t wire_broadcast_put(uint8_t out[WIRE_BROADCAST_MAX], uint16_t port, uint32_t protocol,
			  uint64_t pid, int32_t active_s, const char *program)
{
	struct wire_out o = { .at = out };
	size_t len = strnlen(program, 63);

	put_u16(&o, 3); /* version of this datagram */
	put_u16(&o, port);
	put_u32(&o, protocol);
	put_u64(&o, pid);
	put_u32(&o, (uint32_t)active_s);
	put_raw(&o, program, len);
	put_u8(&o, 0);
	return (size_t)(o.at - out);
}
