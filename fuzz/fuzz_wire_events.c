// SPDX-License-Identifier: Apache-2.0
/*
 * Any bytes are items of a client: the first byte picks the protocol, the second what reads them, the third whether
 * anybody asked, and which frame is damaged, if any; the rest is cut into frames at 0xFF 0xFE.
 */
#include "trace_sinks.h"
#include "wire/put.h"
#include "wire/spool.h"
#include "wire/tracy.h"
#include "wire/welcome.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void record(struct buf *b, enum spool_type type, uint8_t flags, const void *payload,
		   size_t len)
{
	uint8_t header[SPOOL_HEADER_BYTES];

	spool_header_put(header, type, flags, 0, payload, len);
	buf_add(b, (const char *)header, sizeof(header));
	buf_add(b, payload, len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint8_t packed[FRAME_PREFIX + FRAME_BLOCK_MAX];
	static uint64_t state[FRAME_STATE_BYTES / 8 + 1];
	struct wire_welcome w = {
		.ns_per_tick = 1.0, .init_begin = 1000, .pid = 1, .program = "fuzz"
	};
	uint8_t welcome[WIRE_WELCOME_MAX], session[SPOOL_SESSION_MAX];
	struct spool_session s = { .welcome = welcome };
	struct memory_file f;
	struct wire_proto p;
	struct buf b = { 0 };
	unsigned frames = 0;
	size_t at = 3;

	if (size < 4 || size > WIRE_FRAME_MAX)
		return 0;
	wire_proto_init(&p, data[0] % WIRE_KEYS);
	wire_welcome_put(&p, &w, welcome);
	s.welcome_len = p.welcome_bytes;
	s.flags = data[2] & 1 ? SPOOL_UNASKED : 0;
	memcpy(s.key, p.key, strlen(p.key));
	buf_add(&b, SPOOL_MAGIC, SPOOL_MAGIC_BYTES);
	record(&b, SPOOL_SESSION, 0, session, spool_session_put(session, &s));
	while (at < size) {
		size_t end = at, n;

		while (end + 1 < size && !(data[end] == 0xFF && data[end + 1] == 0xFE))
			end++;
		if (end + 1 >= size)
			end = size;
		n = frame_pack(state, data + at, end - at, packed);
		record(&b, SPOOL_FRAME, SPOOL_INDEPENDENT, packed + FRAME_PREFIX, n - FRAME_PREFIX);
		if (++frames == data[2] >> 1)
			b.at[b.len - 1] ^= 1;
		at = end + 2;
	}
	memory_file_open(&f, buf_view(&b));
	trace_through(f.path, data[1]);
	memory_file_close(&f);
	buf_release(&b);
	return 0;
}
