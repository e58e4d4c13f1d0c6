// SPDX-License-Identifier: Apache-2.0
#include "trace/trace_tee.h"

#define TEE(name, params, ...)                                                           \
	static void name params                                                          \
	{                                                                                \
		const struct trace_tee *tee = ctx;                                       \
                                                                                         \
		for (const struct trace_sink *to = tee->to; to < tee->to + tee->n; to++) \
			if (to->name)                                                    \
				to->name(to->ctx, __VA_ARGS__);                          \
	}

TEE(zone_begin, (void *ctx, uint32_t track, int64_t time_ns, uint32_t loc), track, time_ns, loc)
TEE(zone_end, (void *ctx, uint32_t track, int64_t time_ns, const struct trace_extra *x), track,
    time_ns, x)
TEE(device_tree, (void *ctx, uint32_t lane, const struct trace_device_zone *z, size_t n), lane, z,
    n)
TEE(message, (void *ctx, const struct trace_message *m), m)
TEE(plot, (void *ctx, uint32_t plot, int64_t time_ns, double value), plot, time_ns, value)
TEE(frame, (void *ctx, uint32_t set, int64_t start_ns, int64_t end_ns), set, start_ns, end_ns)
TEE(memory, (void *ctx, const struct trace_memory *m), m)
TEE(app_info, (void *ctx, uint32_t process, struct str text), process, text)
TEE(lock_event, (void *ctx, const struct trace_lock_event *l), l)
TEE(lock_mark, (void *ctx, uint32_t lock, uint32_t track, uint32_t loc), lock, track, loc)
TEE(sample, (void *ctx, const struct trace_sample *s), s)
TEE(hw_sample, (void *ctx, const struct trace_hw_sample *s), s)
TEE(run, (void *ctx, const struct trace_run *r), r)
TEE(cpu_run, (void *ctx, const struct trace_cpu_run *r), r)
TEE(image, (void *ctx, const struct trace_image *i), i)
TEE(section, (void *ctx, const struct trace_section *s), s)
TEE(note, (void *ctx, const struct trace_note *n), n)
TEE(symbol_code, (void *ctx, uint64_t symbol, struct str code), symbol, code)
TEE(code_symbol, (void *ctx, uint64_t address, uint64_t symbol), address, symbol)
TEE(source_file, (void *ctx, struct str name, struct str text), name, text)

static void zone_leaf(void *ctx, uint32_t track, int64_t start_ns, int64_t end_ns, uint32_t loc)
{
	const struct trace_tee *tee = ctx;

	for (size_t i = 0; i < tee->n; i++) {
		const struct trace_sink *to = &tee->to[i];

		if (to->zone_leaf) {
			to->zone_leaf(to->ctx, track, start_ns, end_ns, loc);
			continue;
		}
		if (to->zone_begin)
			to->zone_begin(to->ctx, track, start_ns, loc);
		if (to->zone_end)
			to->zone_end(to->ctx, track, end_ns, NULL);
	}
}

/* What nobody wants is not asked for: readers skip it. */
#define WANT(name)                         \
	do {                               \
		if (to->name)              \
			sink->name = name; \
	} while (0)

void trace_tee_sink(struct trace_tee *tee, struct trace_sink *sink)
{
	*sink = (struct trace_sink){ .ctx = tee };
	for (size_t i = 0; i < tee->n; i++) {
		const struct trace_sink *to = &tee->to[i];

		WANT(zone_begin);
		WANT(zone_end);
		WANT(zone_leaf);
		WANT(device_tree);
		WANT(message);
		WANT(plot);
		WANT(frame);
		WANT(memory);
		WANT(app_info);
		WANT(lock_event);
		WANT(lock_mark);
		WANT(sample);
		WANT(hw_sample);
		WANT(run);
		WANT(cpu_run);
		WANT(image);
		WANT(section);
		WANT(note);
		WANT(symbol_code);
		WANT(code_symbol);
		WANT(source_file);
	}
}
