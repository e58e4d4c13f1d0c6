// SPDX-License-Identifier: Apache-2.0
#include "capture/capture_session.h"

#include <stdio.h>

#include "base/keyed.h"
#include "wire/self_report.h"
#include "wire/tracy_fields.h"
#include "wire/welcome.h"

void questions_release(struct questions *q)
{
	buf_release(&q->to_send);
	u64map_release(&q->asked);
}

static void ask(struct questions *q, enum wire_query kind, uint64_t ptr)
{
	uint8_t packet[WIRE_QUERY_BYTES] = { 0 };

	if (!ptr)
		return;
	/* Pointers have 56 bits at most; where one has more, two kinds may be taken for one, and a name is missing. */
	if (!keyed_is_new(&q->asked, ptr ^ (uint64_t)kind << 60))
		return;
	packet[0] = (uint8_t)kind;
	memcpy(packet + 1, &ptr, sizeof(ptr));
	buf_add(&q->to_send, (const char *)packet, sizeof(packet));
	q->pending++;
}

/* As ask, for what comes with nearly every item. */
static inline void ask_location(struct questions *q, uint64_t ptr)
{
	uint64_t *recent =
		&q->recent[ptr * UINT64_C(0x9E3779B97F4A7C15) >> (64 - QUESTIONS_CACHE_BITS)];

	if (*recent == ptr)
		return;
	*recent = ptr;
	ask(q, WIRE_ASK_LOCATION, ptr);
}

static enum wire_query code_query(const struct questions *q, enum wire_query kind)
{
	/* Before 66 two numbers were others: 8 was what is 9 now, 9 what is 10, 10 what is 8. */
	static const uint8_t before_66[] = {
		[WIRE_ASK_EXTERNAL] = 10, [WIRE_ASK_DISCONNECT] = 8, [WIRE_ASK_CALLSTACK_FRAME] = 9
	};

	if (q->proto.number < 66 && kind <= WIRE_ASK_CALLSTACK_FRAME)
		return before_66[kind];
	return kind;
}

static void ask_code(struct questions *q, enum wire_query kind, uint64_t address)
{
	ask(q, code_query(q, kind), address);
}

/* What a call stack's addresses are; those that were asked for lately are not looked up. */
static void ask_addresses(struct questions *q, struct str payload)
{
	for (size_t i = 0; i + 8 <= payload.len; i += 8) {
		uint64_t address, *recent;

		memcpy(&address, payload.at + i, sizeof(address));
		recent = &q->recent_addresses[address % QUESTIONS_CACHE];
		if (*recent == address)
			continue;
		*recent = address;
		ask_code(q, WIRE_ASK_CALLSTACK_FRAME, address);
	}
}

/* Threads that may say nothing else. */
static void ask_thread(struct questions *q, uint32_t tid)
{
	if (q->recent_thread == tid)
		return;
	q->recent_thread = tid;
	ask(q, WIRE_ASK_THREAD, tid);
}

static void answered(struct questions *q)
{
	if (q->pending)
		q->pending--;
}

/* An answer that names what it is of: one that nobody asked for, or a second one, is none. */
static void answered_code(struct questions *q, enum wire_query kind, uint64_t address)
{
	uint64_t key = address ^ (uint64_t)code_query(q, kind) << 60;
	uint32_t had;

	if (!u64map_get(&q->asked, key, &had) || had)
		return;
	u64map_put(&q->asked, key, 1);
	answered(q);
}

static void ask_literal(struct questions *q, uint64_t word)
{
	if (q->proto.tag_shift)
		word >>= 8;
	else if (q->proto.message_meta)
		word &= UINT64_C(0x00FFFFFFFFFFFFFF);
	ask(q, WIRE_ASK_STRING, word);
}

/* What can't stand alone: a text or a call stack comes right before it. */
static bool comes_after(enum wire_item item, enum wire_item before)
{
	switch ((enum wire_follows)wire_traits[item].follows) {
	case WIRE_FOLLOWS_TEXT:
		return before == WIRE_SingleStringData || before == WIRE_SingleStringData8;
	case WIRE_FOLLOWS_STACK:
		return before == WIRE_CallstackPayload || before == WIRE_CallstackAllocPayload;
	case WIRE_FOLLOWS_NONE:
		break;
	}
	return true;
}

/* Items that can be read from `at` on; *whole when they end with the frame. */
static size_t items_that_fit(const struct wire_proto *p, const uint8_t *at, size_t left,
			     bool *whole)
{
	struct cursor c = cursor_of(at, left);
	enum wire_item before = WIRE_ITEMS;
	struct wire_got got;
	size_t n = 0;

	*whole = false;
	while (cursor_left(&c) && wire_next(p, &c, &got)) {
		if (!comes_after(got.item, before))
			return n;
		before = got.item;
		n++;
	}
	*whole = !c.bad && !cursor_left(&c);
	return n;
}

static bool plain_of(const struct questions *q, struct wire_proto *plain)
{
	enum wire_key key;
	char text[8];
	int n = snprintf(text, sizeof(text), "%u", q->proto.number);

	if (!wire_key_parse(text, (size_t)n, &key))
		return false;
	wire_proto_init(plain, key);
	return true;
}

static void is_plain(struct questions *q, const struct wire_proto *plain)
{
	q->proto = *plain;
	q->decided = true;
}

/* Where the two number their items differently (79), the first frame tells. */
static void choose_numbers(struct questions *q, const uint8_t *at, size_t left)
{
	bool theirs_whole, plain_whole;
	size_t theirs_n, plain_n;
	struct wire_proto plain;

	if (!plain_of(q, &plain))
		return;
	theirs_n = items_that_fit(&q->proto, at, left, &theirs_whole);
	plain_n = items_that_fit(&plain, at, left, &plain_whole);
	if (theirs_whole && plain_whole)
		return; /* too short to tell */
	q->either = false;
	if (plain_whole || (!theirs_whole && plain_n > theirs_n))
		is_plain(q, &plain);
}

/* Whether a device context that is read as `p` has it could be one. */
static bool likely_context(const struct wire_proto *p, const uint8_t *at, size_t left)
{
	enum { FLAGS_MAX = 1, TYPE_MAX = 12 };
	struct wire_gpu_context v;

	if (left < p->size[WIRE_GpuNewContext])
		return false;
	v = wire_get_gpu_context(p, at);
	return v.flags <= FLAGS_MAX && v.type && v.type <= TYPE_MAX;
}

/*
 * GpuNewContext: Tenstorrent's has a byte more before flags and type, and so has every item of a device.  Of the two
 * ways to read the frame from here on, the wrong one soon meets an item that does not exist; where neither does, flags
 * and type tell.
 */
static void choose_layout(struct questions *q, const uint8_t *at, size_t left)
{
	bool theirs_likely = likely_context(&q->proto, at, left), plain_likely;
	bool theirs_whole, plain_whole, theirs;
	size_t theirs_n, plain_n;
	struct wire_proto plain;

	q->either = false;
	if (!plain_of(q, &plain))
		return;
	plain_likely = likely_context(&plain, at, left);
	theirs_n = items_that_fit(&q->proto, at, left, &theirs_whole);
	plain_n = items_that_fit(&plain, at, left, &plain_whole);
	if (theirs_whole != plain_whole)
		theirs = theirs_whole;
	else if (theirs_likely != plain_likely)
		theirs = theirs_likely;
	else if (!theirs_whole)
		theirs = theirs_n >= plain_n;
	else
		theirs = left >= q->proto.size[WIRE_GpuNewContext] &&
			 wire_get_gpu_context(&q->proto, at).type == q->proto.device_type;
	if (!theirs)
		is_plain(q, &plain);
}

/* A time that is no step. */
static void seen(struct questions *q, int64_t ticks)
{
	if (ticks > q->last_ticks)
		q->last_ticks = ticks;
}

static void step(struct questions *q, int64_t by)
{
	q->ref_thread = (int64_t)((uint64_t)q->ref_thread + (uint64_t)by);
}

/* What an item's fields ask for and say of the time, by their roles in tracy_items.def: take_SHAPE(q, at). */
#define ROLE_NONE(value)
#define ROLE_SEEN(value)             seen(q, value);
#define ROLE_STEP(value)             step(q, value);
#define ROLE_LOCATION(value)         ask_location(q, value);
#define ROLE_STRING(value)           ask(q, WIRE_ASK_STRING, value);
#define ROLE_LITERAL(value)          ask_literal(q, value);
#define ROLE_THREAD(value)           ask_thread(q, value);
#define ROLE_PLOT(value)             ask(q, WIRE_ASK_PLOT, value);
#define ROLE_FRAME(value)            ask(q, WIRE_ASK_FRAME, value);
#define ROLE_FIBER(value)            ask(q, WIRE_ASK_FIBER, value);
#define ROLE_EXTERNAL(value)         ask_code(q, WIRE_ASK_EXTERNAL, value);
#define ROLE_SYMBOL(value)           ask_code(q, WIRE_ASK_SYMBOL, value);
#define FIELD(name, type, set, role) ROLE_##role(v.name)
#define SHAPE(name, fields)                                             \
	static void take_##name(struct questions *q, const uint8_t *at) \
	{                                                               \
		struct wire_##name v = wire_get_##name(&q->proto, at);  \
                                                                        \
		(void)v;                                                \
		fields                                                  \
	}
#define ITEM(name, ...)
#include "wire/tracy_items.def"
static void take_none(struct questions *q, const uint8_t *at)
{
	(void)q, (void)at;
}

/* Constants of the item are known where this is called: what is left of it is a line or two. */
static inline __attribute__((always_inline)) void count(struct questions *q, enum wire_item item,
							enum wire_event event, enum wire_edge edge,
							const uint8_t *at)
{
	if (event != WIRE_EVENT_NONE)
		q->events[event]++;
	if (event == WIRE_EVENT_ZONE)
		q->open_zones++;
	if (edge == WIRE_EDGE_END)
		q->open_zones--;
	if (item == WIRE_CallstackFrameSize)
		answered_code(q, WIRE_ASK_CALLSTACK_FRAME, wire_get_address(&q->proto, at).ptr);
	else if (item == WIRE_SymbolInformation)
		answered_code(q, WIRE_ASK_SYMBOL, wire_get_symbol(&q->proto, at).symAddr);
	else if (event == WIRE_EVENT_ANSWER)
		answered(q);
	if (item == WIRE_FrameMarkMsg || item == WIRE_FrameMarkMsgStart)
		q->frames += !wire_get_frame_mark(&q->proto, at).name;
	if (item == WIRE_Terminate)
		q->terminated = true;
	if (item == WIRE_Crash)
		q->crashed = true;
	if (item == WIRE_ThreadContext) {
		seen(q, q->ref_thread);
		q->ref_thread = 0;
	}
}

static void fixed(struct questions *q, enum wire_item item, const uint8_t *at)
{
	switch (item) {
#define SHAPE(name, fields)
#define ITEM(name, class, protocols, shape, taker, gap, event, follows, stack, edge) \
	case WIRE_##name:                                                            \
		count(q, WIRE_##name, WIRE_EVENT_##event, WIRE_EDGE_##edge, at);     \
		take_##shape(q, at);                                                 \
		break;
#include "wire/tracy_items.def"
	case WIRE_ITEMS:
		break;
	}
}

void questions_init(struct questions *q, enum wire_key key, bool either)
{
	struct wire_proto plain;

	memset(q, 0, sizeof(*q));
	wire_proto_init(&q->proto, key);
	q->either = either;
	q->other_numbers = either && plain_of(q, &plain) &&
			   memcmp(plain.id, q->proto.id, sizeof(plain.id)) != 0;
}

/* Begins and ends of zones as long as there is nothing else: nearly all is that. */
static const uint8_t *zones(struct questions *q, const uint8_t *at, const uint8_t *end)
{
	const struct wire_proto *p = &q->proto;
	uint64_t ref = (uint64_t)q->ref_thread, begun = 0, ended = 0;

	while (end - at >= WIRE_MAX_zone_begin) {
		uint64_t srcloc;
		int64_t by;
		const uint8_t *next = wire_begin(p, p->zones[*at], at, &by, &srcloc);

		if (next) {
			ask_location(q, srcloc);
			begun++;
		} else {
			next = wire_end(p, p->zones[*at], at, &by);
			if (!next)
				break;
			ended++;
		}
		at = next;
		ref += (uint64_t)by;
	}
	q->ref_thread = (int64_t)ref;
	q->events[WIRE_EVENT_ZONE] += begun;
	q->open_zones += (int64_t)begun - (int64_t)ended;
	return at;
}

/* Of a message, most likely. */
static void note_text(struct questions *q, struct str text)
{
	struct self_report r;

	if (str_starts(text, STR("`TT_DNN_")))
		q->ops++;
	else if (self_report_get(text, &r) && self_report_counts_drops(&r)) {
		q->drops = 0; /* each counts all */
		for (unsigned i = 0; i < SELF_REPORT_DROPS; i++)
			q->drops += r.values[i];
	}
}

enum ttp_rc questions_frame(struct questions *q, const uint8_t *items, size_t len,
			    struct ttp_err *e)
{
	struct cursor c = cursor_of(items, len);
	struct wire_got got;

	if (q->either && q->other_numbers)
		choose_numbers(q, items, len);
	while (cursor_left(&c)) {
		const uint8_t *at = c.at;
		size_t size;

		if (q->proto.zones[*at]) {
			c.at = zones(q, at, c.end);
			if (c.at != at)
				continue;
		}
		if (q->either && q->proto.item[*at] == WIRE_GpuNewContext)
			choose_layout(q, at, cursor_left(&c));
		size = q->proto.fixed_size[*at];
		if (size && cursor_left(&c) >= size) {
			c.at += size;
			fixed(q, q->proto.item[*at], at);
			continue;
		}
		if (!wire_next(&q->proto, &c, &got))
			break;
		if (got.item == WIRE_SingleStringData || got.item == WIRE_SingleStringData8)
			note_text(q, got.text);
		if (got.item == WIRE_CallstackPayload)
			ask_addresses(q, got.text);
		if (wire_traits[got.item].event == WIRE_EVENT_ANSWER)
			answered(q);
	}
	seen(q, q->ref_thread);
	if (!c.bad)
		return TTP_OK;
	if (cursor_left(&c) && q->proto.item[*c.at] == WIRE_NONE)
		return ttp_fail(e, TTP_FORMAT,
				"item %u is unknown to protocol %s (byte %zu of a frame of %zu)",
				*c.at, q->proto.key, (size_t)(c.at - items), len);
	return ttp_fail(e, TTP_FORMAT, "an item is cut by the end of its frame of %zu bytes", len);
}
