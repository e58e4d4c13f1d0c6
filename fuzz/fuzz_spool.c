// SPDX-License-Identifier: Apache-2.0
/*
 * Any bytes are read as a spool, to their end or the first damage; frames of a session are unpacked and
 * their items walked through.  Checksums are fixed first, or nothing would get past them.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "wire/spool.h"
#include "wire/tracy.h"
#include "wire/tracy_fields.h"
#include "wire/welcome.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint8_t items[WIRE_FRAME_MAX];

static void mend(uint8_t *at, size_t left)
{
	while (left >= SPOOL_HEADER_BYTES) {
		uint32_t len, crc;

		memcpy(&len, at, 4);
		if (len > left - SPOOL_HEADER_BYTES)
			return;
		crc = crc32c(0, at + 8, len + 4);
		memcpy(at + 4, &crc, 4);
		at += SPOOL_HEADER_BYTES + len;
		left -= SPOOL_HEADER_BYTES + len;
	}
}

static void walk(const struct wire_proto *p, size_t len)
{
	struct cursor c = cursor_of(items, len);
	struct wire_got got;
	int64_t step;

	while (wire_next(p, &c, &got))
		(void)wire_end(p, wire_traits[got.item].shape, got.at, &step);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size + 1);
	struct wire_proto p;
	struct spool_reader r;
	bool more = true;

	if (!copy)
		return 0;
	memcpy(copy, data, size);
	if (size > SPOOL_MAGIC_BYTES)
		mend(copy + SPOOL_MAGIC_BYTES, size - SPOOL_MAGIC_BYTES);
	wire_proto_init(&p, WIRE_KEY_TT66);
	if (spool_open(&r, copy, size, NULL))
		goto out;
	while (more) {
		struct spool_record rec;
		struct spool_session s;
		struct wire_welcome w;
		enum spool_note kind;
		uint64_t numbers[4];
		size_t n = 4;
		enum wire_key key;
		long len;

		if (spool_next(&r, &rec, &more, NULL) || !more)
			break;
		switch (rec.type) {
		case SPOOL_SESSION:
			if (spool_session_get(&rec, &s, NULL) ||
			    !wire_key_parse(s.key, strlen(s.key), &key))
				break;
			wire_proto_init(&p, key);
			if (s.welcome_len == p.welcome_bytes)
				wire_welcome_get(&p, s.welcome, &w);
			break;
		case SPOOL_FRAME:
			len = frame_unpack(rec.payload, rec.len, items, sizeof(items), 0);
			if (len > 0)
				walk(&p, (size_t)len);
			break;
		case SPOOL_NOTE:
			if (spool_note_get(&rec, &kind, numbers, &n, NULL))
				break;
			break;
		case SPOOL_END:
			break;
		}
	}
out:
	free(copy);
	return 0;
}
