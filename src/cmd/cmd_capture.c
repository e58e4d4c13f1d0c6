// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <unistd.h>

#include "base/json.h"
#include "base/paths.h"
#include "base/width.h"
#include "cmd/cmd.h"
#include "record/capture_job.h"
#include "trace/trace_units.h"
#include "trace/tracy/tracy_write.h"

struct options {
	const char *output, *address, *recover, *session, *version;
	int64_t port, seconds, memory;
	int flavor;
	bool force, all, keep_spool, spool_only, json, quiet;
};

static const char *const flavors[] = { "auto", "tt", "upstream", NULL };

#define OPTIONS struct options
static const struct opt opts[] = {
	OPTION_STRING(
		'o', "output", output, "FILE",
		"the .tracy file; frames go to FILE.ttpr as they come, and become FILE at the end",
		.section = "Output"),
	OPTION_FLAG('f', "force", force, "replace FILE if it is there"),
	OPTION_FLAG(0, "keep-spool", keep_spool,
		    "keep FILE.ttpr, which has everything that was received"),
	OPTION_FLAG(0, "spool-only", spool_only,
		    "make no FILE, only FILE.ttpr; --recover makes it later"),
	OPTION_STRING(
		0, "recover", recover, "SPOOL",
		"make FILE of a spool that a capture or a client left behind, however it ended"),
	OPTION_STRING(0, "tracy-version", version, "V",
		      "version of FILE: 0.9.0 to 0.14.0; else the one that belongs to the client"),
	OPTION_FLAG(0, "json", json, "say what was recorded as JSON"),
	OPTION_FLAG('q', "quiet", quiet, "say nothing but errors"),
	OPTION_STRING('a', "address", address, "HOST",
		      "where the program runs; 127.0.0.1 if nothing is said", .section = "Whom"),
	OPTION_INT('p', "port", port, "N", 1, 65535,
		   "port of the program; 8086 if nothing is said"),
	OPTION_FLAG(0, "all", all,
		    "every program of this machine that announces itself (UDP 8086 on loopback)"),
	OPTION_STRING(0, "session", session, "SOCKET",
		      "every program that was started with TTP_SESSION=SOCKET"),
	OPTION_CHOICE(0, "flavor", flavor, "WHOSE", flavors,
		      "whose form of a protocol that both Tenstorrent and upstream have",
		      .preset = "auto"),
	OPTION_INT(
		's', "seconds", seconds, "N", 1, 1000000000,
		"stop N seconds after the first program was there, or when none came in N seconds",
		.section = "How long"),
	OPTION_INT(
		'm', "memory", memory, "PERCENT", 1, 999,
		"accepted for upstream's sake: recording takes less than 64 MB however long it is"),
	{ 0 },
};

static const struct opt_arg args[] = {
	{ "HOST:PORT", 0, OPT_MANY, "several programs at the same time, into one file" },
	{ 0 },
};

static const struct opt_example examples[] = {
	{ "ttprof capture -o run.tracy", "wait for a program on port 8086, and record it" },
	{ "ttprof capture -o run.tracy --all -s 60", "all programs of this machine, for a minute" },
	{ "ttprof capture -o run.tracy --recover run.tracy.ttpr", "after the capture was killed" },
	{ 0 },
};

const struct opt_spec cmd_capture_spec = {
	.prog = "ttprof capture",
	.summary = "record running programs into a trace",
	.about =
		"Connects to programs that are instrumented with libttp or Tracy (0.9 to 0.14, and Tenstorrent's "
		"versions), waiting for them if they are not there yet. Memory does not grow while it records. "
		"SIGINT and SIGTERM end it and save; whatever else ends it, what was received is in the spool.",
	.opts = opts,
	.args = args,
	.examples = examples,
};

struct shown {
	bool line; /* the progress is on the screen, without an end */
};

/* One line that is written over and over, and cut to the terminal. */
static void progress(void *ctx, const struct capture_client *c, size_t n, bool welcomed)
{
	struct term term = term_of(STDERR_FILENO, TERM_COLOUR_AUTO);
	struct shown *s = ctx;
	SCOPED(buf) struct buf b = { 0 }, text = { 0 };

	if (!welcomed && c->recorded) {
		buf_printf(&text, "%zu client%s  ", n, n == 1 ? "" : "s");
		trace_print_size(&text, c->wire_bytes);
		buf_printf(&text, "  %llu zones  ", (unsigned long long)c->zones);
		trace_print_time(&text, c->span_ns);
		buf_text(&b, "\r\033[K");
		width_cut(&b, buf_view(&text), term.width > 1 ? (size_t)term.width - 1 : 1,
			  term.utf8);
		cmd_tell_progress(&b);
		s->line = true;
	}
}

static void end_progress(void *ctx, const struct capture_outcome *o)
{
	struct shown *s = ctx;
	struct buf b = { 0 };

	(void)o;
	if (s->line) {
		buf_char(&b, '\n');
		cmd_tell(&b);
		buf_release(&b);
	}
	s->line = false;
}

static int report(const struct capture_outcome *o, const struct options *u)
{
	const char *prog = cmd_capture_spec.prog;
	SCOPED(buf) struct buf b = { 0 };
	bool any = false;
	int status = 0;

	vec_each (c, &o->result.clients) {
		any |= c->recorded;
		if (c->end == CAPTURE_BROKEN || c->end == CAPTURE_GONE) {
			buf_clear(&b);
			width_clean(&b, str_of(c->program));
			cmd_warn(prog, "%.*s, pid %llu: %s; everything before is kept", (int)b.len,
				 b.at, (unsigned long long)c->pid, c->why.msg);
			buf_clear(&b);
			status |= c->end == CAPTURE_BROKEN;
		} else if (c->end >= CAPTURE_MISMATCH && c->end != CAPTURE_DISK &&
			   (u->all || u->session)) {
			cmd_warn(prog, "a client that announced itself %s",
				 capture_end_text(c->end));
		} else if (c->end >= CAPTURE_MISMATCH && c->end != CAPTURE_DISK) {
			status = cmd_error(prog, "the client %s", capture_end_text(c->end));
		}
	}
	if (o->result.disk_failed)
		status = cmd_fail(prog, &o->result.error);
	else if (any && !o->saved && !u->spool_only)
		status = cmd_fail(prog, &o->save_error);
	if (o->spool_kept &&
	    !((u->spool_only || (o->saved && u->keep_spool)) && !o->result.disk_failed))
		cmd_warn(
			prog,
			"%s has what was received; `ttprof capture -o FILE --recover %s` makes a trace of it",
			o->spool, o->spool);
	if (!o->saved) /* else the trace said it, and when */
		capture_warn_drops(cmd_console(prog), &o->result);
	capture_warn_refused(cmd_console(prog), &o->result);
	if (o->result.missed)
		cmd_warn(prog, "%llu announcements of programs beyond what one capture can take",
			 (unsigned long long)o->result.missed);
	if (!any && !status) {
		status = cmd_error(prog, "nobody was recorded");
	}
	if (!u->quiet) {
		if (u->json)
			capture_outcome_json(o, u->output, &b);
		else
			capture_outcome_text(o, &b);
		out_buf(cmd_stdout(), &b);
	}
	return status;
}

static int refuse(const struct options *u, int hosts)
{
	bool one = u->address || u->port, many = u->all || u->session || hosts;
	const struct cmd_rule rules[] = {
		{ !u->output, "-o FILE is needed" },
		{ u->address && strlen(u->address) > 250, "--address is too long" },
		{ u->recover &&
			  (one || many || u->seconds || u->spool_only || u->keep_spool || u->json),
		  "--recover reads a spool, and records nobody" },
		{ one && many,
		  "--address and --port name one program; with --all, --session or HOST:PORT write it as "
		  "HOST:PORT" },
		{ u->spool_only && u->version, "--spool-only makes no file that has a version" },
		{ u->json && u->quiet, "--json or --quiet, not both" },
		{ 0 },
	};

	return cmd_refuse(cmd_capture_spec.prog, rules);
}

int cmd_capture(int argc, char **argv)
{
	struct options u = { 0 };
	struct shown shown = { 0 };
	struct capture_job job = { 0 };
	struct capture_outcome o = { 0 };
	const char *only[1];
	char address[300];
	struct opt_found found;
	struct ttp_err e;
	int status;

	if (!cmd_options(&cmd_capture_spec, argc, argv, &u, &found, &status))
		return status;
	if (u.output && u.version && !tracy_write_version_parse(str_of(u.version), &job.version))
		return cmd_misuse(cmd_capture_spec.prog,
				  "--tracy-version: 0.9.0 to 0.14.0, not \"%s\"", u.version);
	status = refuse(&u, found.n);
	if (status)
		return status;
	if (!u.address)
		u.address = "127.0.0.1";
	if (!u.port)
		u.port = 8086;
	if (!strcmp(u.output, "-") || path_is_folder(u.output))
		return cmd_misuse(cmd_capture_spec.prog,
				  "-o %s: a trace becomes a file, beside its spool", u.output);
	if (!u.force && !access(u.output, F_OK))
		return cmd_error(cmd_capture_spec.prog, "%s is there already; -f replaces it",
				 u.output);
	if (u.recover && path_is_same(u.recover, u.output))
		return cmd_error(cmd_capture_spec.prog, "%s is the spool itself", u.output);
	if (u.recover) {
		if (capture_save(cmd_console(cmd_capture_spec.prog), u.recover, u.recover, u.output,
				 job.version, &o, &e))
			return cmd_fail(cmd_capture_spec.prog, &e);
		if (!u.quiet)
			out_printf(cmd_stdout(), "%s: %llu zones, %llu bytes\n", u.output,
				   (unsigned long long)o.zones, (unsigned long long)o.file_bytes);
		return 0;
	}
	(void)snprintf(address, sizeof(address), "%s:%d", u.address, (int)u.port);
	only[0] = address;
	job.console = cmd_console(cmd_capture_spec.prog);
	job.output = u.output;
	job.keep_spool = u.keep_spool;
	job.spool_only = u.spool_only;
	job.request = (struct capture_request){ .discover = u.all,
						.session = u.session,
						.flavor = (enum capture_flavor)u.flavor,
						.seconds = u.seconds,
						.limit_wait = true,
						.ctx = &shown };
	if (found.n) {
		job.request.addresses = (const char *const *)found.args;
		job.request.n_addresses = (size_t)found.n;
	} else if (!u.all && !u.session) {
		job.request.addresses = only;
		job.request.n_addresses = 1;
	}
	if (isatty(STDERR_FILENO) && !u.quiet)
		job.request.progress = progress;
	if (capture_record(&job, &o, end_progress, &shown, &e)) {
		status = cmd_fail(cmd_capture_spec.prog, &e);
	} else {
		end_progress(&shown, &o);
		status = report(&o, &u);
	}
	capture_outcome_release(&o);
	return status;
}
