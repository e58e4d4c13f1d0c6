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

/* X(key, number, Tenstorrent's) in the order of the bits in tracy_items.def's protocol sets. */
#define WIRE_KEY_LIST(X) \
	X(63, 63, 0)     \
	X(64, 64, 0)     \
	X(66, 66, 0)     \
	X(TT66, 66, 1)   \
	X(69, 69, 0)     \
	X(74, 74, 0)     \
	X(76, 76, 0)     \
	X(TT76, 76, 1)   \
	X(77, 77, 0)     \
	X(TT77, 77, 1)   \
	X(78, 78, 0)     \
	X(TT78, 78, 1)   \
	X(79, 79, 0)     \
	X(TT79, 79, 1)   \
	X(80, 80, 0)     \
	X(81, 81, 0)     \
	X(82, 82, 0)     \
	X(TT83, 83, 1)

enum wire_key {
#define X(key, number, tt) WIRE_KEY_##key,
	WIRE_KEY_LIST(X)
#undef X
		WIRE_KEYS
};

enum wire_item {
#define ITEM(name, class, protocols) WIRE_##name,
#define FIELDS(name, protocols, text)
#include "wire/tracy_items.def"
#undef ITEM
#undef FIELDS
	WIRE_ITEMS
};

enum wire_class {
	WIRE_FIXED,
	WIRE_STRING,
	WIRE_SHORT_STRING,
	WIRE_TRANSFER,
	WIRE_LONG_TRANSFER,
};

enum {
	WIRE_NONE = 0xFF,        /* no such item, or no such number */
	WIRE_FRAME_MAX = 262144, /* bytes of a frame before compression */
	WIRE_ITEM_MAX = 40,      /* no item without its text is larger */
	WIRE_TEXT_MAX = 65535,   /* of one string, by its 16-bit length */
	WIRE_WELCOME_MAX = 1178,
	WIRE_QUERY_BYTES = 13,
	WIRE_BROADCAST_MAX = 84,
};

struct wire_proto {
	const char *key;
	enum wire_key which;
	uint32_t number; /* in the handshake */
	bool tenstorrent;
	uint8_t id[WIRE_ITEMS];   /* WIRE_NONE where the protocol lacks the item */
	uint8_t item[256];        /* the way back */
	uint8_t size[WIRE_ITEMS]; /* with the number, without text */
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
const char *wire_item_name(enum wire_item item);
enum wire_class wire_item_class(enum wire_item item);

/* One item as it stands in a frame; everything is borrowed from there. */
struct wire_got {
	enum wire_item item;
	const uint8_t *at; /* its number; fields follow */
	uint64_t ptr;      /* of a transfer */
	struct str text;   /* of strings and transfers */
};

/* The next item of a frame; false at its end, or, with c->bad set, where it is cut or unknown. */
bool wire_next(const struct wire_proto *p, struct cursor *c, struct wire_got *got);
/* A field by name, sign-extended; floats as their bits.  0 if the item has no such field. */
uint64_t wire_field(const struct wire_proto *p, const struct wire_got *got, const char *name);
/* Undoes the compact form of zone times: what stands on the wire to the step in ticks. */
int64_t wire_zone_step(const struct wire_proto *p, const struct wire_got *got);

#endif /* TTP_WIRE_TRACY_H */
