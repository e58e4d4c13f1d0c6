// SPDX-License-Identifier: Apache-2.0
#include "runs/run.h"

#include "markers/log/device_log.h"
#include "trace/trace_warnings.h"

/* What is wrong with rows of a report; of the rest its input says (look_at_inputs). */
static const enum ops_fault faults[] = { OPS_FAULT_LONG_ROW, OPS_FAULT_SHORT_ROW, OPS_FAULT_CUT_ROW,
					 OPS_FAULT_UNCLOSED_QUOTE, OPS_FAULT_NO_ACCOUNT };
/* What the logs lacked that it was made from. */
static const enum account_what causes[] = { ACCOUNT_DEVICE_LOG_CUT, ACCOUNT_NO_CLOCK,
					    ACCOUNT_PERF_REPORT_CUT };

static void note(struct run *r, const char *fmt, ...) TTP_PRINTF(2, 3);
static void note(struct run *r, const char *fmt, ...)
{
	struct ttp_err e;
	SCOPED(buf) struct buf b = { 0 };
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	(void)ttp_fail(&e, TTP_FORMAT, "%s", b.at);
	run_parts_note(&r->parts, &e);
}

static void look_at_inputs(struct run *r)
{
	vec_each (at, &r->parts.inputs.all) {
		const struct input *in = *at;

		if (in->cut_short)
			note(r, "%s: compressed data ends early: shown is what came before",
			     in->name);
		if (input_shrunk(in))
			note(r, "%s got shorter while it was read", in->name);
	}
}

static void look_at_log(struct run *r)
{
	struct device_log *log = &r->log;
	const char *path = r->parts.log.at;

	if (log->bad_rows)
		note(r, "%llu rows of %s can't be read, the first is line %llu%s",
		     (unsigned long long)log->bad_rows, path, (unsigned long long)log->bad_line[0],
		     device_log_is_full(log) ? ": it has too many names of zones" : "");
	if (log->freq_mhz <= 0)
		note(r, "%s does not say the clock of its chip: taken as 1000 MHz", path);
	if (!log->in.cut_short && log_ends_early(log, path))
		note(r,
		     "%s was cut: it ends in the middle of a %s, and cores that come after it are missing",
		     path, str_ends(log->in.data, STR("\n")) ? "read of the profiler" : "row");
}

static void look_at_report(struct run *r, const struct ops_file *f)
{
	const char *path = r->parts.made ? r->parts.given : r->parts.ops.at;

	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
		const struct ops_fault_count *n = &f->fault[faults[i]];

		if (n->count && !n->line[0])
			note(r, "%s: %s", path, ops_fault_texts[faults[i]]);
		else if (n->count)
			note(r, "%s: line %llu: %s (%llu such line%s)", path,
			     (unsigned long long)n->line[0], ops_fault_texts[faults[i]],
			     (unsigned long long)n->count, n->count == 1 ? "" : "s");
	}
	for (size_t i = 0; i < sizeof(causes) / sizeof(*causes); i++) {
		uint64_t count = account_count(&f->account, causes[i]);

		if (count && !(causes[i] != ACCOUNT_PERF_REPORT_CUT && r->has_log))
			note(r, "%s: made from a %s: %s", path, account_text(causes[i], 1),
			     account_hint(causes[i]));
	}
}

void run_find_damage(struct run *r)
{
	look_at_inputs(r);
	if (r->has_log)
		look_at_log(r);
	for (size_t i = 0; r->has_ops && i < r->ops.files.len; i++)
		look_at_report(r, &r->ops.files.at[i]);
}

struct trace_notes {
	struct run *run;
	enum ttp_rc rc;
};

static void note_trace(void *ctx, const char *text)
{
	const struct trace_notes *to = ctx;
	struct ttp_err e;

	(void)ttp_fail(&e, to->rc, "%s", text);
	run_parts_note(&to->run->parts, &e);
}

void run_trace_close(struct run *r, struct trace *t)
{
	struct trace_notes to = { r, t->damaged ? t->damage.rc : TTP_FORMAT };

	trace_damage(t, note_trace, &to);
	trace_drops(t, note_trace, &to);
	trace_close(t);
}

void run_notes_json(const struct run *r, struct json_writer *w)
{
	if (!r->parts.left_out.len)
		return;
	json_put_array(w, "damage");
	vec_each (n, &r->parts.left_out)
		json_write_str(w, str_of(n->msg));
	json_close_array(w);
}

int run_finish(struct run *r, const struct console *console, const struct ttp_err *failed,
	       bool strict)
{
	int status;

	run_find_damage(r);
	status = run_notes_tell(r->parts.left_out.at, r->parts.left_out.len, console, failed,
				strict);
	run_close(r);
	return status;
}

static bool note_fails(const struct ttp_err *note)
{
	return note->rc == TTP_SYS || note->rc == TTP_LIMIT;
}

bool run_notes_fail(const struct ttp_err *notes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (note_fails(&notes[i]))
			return true;
	return false;
}

void run_note_print(const struct ttp_err *note, const struct console *console)
{
	if (note_fails(note))
		(void)console_fail(console, note);
	else
		console_warn(console, "%s", note->msg);
}

int run_notes_tell(const struct ttp_err *notes, size_t n, const struct console *console,
		   const struct ttp_err *failed, bool strict)
{
	for (size_t i = 0; i < n; i++)
		if (!failed)
			run_note_print(&notes[i], console);
		else if (strncmp(notes[i].msg, failed->msg, strlen(failed->msg)) != 0)
			console_warn(console, "%s", notes[i].msg);
	if (failed)
		return console_fail(console, failed);
	return (strict && n) || run_notes_fail(notes, n);
}
