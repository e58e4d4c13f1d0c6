// SPDX-License-Identifier: Apache-2.0
/*
 * The fields of Tracy's items by name, made from tracy_items.def: for each shape
 *
 *	struct wire_SHAPE            its fields; 0 where a protocol lacks one
 *	wire_get_SHAPE(proto, at)    reads them; `at` is the item's number, and all of the item is there
 *	WIRE_MAX_SHAPE               bytes of the item, at most
 *
 * Readers are inline: what the caller does not use is not read, and offsets are constants up to the first field that not
 * all protocols have.
 */
#ifndef TTP_WIRE_TRACY_FIELDS_H
#define TTP_WIRE_TRACY_FIELDS_H

#include <string.h>

#include "wire/tracy.h"

#define WIRE_SINCE(key, number, tt, since)     | ((number) >= (since) ? 1U << WIRE_KEY_##key : 0)
#define WIRE_THEIRS(key, number, tt, argument) | ((tt) ? 1U << WIRE_KEY_##key : 0)
/* Sets of protocols, a bit each. */
enum wire_set {
	WIRE_IN_ALL = (1U << WIRE_KEYS) - 1,
	WIRE_IN_SINCE_64 = 0 WIRE_KEY_LIST(WIRE_SINCE, 64),
	WIRE_IN_SINCE_66 = 0 WIRE_KEY_LIST(WIRE_SINCE, 66),
	WIRE_IN_SINCE_69 = 0 WIRE_KEY_LIST(WIRE_SINCE, 69),
	WIRE_IN_SINCE_74 = 0 WIRE_KEY_LIST(WIRE_SINCE, 74),
	WIRE_IN_SINCE_76 = 0 WIRE_KEY_LIST(WIRE_SINCE, 76),
	WIRE_IN_SINCE_77 = 0 WIRE_KEY_LIST(WIRE_SINCE, 77),
	WIRE_IN_SINCE_78 = 0 WIRE_KEY_LIST(WIRE_SINCE, 78),
	WIRE_IN_SINCE_80 = 0 WIRE_KEY_LIST(WIRE_SINCE, 80),
	WIRE_IN_SINCE_81 = 0 WIRE_KEY_LIST(WIRE_SINCE, 81),
	WIRE_IN_SINCE_82 = 0 WIRE_KEY_LIST(WIRE_SINCE, 82),
	WIRE_IN_BEFORE_78 = WIRE_IN_ALL & ~WIRE_IN_SINCE_78,
	WIRE_IN_TENSTORRENT = 0 WIRE_KEY_LIST(WIRE_THEIRS, ),
	WIRE_IN_TT_MARKERS = 1U << WIRE_KEY_TT79 | 1U << WIRE_KEY_TT83,
};
#undef WIRE_SINCE
#undef WIRE_THEIRS

/* X(type in tracy_items.def, in C, bytes on the wire) */
#define WIRE_TYPE_LIST(X)   \
	X(u8, uint8_t, 1)   \
	X(u16, uint16_t, 2) \
	X(u32, uint32_t, 4) \
	X(u64, uint64_t, 8) \
	X(i8, int8_t, 1)    \
	X(i32, int32_t, 4)  \
	X(i64, int64_t, 8)  \
	X(f32, float, 4)    \
	X(f64, double, 8)   \
	X(u24, uint32_t, 3) \
	X(u48, uint64_t, 6)

#define X(type, c_type, n)                                                                        \
	typedef c_type wire_##type;                                                               \
	enum { WIRE_BYTES_##type = (n) };                                                         \
	static inline wire_##type wire_read_##type(const struct wire_proto *p, const uint8_t *at) \
	{                                                                                         \
		c_type v = 0;                                                                     \
                                                                                                  \
		(void)p;                                                                          \
		memcpy(&v, at, n);                                                                \
		return v;                                                                         \
	}
WIRE_TYPE_LIST(X)
#undef X

typedef int64_t wire_step64, wire_step32, wire_step16;
typedef uint16_t wire_context;
enum {
	WIRE_BYTES_step64 = 8,
	WIRE_BYTES_step32 = 4,
	WIRE_BYTES_step16 = 2,
	WIRE_BYTES_context = 2
};

static inline int64_t wire_read_step64(const struct wire_proto *p, const uint8_t *at)
{
	int64_t v = wire_read_i64(p, at);

	return v >= 0 ? (int64_t)((uint64_t)v + (uint64_t)p->step64_base) : v;
}

static inline int64_t wire_read_step32(const struct wire_proto *p, const uint8_t *at)
{
	return (int64_t)wire_read_u32(p, at) + WIRE_STEP32_BASE;
}

static inline int64_t wire_read_step16(const struct wire_proto *p, const uint8_t *at)
{
	return wire_read_u16(p, at);
}

static inline uint16_t wire_read_context(const struct wire_proto *p, const uint8_t *at)
{
	return p->context_bytes == 2 ? wire_read_u16(p, at) : *at;
}

/* Bytes of a type in a protocol. */
#define X(type, c_type, n) WIRE_BYTES_OF(type, n)
#define WIRE_BYTES_OF(type, n)                                             \
	static inline size_t wire_bytes_##type(const struct wire_proto *p) \
	{                                                                  \
		(void)p;                                                   \
		return n;                                                  \
	}
WIRE_TYPE_LIST(X)
WIRE_BYTES_OF(step64, 8)
WIRE_BYTES_OF(step32, 4)
WIRE_BYTES_OF(step16, 2)
WIRE_BYTES_OF(context, p->context_bytes)
#undef WIRE_BYTES_OF
#undef X

#define FIELD(name, type, set, role) wire_##type name;
#define SHAPE(name, fields)  \
	struct wire_##name { \
		fields       \
	};
#define ITEM(name, ...)
#include "wire/tracy_items.def"

enum wire_max {
#define FIELD(name, type, set, role) +WIRE_BYTES_##type
#define SHAPE(name, fields)          WIRE_MAX_##name = 1 fields,
#define ITEM(name, ...)
#include "wire/tracy_items.def"
};

#define FIELD(name, type, set, role)                                  \
	if (WIRE_IN_##set == WIRE_IN_ALL || p->bit & WIRE_IN_##set) { \
		v.name = wire_read_##type(p, at);                     \
		at += wire_bytes_##type(p);                           \
	}
#define SHAPE(name, fields)                                                          \
	static inline struct wire_##name wire_get_##name(const struct wire_proto *p, \
							 const uint8_t *at)          \
	{                                                                            \
		struct wire_##name v = { 0 };                                        \
                                                                                     \
		at++;                                                                \
		fields return v;                                                     \
	}
#define ITEM(name, ...)
#include "wire/tracy_items.def"

/* Reads the begin of a zone, whatever the width of its step: where the next item begins, or NULL for any other shape. */
static inline const uint8_t *wire_begin(const struct wire_proto *p, enum wire_shape shape,
					const uint8_t *at, int64_t *step, uint64_t *srcloc)
{
	switch (shape) {
#define READ(name)                                       \
	case WIRE_SHAPE_##name:                          \
		*step = wire_get_##name(p, at).time;     \
		*srcloc = wire_get_##name(p, at).srcloc; \
		return at + WIRE_MAX_##name;
		READ(zone_begin)
		READ(zone_begin32)
		READ(zone_begin16)
#undef READ
	default:
		return NULL;
	}
}

/* The same for ends. */
static inline const uint8_t *wire_end(const struct wire_proto *p, enum wire_shape shape,
				      const uint8_t *at, int64_t *step)
{
	switch (shape) {
#define READ(name)                                   \
	case WIRE_SHAPE_##name:                      \
		*step = wire_get_##name(p, at).time; \
		return at + WIRE_MAX_##name;
		READ(zone_end)
		READ(zone_end32)
		READ(zone_end16)
#undef READ
	default:
		return NULL;
	}
}

#endif /* TTP_WIRE_TRACY_FIELDS_H */
