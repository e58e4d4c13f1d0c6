// SPDX-License-Identifier: Apache-2.0
/* What was recorded, for people and programs. */
#include "base/width.h"
#include "record/capture_job.h"
#include "trace/trace_units.h"

const char *capture_end_text(enum capture_end end)
{
	static const char *const texts[] = {
		[CAPTURE_DONE] = "done",
		[CAPTURE_STOPPED] = "stopped",
		[CAPTURE_GONE] = "gone",
		[CAPTURE_BROKEN] = "broken",
		[CAPTURE_MISMATCH] = "speaks no protocol that is known",
		[CAPTURE_NOT_AVAILABLE] = "was recorded by somebody else before",
		[CAPTURE_DROPPED] = "hung up in the handshake",
		[CAPTURE_DISK] = "disk",
	};

	return (size_t)end < sizeof(texts) / sizeof(*texts) && texts[end] ? texts[end] : "running";
}

void capture_warn_drops(const struct console *console, const struct capture_result *r)
{
	vec_each (c, &r->clients)
		if (c->drops)
			console_warn(console,
				     "%s, pid %llu, dropped %llu events: its storage was full "
				     "(TTP_BUFFER=512M gives it more), or it left them unfinished "
				     "by longjmp",
				     c->program, (unsigned long long)c->pid,
				     (unsigned long long)c->drops);
}

void capture_warn_refused(const struct console *console, const struct capture_result *r)
{
	bool one = r->refused == 1;

	if (r->refused)
		console_warn(console, "%llu message%s or connection%s of other users %s refused",
			     (unsigned long long)r->refused, one ? "" : "s", one ? "" : "s",
			     one ? "was" : "were");
}

void capture_outcome_json(const struct capture_outcome *o, const char *output, struct buf *b)
{
	struct json_writer w = { .to = b, .pretty = true };

	json_open_object(&w);
	json_put_bool(&w, "saved", o->saved);
	json_put_text(&w, "file", str_of(o->saved ? o->file : output));
	json_put_count(&w, "bytes", o->file_bytes);
	json_put_array(&w, "clients");
	vec_each (c, &o->result.clients)
		capture_client_json(&w, c, capture_end_text(c->end));
	json_close_array(&w);
	json_close_object(&w);
	buf_char(b, '\n');
}

void capture_outcome_text(const struct capture_outcome *o, struct buf *b)
{
	vec_each (c, &o->result.clients) {
		if (!c->recorded)
			continue;
		width_clean(b, str_of(c->program));
		buf_printf(b, ", pid %llu, protocol %s: %llu zone%s", (unsigned long long)c->pid,
			   c->key, (unsigned long long)c->zones, c->zones == 1 ? "" : "s");
		if (c->device_zones)
			buf_printf(b, ", %llu of devices", (unsigned long long)c->device_zones);
		buf_printf(b, ", %llu message%s, ", (unsigned long long)c->messages,
			   c->messages == 1 ? "" : "s");
		trace_print_time(b, c->span_ns);
		buf_char(b, '\n');
	}
	if (o->saved) {
		buf_printf(b, "%s: ", o->file);
		trace_print_size(b, o->file_bytes);
		buf_char(b, '\n');
	}
}
