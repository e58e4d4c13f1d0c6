// SPDX-License-Identifier: Apache-2.0
/*
 * Tracy's protocols as tables: which items a protocol has, with which numbers, sizes and fields.
 *
 * A key names a protocol as it is spoken: "66" is upstream's, "TT66" Tenstorrent's, which has the same
 * number in the handshake but wider device contexts.  Everything here is a pure function of its
 * arguments: no state, no allocation, no lock.
 */
#ifndef TTP_WIRE_TRACY_H
#define TTP_WIRE_TRACY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"

/* X(key, number, Tenstorrent's, argument): a bit each in sets of protocols, in this order. */
#define WIRE_KEY_LIST(X, argument) \
	X(63, 63, 0, argument)     \
	X(64, 64, 0, argument)     \
	X(66, 66, 0, argument)     \
	X(TT66, 66, 1, argument)   \
	X(69, 69, 0, argument)     \
	X(74, 74, 0, argument)     \
	X(76, 76, 0, argument)     \
	X(TT76, 76, 1, argument)   \
	X(77, 77, 0, argument)     \
	X(TT77, 77, 1, argument)   \
	X(78, 78, 0, argument)     \
	X(TT78, 78, 1, argument)   \
	X(79, 79, 0, argument)     \
	X(TT79, 79, 1, argument)   \
	X(80, 80, 0, argument)     \
	X(81, 81, 0, argument)     \
	X(82, 82, 0, argument)     \
	X(TT83, 83, 1, argument)

enum wire_key {
#define X(key, number, tt, argument) WIRE_KEY_##key,
	WIRE_KEY_LIST(X, )
#undef X
		WIRE_KEYS
};

enum wire_item {
#define SHAPE(name, fields)
#define ITEM(name, ...) WIRE_##name,
#include "wire/tracy_items.def"
	WIRE_ITEMS
};

enum wire_shape {
	WIRE_SHAPE_none, /* only a number */
#define SHAPE(name, fields) WIRE_SHAPE_##name,
#define ITEM(name, ...)
#include "wire/tracy_items.def"
};

enum wire_class {
	WIRE_FIXED,
	WIRE_STRING,
	WIRE_SHORT_STRING,
	WIRE_TRANSFER,
	WIRE_LONG_TRANSFER,
};

enum wire_gap { WIRE_GAP_ANY, WIRE_GAP_THREAD, WIRE_GAP_NEVER };

/* Those that can be lost first, in the order of the spool's note of drops. */
enum wire_event {
	WIRE_EVENT_ZONE,
	WIRE_EVENT_TEXT,
	WIRE_EVENT_MESSAGE,
	WIRE_EVENT_PLOT,
	WIRE_EVENT_FRAME,
	WIRE_EVENT_MEMORY,
	WIRE_EVENT_DEVICE,
	WIRE_EVENT_OTHER, /* names and other things that are sent once */
	WIRE_EVENT_LOCK,
	WIRE_EVENTS_LOST,
	WIRE_EVENT_ANSWER = WIRE_EVENTS_LOST,
	WIRE_EVENT_NONE,
	WIRE_EVENTS
};

enum wire_follows { WIRE_FOLLOWS_NONE, WIRE_FOLLOWS_TEXT, WIRE_FOLLOWS_STACK };
enum wire_stack { WIRE_STACK_NONE, WIRE_STACK_THREAD, WIRE_STACK_SERIAL };
enum wire_edge { WIRE_EDGE_NONE, WIRE_EDGE_BEGIN, WIRE_EDGE_END };

/* The columns of tracy_items.def. */
struct wire_traits {
	uint32_t protocols;
	uint8_t class, shape, gap, event, follows, stack, edge;
};

extern const struct wire_traits wire_traits[WIRE_ITEMS];

enum {
	WIRE_STEP32_BASE =
		65536,           /* from 78 on: steps of 32 bits count from where those of 16 end */
	WIRE_NONE = 0xFF,        /* no such item, or no such number */
	WIRE_FRAME_MAX = 262144, /* bytes of a frame before compression */
	WIRE_ITEM_MAX = 40,      /* no item without its text is larger */
	WIRE_TEXT_MAX = 65535,   /* of one string, by its 16-bit length */
	WIRE_WELCOME_MAX = 1178,
	WIRE_ON_DEMAND_BYTES = 16, /* behind it: u64 frames so far, u64 ticks now */
	WIRE_QUERY_BYTES = 13,
	WIRE_BROADCAST_MAX = 84,
};

struct wire_proto {
	const char *key;
	uint32_t bit;    /* in sets of protocols */
	uint32_t number; /* in the handshake */
	bool tenstorrent;
	uint8_t id[WIRE_ITEMS];   /* WIRE_NONE where the protocol lacks the item */
	uint8_t item[256];        /* the inverse: item by number */
	uint8_t size[WIRE_ITEMS]; /* with the number, without text */
	uint8_t fixed_size[256];  /* by number, of items without text; 0: any other */
	uint8_t zones[256];       /* by number: shapes of zones without call stacks; 0: any other */
	int64_t step64_base;      /* what is added to steps that are not negative */
	uint8_t context_bytes;    /* device contexts: 1 upstream, 2 Tenstorrent's */
	uint8_t device_type;      /* GpuContextType that fits a Tensix core best */
	bool compact_zones;       /* from 78 on: 16-bit and 32-bit time steps */
	bool short_strings;       /* from 80 on */
	bool message_meta;        /* from 77 on: messages say source and severity */
	uint8_t tag_shift; /* from 79 on literals are pointer << 8 | tag; 77 and 78: tag << 56 */
	uint16_t welcome_bytes;
};

void wire_proto_init(struct wire_proto *p, enum wire_key key);
/* "TT66", "82" …; false if there is no such key. */
bool wire_key_parse(const char *text, size_t len, enum wire_key *key);
/* The one of a number, Tenstorrent's or upstream's, or if it has only one, that; false without any. */
bool wire_key_of(uint32_t number, bool tenstorrent, enum wire_key *key);
/* Of one that can't be parsed: it has a number above all that are known. */
bool wire_key_is_newer(const char *text);

/* One item as it stands in a frame; everything is borrowed from there. */
struct wire_got {
	enum wire_item item;
	const uint8_t *at; /* its number; fields follow */
	uint64_t ptr;      /* of a transfer */
	struct str text;   /* of strings and transfers */
};

/* The next item of a frame (wire/tracy_fields.h has its fields); false at its end, or, with c->bad set, where it is cut or unknown. */
bool wire_next(const struct wire_proto *p, struct cursor *c, struct wire_got *got);

/*
 * Frames: `u32 n` and n bytes, one LZ4 block of at most WIRE_FRAME_MAX bytes of items.  We write blocks
 * that stand alone; clients of others chain each block to the 64 KiB before it.
 */
enum {
	FRAME_STATE_BYTES = 16416, /* what LZ4 needs to compress, checked in frame.c */
	FRAME_BLOCK_MAX = 262144 + 262144 / 255 + 16,
	FRAME_PREFIX = 4,
};

/* Compresses into out[FRAME_PREFIX + FRAME_BLOCK_MAX], length first; returns all bytes written. */
size_t frame_pack(void *state, const void *items, size_t len, uint8_t *out);
/* Decompresses a block behind `history` bytes of what came before it, which end at `out`. */
long frame_unpack(const void *block, size_t len, uint8_t *out, size_t room, size_t history);

#endif /* TTP_WIRE_TRACY_H */
