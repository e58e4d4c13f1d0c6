// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include "base/paths.h"
#include "cmd/cmd.h"
#include "export/chrome_perfetto.h"
#include "trace/trace_warnings.h"
#include "trace/tracy/tracy_write.h"

struct options {
	const char *output, *version;
	int format, pack;
	bool force;
};

enum { TO_AUTO, TO_TRACY, TO_PERFETTO, TO_CHROME };
static const char *const formats[] = { "auto", "tracy", "perfetto", "chrome", NULL };
enum { PACK_AUTO, PACK_LZ4, PACK_ZSTD };
static const char *const packs[] = { "auto", "lz4", "zstd", NULL };

#define OPTIONS struct options
static const struct opt opts[] = {
	OPTION_STRING(
		'o', "output", output, "FILE",
		"where to; the end of its name says what: .tracy, .pftrace, .json; - for standard output"),
	OPTION_FLAG('f', "force", force, "replace FILE if it is there"),
	OPTION_CHOICE(0, "to", format, "FORMAT", formats, "what, whatever the name",
		      .preset = "auto"),
	OPTION_STRING(0, "tracy-version", version, "V",
		      "version of a .tracy file: 0.9.0 to 0.14.0; else that of the source"),
	OPTION_CHOICE(0, "pack", pack, "HOW", packs,
		      "compression of a .tracy file; auto: as tools of its version have it",
		      .preset = "auto"),
	{ 0 },
};

static const struct opt_example examples[] = {
	{ "ttprof convert run.tracy -o run.pftrace", "for ui.perfetto.dev" },
	{ "ttprof convert run.tracy -o run.json",
	  "for chrome://tracing and others that read its JSON" },
	{ "ttprof convert old.tracy --tracy-version 0.14.0 -o new.tracy",
	  "for the GUI of Tracy 0.14" },
	{ 0 },
};

static const struct opt_arg args[] = {
	{ "TRACE", 1, 1, "a .tracy file of 0.9 to 0.14, or a spool (.ttpr)" },
	{ 0 },
};

const struct opt_spec cmd_convert_spec = {
	.prog = "ttprof convert",
	.summary = "a trace in another format: .tracy, Perfetto, Chrome",
	.about =
		"A .tracy file carries all that a trace has; the other two carry zones of host and devices, messages, plots and "
		"frames. What is left out is counted and said.",
	.opts = opts,
	.args = args,
	.examples = examples,
};

static int format_of(const char *name)
{
	struct str s = str_of(name);

	if (str_ends(s, STR(".tracy")))
		return TO_TRACY;
	if (str_ends(s, STR(".pftrace")) || str_ends(s, STR(".perfetto-trace")))
		return TO_PERFETTO;
	return str_ends(s, STR(".json")) ? TO_CHROME : TO_AUTO;
}

/* Not over the trace itself, whatever is asked; over other files only when asked. */
static enum ttp_rc may_not_write(const struct options *u, const char *trace, struct ttp_err *e)
{
	if (!path_is_file(u->output))
		return TTP_OK;
	if (path_is_same(trace, u->output))
		return ttp_fail(e, TTP_USAGE, "%s is the trace itself", u->output);
	if (!u->force)
		return ttp_fail(e, TTP_USAGE, "%s is there already; -f replaces it", u->output);
	return TTP_OK;
}

int cmd_convert(int argc, char **argv)
{
	const char *prog = cmd_convert_spec.prog;
	struct options u = { 0 };
	struct tracy_written written = { 0 };
	struct opt_found found;
	struct out_file file;
	struct ttp_err e = { 0 };
	struct trace t;
	struct out *out;
	uint32_t version = 0;
	bool to_stdout;
	int status;

	if (!cmd_options(&cmd_convert_spec, argc, argv, &u, &found, &status))
		return status;
	if (!u.output)
		(void)ttp_fail(&e, TTP_USAGE, "-o FILE is needed");
	if (u.output && u.format == TO_AUTO)
		u.format = format_of(u.output);
	if (!e.rc && u.format == TO_AUTO)
		(void)ttp_fail(&e, TTP_USAGE,
			       "%s: which format? --to tracy, perfetto or chrome says it",
			       u.output);
	if (!e.rc && u.version && !tracy_write_version_parse(str_of(u.version), &version))
		(void)ttp_fail(&e, TTP_USAGE, "--tracy-version: 0.9.0 to 0.14.0, not \"%s\"",
			       u.version);
	if (!e.rc && u.format != TO_TRACY && (u.version || u.pack))
		(void)ttp_fail(&e, TTP_USAGE, "--tracy-version and --pack are for .tracy files");
	if (e.rc)
		return cmd_misused(prog, &e);
	to_stdout = !strcmp(u.output, "-") || out_is_descriptor(u.output) == STDOUT_FILENO;
	if (!to_stdout && may_not_write(&u, found.args[0], &e))
		return cmd_fail(prog, &e);
	if (to_stdout && isatty(STDOUT_FILENO) && u.format != TO_CHROME)
		return cmd_misuse(prog, "-o -: this is no text for a terminal");
	if (trace_open(&t, found.args[0], &e))
		return cmd_fail(prog, &e);
	if (!to_stdout && out_file_open(&file, u.output, &e)) {
		trace_close(&t);
		return cmd_fail(prog, &e);
	}
	out = to_stdout ? cmd_stdout() : &file.out;
	if (!version)
		version = tracy_write_version(&t);
	if (u.format == TO_TRACY) {
		bool old = version < TRACE_VERSION(0, 11, 0);

		e.rc = tracy_write(&t, version,
				   u.pack == PACK_AUTO   ? tracy_write_container(version)
				   : u.pack == PACK_ZSTD ? (old ? TRACE_ZSTD : TRACE_MULTI_ZSTD)
							 : (old ? TRACE_LZ4 : TRACE_MULTI_LZ4),
				   out, &written, &e);
	} else if (u.format == TO_PERFETTO) {
		e.rc = export_perfetto(&t, out, &e);
	} else {
		e.rc = export_chrome(&t, out, &e);
	}
	if (to_stdout)
		; /* main() looks whether all was written */
	else if (e.rc)
		out_file_abandon(&file);
	else
		e.rc = out_file_commit(&file, &e);
	status = e.rc ? cmd_fail(prog, &e) : 0;
	trace_warn(cmd_console(prog), &t);
	if (!status) {
		if (u.format == TO_TRACY)
			trace_warn_written(cmd_console(prog), &t, &written);
		else
			trace_warn_timeline(cmd_console(prog), &t);
	}
	trace_close(&t);
	return status;
}
