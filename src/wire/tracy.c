// SPDX-License-Identifier: Apache-2.0
/* Tables of Tracy's protocols, made from tracy_items.def. */
#include "wire/tracy.h"

#include <string.h>

static const struct {
	const char *key;
	uint16_t number;
	bool tenstorrent;
} keys[WIRE_KEYS] = {
#define X(key, number, tt) { #key, number, tt },
	WIRE_KEY_LIST(X)
#undef X
};

/* Sets of protocols, a bit each. */
#define X(key, number_, tt) | ((number_) >= NUMBER ? 1U << WIRE_KEY_##key : 0)
enum {
#define NUMBER 64
	SINCE_64 = 0 WIRE_KEY_LIST(X),
#undef NUMBER
#define NUMBER 66
	SINCE_66 = 0 WIRE_KEY_LIST(X),
#undef NUMBER
#define NUMBER 69
	SINCE_69 = 0 WIRE_KEY_LIST(X),
#undef NUMBER
#define NUMBER 74
	SINCE_74 = 0 WIRE_KEY_LIST(X),
#undef NUMBER
#define NUMBER 76
	SINCE_76 = 0 WIRE_KEY_LIST(X),
#undef NUMBER
#define NUMBER 77
	SINCE_77 = 0 WIRE_KEY_LIST(X),
#undef NUMBER
#define NUMBER 78
	SINCE_78 = 0 WIRE_KEY_LIST(X),
#undef NUMBER
#define NUMBER 80
	SINCE_80 = 0 WIRE_KEY_LIST(X),
#undef NUMBER
#define NUMBER 81
	SINCE_81 = 0 WIRE_KEY_LIST(X),
#undef NUMBER
#define NUMBER 82
	SINCE_82 = 0 WIRE_KEY_LIST(X),
#undef NUMBER
	ALL = (1U << WIRE_KEYS) - 1,
};
#undef X
enum {
	BEFORE_64 = ALL & ~SINCE_64,
	BEFORE_69 = ALL & ~SINCE_69,
	BEFORE_74 = ALL & ~SINCE_74,
	BEFORE_77 = ALL & ~SINCE_77,
	BEFORE_78 = ALL & ~SINCE_78,
	BEFORE_82 = ALL & ~SINCE_82,
#define X(key, number_, tt) | ((tt) ? 1U << WIRE_KEY_##key : 0)
	TENSTORRENT = 0 WIRE_KEY_LIST(X),
#undef X
	PLAIN = ALL & ~TENSTORRENT,
	TT_MARKERS = 1U << WIRE_KEY_TT79 | 1U << WIRE_KEY_TT83,
};

static const struct {
	const char *name;
	enum wire_class class;
	uint32_t protocols;
} items[WIRE_ITEMS] = {
#define ITEM(name, class, protocols) { #name, WIRE_##class, protocols },
#define FIELDS(name, protocols, text)
#include "wire/tracy_items.def"
#undef ITEM
#undef FIELDS
};

static const struct {
	uint8_t item;
	uint32_t protocols;
	const char *text;
} layouts[] = {
#define ITEM(name, class, protocols)
#define FIELDS(name, protocols, text) { WIRE_##name, protocols, text },
#include "wire/tracy_items.def"
#undef ITEM
#undef FIELDS
};

/* "time:i64 thread:u32": the next field of a layout; false at its end. */
struct field {
	const char *name;
	size_t name_len;
	char kind; /* i, u or f */
	uint8_t bytes;
};

static bool field_next(const char **at, struct field *f)
{
	const char *colon = strchr(*at, ':'), *p;
	unsigned bits = 0;

	if (!colon)
		return false;
	f->name = *at;
	f->name_len = (size_t)(colon - *at);
	f->kind = colon[1];
	for (p = colon + 2; *p >= '0' && *p <= '9'; p++)
		bits = bits * 10 + (unsigned)(*p - '0');
	f->bytes = (uint8_t)(bits / 8);
	*at = *p == ' ' ? p + 1 : p;
	return true;
}

static const char *layout_of(enum wire_item item, enum wire_key key)
{
	for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++)
		if (layouts[i].item == item && layouts[i].protocols & (1U << key))
			return layouts[i].text;
	return "";
}

void wire_proto_init(struct wire_proto *p, enum wire_key key)
{
	uint32_t bit = 1U << key;
	uint8_t next = 0;

	memset(p, 0, sizeof(*p));
	memset(p->id, WIRE_NONE, sizeof(p->id));
	memset(p->item, WIRE_NONE, sizeof(p->item));
	p->key = keys[key].key;
	p->which = key;
	p->number = keys[key].number;
	p->tenstorrent = keys[key].tenstorrent;
	for (unsigned i = 0; i < WIRE_ITEMS; i++) {
		const char *at;
		struct field f;

		if (!(items[i].protocols & bit))
			continue;
		p->id[i] = next;
		p->item[next++] = (uint8_t)i;
		p->size[i] = 1;
		at = layout_of(i, key);
		while (field_next(&at, &f))
			p->size[i] = (uint8_t)(p->size[i] + f.bytes);
	}
	p->context_bytes = p->tenstorrent ? 2 : 1;
	/* tt_device in the fork; upstream has Custom since 71, and Vulkan's rules before. */
	p->device_type = p->tenstorrent ? (p->number == 66 ? 6 : 10) : p->number >= 74 ? 7 : 2;
	p->compact_zones = p->number >= 78;
	p->short_strings = p->number >= 80;
	p->message_meta = p->number >= 77;
	p->tag_shift = p->number >= 79 && key != WIRE_KEY_TT79 ? 8 : 0;
	p->welcome_bytes = p->number >= 75 ? WIRE_WELCOME_MAX - 8 : WIRE_WELCOME_MAX;
}

bool wire_key_parse(const char *text, size_t len, enum wire_key *key)
{
	for (unsigned i = 0; i < WIRE_KEYS; i++) {
		if (strlen(keys[i].key) == len && !memcmp(keys[i].key, text, len)) {
			*key = i;
			return true;
		}
	}
	return false;
}

const char *wire_item_name(enum wire_item item)
{
	return item < WIRE_ITEMS ? items[item].name : "?";
}

enum wire_class wire_item_class(enum wire_item item)
{
	return items[item].class;
}

bool wire_next(const struct wire_proto *p, struct cursor *c, struct wire_got *got)
{
	const uint8_t *start = c->at;
	size_t len = 0;
	uint8_t item;

	if (c->bad || !cursor_left(c))
		return false;
	item = p->item[*start];
	if (item == WIRE_NONE) {
		c->bad = true;
		return false;
	}
	*got = (struct wire_got){ .item = item, .at = start };
	if (!cursor_take(c, p->size[item]))
		return false;
	switch (items[item].class) {
	case WIRE_FIXED:
		return true;
	case WIRE_STRING:
		len = cursor_u16(c) + (p->short_strings ? 256U : 0);
		break;
	case WIRE_SHORT_STRING:
		len = cursor_u8(c);
		break;
	case WIRE_TRANSFER:
		memcpy(&got->ptr, start + 1, sizeof(got->ptr));
		len = cursor_u16(c);
		break;
	case WIRE_LONG_TRANSFER:
		memcpy(&got->ptr, start + 1, sizeof(got->ptr));
		len = cursor_u32(c);
		break;
	}
	got->text = cursor_str(c, len);
	return !c->bad;
}

uint64_t wire_field(const struct wire_proto *p, const struct wire_got *got, const char *name)
{
	const char *at = layout_of(got->item, p->which);
	size_t name_len = strlen(name), offset = 1;
	struct field f;

	while (field_next(&at, &f)) {
		if (f.name_len == name_len && !memcmp(f.name, name, name_len)) {
			unsigned spare = 64 - 8U * f.bytes;
			uint64_t v = 0;

			memcpy(&v, got->at + offset, f.bytes);
			return f.kind == 'i' && spare < 64
				       ? (uint64_t)((int64_t)(v << spare) >> spare)
				       : v;
		}
		offset += f.bytes;
	}
	return 0;
}

int64_t wire_zone_step(const struct wire_proto *p, const struct wire_got *got)
{
	int64_t v = (int64_t)wire_field(p, got, "time");

	switch (got->item) {
	case WIRE_ZoneBegin32:
	case WIRE_ZoneEnd32:
	case WIRE_ZoneBeginCallstack32:
		return v + 65536;
	case WIRE_ZoneBegin:
	case WIRE_ZoneEnd:
	case WIRE_ZoneBeginCallstack:
		return p->compact_zones && v >= 0 ? v + 65536 + (INT64_C(1) << 32) : v;
	default:
		return v;
	}
}
