// SPDX-License-Identifier: Apache-2.0
/*
 * Writing Tracy's items.  The caller has made sure of WIRE_ITEM_MAX bytes, plus the text where there is
 * one; nothing is checked here.  Times are what stands on the wire: steps or ticks, see each item.
 */
#ifndef TTP_WIRE_PUT_H
#define TTP_WIRE_PUT_H

#include "wire/tracy_fields.h"

struct wire_out {
	const struct wire_proto *proto;
	uint8_t *at;
};

static inline void put_raw(struct wire_out *o, const void *bytes, size_t n)
{
	memcpy(o->at, bytes, n);
	o->at += n;
}

static inline void put_item(struct wire_out *o, enum wire_item item)
{
	*o->at++ = o->proto->id[item];
}

#define PUT_INTEGER(name, type)                                       \
	static inline void put_##name(struct wire_out *o, uint64_t v) \
	{                                                             \
		type narrow = (type)v;                                \
                                                                      \
		put_raw(o, &narrow, sizeof(narrow));                  \
	}
PUT_INTEGER(u8, uint8_t)
PUT_INTEGER(u16, uint16_t)
PUT_INTEGER(u32, uint32_t)
PUT_INTEGER(u64, uint64_t)
#undef PUT_INTEGER

/* Writers of the types of tracy_items.def. */
#define X(type, c_type, n)                                                    \
	static inline void put_type_##type(struct wire_out *o, wire_##type v) \
	{                                                                     \
		put_raw(o, &v, n);                                            \
	}
WIRE_TYPE_LIST(X)
#undef X

static inline void put_type_context(struct wire_out *o, uint16_t v)
{
	put_raw(o, &v, o->proto->context_bytes);
}

static inline void put_type_step64(struct wire_out *o, int64_t v)
{
	put_u64(o, (uint64_t)v - (v >= 0 ? (uint64_t)o->proto->step64_base : 0));
}

static inline void put_type_step32(struct wire_out *o, int64_t v)
{
	put_u32(o, (uint64_t)v - WIRE_STEP32_BASE);
}

static inline void put_type_step16(struct wire_out *o, int64_t v)
{
	put_u16(o, (uint64_t)v);
}

/* put_shape_SHAPE(o, item, fields) for each shape, and PUT(o, item, shape, .field = value, ...). */
#define FIELD(name, type, set, role)                                       \
	if (WIRE_IN_##set == WIRE_IN_ALL || o->proto->bit & WIRE_IN_##set) \
		put_type_##type(o, v->name);
#define SHAPE(name, fields)                                                          \
	static inline void put_shape_##name(struct wire_out *o, enum wire_item item, \
					    const struct wire_##name *v)             \
	{                                                                            \
		put_item(o, item);                                                   \
		fields                                                               \
	}
#define ITEM(name, ...)
#include "wire/tracy_items.def"
#define PUT(o, item, shape, ...) put_shape_##shape(o, item, &(struct wire_##shape){ __VA_ARGS__ })

/* `text` of at most WIRE_TEXT_MAX bytes for the item that follows. */
static inline void put_single_string(struct wire_out *o, const void *text, size_t len)
{
	if (o->proto->short_strings && len < 256) {
		put_item(o, WIRE_SingleStringData8);
		put_u8(o, len);
	} else {
		put_item(o, WIRE_SingleStringData);
		put_u16(o, o->proto->short_strings ? len - 256 : len);
	}
	put_raw(o, text, len);
}

static inline void put_transfer(struct wire_out *o, enum wire_item item, uint64_t ptr,
				const void *text, size_t len)
{
	put_item(o, item);
	put_u64(o, ptr);
	put_u16(o, len);
	put_raw(o, text, len);
}

/* Nearly all that is sent: the narrowest item for a step; `wide` is that of 64 bits, those of 32 and 16 follow it. */
static inline void put_zone_step(struct wire_out *o, enum wire_item wide, int64_t step)
{
	const int64_t base = WIRE_STEP32_BASE + (INT64_C(1) << 32);

	if (!o->proto->compact_zones) {
		put_item(o, wide);
		put_u64(o, (uint64_t)step);
	} else if (step >= 0 && step < WIRE_STEP32_BASE) {
		put_item(o, wide + 2);
		put_u16(o, (uint64_t)step);
	} else if (step >= 0 && step < base) {
		put_item(o, wide + 1);
		put_u32(o, (uint64_t)step - WIRE_STEP32_BASE);
	} else {
		put_item(o, wide);
		put_u64(o, (uint64_t)(step < 0 ? step : step - base));
	}
}
_Static_assert(WIRE_ZoneBegin32 == WIRE_ZoneBegin + 1 && WIRE_ZoneBegin16 == WIRE_ZoneBegin + 2 &&
		       WIRE_ZoneEnd32 == WIRE_ZoneEnd + 1 && WIRE_ZoneEnd16 == WIRE_ZoneEnd + 2,
	       "put_zone_step counts on this order");

static inline void put_zone_begin(struct wire_out *o, int64_t step, uint64_t srcloc)
{
	put_zone_step(o, WIRE_ZoneBegin, step);
	put_u64(o, srcloc);
}

static inline void put_zone_end(struct wire_out *o, int64_t step)
{
	put_zone_step(o, WIRE_ZoneEnd, step);
}

/* Severity "info" of a user's message, where messages say it. */
enum { PUT_META_USER = 0x20, PUT_META_CLIENT = 0x21 };

/* After put_single_string; colour only if `colored`. */
static inline void put_message(struct wire_out *o, int64_t time, bool colored, uint32_t rgb,
			       uint8_t meta)
{
	if (colored)
		PUT(o, WIRE_MessageColor, message_color, time, rgb, meta);
	else
		PUT(o, WIRE_Message, message, time, meta);
}

static inline void put_message_literal(struct wire_out *o, int64_t time, bool colored, uint32_t rgb,
				       uint64_t text)
{
	if (o->proto->tag_shift)
		text = text << o->proto->tag_shift | PUT_META_USER;
	else if (o->proto->message_meta)
		text |= (uint64_t)PUT_META_USER << 56;
	if (colored)
		PUT(o, WIRE_MessageLiteralColor, literal_color, time, rgb, text);
	else
		PUT(o, WIRE_MessageLiteral, literal, time, text);
}

/* Zones of the context report their thread themselves; type 0 is that of a core. */
static inline void put_device_new(struct wire_out *o, int64_t cpu_time, int64_t device_time,
				  uint16_t context, bool calibrated, uint8_t type)
{
	PUT(o, WIRE_GpuNewContext, gpu_context, .cpuTime = cpu_time, .gpuTime = device_time,
	    .period = 1.0F, .context = context, .flags = calibrated,
	    .type = type ? type : o->proto->device_type);
}

#endif /* TTP_WIRE_PUT_H */
