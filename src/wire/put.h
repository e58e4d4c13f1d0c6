// SPDX-License-Identifier: Apache-2.0
/*
 * Writing Tracy's items.  The caller has made sure of WIRE_ITEM_MAX bytes, plus the text where there is
 * one; nothing is checked here.  Times are what stands on the wire: steps or ticks, see each item.
 */
#ifndef TTP_WIRE_PUT_H
#define TTP_WIRE_PUT_H

#include "wire/tracy.h"

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

/* 0xRRGGBB travels as three bytes, blue first. */
static inline void put_rgb(struct wire_out *o, uint32_t rgb)
{
	put_raw(o, &rgb, 3);
}

static inline void put_context(struct wire_out *o, uint32_t context)
{
	put_raw(o, &context, o->proto->context_bytes);
}

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

/* A zone item with its step; `wide` is the 64-bit form, the 32-bit and 16-bit forms follow it. */
static inline void put_zone_step(struct wire_out *o, enum wire_item wide, int64_t step)
{
	if (!o->proto->compact_zones) {
		put_item(o, wide);
		put_u64(o, (uint64_t)step);
	} else if (step >= 0 && step < 65536) {
		put_item(o, wide + 2);
		put_u16(o, (uint64_t)step);
	} else if (step >= 0 && step < 65536 + (INT64_C(1) << 32)) {
		put_item(o, wide + 1);
		put_u32(o, (uint64_t)step - 65536);
	} else {
		put_item(o, wide);
		put_u64(o, (uint64_t)(step < 0 ? step : step - 65536 - (INT64_C(1) << 32)));
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
	put_item(o, colored ? WIRE_MessageColor : WIRE_Message);
	put_u64(o, (uint64_t)time);
	if (colored)
		put_rgb(o, rgb);
	if (o->proto->message_meta)
		put_u8(o, meta);
}

static inline void put_message_literal(struct wire_out *o, int64_t time, bool colored, uint32_t rgb,
				       uint64_t text)
{
	put_item(o, colored ? WIRE_MessageLiteralColor : WIRE_MessageLiteral);
	put_u64(o, (uint64_t)time);
	if (colored)
		put_rgb(o, rgb);
	if (o->proto->tag_shift)
		text = text << o->proto->tag_shift | PUT_META_USER;
	else if (o->proto->message_meta)
		text |= (uint64_t)PUT_META_USER << 56;
	put_u64(o, text);
}

static inline void put_source_location(struct wire_out *o, uint64_t name, uint64_t function,
				       uint64_t file, uint32_t line, uint32_t rgb)
{
	put_item(o, WIRE_SourceLocation);
	put_u64(o, name);
	put_u64(o, function);
	put_u64(o, file);
	put_u32(o, line);
	put_rgb(o, rgb);
}

static inline void put_device_new(struct wire_out *o, int64_t cpu_time, int64_t device_time,
				  uint32_t context, bool calibrated)
{
	const float period = 1.0F;

	put_item(o, WIRE_GpuNewContext);
	put_u64(o, (uint64_t)cpu_time);
	put_u64(o, (uint64_t)device_time);
	put_u32(o, 0); /* zones say their thread themselves */
	put_raw(o, &period, sizeof(period));
	put_context(o, context);
	put_u8(o, calibrated);
	put_u8(o, o->proto->device_type);
}

/* Begins have a location and are `WIRE_GpuZoneBeginSerial`; ends are `WIRE_GpuZoneEndSerial`. */
static inline void put_device_edge(struct wire_out *o, enum wire_item item, int64_t cpu_step,
				   uint32_t thread, uint16_t query, uint32_t context)
{
	put_item(o, item);
	put_u64(o, (uint64_t)cpu_step);
	put_u32(o, thread);
	put_u16(o, query);
	put_context(o, context);
}

static inline void put_device_time(struct wire_out *o, int64_t step, uint16_t query,
				   uint32_t context)
{
	put_item(o, WIRE_GpuTime);
	put_u64(o, (uint64_t)step);
	put_u16(o, query);
	put_context(o, context);
}

#endif /* TTP_WIRE_PUT_H */
