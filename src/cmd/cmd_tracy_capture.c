// SPDX-License-Identifier: Apache-2.0
/*
 * `tracy-capture` and `capture-release`: options, texts and exit status of Tracy's capture.  Frozen, but for safety:
 * SIGTERM saves, and a file that can't be saved leaves the spool.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/number.h"
#include "cmd/cmd.h"
#include "record/capture_job.h"
#include "trace/trace_units.h"

struct shown {
	struct buf b;
	bool tty;
};

static void say(struct shown *s)
{
	cmd_stdout()->escapes = HARMLESS_PROGRESS;
	out_buf(cmd_stdout(), &s->b);
	out_flush(cmd_stdout());
}

static void progress(void *ctx, const struct capture_client *c, size_t n, bool welcomed)
{
	struct shown *s = ctx;

	(void)n;
	if (welcomed) {
		buf_char(&s->b, '\n');
		if (c->has_delay) {
			buf_text(&s->b, "Queue delay: ");
			trace_print_time(&s->b, c->delay_ns);
			buf_char(&s->b, '\n');
		}
		buf_text(&s->b, "Timer resolution: ");
		trace_print_time(&s->b, c->resolution_ns);
		buf_char(&s->b, '\n');
		say(s);
	} else if (s->tty && c->recorded) {
		buf_text(&s->b, "\r\033[K\033[36;1mTx: \033[32m");
		trace_print_size(&s->b, c->wire_bytes);
		buf_text(&s->b, "\033[0m | \033[33;1m");
		trace_print_time(&s->b, c->span_ns);
		buf_text(&s->b, "\033[0m");
		say(s);
	}
}

static void saving(void *ctx, const struct capture_outcome *o)
{
	struct shown *s = ctx;
	const struct capture_client *c = &o->result.clients.at[0];

	if (c->end == CAPTURE_BROKEN)
		buf_printf(&s->b, "\n%sInstrumentation failure: %s%s", s->tty ? "\033[31;1m" : "",
			   c->why.msg, s->tty ? "\033[0m" : "");
	buf_printf(&s->b, "\nFrames: %llu\nTime span: ", (unsigned long long)c->frames + 2);
	trace_print_time(&s->b, c->span_ns);
	buf_text(&s->b, "\nZones: ");
	number_fixed(&s->b, (double)c->zones, 0, ',');
	buf_text(&s->b, "\nElapsed time: ");
	trace_print_time(&s->b, o->result.elapsed_ns);
	buf_text(&s->b, "\nSaving trace...");
	say(s);
}

static int usage(void)
{
	out_text(cmd_stdout(),
		 "Usage: capture -o output.tracy [-a address] [-p port] [-f] [-s seconds]\n");
	return 1;
}

static int finish(const struct capture_outcome *o, struct shown *s)
{
	const struct capture_client *c = o->result.clients.len ? &o->result.clients.at[0] : NULL;

	if (!c)
		return 0;
	switch (c->end) {
	case CAPTURE_MISMATCH:
		out_text(
			cmd_stdout(),
			"\nThe client you are trying to connect to uses incompatible protocol version.\n"
			"Make sure you are using the same Tracy version on both client and server.\n");
		return 1;
	case CAPTURE_NOT_AVAILABLE:
		out_text(
			cmd_stdout(),
			"\nThe client you are trying to connect to is no longer able to sent profiling data,\n"
			"because another server was already connected to it.\n"
			"You can do the following:\n\n"
			"  1. Restart the client application.\n"
			"  2. Rebuild the client application with on-demand mode enabled.\n");
		return 2;
	case CAPTURE_DROPPED:
		out_text(
			cmd_stdout(),
			"\nThe client you are trying to connect to has disconnected during the initial\n"
			"connection handshake. Please check your network configuration.\n");
		return 3;
	default:
		break;
	}
	if (!c->recorded)
		return 0;
	if (!o->saved) {
		buf_text(&s->b, s->tty ? " \033[31;1mfailed!\033[0m\n" : " failed!\n");
		say(s);
		(void)cmd_fail("tracy-capture", &o->save_error);
	} else {
		buf_text(&s->b,
			 s->tty ? " \033[32;1mdone!\033[0m\nTrace size " : " done!\nTrace size ");
		trace_print_size(&s->b, o->file_bytes);
		buf_printf(&s->b, " (%.2f%% ratio)\n",
			   100.0 * (double)o->file_bytes /
				   (double)(o->raw_bytes ? o->raw_bytes : 1));
		say(s);
	}
	if (o->result.disk_failed)
		(void)cmd_fail("tracy-capture", &o->result.error);
	if (o->spool_kept)
		cmd_warn("tracy-capture",
			 "%s has what was received; ttprof capture --recover reads it", o->spool);
	return 0;
}

int cmd_tracy_capture(int argc, char **argv)
{
	const char *output = NULL, *address = "127.0.0.1";
	struct capture_job job = { 0 };
	struct capture_outcome o = { 0 };
	struct shown s = { .tty = isatty(STDOUT_FILENO) };
	const char *only[1];
	char where[300];
	bool force = false;
	long port = 8086, seconds = 0;
	struct ttp_err e;
	struct out_file test;
	int c, status;

	cmd_stdout()->escapes = HARMLESS_NO_ESCAPES;
	optind = 0;
	while ((c = getopt(argc, argv, "a:o:p:fs:m:h")) != -1) {
		switch (c) {
		case 'a':
			address = optarg;
			break;
		case 'o':
			output = optarg;
			break;
		case 'p':
			port = strtol(optarg, NULL, 10);
			break;
		case 'f':
			force = true;
			break;
		case 's':
			seconds = strtol(optarg, NULL, 10);
			break;
		case 'm':
			break; /* memory does not grow here */
		default:
			return usage();
		}
	}
	if (!output || strlen(address) > 250)
		return usage();
	if (!force && !access(output, F_OK)) {
		out_printf(cmd_stdout(),
			   "Output file %s already exists! Use -f to force overwrite.\n", output);
		return 4;
	}
	if (out_file_open(&test, output, &e)) {
		out_printf(cmd_stdout(), "Cannot open output file %s for writing!\n", output);
		return 5;
	}
	out_file_abandon(&test);
	unlink(output);
	out_printf(cmd_stdout(), "Connecting to %s:%ld...", address, port);
	out_flush(cmd_stdout());
	/* The original keeps 16 bits of whatever it is given. */
	(void)snprintf(where, sizeof(where), "%s:%u", address, (unsigned)(uint16_t)port);
	only[0] = where;
	job.console = cmd_console("tracy-capture");
	job.output = output;
	job.request = (struct capture_request){ .addresses = only,
						.n_addresses = 1,
						.one = true,
						.seconds = seconds > 0 ? seconds : 0,
						.progress = progress,
						.ctx = &s };
	status = capture_record(&job, &o, saving, &s, &e) ? cmd_fail("tracy-capture", &e)
							  : finish(&o, &s);
	capture_outcome_release(&o);
	buf_release(&s.b);
	return status;
}
