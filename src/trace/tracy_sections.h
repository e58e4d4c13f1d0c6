// SPDX-License-Identifier: Apache-2.0
/* What the two halves of the reader of .tracy files share: names and zones of threads, and the sections behind them. */
#ifndef TTP_TRACE_TRACY_SECTIONS_H
#define TTP_TRACE_TRACY_SECTIONS_H

#include "trace/trace.h"
#include "trace/tracy_container.h"

enum { SRCLOC_IDS = 32768, TEXT_MAX = 64 << 20 };

struct file_extra {
	uint32_t text, name, color; /* strings plus one, 0 none */
};

struct file_message {
	uint64_t key;
	int64_t time_ns;
	uint32_t text, color, track;
	uint8_t source, severity;
};

struct open_zone {
	uint32_t left, extra;
};

struct tracy_in {
	struct tracy_bytes b;
	struct u64map key_to_string, ptr_to_string, tid_to_track, ptr_to_loc, message_by_key;
	struct u64map names; /* tid to string */
	VEC(uint32_t) static_locs, payload_locs;
	uint32_t next_index;
	VEC(struct file_extra) extras;
	VEC(struct file_message) messages;
	VEC(struct open_zone) stack;
	uint32_t frame_name;
};

#define V(major, minor, patch) TRACE_VERSION(major, minor, patch)
/* Over `n` elements of the file, as long as there is more. */
#define EACH_JOIN(a, b) a##b
#define EACH_AT(n, line) \
	for (uint64_t EACH_JOIN(left_, line) = (n); EACH_JOIN(left_, line)-- > 0 && !b->ended;)
#define EACH_LINE(n, line) EACH_AT(n, line)
#define EACH(n)            EACH_LINE(n, __LINE__)

/* Strings of a file: by index or pointer. */
uint32_t tracy_string_ref(struct trace *t, uint64_t value, uint8_t bits);
uint32_t tracy_read_ref(struct trace *t, struct tracy_bytes *b);
uint32_t tracy_track_of(struct trace *t, uint64_t tid);
uint32_t tracy_loc_of(const struct trace *t, int16_t id);

void tracy_devices(struct trace *t, const struct trace_sink *sink);
void tracy_plots(struct trace *t, const struct trace_sink *sink);
void tracy_memory(struct trace *t, const struct trace_sink *sink);
/* What stands behind: only counted, but for the program's words about itself. */
void tracy_rest(struct trace *t, const struct trace_sink *sink);

#endif /* TTP_TRACE_TRACY_SECTIONS_H */
