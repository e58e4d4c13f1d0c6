// SPDX-License-Identifier: Apache-2.0
#include "trace/trace_warnings.h"

#include "trace/trace_units.h"

struct telling {
	trace_tell *tell;
	void *ctx;
};

static void say(const struct telling *to, const char *fmt, ...) TTP_PRINTF(2, 3);
static void say(const struct telling *to, const char *fmt, ...)
{
	SCOPED(buf) struct buf b = { 0 };
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	to->tell(to->ctx, b.at);
}

void trace_damage(const struct trace *t, trace_tell *tell, void *ctx)
{
	struct telling to = { tell, ctx };

	if (t->damaged)
		say(&to, "%s: %s; everything before it is here%s", t->in.name, t->damage.msg,
		    t->resumed ? ", and what can be read behind it" : "");
	if (t->resumed)
		say(&to, "%s: %llu bytes are lost", t->in.name, (unsigned long long)t->lost_bytes);
	if (t->lost_frames)
		say(&to, "%s: %llu frames behind it can't be understood without it", t->in.name,
		    (unsigned long long)t->lost_frames);
	if (t->unnamed)
		say(&to, "%s: the names of %llu places never came; they are shown as numbers",
		    t->in.name, (unsigned long long)t->unnamed);
	if (t->odd)
		say(&to,
		    "%s: %llu events have times or places that can't be: the file is damaged, or was written so",
		    t->in.name, (unsigned long long)t->odd);
	if (t->in.cut_short)
		say(&to, "%s: the compressed file ends early", t->in.name);
	if (input_shrunk(&t->in))
		say(&to, "%s: the file got shorter while it was read", t->in.name);
	if (t->kind == TRACE_TRACY && t->told_zones != t->zones)
		say(&to, "%s: %llu zones can be read, where the file tells of %llu", t->in.name,
		    (unsigned long long)t->zones, (unsigned long long)t->told_zones);
}

const char *trace_drop_text(unsigned kind)
{
	static const char *const texts[TRACE_DROPS] = { "zones",        "texts",  "messages",
							"plots",        "frames", "memory events",
							"device zones", "others", "lock events" };

	return texts[kind];
}

void trace_drops(const struct trace *t, trace_tell *tell, void *ctx)
{
	struct telling to = { tell, ctx };

	vec_each (p, &t->processes) {
		SCOPED(buf) struct buf what = { 0 };
		uint64_t all = 0;

		for (unsigned i = 0; i < TRACE_DROPS; i++) {
			all += p->dropped[i];
			if (p->dropped[i])
				buf_printf(&what, "%s%llu %s", what.len ? ", " : "",
					   (unsigned long long)p->dropped[i], trace_drop_text(i));
		}
		if (!all)
			continue;
		if (p->knows_when_dropped) {
			buf_text(&what, ", from ");
			trace_print_time(&what, p->first_drop_ns);
			buf_text(&what, " to ");
			trace_print_time(&what, p->last_drop_ns);
			buf_text(&what, " of the trace");
		}
		say(&to,
		    "%.*s, pid %llu, dropped %llu events: its storage was full (TTP_BUFFER=512M gives it more, TTP_FULL=block makes it wait), or it left "
		    "them unfinished by longjmp; what was lost: %s",
		    (int)p->program.len, p->program.at, (unsigned long long)p->pid,
		    (unsigned long long)all, what.at);
	}
}

static void warn(void *ctx, const char *text)
{
	console_warn(ctx, "%s", text);
}

void trace_warn(const struct console *console, const struct trace *t)
{
	struct console to = *console;

	trace_damage(t, warn, &to);
	trace_drops(t, warn, &to);
}

void trace_warn_damage(const struct console *console, const struct trace *t)
{
	struct console to = *console;

	trace_damage(t, warn, &to);
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
