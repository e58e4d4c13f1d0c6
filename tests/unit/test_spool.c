// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/str.h"
#include "wire/put.h"
#include "wire/spool.h"
#include "wire/tracy.h"
#include "wire/welcome.h"

static void add_record(struct buf *b, enum spool_type type, uint8_t flags, uint16_t stream,
		       const void *payload, size_t len)
{
	uint8_t header[SPOOL_HEADER_BYTES];

	spool_header_put(header, type, flags, stream, payload, len);
	buf_add(b, (const char *)header, sizeof(header));
	buf_add(b, payload, len);
}

/* A spool with one record of each type. */
static struct buf sample(void)
{
	struct wire_proto proto;
	struct wire_welcome w = {
		.ns_per_tick = 0.5, .init_begin = 77, .pid = 42, .program = "prog", .host = "h"
	};
	uint8_t welcome[WIRE_WELCOME_MAX], payload[SPOOL_SESSION_MAX], note[132];
	struct spool_session s = { .key = "TT66",
				   .flags = SPOOL_UNASKED,
				   .pid = 42,
				   .ppid = 41,
				   .ticks = -1,
				   .mono_ns = 2,
				   .wall_ns = 3,
				   .boot_id = "0123456789abcdef0123456789abcdef0123" };
	struct buf b = { 0 };

	wire_proto_init(&proto, WIRE_KEY_TT66);
	wire_welcome_put(&proto, &w, welcome);
	s.welcome = welcome;
	s.welcome_len = proto.welcome_bytes;
	buf_add(&b, SPOOL_MAGIC, SPOOL_MAGIC_BYTES);
	add_record(&b, SPOOL_SESSION, 0, 3, payload, spool_session_put(payload, &s));
	add_record(&b, SPOOL_FRAME, SPOOL_INDEPENDENT, 3, "xyz", 3);
	add_record(&b, SPOOL_NOTE, 0, 3, note,
		   spool_note_put(note, SPOOL_NOTE_DROPS, (uint64_t[]){ 5, 6, 7 }, 3));
	add_record(&b, SPOOL_END, 0, 3, "", 0);
	return b;
}

static void what_is_written_is_read(void **state)
{
	struct buf b = sample();
	struct spool_reader r;
	struct spool_record rec;
	struct spool_session s;
	struct wire_proto proto;
	struct wire_welcome w;
	enum spool_note kind;
	uint64_t numbers[8];
	size_t n = 8;
	bool more;

	(void)state;
	assert_int_equal(spool_open(&r, b.at, b.len, NULL), TTP_OK);
	assert_int_equal(spool_next(&r, &rec, &more, NULL), TTP_OK);
	assert_true(more && rec.type == SPOOL_SESSION && rec.stream == 3 && rec.offset == 8);
	assert_int_equal(spool_session_get(&rec, &s, NULL), TTP_OK);
	assert_string_equal(s.key, "TT66");
	assert_true(s.pid == 42 && s.ppid == 41 && s.ticks == -1 && s.mono_ns == 2 &&
		    s.wall_ns == 3);
	assert_string_equal(s.boot_id, "0123456789abcdef0123456789abcdef0123");
	wire_proto_init(&proto, WIRE_KEY_TT66);
	assert_int_equal(s.welcome_len, proto.welcome_bytes);
	wire_welcome_get(&proto, s.welcome, &w);
	assert_true(w.ns_per_tick == 0.5 && w.init_begin == 77 && w.pid == 42);
	assert_string_equal(w.program, "prog");
	assert_int_equal(spool_next(&r, &rec, &more, NULL), TTP_OK);
	assert_true(rec.type == SPOOL_FRAME && rec.flags == SPOOL_INDEPENDENT && rec.len == 3);
	assert_memory_equal(rec.payload, "xyz", 3);
	assert_int_equal(spool_next(&r, &rec, &more, NULL), TTP_OK);
	assert_int_equal(spool_note_get(&rec, &kind, numbers, &n, NULL), TTP_OK);
	assert_true(kind == SPOOL_NOTE_DROPS && n == 3 && numbers[0] == 5 && numbers[2] == 7);
	assert_int_equal(spool_next(&r, &rec, &more, NULL), TTP_OK);
	assert_true(rec.type == SPOOL_END && rec.len == 0);
	assert_int_equal(spool_next(&r, &rec, &more, NULL), TTP_OK);
	assert_false(more);
	buf_release(&b);
}

static void a_spool_that_is_cut_is_read_up_to_there(void **state)
{
	struct buf b = sample();

	(void)state;
	for (size_t len = SPOOL_MAGIC_BYTES; len < b.len; len++) {
		struct spool_reader r;
		struct spool_record rec;
		struct ttp_err e = { 0 };
		bool more = true;
		enum ttp_rc rc = TTP_OK;
		size_t whole = SPOOL_MAGIC_BYTES;

		assert_int_equal(spool_open(&r, b.at, len, NULL), TTP_OK);
		while (more && !rc) {
			rc = spool_next(&r, &rec, &more, &e);
			if (!rc && more)
				whole = rec.offset + SPOOL_HEADER_BYTES + rec.len;
		}
		assert_int_equal(rc, whole == len ? TTP_OK : TTP_FORMAT);
		if (rc)
			assert_non_null(strstr(e.msg, "cut"));
	}
	buf_release(&b);
}

static void a_changed_bit_is_noticed(void **state)
{
	struct buf b = sample();
	struct ttp_err e = { 0 };

	(void)state;
	for (size_t bit = SPOOL_MAGIC_BYTES * 8; bit < b.len * 8; bit++) {
		struct spool_reader r;
		struct spool_record rec;
		bool more = true;
		enum ttp_rc rc = TTP_OK;

		b.at[bit / 8] ^= (char)(1 << bit % 8);
		assert_int_equal(spool_open(&r, b.at, b.len, NULL), TTP_OK);
		while (more && !rc)
			rc = spool_next(&r, &rec, &more, &e);
		assert_int_equal(rc, TTP_FORMAT);
		b.at[bit / 8] ^= (char)(1 << bit % 8);
	}
	assert_int_equal(spool_open(&(struct spool_reader){ 0 }, "TTPRx\0\0", 8, &e), TTP_FORMAT);
	assert_non_null(strstr(e.msg, "not a spool"));
	assert_int_equal(spool_open(&(struct spool_reader){ 0 }, "TTPR2xx", 8, &e), TTP_FORMAT);
	buf_release(&b);
}

static void what_is_newer_is_named_as_newer(void **state)
{
	static const struct {
		size_t at;
		char is;
	} changes[] = { { 0, 2 }, { 10, 3 }, { 11, 1 }, { 12, 3 } }; /* version, flags, time */
	struct buf b = sample();
	struct spool_session s;
	struct spool_record rec;
	struct spool_reader r;
	struct ttp_err e = { 0 };
	bool more;

	(void)state;
	assert_int_equal(spool_open(&r, "TTPR2\0\0", 8, &e), TTP_VERSION);
	assert_non_null(strstr(e.msg, "newer"));
	assert_int_equal(spool_open(&r, b.at, b.len, &e), TTP_OK);
	assert_int_equal(spool_next(&r, &rec, &more, &e), TTP_OK);
	assert_int_equal(spool_session_get(&rec, &s, &e), TTP_OK);
	for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
		char *at = b.at + SPOOL_MAGIC_BYTES + SPOOL_HEADER_BYTES + changes[i].at, was = *at;

		*at = changes[i].is;
		assert_int_equal(spool_session_get(&rec, &s, &e), TTP_VERSION);
		assert_non_null(strstr(e.msg, "newer"));
		*at = was;
	}
	buf_release(&b);
}

static void checksums_are_castagnolis(void **state)
{
	/* RFC 3720, B.4: 32 bytes of zeros, of ones, and counting up. */
	uint8_t data[32] = { 0 };

	(void)state;
	assert_int_equal(crc32c(0, data, 32), 0x8A9136AA);
	memset(data, 0xFF, 32);
	assert_int_equal(crc32c(0, data, 32), 0x62A8AB43);
	for (uint8_t i = 0; i < 32; i++)
		data[i] = i;
	assert_int_equal(crc32c(0, data, 32), 0x46DD794E);
	assert_int_equal(crc32c(crc32c(0, data, 5), data + 5, 27), 0x46DD794E);
}

static void frames_are_packed_and_unpacked(void **state)
{
	static uint8_t items[WIRE_FRAME_MAX], packed[FRAME_PREFIX + FRAME_BLOCK_MAX],
		back[WIRE_FRAME_MAX];
	static _Alignas(64) uint8_t lz4[FRAME_STATE_BYTES];
	uint32_t prefix, seed = 1;
	size_t n;

	(void)state;
	for (size_t i = 0; i < sizeof(items); i++) {
		seed = seed * 1664525 + 1013904223;
		items[i] = (uint8_t)(seed >> 24);
	}
	n = frame_pack(lz4, items, sizeof(items), packed);
	memcpy(&prefix, packed, 4);
	assert_int_equal(prefix, n - 4);
	assert_int_equal(frame_unpack(packed + 4, prefix, back, sizeof(back), 0), sizeof(items));
	assert_memory_equal(items, back, sizeof(items));
	assert_true(frame_unpack(items, 1000, back, sizeof(back), 0) < 1000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(a_spool_that_is_cut_is_read_up_to_there),
		cmocka_unit_test(a_changed_bit_is_noticed),
		cmocka_unit_test(what_is_newer_is_named_as_newer),
		cmocka_unit_test(checksums_are_castagnolis),
		cmocka_unit_test(frames_are_packed_and_unpacked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
