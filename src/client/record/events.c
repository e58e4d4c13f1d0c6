// SPDX-License-Identifier: Apache-2.0
/* Messages, frames, plots, memory and names. */
#include <string.h>

#include "client/record/recording_window.h"
#include "client/record/stream.h"
#include "client/record/ticks.h"
#include "ttp/client.h"

/* A signpost may begin a part that is recorded, or end one. */
static void put_message(uint64_t argument, const char *text, size_t len)
{
	bool settle = window_reads_signposts && text && window_message(text, len);

	stream_put_text(RECORD_MESSAGE, argument, 2, text, len, DROP_MESSAGE);
	if (settle)
		window_settle();
}

void ttp_message(const char *text, size_t len)
{
	put_message(0, text, len);
}

void ttp_message_color(const char *text, size_t len, uint32_t color)
{
	put_message(RECORD_COLORED | (uint64_t)(color & 0xFFFFFF) << 24, text, len);
}

void ttp_message_always(const char *text, size_t len)
{
	put_message(RECORD_ALWAYS, text, len);
}

void ttp_app_info(const char *text, size_t len)
{
	stream_put_text(RECORD_APP_INFO, 0, 2, text, len, DROP_OTHER);
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
	STREAM_PUT(DROP_MESSAGE, record_head(RECORD_LITERAL, stream_pointer(literal)),
		   (uint64_t)ticks_now(), color);
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
	STREAM_PUT(DROP_FRAME, record_head(kind, stream_pointer(name)), (uint64_t)ticks_now());
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
	STREAM_PUT(DROP_PLOT, record_head(kind, stream_pointer(name)), (uint64_t)ticks_now(), bits);
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
	STREAM_PUT(DROP_OTHER, record_head(RECORD_PLOT_CONFIG, stream_pointer(name)),
		   (uint64_t)format | (uint64_t)step << 8 | (uint64_t)fill << 16 |
			   (uint64_t)color << 32);
}

void ttp_memory_alloc(const void *ptr, size_t size, const char *pool)
{
	STREAM_PUT(DROP_MEMORY, record_head(RECORD_ALLOC, stream_pointer(pool)),
		   (uint64_t)ticks_now(), stream_pointer(ptr), size);
}

void ttp_memory_free(const void *ptr, const char *pool)
{
	if (ptr)
		STREAM_PUT(DROP_MEMORY, record_head(RECORD_FREE, stream_pointer(pool)),
			   (uint64_t)ticks_now(), stream_pointer(ptr));
}

void ttp_memory_discard(const char *pool)
{
	STREAM_PUT(DROP_MEMORY, record_head(RECORD_DISCARD, stream_pointer(pool)),
		   (uint64_t)ticks_now());
}

void ttp_thread_name(const char *name)
{
	size_t len = name ? strnlen(name, 255) : 0;

	if (len) /* else it keeps the name it has */
		stream_put_text(RECORD_THREAD_NAME, 0, 1, name, len, DROP_OTHER);
}
