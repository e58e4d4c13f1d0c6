// SPDX-License-Identifier: Apache-2.0
#include "trace/trace_warnings.h"

void trace_warn(const struct console *console, const struct trace *t)
{
	uint64_t dropped = 0;

	if (t->damaged)
		console_warn(console, "%s: %s; everything before it is here%s", t->in.name,
			     t->damage.msg, t->resumed ? ", and what can be read behind it" : "");
	if (t->resumed)
		console_warn(console, "%s: %llu bytes are lost", t->in.name,
			     (unsigned long long)t->lost_bytes);
	if (t->lost_frames)
		console_warn(console, "%s: %llu frames behind it can't be understood without it",
			     t->in.name, (unsigned long long)t->lost_frames);
	if (t->unnamed)
		console_warn(console,
			     "%s: the names of %llu places never came; they are shown as numbers",
			     t->in.name, (unsigned long long)t->unnamed);
	if (t->odd)
		console_warn(
			console,
			"%s: %llu events have times or places that can't be: the file is damaged, or was written so",
			t->in.name, (unsigned long long)t->odd);
	if (t->in.cut_short)
		console_warn(console, "%s: the compressed file ends early", t->in.name);
	if (input_shrunk(&t->in))
		console_warn(console, "%s: the file got shorter while it was read", t->in.name);
	if (t->kind == TRACE_TRACY && t->told_zones != t->zones)
		console_warn(console, "%s: %llu zones can be read, where the file tells of %llu",
			     t->in.name, (unsigned long long)t->zones,
			     (unsigned long long)t->told_zones);
	vec_each (p, &t->processes)
		dropped += p->dropped[0];
	if (dropped)
		console_warn(console, "%s: clients dropped %llu zones; their storage was full",
			     t->in.name, (unsigned long long)dropped);
}

static void not_carried(const struct console *console, uint64_t count, const char *what)
{
	if (count)
		console_warn(console, "%llu %s are not carried over", (unsigned long long)count,
			     what);
}

static void warn_skipped(const struct console *console, const struct trace *t)
{
	for (int i = 0; i < TRACE_SKIPS; i++)
		not_carried(console, t->skipped[i], trace_skip_text(i));
}

void trace_warn_timeline(const struct console *console, const struct trace *t)
{
	const char *text;
	uint64_t count;

	warn_skipped(console, t);
	for (unsigned i = 0; trace_only_tracy(t, i, &text, &count); i++)
		not_carried(console, count, text);
	not_carried(console, t->memory_events, "allocations");
}

void trace_warn_written(const struct console *console, const struct trace *t,
			const struct tracy_written *w)
{
	warn_skipped(console, t);
	not_carried(console, w->lost_sections,
		    "sections of the run, which the file's version lacks,");
	not_carried(console, w->lost_notes,
		    "notes on device zones, which the file's version lacks,");
	not_carried(console, w->lost_lock_events,
		    "events of locks of more than 64 threads, which a .tracy file can't have,");
	if (w->lost_texts)
		console_warn(console, "more texts than a .tracy file can hold: %llu are missing",
			     (unsigned long long)w->lost_texts);
	if (w->lost_places)
		console_warn(
			console,
			"more places than a .tracy file can number: %llu are shown without function",
			(unsigned long long)w->lost_places);
}
