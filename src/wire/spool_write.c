// SPDX-License-Identifier: Apache-2.0
/* Records of a spool as bytes; who calls this writes them. */

#include "wire/put.h"
#include "wire/spool.h"

void spool_header_put(uint8_t out[SPOOL_HEADER_BYTES], enum spool_type type, uint8_t flags,
		      uint16_t stream, const void *payload, size_t len)
{
	struct wire_out o = { .at = out + 8 };
	uint32_t crc;

	put_u8(&o, type);
	put_u8(&o, flags);
	put_u16(&o, stream);
	crc = crc32c(crc32c(0, out + 8, 4), payload, len);
	o.at = out;
	put_u32(&o, len);
	put_u32(&o, crc);
}

size_t spool_session_put(uint8_t out[SPOOL_SESSION_MAX], const struct spool_session *s)
{
	struct wire_out o = { .at = out };

	put_u16(&o, 1); /* version of this payload */
	put_raw(&o, s->key, 8);
	put_u16(&o, s->flags);
	put_u8(&o, s->time_kind);
	put_u8(&o, 0);
	put_u64(&o, s->pid);
	put_u64(&o, s->ppid);
	put_u64(&o, (uint64_t)s->ticks);
	put_u64(&o, (uint64_t)s->mono_ns);
	put_u64(&o, (uint64_t)s->wall_ns);
	put_raw(&o, s->boot_id, 36);
	put_u64(&o, s->welcome_len); /* 8 bytes: what follows stays where it is when this grows */
	put_raw(&o, s->welcome, s->welcome_len);
	if (s->on_demand)
		put_raw(&o, s->on_demand, WIRE_ON_DEMAND_BYTES);
	return (size_t)(o.at - out);
}

size_t spool_note_put(uint8_t out[132], enum spool_note kind, const uint64_t *numbers, size_t n)
{
	struct wire_out o = { .at = out };

	put_u16(&o, kind);
	put_u16(&o, n);
	put_raw(&o, numbers, n * sizeof(*numbers));
	return (size_t)(o.at - out);
}
