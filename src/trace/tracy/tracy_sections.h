// SPDX-License-Identifier: Apache-2.0
/* What the two halves of the reader of .tracy files share: names and zones of threads, and the sections behind them. */
#ifndef TTP_TRACE_TRACY_TRACY_SECTIONS_H
#define TTP_TRACE_TRACY_TRACY_SECTIONS_H

#include "trace/spill.h"
#include "trace/trace.h"
#include "trace/tracy/tracy_container.h"

enum { SRCLOC_IDS = 32768, TEXT_MAX = 64 << 20 };

enum {
	FILE_EXTRA_BYTES = 12,
	READ_MEMORY = 4 << 20, /* of texts and what zones carry; the rest waits on disk */
};

/* Texts are called by their numbers in the file. */
struct file_message {
	int64_t time_ns;
	uint32_t text, color, stack;
	uint8_t source, severity;
};

/* A part of the run; its text is known when all texts are. */
struct file_section {
	uint16_t category;
	uint32_t text; /* plus one */
	int64_t start_ns, end_ns;
};

struct file_image {
	uint32_t set, frame;
};

/* By which threads call their messages. */
struct message_key {
	uint64_t key;
	uint32_t message;
};

/* One that counts what its process dropped. */
struct drop_message {
	uint64_t key;
	int64_t time_ns;
	uint32_t text;
};

struct open_zone {
	uint32_t left, extra;
};

struct tracy_in {
	const struct trace_sink *sink;
	struct tracy_bytes b;
	/* All texts of the file; of them only names are in the tables of the trace. */
	struct spill_store store;
	struct spill_log texts, text_at; /* bytes; where each begins */
	uint64_t n_texts;
	struct spill_reader at_reader, text_reader, name_reader;
	struct u64map kept; /* text to string of the trace */

	struct u64map ptr_to_text, tid_to_track, ptr_to_loc;
	struct u64map names; /* tid to text */
	VEC(uint32_t) static_locs, payload_locs;
	uint32_t next_index;
	struct spill_log extras; /* 12 bytes each, as in the file */
	uint64_t n_extras;
	struct spill_reader extra_reader;
	struct spill_log messages;
	struct spill_reader message_reader;
	VEC(struct message_key) message_keys;
	VEC(struct drop_message) drop_messages;
	VEC(uint32_t) message_track;
	uint64_t n_messages;
	VEC(struct open_zone) stack;

	VEC(struct file_section) sections;
	VEC(struct trace_category) categories; /* names are texts plus one */
	struct u64map images;                  /* number of an image to the frame that shows it */
	VEC(struct file_image) image_frames;
	uint64_t crash_thread, crash_message;
	VEC(uint64_t) external_tids; /* by the numbers that processors' lists use */
	struct buf bytes;
};

#define V(major, minor, patch) TRACE_VERSION(major, minor, patch)
/* Over `n` elements of the file, as long as there is more. */
#define EACH_JOIN(a, b) a##b
#define EACH_AT(n, line) \
	for (uint64_t EACH_JOIN(left_, line) = (n); EACH_JOIN(left_, line)-- > 0 && !b->ended;)
#define EACH_LINE(n, line) EACH_AT(n, line)
#define EACH(n)            EACH_LINE(n, __LINE__)

/* A text by its number, borrowed until the next one by the same reader. */
struct str tracy_text(struct trace *t, struct spill_reader *r, uint64_t n);
/* So many bytes of the file in one piece, borrowed until the next call; fewer where it ends. */
struct str tracy_piece_of(struct trace *t, const char *what, uint64_t n);
/* A text that is a name, as a string of the trace. */
uint32_t tracy_name(struct trace *t, uint64_t text);
/* Names of a file: by number or pointer. */
uint32_t tracy_string_ref(struct trace *t, uint64_t value, uint8_t bits);
uint32_t tracy_read_ref(struct trace *t, struct tracy_bytes *b);
uint32_t tracy_track_of(struct trace *t, uint64_t tid);
void tracy_names(struct trace *t);
void tracy_messages(struct trace *t);
void tracy_message_keys(struct trace *t, uint32_t track);
void tracy_tell_messages(struct trace *t);
uint32_t tracy_loc_of(const struct trace *t, int16_t id);

/* A name by its number plus one, as a string of the trace. */
uint32_t tracy_idx(struct trace *t, struct tracy_bytes *b);

/* tracy_code.c: */
void tracy_sections(struct trace *t);
void tracy_tell_sections(struct trace *t);
void tracy_locks(struct trace *t);
void tracy_samples(struct trace *t, uint32_t track);
void tracy_devices(struct trace *t);
void tracy_plots(struct trace *t);
void tracy_memory(struct trace *t);
/* What stands behind: call stacks, images, processors, symbols. */
void tracy_rest(struct trace *t);

#endif /* TTP_TRACE_TRACY_TRACY_SECTIONS_H */
