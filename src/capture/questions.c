// SPDX-License-Identifier: Apache-2.0
#include "capture/questions.h"

#include <stdio.h>

#include "wire/welcome.h"

static uint64_t u64_at(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static uint32_t u32_at(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static uint16_t u16_at(const uint8_t *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

void questions_release(struct questions *q)
{
	buf_release(&q->to_send);
	u64map_release(&q->asked);
}

static void ask(struct questions *q, enum wire_query kind, uint64_t ptr)
{
	uint8_t packet[WIRE_QUERY_BYTES] = { 0 };
	bool added;

	if (!ptr)
		return;
	/* Pointers have 56 bits at most; where one has more, two kinds may be taken for one, and a name is missing. */
	(void)u64map_get_or_put(&q->asked, ptr ^ (uint64_t)kind << 60, 0, &added);
	if (!added)
		return;
	packet[0] = (uint8_t)kind;
	memcpy(packet + 1, &ptr, sizeof(ptr));
	buf_add(&q->to_send, (const char *)packet, sizeof(packet));
	q->pending++;
}

/* As ask, for what comes with nearly every item. */
static inline void ask_place(struct questions *q, uint64_t ptr)
{
	uint64_t *recent =
		&q->recent[ptr * UINT64_C(0x9E3779B97F4A7C15) >> (64 - QUESTIONS_CACHE_BITS)];

	if (*recent == ptr)
		return;
	*recent = ptr;
	ask(q, WIRE_ASK_LOCATION, ptr);
}

static void ask_code(struct questions *q, enum wire_query kind, uint64_t address)
{
	/* Before 66 two numbers were others: 8 was what is 9 now, 9 what is 10, 10 what is 8. */
	static const uint8_t before_66[] = {
		[WIRE_ASK_EXTERNAL] = 10, [WIRE_ASK_DISCONNECT] = 8, [WIRE_ASK_CALLSTACK_FRAME] = 9
	};

	if (q->proto.number < 66 && kind <= WIRE_ASK_CALLSTACK_FRAME)
		kind = before_66[kind];
	ask(q, kind, address);
}

/* What a call stack's addresses are; those that were asked for lately are not looked up. */
static void ask_addresses(struct questions *q, struct str payload)
{
	for (size_t i = 0; i + 8 <= payload.len; i += 8) {
		uint64_t address = u64_at((const uint8_t *)payload.at + i),
			 *recent = &q->recent_addresses[address % QUESTIONS_CACHE];

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

static void ask_literal(struct questions *q, uint64_t word)
{
	if (q->proto.tag_shift)
		word >>= 8;
	else if (q->proto.message_meta)
		word &= UINT64_C(0x00FFFFFFFFFFFFFF);
	ask(q, WIRE_ASK_STRING, word);
}

static void find_zones(struct questions *q);

/* What can't stand alone: a text or a call stack comes right before it. */
static bool comes_after(enum wire_item item, enum wire_item before)
{
	switch (item) {
	case WIRE_ZoneText:
	case WIRE_ZoneName:
	case WIRE_Message:
	case WIRE_MessageColor:
	case WIRE_MessageCallstack:
	case WIRE_MessageColorCallstack:
	case WIRE_MessageAppInfo:
	case WIRE_LockName:
	case WIRE_GpuContextName:
		return before == WIRE_SingleStringData || before == WIRE_SingleStringData8;
	case WIRE_Callstack:
	case WIRE_CallstackSerial:
	case WIRE_CallstackAlloc:
		return before == WIRE_CallstackPayload || before == WIRE_CallstackAllocPayload;
	default:
		return true;
	}
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
	q->told = true;
	find_zones(q);
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

/*
 * GpuNewContext: Tenstorrent's has a byte more before flags and type, and so has every item of a device.  Of the two
 * ways to read the frame from here on, the wrong one soon meets an item that does not exist; where neither does, flags
 * and type tell.
 */
static void choose_layout(struct questions *q, const uint8_t *at, size_t left)
{
	enum { FLAGS_MAX = 1, TYPE_MAX = 12 };
	bool theirs_likely = left >= 29 && at[27] <= FLAGS_MAX && at[28] && at[28] <= TYPE_MAX;
	bool plain_likely = left >= 28 && at[26] <= FLAGS_MAX && at[27] && at[27] <= TYPE_MAX;
	bool theirs_whole, plain_whole, theirs;
	size_t theirs_n, plain_n;
	struct wire_proto plain;

	q->either = false;
	if (!plain_of(q, &plain))
		return;
	theirs_n = items_that_fit(&q->proto, at, left, &theirs_whole);
	plain_n = items_that_fit(&plain, at, left, &plain_whole);
	if (theirs_whole != plain_whole)
		theirs = theirs_whole;
	else if (theirs_likely != plain_likely)
		theirs = theirs_likely;
	else if (!theirs_whole)
		theirs = theirs_n >= plain_n;
	else
		theirs = left >= 29 && at[28] == q->proto.device_type;
	if (!theirs)
		is_plain(q, &plain);
}

/* A time that is no step. */
static void seen(struct questions *q, const uint8_t *at)
{
	int64_t ticks = (int64_t)u64_at(at);

	if (ticks > q->last_ticks)
		q->last_ticks = ticks;
}

static void zone_begins(struct questions *q, int64_t step, uint64_t place)
{
	q->ref_thread = (int64_t)((uint64_t)q->ref_thread + (uint64_t)step);
	q->zones++;
	q->open_zones++;
	ask_place(q, place);
}

static void fixed(struct questions *q, enum wire_item item, const uint8_t *at)
{
	int64_t step;

	switch (item) {
	case WIRE_ZoneBegin:
	case WIRE_ZoneBeginCallstack:
		step = (int64_t)u64_at(at + 1);
		if (q->proto.compact_zones && step >= 0)
			step += 65536 + (INT64_C(1) << 32);
		zone_begins(q, step, u64_at(at + 9));
		break;
	case WIRE_ZoneBegin32:
	case WIRE_ZoneBeginCallstack32:
		zone_begins(q, (int64_t)u32_at(at + 1) + 65536, u64_at(at + 5));
		break;
	case WIRE_ZoneBegin16:
	case WIRE_ZoneBeginCallstack16:
		zone_begins(q, u16_at(at + 1), u64_at(at + 3));
		break;
	case WIRE_ZoneBeginAllocSrcLoc:
	case WIRE_ZoneBeginAllocSrcLocCallstack:
		q->ref_thread = (int64_t)((uint64_t)q->ref_thread + u64_at(at + 1));
		q->zones++;
		q->open_zones++;
		break;
	case WIRE_ZoneEnd:
		step = (int64_t)u64_at(at + 1);
		if (q->proto.compact_zones && step >= 0)
			step += 65536 + (INT64_C(1) << 32);
		q->ref_thread = (int64_t)((uint64_t)q->ref_thread + (uint64_t)step);
		q->open_zones--;
		break;
	case WIRE_ZoneEnd32:
		q->ref_thread = (int64_t)((uint64_t)q->ref_thread + u32_at(at + 1) + 65536);
		q->open_zones--;
		break;
	case WIRE_ZoneEnd16:
		q->ref_thread = (int64_t)((uint64_t)q->ref_thread + u16_at(at + 1));
		q->open_zones--;
		break;
	case WIRE_ThreadContext:
		if (q->ref_thread > q->last_ticks)
			q->last_ticks = q->ref_thread;
		q->ref_thread = 0;
		ask(q, WIRE_ASK_THREAD, u32_at(at + 1));
		break;
	case WIRE_GpuZoneBegin:
	case WIRE_GpuZoneBeginCallstack:
	case WIRE_GpuZoneBeginSerial:
	case WIRE_GpuZoneBeginCallstackSerial:
		ask_place(q, u64_at(at + 15 + q->proto.context_bytes));
		q->device_zones++;
		break;
	case WIRE_GpuZoneBeginAllocSrcLoc:
	case WIRE_GpuZoneBeginAllocSrcLocCallstack:
	case WIRE_GpuZoneBeginAllocSrcLocSerial:
	case WIRE_GpuZoneBeginAllocSrcLocCallstackSerial:
		q->device_zones++;
		break;
	case WIRE_GpuZone:
		ask_place(q, u64_at(at + 17));
		q->device_zones++;
		break;
	case WIRE_LockAnnounce:
		ask_place(q, u64_at(at + 13));
		break;
	case WIRE_LockWait:
	case WIRE_LockObtain:
	case WIRE_LockSharedWait:
	case WIRE_LockSharedObtain:
		ask_thread(q, u32_at(at + 1));
		break;
	case WIRE_CallstackSample:
	case WIRE_CallstackSampleContextSwitch:
		ask_thread(q, u32_at(q->proto.compact_zones ? at + 1 : at + 9));
		break;
	case WIRE_CallstackSample32:
	case WIRE_CallstackSample16:
	case WIRE_CallstackSampleContextSwitch32:
	case WIRE_CallstackSampleContextSwitch16:
		ask_thread(q, u32_at(at + 1));
		break;
	case WIRE_ContextSwitch:
		ask_code(q, WIRE_ASK_EXTERNAL, u32_at(at + 13));
		break;
	case WIRE_CallstackFrameSize:
	case WIRE_SymbolInformation:
		answered(q);
		break;
	case WIRE_CallstackFrame:
		ask_code(q, WIRE_ASK_SYMBOL, u64_at(at + 5));
		break;
	case WIRE_SectionEnter:
	case WIRE_SectionLeave:
		q->ref_thread = (int64_t)((uint64_t)q->ref_thread + u64_at(at + 1));
		break;
	case WIRE_LockMark:
		ask_place(q, u64_at(at + 9));
		break;
	case WIRE_SourceLocation:
		answered(q);
		ask(q, WIRE_ASK_STRING, u64_at(at + 1));
		ask(q, WIRE_ASK_STRING, u64_at(at + 9));
		ask(q, WIRE_ASK_STRING, u64_at(at + 17));
		break;
	case WIRE_MessageLiteral:
	case WIRE_MessageLiteralCallstack:
		q->messages++;
		seen(q, at + 1);
		ask_literal(q, u64_at(at + 9));
		break;
	case WIRE_MessageLiteralColor:
	case WIRE_MessageLiteralColorCallstack:
		q->messages++;
		seen(q, at + 1);
		ask_literal(q, u64_at(at + 12));
		break;
	case WIRE_Message:
	case WIRE_MessageColor:
	case WIRE_MessageCallstack:
	case WIRE_MessageColorCallstack:
		q->messages++;
		seen(q, at + 1);
		break;
	case WIRE_MemNamePayload:
		ask(q, WIRE_ASK_STRING, u64_at(at + 1));
		break;
	case WIRE_MemDiscard:
	case WIRE_MemDiscardCallstack:
		ask(q, WIRE_ASK_STRING, u64_at(at + 13));
		break;
	case WIRE_SysPowerReport:
		ask(q, WIRE_ASK_STRING, u64_at(at + 17));
		break;
	case WIRE_CrashReport:
		ask(q, WIRE_ASK_STRING, u64_at(at + 9));
		break;
	case WIRE_ParamSetup:
		ask(q, WIRE_ASK_STRING, u64_at(at + 5));
		break;
	case WIRE_PlotDataInt:
	case WIRE_PlotDataFloat:
	case WIRE_PlotDataDouble:
		q->ref_thread = (int64_t)((uint64_t)q->ref_thread + u64_at(at + 9));
		q->plots++;
		ask(q, WIRE_ASK_PLOT, u64_at(at + 1));
		break;
	case WIRE_PlotConfig:
		ask(q, WIRE_ASK_PLOT, u64_at(at + 1));
		break;
	case WIRE_FrameMarkMsg:
	case WIRE_FrameMarkMsgStart:
		if (!u64_at(at + 9))
			q->frames++;
		seen(q, at + 1);
		ask(q, WIRE_ASK_FRAME, u64_at(at + 9));
		break;
	case WIRE_FrameMarkMsgEnd:
		ask(q, WIRE_ASK_FRAME, u64_at(at + 9));
		break;
	case WIRE_FiberEnter:
		q->ref_thread = (int64_t)((uint64_t)q->ref_thread + u64_at(at + 1));
		ask(q, WIRE_ASK_FIBER, u64_at(at + 9));
		break;
	case WIRE_FiberLeave:
		q->ref_thread = (int64_t)((uint64_t)q->ref_thread + u64_at(at + 1));
		break;
	case WIRE_AckServerQueryNoop:
	case WIRE_AckSourceCodeNotAvailable:
	case WIRE_AckSymbolCodeNotAvailable:
		answered(q);
		break;
	case WIRE_Terminate:
		q->terminated = true;
		break;
	case WIRE_Crash:
		q->crashed = true;
		break;
	default:
		break;
	}
}

enum zone_kind { NO_ZONE, BEGIN, BEGIN_32, BEGIN_16, END, END_32, END_16 };

static void find_zones(struct questions *q)
{
	static const struct {
		enum wire_item item;
		enum zone_kind kind;
	} kinds[] = { { WIRE_ZoneBegin, BEGIN },      { WIRE_ZoneBegin32, BEGIN_32 },
		      { WIRE_ZoneBegin16, BEGIN_16 }, { WIRE_ZoneEnd, END },
		      { WIRE_ZoneEnd32, END_32 },     { WIRE_ZoneEnd16, END_16 } };

	memset(q->zone_kind, NO_ZONE, sizeof(q->zone_kind));
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (q->proto.id[kinds[i].item] != WIRE_NONE)
			q->zone_kind[q->proto.id[kinds[i].item]] = (uint8_t)kinds[i].kind;
}

void questions_init(struct questions *q, enum wire_key key, bool either)
{
	struct wire_proto plain;

	memset(q, 0, sizeof(*q));
	wire_proto_init(&q->proto, key);
	q->either = either;
	q->other_numbers = either && plain_of(q, &plain) &&
			   memcmp(plain.id, q->proto.id, sizeof(plain.id)) != 0;
	for (unsigned i = 0; i < WIRE_ITEMS; i++)
		q->fixed[i] = wire_item_class(i) == WIRE_FIXED;
	find_zones(q);
}

/* Begins and ends of zones as long as there is nothing else: nearly all is that. */
static const uint8_t *zones(struct questions *q, const uint8_t *at, const uint8_t *end)
{
	const int64_t far = q->proto.compact_zones ? 65536 + (INT64_C(1) << 32) : 0;
	uint64_t ref = (uint64_t)q->ref_thread, begun = 0, ended = 0;
	int64_t step;

	while (end - at >= 17) {
		switch ((enum zone_kind)q->zone_kind[*at]) {
		case BEGIN:
			step = (int64_t)u64_at(at + 1);
			ref += (uint64_t)(step >= 0 ? step + far : step);
			ask_place(q, u64_at(at + 9));
			begun++;
			at += 17;
			break;
		case BEGIN_32:
			ref += (uint64_t)u32_at(at + 1) + 65536;
			ask_place(q, u64_at(at + 5));
			begun++;
			at += 13;
			break;
		case BEGIN_16:
			ref += u16_at(at + 1);
			ask_place(q, u64_at(at + 3));
			begun++;
			at += 11;
			break;
		case END:
			step = (int64_t)u64_at(at + 1);
			ref += (uint64_t)(step >= 0 ? step + far : step);
			ended++;
			at += 9;
			break;
		case END_32:
			ref += (uint64_t)u32_at(at + 1) + 65536;
			ended++;
			at += 5;
			break;
		case END_16:
			ref += u16_at(at + 1);
			ended++;
			at += 3;
			break;
		default:
			goto out;
		}
	}
out:
	q->ref_thread = (int64_t)ref;
	q->zones += begun;
	q->open_zones += (int64_t)begun - (int64_t)ended;
	return at;
}

/* Of a message, most likely. */
static void note_text(struct questions *q, struct str text)
{
	uint64_t n = 0;

	if (str_starts(text, STR("`TT_DNN_"))) {
		q->ops++;
		return;
	}
	if (!str_starts(text, STR("ttp: dropped:")))
		return;
	/* "zones=1 texts=0 ..." */
	for (size_t i = 0; i < text.len; i++) {
		if (text.at[i] == '=')
			n = 0;
		else if (text.at[i] >= '0' && text.at[i] <= '9' && n < UINT64_MAX / 20)
			n = n * 10 + (uint64_t)(text.at[i] - '0');
		if ((text.at[i] == ' ' || i + 1 == text.len) && n) {
			q->drops += n;
			n = 0;
		}
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
		uint8_t item = q->proto.item[*c.at];
		const uint8_t *at = c.at;

		if (q->zone_kind[*at]) {
			c.at = zones(q, at, c.end);
			if (c.at != at)
				continue;
		}
		if (item == WIRE_GpuNewContext && q->either)
			choose_layout(q, at, cursor_left(&c));
		if (item != WIRE_NONE && q->fixed[item] && cursor_left(&c) >= q->proto.size[item]) {
			c.at += q->proto.size[item];
			fixed(q, item, at);
			continue;
		}
		if (!wire_next(&q->proto, &c, &got))
			break;
		if (got.item == WIRE_SingleStringData || got.item == WIRE_SingleStringData8)
			note_text(q, got.text);
		if (got.item == WIRE_CallstackPayload)
			ask_addresses(q, got.text);
		else if (wire_item_class(got.item) == WIRE_TRANSFER &&
			 got.item != WIRE_SourceLocationPayload &&
			 got.item != WIRE_CallstackAllocPayload &&
			 got.item != WIRE_ExternalThreadName)
			answered(q);
		else if (got.item == WIRE_SymbolCode || got.item == WIRE_SourceCode)
			answered(q);
	}
	if (q->ref_thread > q->last_ticks)
		q->last_ticks = q->ref_thread;
	if (!c.bad)
		return TTP_OK;
	if (cursor_left(&c) && q->proto.item[*c.at] == WIRE_NONE)
		return ttp_fail(e, TTP_FORMAT,
				"item %u is unknown to protocol %s (byte %zu of a frame of %zu)",
				*c.at, q->proto.key, (size_t)(c.at - items), len);
	return ttp_fail(e, TTP_FORMAT, "an item is cut by the end of its frame of %zu bytes", len);
}
