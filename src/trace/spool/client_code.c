// SPDX-License-Identifier: Apache-2.0
/*
 * What a client says of code: call stacks, what their addresses are, samples, images of frames, parts of the run.
 *
 * Addresses are kept as files have them, in 62 bits.  Those of a program that is not the first one have its number in
 * bits that no address of a program uses, because a file has one space for all.
 */
#include "base/keyed.h"
#include "trace/spool/client_events.h"

static const uint64_t address_bits = (UINT64_C(1) << 62) - 1;
static const uint64_t made_up = UINT64_C(1) << 62; /* a number instead of an address */

enum { ADDRESS_PROCESS_SHIFT = 48, ADDRESS_PROCESSES = 4096, STACKS_MAX = 0xFFFFFE };

static uint64_t whole_address(const struct client_events *c, uint64_t address)
{
	if (address >> (ADDRESS_PROCESS_SHIFT - 1) || c->process >= ADDRESS_PROCESSES)
		return address; /* the kernel's are everybody's */
	return address | (uint64_t)c->process << ADDRESS_PROCESS_SHIFT;
}

static uint32_t stack_of(struct trace *t, struct str addresses)
{
	uint32_t before = intern_count(&t->stack_ids), id;

	if (before >= STACKS_MAX) { /* files number them in three bytes */
		id = intern_find(&t->stack_ids, addresses);
		t->skipped[TRACE_SKIP_STACKS] += id == INTERN_NONE;
		return id == INTERN_NONE ? 0 : id + 1;
	}
	id = intern_copy(&t->stack_ids, addresses);
	if (id == before)
		*vec_push(&t->stacks) = intern_get(&t->stack_ids, id);
	return id + 1;
}

CLIENT_TAKE(stack)
{
	struct str payload = got->text;
	uint64_t address;

	buf_clear(&c->addresses);
	for (size_t i = 0; i + 8 <= payload.len; i += 8) {
		memcpy(&address, payload.at + i, sizeof(address));
		address = whole_address(c, address) & address_bits;
		buf_add(&c->addresses, (const char *)&address, sizeof(address));
	}
	c->stack = c->addresses.len ? stack_of(c->t, buf_view(&c->addresses)) : 0;
}

static void add_address(struct trace *t, struct trace_address a)
{
	(void)keyed_at(&t->addresses_known, a.address, &t->addresses, a);
}

static void add_symbol(struct trace *t, const struct asked_symbol *a)
{
	if (a->shown && a->answered && keyed_is_new(&t->symbols_known, a->symbol.address))
		*vec_push(&t->symbols) = a->symbol;
}

static bool short_text(struct cursor *cur, struct str *text)
{
	uint16_t n = cursor_u16(cur);

	if (cur->bad || cursor_left(cur) < n)
		return false;
	*text = str_n((const char *)cur->at, n);
	cur->at += n;
	return true;
}

/* Of interpreters: lines with names instead of addresses.  They come before what a native one has. */
CLIENT_TAKE(stack_of_names)
{
	struct cursor cur = cursor_of(got->text.at, got->text.len);
	struct trace *t = c->t;
	SCOPED(buf) struct buf all = { 0 }, key = { 0 };
	unsigned n = cursor_u8(&cur);

	for (unsigned i = 0; i < n && !cur.bad; i++) {
		uint32_t line = cursor_u32(&cur), before = intern_count(&t->custom_ids), id;
		struct str name, file;
		uint64_t address;

		if (!short_text(&cur, &name) || !short_text(&cur, &file))
			break;
		buf_clear(&key);
		buf_add(&key, (const char *)&line, sizeof(line));
		buf_str(&key, name);
		buf_char(&key, 0);
		buf_str(&key, file);
		id = intern_copy(&t->custom_ids, buf_view(&key));
		address = made_up | id;
		if (id == before) {
			struct trace_line l = { .name = trace_shared_string(t, name),
						.file = trace_shared_string(t, file),
						.line = line };

			add_address(t, (struct trace_address){ .address = address,
							       .image = TRACE_NONE,
							       .first = (uint32_t)t->lines.len,
							       .count = 1 });
			*vec_push(&t->lines) = l;
		}
		buf_add(&all, (const char *)&address, sizeof(address));
	}
	if (c->stack)
		buf_str(&all, t->stacks.at[c->stack - 1]);
	c->stack = all.len ? stack_of(t, buf_view(&all)) : 0;
}

uint32_t client_stack_of(struct client_events *c, enum wire_stack whose)
{
	uint32_t *from = whose == WIRE_STACK_THREAD ? &client_current(c)->stack : &c->serial_stack;
	uint32_t stack = *from;

	*from = 0;
	return stack;
}

/* A call stack that came is that of what a thread does next, ... */
CLIENT_TAKE(stack_of_thread)
{
	(void)got;
	client_current(c)->stack = c->stack;
	c->stack = 0;
}

/* ... or of the next of the items that all threads share. */
CLIENT_TAKE(stack_of_all)
{
	(void)got;
	c->serial_stack = c->stack;
	c->stack = 0;
}

CLIENT_TAKE(sample)
{
	enum wire_shape shape = wire_traits[got->item].shape;
	struct trace_sample s = { .stack = c->stack };
	struct wire_sample v = { 0 };

	if (shape == WIRE_SHAPE_sample16) {
		v.thread = CLIENT_GET(sample16).thread;
		v.time = CLIENT_GET(sample16).time;
	} else if (shape == WIRE_SHAPE_sample32) {
		v.thread = CLIENT_GET(sample32).thread;
		v.time = CLIENT_GET(sample32).time;
	} else {
		v = CLIENT_GET(sample);
	}
	client_step(&c->ref_ctx, v.oldTime + v.time); /* one is there */
	s.at_switch = got->item >= WIRE_CallstackSampleContextSwitch;
	s.time_ns = c->ref_ctx ? client_ns(c, c->ref_ctx) : 0;
	s.track = client_track(c, v.thread);
	c->stack = 0;
	if (!s.stack) {
		c->t->skipped[TRACE_SKIP_MISPLACED]++;
		return;
	}
	client_seen(c, s.time_ns);
	c->t->samples++;
	if (s.at_switch)
		TRACE_TELL(c->sink, sample, &s);
	s.at_switch = false;
	TRACE_TELL(c->sink, sample, &s);
}
_Static_assert(WIRE_CallstackSample16 + 1 == WIRE_CallstackSampleContextSwitch,
	       "those of context switches stand behind the others");

CLIENT_TAKE(hw_sample)
{
	struct wire_hw_sample v = CLIENT_GET(hw_sample);
	struct trace_hw_sample s = { .address = whole_address(c, v.ip),
				     .time_ns = v.time ? client_ns(c, v.time) : 0,
				     .counter = (uint8_t)(got->item - WIRE_HwSampleCpuCycle) };

	client_seen(c, s.time_ns);
	c->t->hw_samples++;
	TRACE_TELL(c->sink, hw_sample, &s);
}

/* An address, of which so many lines follow. */
CLIENT_TAKE(address)
{
	struct wire_address v = CLIENT_GET(address);

	c->lines_left = v.size;
	c->at_address = (struct trace_address){
		.address = whole_address(c, v.ptr),
		.image = trace_shared_string(c->t, buf_view(&c->single)),
		.count = v.size,
	};
	vec_clear(&c->lines);
}

/* A symbol is asked for at its first line, and is of use from the first line on that is shown. */
static void symbol_of_line(struct client_events *c, struct trace_line l, uint32_t size,
			   bool inlined, bool shown)
{
	struct asked_symbol *a;
	bool added;
	uint32_t n = (uint32_t)c->asked_symbols.len;

	n = u64map_get_or_put(&c->asked_by_symbol, l.symbol, n, &added);
	if (added)
		*vec_push(&c->asked_symbols) = (struct asked_symbol){ .symbol.address = l.symbol };
	a = &c->asked_symbols.at[n];
	if (!shown || a->shown)
		return;
	a->shown = true;
	a->symbol.name = l.name;
	a->symbol.image = c->at_address.image;
	a->symbol.call_file = l.file;
	a->symbol.call_line = l.line;
	a->symbol.size = size;
	a->symbol.inlined = inlined;
	add_symbol(c->t, a);
}

CLIENT_TAKE(address_line)
{
	struct trace *t = c->t;
	struct wire_address_line v = CLIENT_GET(address_line);
	struct trace_line l = { .line = v.line,
				.symbol = v.symAddr ? whole_address(c, v.symAddr) : 0 };
	bool inlined = c->lines_left > 1, shown;

	if (!c->lines_left) {
		t->skipped[TRACE_SKIP_MISPLACED]++;
		return;
	}
	shown = !inlined || c->lines.len || !client_plumbing(buf_view(&c->second));
	l.name = trace_shared_string(t, buf_view(&c->single));
	l.file = trace_shared_string(t, buf_view(&c->second));
	c->lines_left--;
	if (l.symbol)
		symbol_of_line(c, l, v.symLen, inlined, shown);
	if (!shown) {
		c->at_address.count--;
		return;
	}
	*vec_push(&c->lines) = l;
	if (!c->lines_left) {
		uint64_t address = c->at_address.address;

		c->at_address.address &= address_bits;
		c->at_address.first = (uint32_t)t->lines.len;
		vec_append(&t->lines, c->lines.at, c->lines.len);
		add_address(t, c->at_address);
		TRACE_TELL(c->sink, code_symbol, address, c->lines.at[0].symbol);
	}
}

CLIENT_TAKE(symbol)
{
	struct wire_symbol v = CLIENT_GET(symbol);
	struct asked_symbol *a;
	uint32_t n;

	if (!u64map_get(&c->asked_by_symbol, whole_address(c, v.symAddr), &n)) {
		c->t->skipped[TRACE_SKIP_MISPLACED]++;
		return;
	}
	a = &c->asked_symbols.at[n];
	a->answered = true;
	a->symbol.file = trace_shared_string(c->t, buf_view(&c->single));
	a->symbol.line = v.line;
	add_symbol(c->t, a);
}

CLIENT_TAKE(image_data)
{
	buf_set_str(&c->image, got->text);
}

/* The wire counts from bright to dark, files as DXT1 does: 0, 1, 2, 3 are 1, 3, 2, 0. */
CLIENT_TAKE(image)
{
	struct wire_frame_image v = CLIENT_GET(frame_image);
	struct trace_image i = { .set = client_frames_of(c, 0, true),
				 .frame = v.frame - (uint32_t)c->frame_offset + 1,
				 .width = v.w,
				 .height = v.h,
				 .flipped = v.flip };

	if (c->on_demand && v.frame <= c->frame_offset) { /* of a frame before the session */
		buf_clear(&c->image);
		return;
	}
	if (!c->image.len || c->image.len != (size_t)i.width * i.height / 2) {
		c->t->skipped[TRACE_SKIP_MISPLACED]++;
		return;
	}
	for (size_t k = 4; k + 4 <= c->image.len; k += 8) {
		uint32_t row, low, high;

		memcpy(&row, c->image.at + k, sizeof(row));
		low = row & 0x55555555;
		high = row >> 1 & 0x55555555;
		row = (~high & 0x55555555) | (low ^ high) << 1;
		memcpy(c->image.at + k, &row, sizeof(row));
	}
	i.bytes = buf_view(&c->image);
	c->t->images++;
	TRACE_TELL(c->sink, image, &i);
	buf_clear(&c->image);
}

static void tell_section(struct client_events *c, const struct open_section *o)
{
	struct trace_section s = { .category = o->category,
				   .text = trace_str(c->t, o->text),
				   .start_ns = o->start_ns,
				   .end_ns = o->end_ns };

	c->t->sections++;
	TRACE_TELL(c->sink, section, &s);
}

/* Its begin and end may come in any order. */
CLIENT_TAKE(section)
{
	struct wire_section_leave v = CLIENT_GET(section_leave); /* enters begin alike */
	uint32_t id = v.id, n = TRACE_NONE;
	int64_t ns = client_ns(c, client_step(&c->ref_thread, v.time));
	struct open_section *o;

	client_seen(c, ns);
	if (!u64map_get(&c->section_at, id, &n) || n == TRACE_NONE) {
		n = (uint32_t)c->sections.len;
		u64map_put(&c->section_at, id, n);
		*vec_push(&c->sections) = (struct open_section){
			.id = id, .text = TRACE_NONE, .start_ns = TRACE_OPEN, .end_ns = TRACE_OPEN
		};
	}
	o = &c->sections.at[n];
	if (got->item == WIRE_SectionEnter) {
		o->start_ns = ns;
		o->text = trace_shared_string(c->t, buf_view(&c->single));
		o->category = CLIENT_GET(section_enter).category;
	} else {
		o->end_ns = ns;
	}
	if (o->start_ns != TRACE_OPEN && o->end_ns != TRACE_OPEN) {
		tell_section(c, o);
		*o = c->sections.at[--c->sections.len];
		u64map_put(&c->section_at, o->id, n);
		u64map_put(&c->section_at, id, TRACE_NONE);
	}
}

CLIENT_TAKE(section_setup)
{
	*vec_push(&c->t->categories) =
		(struct trace_category){ .category = CLIENT_GET(section_setup).category,
					 .name = trace_shared_string(c->t, buf_view(&c->single)) };
}

CLIENT_TAKE(crash)
{
	(void)got;
	c->t->crashed = true;
}

CLIENT_TAKE(crash_report)
{
	struct wire_crash_report v = CLIENT_GET(crash_report);

	c->t->crashed = true;
	if (c->t->crash.time_ns) /* of several programs, the first one's */
		return;
	c->t->crash = (struct trace_crash){ .track = client_current(c)->track,
					    .time_ns = client_ns(c, v.time),
					    .message = client_string(c, v.text),
					    .stack = client_stack_for(c, WIRE_CrashReport) };
}

CLIENT_TAKE(topology)
{
	struct wire_cpu_topology v = CLIENT_GET(cpu_topology);

	if (!c->process) /* one machine */
		*vec_push(&c->t->cpus) = (struct trace_cpu){ v.package, v.die, v.core, v.thread };
}

CLIENT_TAKE(thread_group)
{
	struct wire_thread_group v = CLIENT_GET(thread_group);
	uint32_t track = client_track(c, v.thread);

	c->t->tracks.at[track].group = v.groupHint;
}

void client_code_end(struct client_events *c)
{
	vec_each (o, &c->sections) {
		if (o->start_ns != TRACE_OPEN)
			tell_section(c, o);
	}
	vec_clear(&c->sections);
}
