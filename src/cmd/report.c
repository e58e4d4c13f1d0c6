// SPDX-License-Identifier: Apache-2.0
#include "report/report.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/number.h"
#include "base/suggest.h"
#include "cmd/cmd.h"
#include "report/groups.h"
#include "runs/run_files.h"

struct options {
	const char *start, *end, *id_range, *filter, *columns, *sort, *chip, *csv;
	bool each, whole_file, apart, no_host_ops, no_findings, json, ascending;
	int group, order, colour;
	int64_t top, id;
	double min_percent;
};

static const char *const group_names[] = { "none",   "op",       "shape", "category",
					   "memory", "signpost", NULL };
static const char *const order_names[] = { "auto", "file", "host", NULL };

#define AT(member) OPT_AT(struct options, member)
static const struct opt opts[] = {
	{ .name = "signpost",
	  .kind = OPT_STRING,
	  AT(start),
	  .value = "NAME",
	  .section = "Which ops",
	  .help = "ops after the first signpost of this name; without it, after the last signpost that has ops after it" },
	{ .name = "start-signpost",
	  .kind = OPT_STRING,
	  AT(start),
	  .value = "NAME",
	  .help = "the same" },
	{ .name = "end-signpost",
	  .kind = OPT_STRING,
	  AT(end),
	  .value = "NAME",
	  .help = "ops before the next signpost of this name" },
	{ .name = "ignore-signposts", .kind = OPT_FLAG, AT(whole_file), .help = "the whole file" },
	{ .name = "id-range",
	  .kind = OPT_STRING,
	  AT(id_range),
	  .value = "A-B",
	  .help = "ops with these numbers; A- and -B are open ranges" },
	{ .name = "filter",
	  .kind = OPT_STRING,
	  AT(filter),
	  .value = "REGEX",
	  .help = "ops whose name, shape or code match (POSIX extended)" },
	{ .name = "no-host-ops",
	  .kind = OPT_FLAG,
	  AT(no_host_ops),
	  .help = "without ops that ran on the host" },
	{ .name = "min-percentage",
	  .kind = OPT_DOUBLE,
	  AT(min_percent),
	  .value = "P",
	  .preset = "0",
	  .help = "hide ops below this share of the time" },
	{ .name = "no-merge-devices",
	  .kind = OPT_FLAG,
	  AT(apart),
	  .help = "a line per device instead of one for all" },
	{ .name = "order",
	  .kind = OPT_CHOICE,
	  AT(order),
	  .value = "HOW",
	  .choices = order_names,
	  .preset = "auto",
	  .help = "order of the run: by host start time, or as in the file (auto: as in the file when it has trace replays)" },
	{ .name = "each",
	  .kind = OPT_FLAG,
	  AT(each),
	  .section = "How they are shown",
	  .help = "a line per op, in the order of the run and all of them unless --sort or --top say otherwise; else like ops are folded into one line" },
	{ .name = "sort",
	  .kind = OPT_STRING,
	  AT(sort),
	  .value = "COLUMN",
	  .preset = "time",
	  .help = "order of the table: any column of --columns; `id` is the order of the run" },
	{ .name = "ascending", .kind = OPT_FLAG, AT(ascending), .help = "turn the order round" },
	{ .name = "top",
	  .letter = 'n',
	  .kind = OPT_INT,
	  AT(top),
	  .value = "N",
	  .preset = "20",
	  .max = INT64_MAX,
	  .help = "show so many ops, 0 for all" },
	{ .name = "columns",
	  .kind = OPT_STRING,
	  AT(columns),
	  .value = "LIST",
	  .help = "columns by name, with commas; `--columns help` lists them" },
	{ .name = "group-by",
	  .kind = OPT_CHOICE,
	  AT(group),
	  .value = "WHAT",
	  .choices = group_names,
	  .preset = "none",
	  .help = "put like ops together (all of them, unless --top is given)" },
	{ .name = "id",
	  .kind = OPT_INT,
	  AT(id),
	  .value = "N",
	  .min = 1,
	  .max = UINT32_MAX,
	  .help = "one op in full" },
	{ .name = "no-advice",
	  .kind = OPT_FLAG,
	  AT(no_findings),
	  .help = "without what to fix first" },
	{ .name = "chip",
	  .kind = OPT_STRING,
	  AT(chip),
	  .value = "NAME",
	  .help = "the card, where the report leaves doubt: n150, n300, p100a, p150, …" },
	{ .name = "arch", .kind = OPT_STRING, AT(chip), .value = "NAME", .help = "the same" },
	{ .name = "json",
	  .kind = OPT_FLAG,
	  AT(json),
	  .section = "Output",
	  .help = "everything as JSON (docs/formats/report-json.md), all ops unless --top is given" },
	{ .name = "csv",
	  .kind = OPT_STRING,
	  AT(csv),
	  .value = "FILE",
	  .help = "all columns of the ops as CSV into FILE, all ops unless --top is given" },
	{ .name = "color",
	  .kind = OPT_SET,
	  AT(colour),
	  .set = TERM_COLOUR_ON,
	  .help = "use colours, also when output is not a terminal" },
	{ .name = "no-color",
	  .kind = OPT_SET,
	  AT(colour),
	  .set = TERM_COLOUR_OFF,
	  .help = "use no colours" },
	{ 0 },
};

static const struct opt_arg args[] = {
	{ "RUN", 1, OPT_MANY,
	  "an ops report (ops_perf_results_*.csv, also .gz or .zst, `-` for standard input), or a folder that has one; several are several hosts of one run" },
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
	  "See ttprof report --columns help, and docs/report.md for the formula behind each." },
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

/* "5-10", "31-", "-12"; commas between thousands are fine. */
static enum ttp_rc parse_id_range(const char *text, struct report_options *o, struct ttp_err *e)
{
	struct str s = str_of(text), part[2];
	size_t dash = str_find_char(s, '-');
	uint32_t *to[2] = { &o->id_from, &o->id_to };

	if (dash == STR_NONE)
		goto wrong;
	part[0] = str_head(s, dash);
	part[1] = str_from(s, dash + 1);
	if (!part[0].len && !part[1].len)
		goto wrong;
	for (int i = 0; i < 2; i++) {
		struct buf digits = { 0 };
		uint64_t v = 0;
		bool ok;

		for (size_t k = 0; k < part[i].len; k++)
			if (part[i].at[k] != ',')
				buf_char(&digits, part[i].at[k]);
		ok = !part[i].len ||
		     (number_u64(str_trim(buf_view(&digits)), &v) && v <= UINT32_MAX);
		buf_release(&digits);
		if (!ok || (part[i].len && !v))
			goto wrong;
		*to[i] = (uint32_t)v;
	}
	if (o->id_from && o->id_to && o->id_from > o->id_to)
		goto wrong;
	return TTP_OK;
wrong:
	return ttp_fail(e, TTP_USAGE, "--id-range: \"%s\" is not START-END, START- or -END, from 1",
			text);
}

static enum ttp_rc unknown_column(const char *option, struct str name, struct ttp_err *e)
{
	struct suggest near = { .word = name };

	for (int i = 0; i < FIELDS; i++)
		suggest_offer(&near, field_info[i].key);
	return ttp_fail(e, TTP_USAGE,
			"%s: there is no column \"%.*s\"%s%s%s; --columns help lists them", option,
			STR_ARG(str_head(name, 60)), near.best ? ", did you mean \"" : "",
			near.best ? near.best : "", near.best ? "\"" : "");
}

static enum ttp_rc parse_columns(const char *text, enum field *fields, struct report_options *o,
				 struct ttp_err *e)
{
	struct str rest = str_of(text), piece;

	o->columns = fields;
	while (str_split(&rest, ',', &piece)) {
		enum field f = field_find(str_trim(piece));

		if (f == FIELDS)
			return unknown_column("--columns", str_trim(piece), e);
		if (o->column_count == FIELDS)
			return ttp_fail(e, TTP_USAGE, "--columns: more than %d", FIELDS);
		fields[o->column_count++] = f;
	}
	return TTP_OK;
}

static enum ttp_rc parse_chip(const char *name, struct report_options *o, struct ttp_err *e)
{
	struct buf known = { 0 };

	o->calls.chip = chip_find(str_of(name));
	if (o->calls.chip)
		return TTP_OK;
	for (int i = 0; i < CHIPS; i++)
		buf_printf(&known, "%s%s", i ? ", " : "", chips[i].id);
	(void)ttp_fail(e, TTP_USAGE, "--chip: \"%s\" is not known; there are %s", name, known.at);
	buf_release(&known);
	return TTP_USAGE;
}

/*
 * The C library's regcomp() works recursively and unrolls repetitions: what would take it past the stack
 * or the memory is refused first.
 */
static bool filter_is_modest(struct str s)
{
	enum { LENGTH_MAX = 1000, DEPTH_MAX = 50, REPEAT_MAX = 1000 };
	double repeats = 1;
	int depth = 0;

	if (s.len > LENGTH_MAX)
		return false;
	for (size_t i = 0; i < s.len; i++) {
		double most = 0, v = 0;

		if (s.at[i] == '\\') {
			i++;
			continue;
		}
		depth += s.at[i] == '(';
		depth -= s.at[i] == ')' && depth > 0;
		if (depth > DEPTH_MAX)
			return false;
		if (s.at[i] != '{')
			continue;
		for (i++; i < s.len && s.at[i] != '}'; i++) {
			v = s.at[i] >= '0' && s.at[i] <= '9' ? v * 10 + (s.at[i] - '0') : 0;
			most = v > most ? v : most;
		}
		repeats *= most > 1 ? most : 1;
		if (repeats > REPEAT_MAX)
			return false;
	}
	return true;
}

static enum ttp_rc parse_filter(const char *text, regex_t *regex, struct report_options *o,
				struct ttp_err *e)
{
	char why[128];
	int rc;

	if (!filter_is_modest(str_of(text)))
		return ttp_fail(
			e, TTP_USAGE,
			"--filter: the expression is too long, too deep or repeats too much");
	rc = regcomp(regex, text, REG_EXTENDED | REG_NOSUB);

	if (rc) {
		regerror(rc, regex, why, sizeof(why));
		return ttp_fail(e, TTP_USAGE, "--filter: \"%s\": %s", text, why);
	}
	o->filter = regex;
	return TTP_OK;
}

/* From what the user wrote to what the report wants.  `regex` and `fields` are its storage. */
static enum ttp_rc translate(const struct options *u, struct report_options *o, regex_t *regex,
			     enum field *fields, struct ttp_err *e)
{
	/* what names single ops, or is read by programs, has a line for each */
	bool each = u->each || u->json || u->csv || u->id || u->id_range || u->apart ||
		    (u->sort && !strcmp(u->sort, "id"));
	bool in_order = (each || u->group == GROUP_SIGNPOST) && !u->sort &&
			(u->top < 0 || u->group != GROUP_NONE);
	enum ttp_rc rc = TTP_OK;

	*o = (struct report_options){
		.calls = { .start_signpost = u->start,
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
	if (u->sort) {
		o->sort = field_find(str_of(u->sort));
		if (o->sort == FIELDS)
			rc = unknown_column("--sort", str_of(u->sort), e);
	}
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
		rc = parse_id_range(u->id_range, o, e);
	if (!rc && u->columns)
		rc = parse_columns(u->columns, fields, o, e);
	if (!rc && u->chip)
		rc = parse_chip(u->chip, o, e);
	if (!rc && u->filter)
		rc = parse_filter(u->filter, regex, o, e);
	return rc;
}

static void list_columns(void)
{
	struct buf b = { 0 };

	for (int i = 0; i < FIELDS; i++) {
		const struct field_info *f = &field_info[i];

		buf_printf(&b, "  %-13s ", f->key);
		opt_wrap(&b, f->says, 16, 16, cmd_prose_width(STDOUT_FILENO));
	}
	out_buf(cmd_stdout(), &b);
	buf_release(&b);
}

static void warn_missing_signposts(const struct report *r, const struct options *u)
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
	struct stat out, in;

	if (stat(path, &out) || !S_ISREG(out.st_mode))
		return false;
	vec_each (f, &t->files)
		if (!stat(f->in.name, &in) && in.st_dev == out.st_dev && in.st_ino == out.st_ino)
			return true;
	return false;
}

static void write_csv_to(const struct report *r, struct out *out)
{
	if (r->o->group != GROUP_NONE)
		report_groups_csv(r, out);
	else
		report_csv(r, out);
}

static enum ttp_rc write_csv(const struct report *r, const char *path, struct ttp_err *e)
{
	struct out_file f;
	enum ttp_rc rc;

	if (!strcmp(path, "-")) {
		write_csv_to(r, cmd_stdout());
		return TTP_OK;
	}
	if (is_input(r->table, path))
		return ttp_fail(e, TTP_USAGE, "--csv: %s is the report itself, and would be gone",
				path);
	rc = out_file_open(&f, path, e);
	if (rc)
		return rc;
	write_csv_to(r, &f.out);
	return out_file_commit(&f, e);
}

/* The number of the last op before `id`, 0 without one: a row of another device belongs to that op. */
static uint32_t op_before(const struct report *r, uint32_t id)
{
	uint32_t before = 0;

	vec_each (call, &r->calls.all)
		if (call->id < id && call->id > before)
			before = call->id;
	return before;
}

static bool has_op(const struct report *r, uint32_t id)
{
	vec_each (call, &r->calls.all)
		if (call->id == id)
			return true;
	return false;
}

static int no_such_op(const struct report *r, uint32_t id)
{
	uint32_t before = op_before(r, id);
	struct ttp_err e;

	(void)ttp_fail(&e, TTP_USAGE, "no op %u in this part of the report, which has %zu", id,
		       r->calls.all.len);
	if (before && r->calls.devices > 1)
		(void)ttp_fail(
			&e, TTP_USAGE,
			"no op %u: an op of several devices has the number of its first row; the "
			"one before is %u",
			id, before);
	else if (r->calls.start.len)
		(void)ttp_fail(
			&e, TTP_USAGE,
			"no op %u after signpost \"%.*s\", which has %zu: --ignore-signposts for all",
			id, STR_ARG(str_head(r->calls.start, 60)), r->calls.all.len);
	return cmd_fail(cmd_report_spec.prog, &e);
}

static int show(const struct report *r, const struct options *u)
{
	struct ttp_err e;

	warn_missing_signposts(r, u);
	if (u->csv && write_csv(r, u->csv, &e))
		return cmd_fail(cmd_report_spec.prog, &e);
	if (u->id && !has_op(r, (uint32_t)u->id))
		return no_such_op(r, (uint32_t)u->id);
	if (u->id && !u->json)
		(void)report_one(r, (uint32_t)u->id, cmd_stdout());
	if (u->json)
		report_json(r, cmd_stdout());
	else if (!u->id && !u->csv)
		report_text(r, cmd_stdout());
	return 0;
}

static int report_files(const char *const *paths, size_t n, const struct options *u,
			const struct report_options *o)
{
	struct ops_table t;
	struct report r;
	struct ttp_err e;
	int status;

	if (ops_table_read(&t, paths, n, &calls_want, &ops_rules, &e))
		return cmd_fail(cmd_report_spec.prog, &e);
	if (ops_table_check(&t, &e)) {
		ops_table_release(&t);
		return cmd_fail(cmd_report_spec.prog, &e);
	}
	report_make(&r, &t, o);
	/* an op has one number, whichever part it is in */
	if (u->id && !has_op(&r, (uint32_t)u->id) && !u->start && !u->end && !u->whole_file) {
		struct report_options whole = *o;

		whole.calls.whole_file = true;
		report_release(&r);
		report_make(&r, &t, &whole);
		status = show(&r, u);
	} else {
		status = show(&r, u);
	}
	report_release(&r);
	ops_table_release(&t);
	return status;
}

static void add_time(struct buf *b, const char *path)
{
	struct stat st;
	struct tm at;
	char text[40];

	if (!stat(path, &st) && localtime_r(&st.st_mtime, &at) &&
	    strftime(text, sizeof(text), " (%Y-%m-%d %H:%M:%S)", &at))
		buf_text(b, text);
}

/* Who asks for the report of what was just run must not get an older one in silence. */
static void warn_of_later_run(const char *later, const char *shown)
{
	struct buf b = { 0 };

	buf_printf(&b, "the latest run, %s", later);
	add_time(&b, later);
	buf_printf(&b, ", recorded no ops; this is an earlier one, %s", shown);
	add_time(&b, shown);
	cmd_warn(cmd_report_spec.prog, "%s", b.at);
	buf_release(&b);
}

static int report_runs(char **runs, size_t n, const struct options *u,
		       const struct report_options *o)
{
	struct buf *found = mem_zero(n, sizeof(*found));
	const char **paths = mem_zero(n, sizeof(*paths));
	struct buf later = { 0 };
	struct ttp_err e;
	int status = -1;

	for (size_t i = 0; i < n && status < 0; i++) {
		if (run_ops_file_of(runs[i], &found[i], &later, &e))
			status = cmd_fail(cmd_report_spec.prog, &e);
		else if (later.len)
			warn_of_later_run(later.at, found[i].at);
		paths[i] = found[i].at;
	}
	if (status < 0)
		status = report_files(paths, n, u, o);
	for (size_t i = 0; i < n; i++)
		buf_release(&found[i]);
	buf_release(&later);
	free(found);
	free(paths);
	return status;
}

int cmd_report(int argc, char **argv)
{
	struct options u = { .top = -1 };
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
	status = report_runs(found.args, (size_t)found.n, &u, &o);
	if (o.filter)
		regfree(&regex);
	return status;
}
