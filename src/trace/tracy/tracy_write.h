// SPDX-License-Identifier: Apache-2.0
/*
 * Writes any trace as a .tracy file.  The trace is read once; zones are sorted by thread in logs that go to disk beyond
 * a limit, because a file says of each zone how many children it has before they come.
 */
#ifndef TTP_TRACE_TRACY_TRACY_WRITE_H
#define TTP_TRACE_TRACY_TRACY_WRITE_H

#include "base/out.h"
#include "trace/trace.h"

struct tracy_written {
	uint64_t raw_bytes; /* before compression */
	uint64_t
		lost_places; /* dynamic source locations beyond what files can number: shown without function */
	uint64_t lost_texts; /* beyond 16 million */
	/* What the version, or the format, has no room for: */
	uint64_t lost_lock_events; /* of a 65th thread of a lock */
	uint64_t lost_sections, lost_notes;
};

/* "0.9.0" to "0.14.0", the versions that can be written; false for anything else. */
bool tracy_write_version_parse(struct str text, uint32_t *version);
/* The version that belongs to where a trace came from. */
uint32_t tracy_write_version(const struct trace *t);
/* What tools of that version write, and read. */
static inline enum trace_container tracy_write_container(uint32_t version)
{
	return version < TRACE_VERSION(0, 11, 0) ? TRACE_LZ4 : TRACE_MULTI_ZSTD;
}
/* `version` 0.9.0 to 0.14.0; `t` was opened just now, and may know its names.  `to` gets everything. */
enum ttp_rc tracy_write(struct trace *t, uint32_t version, enum trace_container container,
			struct out *to, struct tracy_written *w, struct ttp_err *e) TTP_CHECKED;

/* The same in two steps, for who reads the trace for others, too: `sink` is for trace_read(); then it is written, and in any case freed. */
struct tracy_writer;
struct tracy_writer *tracy_writer_new(struct trace *t, uint32_t version, struct tracy_written *w,
				      struct trace_sink *sink);
enum ttp_rc tracy_writer_write(struct tracy_writer *c, enum trace_container container,
			       struct out *to, struct ttp_err *e) TTP_CHECKED;
void tracy_writer_free(struct tracy_writer *c);

#endif /* TTP_TRACE_TRACY_TRACY_WRITE_H */
