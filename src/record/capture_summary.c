// SPDX-License-Identifier: Apache-2.0
/* What was recorded, for people and programs. */
#include "base/width.h"
#include "record/capture_job.h"
#include "trace/trace_units.h"

const char *capture_end_text(enum capture_end end)
{
	switch (end) {
	case CAPTURE_DONE:
		return "done";
	case CAPTURE_STOPPED:
		return "stopped";
	case CAPTURE_GONE:
		return "gone";
	case CAPTURE_BROKEN:
		return "broken";
	case CAPTURE_MISMATCH:
		return "speaks no protocol that is known";
	case CAPTURE_NOT_AVAILABLE:
		return "was recorded by somebody else before";
	case CAPTURE_DROPPED:
		return "hung up in the handshake";
	case CAPTURE_DISK:
		return "disk";
	default:
		return "running";
	}
}

void capture_warn_drops(const struct console *console, const struct capture_result *r)
{
	vec_each (c, &r->clients)
		if (c->drops)
			console_warn(console,
				     "%s, pid %llu, dropped %llu events: its storage was full "
				     "(TTP_BUFFER=512M gives it more)",
				     c->program, (unsigned long long)c->pid,
				     (unsigned long long)c->drops);
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
