// SPDX-License-Identifier: Apache-2.0
/* Tables of Tracy's protocols, made from tracy_items.def. */
#include "wire/tracy_fields.h"

static const struct {
	const char *key;
	uint16_t number;
	bool tenstorrent;
} keys[WIRE_KEYS] = {
#define X(key, number, tt, argument) { #key, number, tt },
	WIRE_KEY_LIST(X, )
#undef X
};

const struct wire_traits wire_traits[WIRE_ITEMS] = {
#define SHAPE(name, fields)
#define ITEM(name, class, protocols, shape, taker, gap, event, follows, stack, edge)       \
	{ WIRE_IN_##protocols, WIRE_##class,           WIRE_SHAPE_##shape, WIRE_GAP_##gap, \
	  WIRE_EVENT_##event,  WIRE_FOLLOWS_##follows, WIRE_STACK_##stack, WIRE_EDGE_##edge },
#include "wire/tracy_items.def"
};

/* Bytes of an item of this shape, with its number. */
static uint8_t size_of(const struct wire_proto *p, enum wire_shape shape)
{
	size_t n = 1;

	switch (shape) {
	case WIRE_SHAPE_none:
		break;
#define FIELD(name, type, set, role) n += p->bit & WIRE_IN_##set ? wire_bytes_##type(p) : 0;
#define SHAPE(name, fields)     \
	case WIRE_SHAPE_##name: \
		fields break;
#define ITEM(name, ...)
#include "wire/tracy_items.def"
	}
	return (uint8_t)n;
}

void wire_proto_init(struct wire_proto *p, enum wire_key key)
{
	uint8_t next = 0;

	memset(p, 0, sizeof(*p));
	memset(p->id, WIRE_NONE, sizeof(p->id));
	memset(p->item, WIRE_NONE, sizeof(p->item));
	p->key = keys[key].key;
	p->bit = 1U << key;
	p->number = keys[key].number;
	p->tenstorrent = keys[key].tenstorrent;
	p->context_bytes = p->tenstorrent ? 2 : 1;
	for (unsigned i = 0; i < WIRE_ITEMS; i++) {
		if (!(wire_traits[i].protocols & p->bit))
			continue;
		p->size[i] = size_of(p, wire_traits[i].shape);
		if (wire_traits[i].class == WIRE_FIXED)
			p->fixed_size[next] = p->size[i];
		if (wire_traits[i].edge)
			p->zones[next] = wire_traits[i].shape;
		p->id[i] = next;
		p->item[next++] = (uint8_t)i;
	}
	/* tt_device in the fork; upstream has Custom since 71, and Vulkan's rules before. */
	p->device_type = p->tenstorrent ? (p->number == 66 ? 6 : 10) : p->number >= 74 ? 7 : 2;
	p->compact_zones = p->number >= 78;
	p->step64_base = p->compact_zones ? WIRE_STEP32_BASE + (INT64_C(1) << 32) : 0;
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

bool wire_key_of(uint32_t number, bool tenstorrent, enum wire_key *key)
{
	bool found = false;

	for (unsigned i = 0; i < WIRE_KEYS; i++) {
		if (keys[i].number == number && (!found || keys[i].tenstorrent == tenstorrent)) {
			*key = i;
			found = true;
		}
	}
	return found;
}

bool wire_key_is_newer(const char *text)
{
	unsigned long number = strtoul(text + (strncmp(text, "TT", 2) ? 0 : 2), NULL, 10);
	unsigned newest = 0;

	for (unsigned i = 0; i < WIRE_KEYS; i++)
		newest = keys[i].number > newest ? keys[i].number : newest;
	return number > newest;
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
	switch ((enum wire_class)wire_traits[item].class) {
	case WIRE_FIXED:
		return true;
	case WIRE_STRING:
		len = cursor_u16(c) + (p->short_strings ? 256U : 0);
		break;
	case WIRE_SHORT_STRING:
		len = cursor_u8(c);
		break;
	case WIRE_TRANSFER:
		got->ptr = wire_get_transfer(p, start).ptr;
		len = cursor_u16(c);
		break;
	case WIRE_LONG_TRANSFER:
		got->ptr = wire_get_transfer(p, start).ptr;
		len = cursor_u32(c);
		break;
	}
	got->text = cursor_str(c, len);
	return !c->bad;
}
