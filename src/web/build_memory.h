// SPDX-License-Identifier: Apache-2.0
/* What a trace says of memory: buffers of devices, and whatever else the program reports, by pool. */
#ifndef TTP_WEB_BUILD_MEMORY_H
#define TTP_WEB_BUILD_MEMORY_H

#include "trace/trace.h"
#include "web/build.h"

/* For the sink of a reading of the trace. */
void page_take_memory(struct page *p, const struct trace_memory *m);
/* After it: names of pools, which op asked for each, and how much of each pool was in use over time. */
void page_place_memory(struct page *p, const struct page_sources *s, const struct trace *t);

#endif /* TTP_WEB_BUILD_MEMORY_H */
