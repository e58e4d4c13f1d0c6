// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/paths.h"
#include "cmd/cmd.h"
#include "cmd/draw_run.h"
#include "cmd/report_host.h"
#include "cmd/report_source.h"
#include "report/groups.h"
#include "report/report.h"
#include "report/report_parse.h"
#include "runs/one_run.h"
#include "runs/run_clock.h"
#include "runs/run_files.h"

static const char *const group_names[] = { "none",   "op",       "shape", "category",
					   "memory", "signpost", NULL };
static const char *const order_names[] = { "auto", "file", "host", NULL };

#define OPTIONS struct report_ask
static const struct opt opts[] = {
	OPTION_STRING(
		0, "signpost", start, "NAME",
		"ops after the first signpost of this name; without it, after the last signpost that has ops after it",
		.section = "Which ops"),
	OPTION_STRING(0, "start-signpost", start, "NAME", "the same"),
	OPTION_STRING(0, "end-signpost", end, "NAME", "ops before the next signpost of this name"),
	OPTION_FLAG(0, "ignore-signposts", whole_file, "the whole file"),
	OPTION_INT(0, "process", process, "PID", 1, INT64_MAX,
		   "ops of this process, where several ran (column PROCESS)"),
	OPTION_STRING(0, "id-range", id_range, "A-B",
		      "ops with these numbers; A- and -B are open ranges"),
	OPTION_STRING(0, "filter", filter, "REGEX",
		      "ops whose name, shape or code match (POSIX extended)"),
	OPTION_FLAG(0, "no-host-ops", no_host_ops, "without ops that ran on the host"),
	OPTION_DOUBLE(0, "min-percentage", min_percent, "P",
		      "hide ops below this share of the time", .preset = "0"),
	OPTION_FLAG(0, "no-merge-devices", apart, "a line per device instead of one for all"),
	OPTION_CHOICE(
		0, "order", order, "HOW", order_names,
		"order of the run: by host start time, or as in the file (auto: as in the file when it has trace replays)",
		.preset = "auto"),
	OPTION_FLAG(
		0, "each", each,
		"a line per op, in the order of the run and all of them unless --sort or --top say otherwise; else like ops are folded into one line",
		.section = "How they are shown"),
	OPTION_STRING(0, "sort", sort, "COLUMN",
		      "order of the table: any column of --columns; `id` is the order of the run",
		      .preset = "time"),
	OPTION_FLAG(0, "ascending", ascending, "turn the order round"),
	OPTION_INT('n', "top", top, "N", 0, INT64_MAX, "show so many ops, 0 for all",
		   .preset = "20"),
	OPTION_STRING(0, "columns", columns, "LIST",
		      "columns by name, with commas; `--columns help` lists them"),
	OPTION_CHOICE(0, "group-by", group, "WHAT", group_names,
		      "put like ops together (all of them, unless --top is given)",
		      .preset = "none"),
	OPTION_INT(0, "id", id, "N", 1, UINT32_MAX, "one op in full"),
	OPTION_FLAG(0, "no-advice", no_findings, "without what to fix first"),
	OPTION_STRING(0, "chip", chip, "NAME",
		      "the card, where the report leaves doubt: n150, n300, p100a, p150, …"),
	OPTION_STRING(0, "arch", chip, "NAME", "the same"),
	OPTION_FLAG(
		0, "json", json,
		"everything as JSON (docs/reference/formats/report-json.md), all ops unless --top is given",
		.section = "Output"),
	OPTION_STRING(0, "csv", csv, "FILE",
		      "all columns of the ops as CSV into FILE, all ops unless --top is given"),
	OPTION_FLAG(0, "strict", strict, "status 1 if anything is damaged or missing"),
	CMD_COLOUR_OPTIONS,
	{ 0 },
};

static const struct opt_arg args[] = {
	{ "RUN", 0, OPT_MANY,
	  "an ops report (ops_perf_results_*.csv, also .gz or .zst, `-` for standard input), or a folder that has one; or folders rank0, rank1, ... of one run; several are several hosts of one run; else the profiler's folder" },
	{ 0 },
};

static const struct opt_example examples[] = {
	{ "ttprof report ops_perf_results.csv", "what takes the time, and what to fix first" },
	{ "ttprof report --id 17 run7", "one op in full" },
	{ "ttprof report --group-by shape run7", "like ops together, most time first" },
	{ "ttprof report --each run7", "every op in the order of the run" },
	{ "ttprof report --filter Matmul --columns id,op,roof,save run7",
	  "what the matmuls could save" },
	{ "zcat ops.csv.gz | ttprof report --json - | jq .verdict", "for programs" },
	{ 0 },
};

static const struct opt_note notes[] = {
	{ "COLUMNS",
	  "See ttprof report --columns help, and docs/explain/report.md for the formula behind each." },
	{ "ENVIRONMENT",
	  "NO_COLOR, CLICOLOR_FORCE: whether to use colours. COLUMNS: width of the table. TMPDIR: where streams and unpacked files are kept while they are read." },
	{ 0 },
};

const struct opt_spec cmd_report_spec = {
	.prog = "ttprof report",
	.summary = "show where the time of a run goes and what to fix first",
	.about =
		"Reads an ops report, as tt-metal's profiler writes it, and says what the run spent its time on: "
		"device or gaps, which ops, how near each comes to the chip's limits (DRAM, matrix engine, L1, "
		"ethernet), and what could be saved where.\n\n"
		"Nothing that is missing or malformed stops it: rows without device time, cut files, devices that "
		"lack an op are counted and named, and the answer is made from the rest.",
	.opts = opts,
	.args = args,
	.examples = examples,
	.notes = notes,
};

/* From what the user wrote to what the report wants.  `regex` and `fields` are its storage. */
static enum ttp_rc translate(const struct report_ask *u, struct report_options *o, regex_t *regex,
			     enum field *fields, struct ttp_err *e)
{
	/* what names single ops, or is read by programs, has a line for each */
	bool each = u->each || u->json || u->csv || u->id || u->id_range || u->apart ||
		    (u->sort && !strcmp(u->sort, "id"));
	bool in_order = (each || u->group == GROUP_SIGNPOST) && !u->sort &&
			(u->top < 0 || u->group != GROUP_NONE);
	enum ttp_rc rc = TTP_OK;

	*o = (struct report_options){
		.calls = { .process = u->process,
			   .start_signpost = u->start,
			   .end_signpost = u->end,
			   .whole_file = u->whole_file ||
					 (u->group == GROUP_SIGNPOST && !u->start && !u->end),
			   .keep_devices_apart = u->apart,
			   .order = (enum order)u->order },
		.min_percent = u->min_percent,
		.no_host_ops = u->no_host_ops,
		.each = each,
		.sort = in_order ? FIELD_ID : FIELDS,
		.ascending = u->ascending,
		.top = u->top >= 0                      ? (size_t)u->top
		       : each || u->group != GROUP_NONE ? 0
							: 20,
		.group = (enum group_by)u->group,
		.no_findings = u->no_findings,
		.term = term_of(STDOUT_FILENO, (enum term_colour)u->colour),
		.width_given = getenv("COLUMNS") != NULL,
	};
	if (u->sort)
		rc = report_parse_sort(u->sort, o, e);
	if (!rc && o->group != GROUP_NONE && !groups_can_sort(o->sort) && u->sort)
		rc = ttp_fail(
			e, TTP_USAGE,
			"--sort: groups go by time, total, calls, mean, gap, roof, save or op, not by \"%s\"",
			u->sort);
	if (!rc && o->group != GROUP_NONE && u->columns)
		rc = ttp_fail(e, TTP_USAGE,
			      "--columns chooses columns of ops: it does not go with --group-by");
	if (!rc && u->id && u->id_range)
		rc = ttp_fail(e, TTP_USAGE, "--id names one op: it does not go with --id-range");
	if (!rc && u->id)
		o->id_from = o->id_to = (uint32_t)u->id;
	if (!rc && u->id_range)
		rc = report_parse_id_range(u->id_range, o, e);
	if (!rc && u->columns)
		rc = report_parse_columns(u->columns, fields, o, e);
	if (!rc && u->chip)
		rc = report_parse_chip(u->chip, o, e);
	if (!rc && u->filter)
		rc = report_parse_filter(u->filter, regex, o, e);
	return rc;
}

static void list_columns(void)
{
	SCOPED(buf) struct buf b = { 0 };

	for (int i = 0; i < FIELDS; i++) {
		const struct field_info *f = &field_info[i];

		buf_printf(&b, "  %-13s ", f->key);
		opt_wrap(&b, f->says, 16, 16, cmd_prose_width(STDOUT_FILENO));
	}
	out_buf(cmd_stdout(), &b);
}

static void warn_missing_signposts(const struct report *r, const struct report_ask *u)
{
	if (r->calls.start_missing)
		cmd_warn(cmd_report_spec.prog, "no signpost \"%s\" in the report: from its start",
			 u->start);
	if (r->calls.end_missing)
		cmd_warn(cmd_report_spec.prog, "no signpost \"%s\" %s: to its end", u->end,
			 u->start ? "in the report after that" : "in the report");
}

static bool is_input(const struct ops_table *t, const char *path)
{
	if (!path_is_file(path))
		return false;
	vec_each (f, &t->files)
		if (path_is_same(f->in.name, path))
			return true;
	return false;
}

static void write_csv_to(const void *what, struct out *out)
{
	const struct report *r = what;

	if (r->o->group != GROUP_NONE)
		report_groups_csv(r, out);
	else
		report_csv(r, out);
}

static enum ttp_rc write_csv(const struct report *r, const char *path, struct ttp_err *e)
{
	if (strcmp(path, "-") != 0 && is_input(r->table, path))
		return ttp_fail(e, TTP_USAGE, "--csv: %s is the report itself, and would be gone",
				path);
	return cmd_write(path, write_csv_to, r, e);
}

/* `host_of`: the run whose host is shown as well, or NULL. */
static int show(const struct report *r, const struct report_ask *u, const char *host_of)
{
	SCOPED(buf) struct buf host = { 0 };
	struct ttp_err e;

	warn_missing_signposts(r, u);
	if (u->csv && write_csv(r, u->csv, &e))
		return cmd_fail(cmd_report_spec.prog, &e);
	if (u->id && !report_has_op(r, (uint32_t)u->id))
		return report_no_such_op(r, (uint32_t)u->id, &e)
			       ? cmd_fail(cmd_report_spec.prog, &e)
			       : 0;
	if (u->id && !u->json)
		(void)report_one(r, (uint32_t)u->id, cmd_stdout());
	if (u->json && host_of && !u->id)
		report_host_behind_json(host_of, &host);
	if (u->json)
		report_json(r, buf_view(&host), cmd_stdout());
	else if (!u->id && !u->csv)
		report_text(r, cmd_stdout());
	if (host_of && !u->json && !u->id && !u->csv)
		report_host_behind(host_of);
	return 0;
}

static int report_files(char **runs, const char *const *paths, size_t n, const struct report_ask *u,
			const struct report_options *o)
{
	struct report_options with_host = *o, whole;
	struct report_source s = { 0 };
	struct report r;
	struct ttp_err e;
	int status;

	if (report_source_read(&s, runs, paths, n, &e)) {
		report_source_release(&s);
		return s.two_runs ? cmd_misused(cmd_report_spec.prog, &e)
				  : cmd_fail(cmd_report_spec.prog, &e);
	}
	with_host.calls.host = s.host;
	if (s.has_run && s.run.parts.cost.len)
		with_host.clock_note = run_clock_note_of_file(s.run.parts.cost.at);
	whole = with_host;
	report_make(&r, s.table, &with_host);
	/* an op has one number, whichever part it is in */
	if (u->id && !report_has_op(&r, (uint32_t)u->id) && !u->start && !u->end &&
	    !u->whole_file) {
		whole.calls.whole_file = true;
		report_release(&r);
		report_make(&r, s.table, &whole);
	}
	status = show(&r, u, n == 1 && r.calls.all.len && !r.calls.any_timed ? runs[0] : NULL) ||
		 (u->strict && !account_is_whole(&r.calls.account));
	report_release(&r);
	status |= report_source_warn(&s, cmd_console(cmd_report_spec.prog), u->strict);
	report_source_release(&s);
	return status;
}

static int report_runs(char **runs, size_t n, const struct report_ask *u,
		       const struct report_options *o)
{
	SCOPED(mem) struct buf *found = mem_zero(n, sizeof(*found));
	SCOPED(mem) const char **paths = mem_zero(n, sizeof(*paths));
	SCOPED(buf) struct buf later = { 0 };
	struct report_ranks ranks;
	struct ttp_err e;
	int status = -1;

	for (size_t i = 0; i < n && status < 0; i++) {
		enum ttp_rc rc = run_ops_file_of(runs[i], &found[i], &later, &e);

		if (rc && n == 1 && report_ranks(runs[i], &ranks)) {
			status = report_runs(ranks.at, ranks.n, u, o);
			report_ranks_release(&ranks);
			break;
		}
		/* the latest run is the one that was asked for, also if it had no ops */
		if ((rc || later.len) && n == 1 && report_host_can(runs[i])) {
			status = report_host(cmd_report_spec.prog, runs[i], u);
			break;
		}
		if (rc)
			status = cmd_fail(cmd_report_spec.prog, &e);
		else if (later.len)
			report_warn_later(cmd_report_spec.prog, later.at, found[i].at);
		else if (n == 1 && !later.len && run_ran_later(runs[i], found[i].at, &later))
			report_take_later(cmd_report_spec.prog, later.at, &found[i]);
		paths[i] = found[i].at;
	}
	if (status < 0 && one_run_check(runs, paths, n, &e))
		status = cmd_misused(cmd_report_spec.prog, &e);
	if (status < 0)
		status = report_files(runs, paths, n, u, o);
	for (size_t i = 0; i < n; i++)
		buf_release(&found[i]);
	return status;
}

int cmd_report(int argc, char **argv)
{
	struct report_ask u = { .top = -1 };
	enum field fields[FIELDS];
	struct report_options o;
	struct opt_found found;
	struct ttp_err e;
	regex_t regex;
	int status;

	/* lists the columns without a report */
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--columns=help") ||
		    (i + 1 < argc && !strcmp(argv[i], "--columns") &&
		     !strcmp(argv[i + 1], "help"))) {
			list_columns();
			return 0;
		}
	if (!cmd_options(&cmd_report_spec, argc, argv, &u, &found, &status))
		return status;
	if (translate(&u, &o, &regex, fields, &e))
		return cmd_misused(cmd_report_spec.prog, &e);
	status = report_runs(draw_runs(&found), found.n ? (size_t)found.n : 1, &u, &o);
	if (o.filter)
		regfree(&regex);
	return status;
}
