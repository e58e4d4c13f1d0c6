// SPDX-License-Identifier: Apache-2.0
/* Messages, frames, plots, memory and names. */
#include <string.h>

#include "client/record/recording_window.h"
#include "client/record/stream.h"
#include "client/record/ticks.h"
#include "ttp/client.h"

/* `w` with room for two words and the text. */
static void put_text(enum record_kind kind, uint64_t argument, const char *text, size_t len)
{
	enum drop_kind drop = kind == RECORD_APP_INFO ? DROP_OTHER : DROP_MESSAGE;
	struct stream *s;
	uint64_t *w;

	if (!text)
		len = 0;
	if (len > RECORD_INLINE_MAX) {
		/* Its time is taken there: this may be the first event, and the clock not chosen. */
		uint64_t head[2] = { record_head(kind, argument) };

		stream_put_long(head, 2, text, len < RECORD_TEXT_MAX ? len : RECORD_TEXT_MAX, drop);
		return;
	}
	w = stream_open(&s, 2 + (len + 7) / 8, drop);
	if (!w)
		return;
	w[0] = record_head(kind, argument | len);
	w[1] = (uint64_t)ticks_now();
	if (len)
		memcpy(w + 2, text, len);
	stream_close(s, w + 2 + (len + 7) / 8);
}

/* A signpost may begin a part that is recorded, or end one. */
static void put_message(enum record_kind kind, uint64_t argument, const char *text, size_t len)
{
	bool settle = window_reads_signposts && text && window_message(text, len);

	put_text(kind, argument, text, len);
	if (settle)
		window_settle();
}

void ttp_message(const char *text, size_t len)
{
	put_message(RECORD_MESSAGE, 0, text, len);
}

void ttp_message_color(const char *text, size_t len, uint32_t color)
{
	put_message(RECORD_MESSAGE, RECORD_COLORED | (uint64_t)(color & 0xFFFFFF) << 24, text, len);
}

void ttp_message_always(const char *text, size_t len)
{
	put_message(RECORD_MESSAGE, RECORD_ALWAYS, text, len);
}

void ttp_app_info(const char *text, size_t len)
{
	put_text(RECORD_APP_INFO, 0, text, len);
}

void ttp_signpost(const char *header, const char *message)
{
	/* The form that tt-metal's tools look for: backticks around, header and message on lines of
	 * their own. */
	static const char before[] = "`TT_SIGNPOST: ";
	char text[RECORD_INLINE_MAX];
	size_t room = sizeof(text) - sizeof(before) - 2, n, at = sizeof(before) - 1;

	if (!header)
		header = "";
	memcpy(text, before, at);
	n = strlen(header);
	n = n < room ? n : room;
	memcpy(text + at, header, n); // NOLINT(bugprone-not-null-terminated-result): has a length
	at += n;
	room -= n;
	if (message && room) {
		text[at++] = '\n';
		n = strlen(message);
		n = n < room ? n : room;
		memcpy(text + at, message, n);
		at += n;
	}
	text[at++] = '`';
	ttp_message(text, at);
}

static void put_literal(const char *literal, uint64_t color)
{
	struct stream *s;
	uint64_t *w = stream_open(&s, 3, DROP_MESSAGE);

	if (!w)
		return;
	w[0] = record_head(RECORD_LITERAL, (uint64_t)(uintptr_t)literal);
	w[1] = (uint64_t)ticks_now();
	w[2] = color;
	stream_close(s, w + 3);
}

void ttp_message_literal(const char *literal)
{
	put_literal(literal, 0);
}

void ttp_message_literal_color(const char *literal, uint32_t color)
{
	put_literal(literal, RECORD_COLORED | (color & 0xFFFFFF));
}

static void put_frame(enum record_kind kind, const char *name)
{
	struct stream *s;
	uint64_t *w = stream_open(&s, 2, DROP_FRAME);

	if (!w)
		return;
	w[0] = record_head(kind, (uint64_t)(uintptr_t)name);
	w[1] = (uint64_t)ticks_now();
	stream_close(s, w + 2);
}

_Atomic uint64_t events_frames;

void ttp_frame(const char *name)
{
	bool settle = false;

	if (!name) {
		atomic_fetch_add_explicit(&events_frames, 1, memory_order_relaxed);
		settle =
			atomic_load_explicit(&window_in_use, memory_order_relaxed) && window_step();
	}
	put_frame(RECORD_FRAME, name);
	if (settle)
		window_settle();
}

void ttp_frame_start(const char *name)
{
	put_frame(RECORD_FRAME_START, name);
}

void ttp_frame_end(const char *name)
{
	put_frame(RECORD_FRAME_END, name);
}

static void put_plot(enum record_kind kind, const char *name, uint64_t bits)
{
	struct stream *s;
	uint64_t *w = stream_open(&s, 3, DROP_PLOT);

	if (!w)
		return;
	w[0] = record_head(kind, (uint64_t)(uintptr_t)name);
	w[1] = (uint64_t)ticks_now();
	w[2] = bits;
	stream_close(s, w + 3);
}

void ttp_plot(const char *name, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	put_plot(RECORD_PLOT_DOUBLE, name, bits);
}

void ttp_plot_float(const char *name, float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	put_plot(RECORD_PLOT_FLOAT, name, bits);
}

void ttp_plot_int(const char *name, int64_t value)
{
	put_plot(RECORD_PLOT_INT, name, (uint64_t)value);
}

void ttp_plot_config(const char *name, enum ttp_plot_format format, bool step, bool fill,
		     uint32_t color)
{
	struct stream *s;
	uint64_t *w = stream_open(&s, 2, DROP_OTHER);

	if (!w)
		return;
	w[0] = record_head(RECORD_PLOT_CONFIG, (uint64_t)(uintptr_t)name);
	w[1] = (uint64_t)format | (uint64_t)step << 8 | (uint64_t)fill << 16 |
	       (uint64_t)color << 32;
	stream_close(s, w + 2);
}

void ttp_memory_alloc(const void *ptr, size_t size, const char *pool)
{
	struct stream *s;
	uint64_t *w = stream_open(&s, 4, DROP_MEMORY);

	if (!w)
		return;
	w[0] = record_head(RECORD_ALLOC, (uint64_t)(uintptr_t)pool);
	w[1] = (uint64_t)ticks_now();
	w[2] = (uint64_t)(uintptr_t)ptr;
	w[3] = size;
	stream_close(s, w + 4);
}

void ttp_memory_free(const void *ptr, const char *pool)
{
	struct stream *s;
	uint64_t *w;

	if (!ptr)
		return;
	w = stream_open(&s, 3, DROP_MEMORY);
	if (!w)
		return;
	w[0] = record_head(RECORD_FREE, (uint64_t)(uintptr_t)pool);
	w[1] = (uint64_t)ticks_now();
	w[2] = (uint64_t)(uintptr_t)ptr;
	stream_close(s, w + 3);
}

void ttp_memory_discard(const char *pool)
{
	struct stream *s;
	uint64_t *w = stream_open(&s, 2, DROP_MEMORY);

	if (!w)
		return;
	w[0] = record_head(RECORD_DISCARD, (uint64_t)(uintptr_t)pool);
	w[1] = (uint64_t)ticks_now();
	stream_close(s, w + 2);
}

void ttp_thread_name(const char *name)
{
	size_t len = name ? strnlen(name, 255) : 0;
	struct stream *s;
	uint64_t *w;

	if (!len)
		return; /* it keeps the name it has */
	w = stream_open(&s, 1 + (len + 7) / 8, DROP_OTHER);
	if (!w)
		return;
	w[0] = record_head(RECORD_THREAD_NAME, len);
	memcpy(w + 1, name, len);
	stream_close(s, w + 1 + (len + 7) / 8);
}
