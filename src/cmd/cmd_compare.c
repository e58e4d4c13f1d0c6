// SPDX-License-Identifier: Apache-2.0
#include "compare/compare.h"

#include "base/paths.h"
#include "cmd/cmd.h"
#include "cmd/compare_gate.h"
#include "cmd/compare_inputs.h"
#include "cmd/compare_zones.h"
#include "cmd/draw_run.h"

enum form { FORM_TEXT, FORM_JSON, FORM_CSV, FORM_MARKDOWN };

struct options {
	struct opt_list side[SIDES];
	const char *start, *end;
	bool whole_file, strict, zones;
	bool is_alone; /* one run, against targets: there is nothing to compare it with */
	int64_t top, id;
	int form, colour;
	struct gate_options gate;
};

#define OPTIONS struct options
static const struct opt opts[] = {
	OPTION_LIST(0, "base", side[BASE], "RUN…",
		    "runs of BASE, also several words: --base A1 A2 A3",
		    .section = "What is compared"),
	OPTION_LIST(0, "new", side[NEW], "RUN…", "runs of NEW"),
	OPTION_STRING(0, "start-signpost", start, "NAME",
		      "ops after the first signpost of this name, as in `ttprof report`"),
	OPTION_STRING(0, "end-signpost", end, "NAME", "ops before the next signpost of this name"),
	OPTION_FLAG(0, "ignore-signposts", whole_file, "all ops of the reports"),
	OPTION_FLAG(
		0, "zones", zones,
		"also zones of the host, of the runs' traces: by name and what they are inside of"),
	OPTION_DOUBLE(0, "min-percent", gate.min_percent, "P",
		      "a change counts from this share of the op's, or the step's, time in BASE on",
		      .preset = "1", .section = "What counts as a change"),
	OPTION_DOUBLE(0, "min-ns", gate.min_ns, "NS", "and from so many nanoseconds of a step on",
		      .preset = "100"),
	OPTION_FLAG(
		0, "check", gate.check,
		"exit status 1 if NEW is slower, 3 if the runs don't settle it: for scripts and CI",
		.section = "Verdict"),
	OPTION_FLAG(0, "check-ops", gate.check_ops, "the same, and 1 if any op is slower"),
	OPTION_STRING(0, "gate", gate.file, "FILE",
		      "the same by the rules of a file: by op, category, signpost, run"),
	OPTION_STRING(0, "targets", gate.targets, "FILE",
		      "the same by a target file (JSON) of tt-metal; BASE may be missing"),
	OPTION_STRING(0, "targets-part", gate.targets_part, "NAME",
		      "which part of that file NEW is: decoder, model_tail"),
	OPTION_CHOICE(0, "inconclusive", gate.inconclusive, "HOW", gate_answer_names,
		      "what \"can't tell\" is: a status of its own, as good, or as slower",
		      .preset = "tell"),
	OPTION_STRING(0, "write-targets", gate.write_targets, "FILE",
		      "write a target file of NEW, with margins from its noise"),
	OPTION_STRING(0, "junit", gate.junit, "FILE", "write the checks as JUnit XML"),
	OPTION_FLAG(0, "github", gate.github,
		    "print the checks that fail as ::error and ::warning lines"),
	OPTION_INT('n', "top", top, "N", 0, UINT32_MAX,
		   "differences shown at most, 0 for all that explain 95 %", .preset = "20",
		   .section = "Output"),
	OPTION_INT(
		0, "id", id, "N", 1, UINT32_MAX,
		"one op in full, by its number in NEW as `ttprof report` has it (in BASE where NEW has none)"),
	OPTION_SET(0, "json", form, FORM_JSON,
		   "everything as JSON (docs/reference/formats/compare-json.md)"),
	OPTION_SET(0, "csv", form, FORM_CSV, "a row per kind of op as CSV"),
	OPTION_SET(0, "markdown", form, FORM_MARKDOWN, "as Markdown, for a pull request"),
	DRAW_STRICT_OPTION,
	CMD_COLOUR_OPTIONS,
	{ 0 },
};

static const struct opt_arg args[] = {
	{ "BASE", 0, 1, "a RUN as `ttprof report` takes it, or a folder of runs" },
	{ "NEW", 0, 1, "the one that may be faster, or slower" },
	{ 0 },
};

static const struct opt_example examples[] = {
	{ "ttprof compare before after", "is it faster, and which ops make the difference" },
	{ "ttprof compare before after --id 34", "one op of both in full" },
	{ "ttprof compare --base a1 a2 a3 a4 a5 --new b1 b2 b3 b4 b5",
	  "the same, sure of it: chance is judged from run to run" },
	{ "ttprof compare --check --min-percent 2 main-runs branch-runs",
	  "for CI, folders of runs: status 1 from 2 % on" },
	{ "ttprof compare --gate gate.toml --junit gate.xml --github main-runs branch-runs",
	  "for CI, with rules by op (docs/guide/compare.md)" },
	{ "ttprof compare --markdown main branch > comment.md", "for a pull request" },
	{ 0 },
};

static const struct opt_note notes[] = {
	{ "EXIT STATUS",
	  "0 done, no regression; 1 a run can't be read, or --check, --gate or --targets found a regression; 2 wrong usage, a gate or target file that can't be understood, or a run without ops; 3 they could not tell." },
	{ 0 },
};

const struct opt_spec cmd_compare_spec = {
	.prog = "ttprof compare",
	.summary = "tell whether a run is faster than another one, and why",
	.about =
		"Lays the ops of two runs side by side, in their order, and attributes the difference: ops that take longer or "
		"shorter, gaps before them, ops that are new or gone. What it shows sums up to the difference of the totals.\n\n"
		"Whether a difference is more than chance is judged by what was repeated: by runs where each side has several, "
		"else by steps of a run, else by like ops of a step; the text says which. Four runs of each side are the least "
		"that a verdict over runs needs. Where the data does not settle it, the verdict is \"can't tell\".",
	.opts = opts,
	.args = args,
	.examples = examples,
	.notes = notes,
};

/* What is shown beside the comparison itself; NULL: not asked for, or there is none. */
struct beside {
	const gate_checks *gate;
	const struct zone_lines *zones;
	struct compare_op op; /* where one was asked for */
};

static void put_beside(const void *what, struct json_writer *w)
{
	const struct beside *beside = what;

	if (beside->zones)
		zone_lines_json(beside->zones, w);
	if (beside->gate)
		gate_json(beside->gate, w);
}

static void show(const struct compare *c, const struct compare_inputs *in, const struct options *u,
		 const struct beside *beside)
{
	struct term term = draw_term(u->colour);
	SCOPED(buf) struct buf base = { 0 }, new_one = { 0 };
	const char *names[SIDES];

	compare_inputs_name(&base, &in[BASE]);
	compare_inputs_name(&new_one, &in[NEW]);
	names[BASE] = base.at;
	names[NEW] = new_one.at;
	switch ((enum form)u->form) {
	case FORM_TEXT:
		if (u->id)
			compare_op_text(c, names, &beside->op, term, cmd_stdout());
		else if (!u->is_alone)
			compare_text(c, names, (size_t)u->top, term, cmd_stdout());
		if (beside->zones)
			zone_lines_text(beside->zones, (size_t)u->top, term, cmd_stdout());
		if (beside->gate)
			gate_text(beside->gate, term, cmd_stdout());
		break;
	case FORM_JSON:
		compare_json(c, names, put_beside, beside, cmd_stdout());
		break;
	case FORM_CSV:
		compare_csv(c, cmd_stdout());
		break;
	case FORM_MARKDOWN:
		if (!u->is_alone)
			compare_markdown(c, names, (size_t)u->top, cmd_stdout());
		if (beside->gate)
			gate_markdown(beside->gate, cmd_stdout());
		break;
	}
}

static void warn_missing_signposts(const struct compare_inputs *in, const struct options *u)
{
	for (int side = BASE; side < SIDES; side++)
		vec_each (i, &in[side].all) {
			if ((*i)->calls.start_missing)
				cmd_warn(cmd_compare_spec.prog,
					 "%s: no signpost \"%s\": from its start", (*i)->name.at,
					 u->start);
			if ((*i)->calls.end_missing)
				cmd_warn(cmd_compare_spec.prog,
					 "%s: no signpost \"%s\": to its end", (*i)->name.at,
					 u->end);
		}
}

static enum ttp_rc show_all(const struct compare *c, const struct compare_inputs *in,
			    const struct options *u, const gate_checks *gate, struct ttp_err *e)
{
	struct beside beside = { .gate = gate };
	struct compare_zones zones = { 0 };
	struct ttp_err why;

	if (u->id && !compare_find_op(c, (uint64_t)u->id, &beside.op))
		return ttp_fail(e, TTP_USAGE, "op %lld is not among those that are compared",
				(long long)u->id);
	if (u->zones && compare_zones_make(&zones, in, c, &why))
		beside.zones = &zones.lines;
	else if (u->zones)
		cmd_warn(cmd_compare_spec.prog, "host zones are not compared: %s", why.msg);
	show(c, in, u, &beside);
	compare_zones_release(&zones);
	return TTP_OK;
}

static enum ttp_rc spare(const struct compare_inputs *in, const struct gate_options *o,
			 struct ttp_err *e)
{
	const char *const written[][2] = { { "--junit", o->junit },
					   { "--write-targets", o->write_targets } };

	for (size_t i = 0; i < sizeof(written) / sizeof(*written); i++) {
		const char *path = written[i][1];

		if (path && o->file && path_is_same(path, o->file))
			return ttp_fail(e, TTP_USAGE,
					"%s: %s is the file of --gate, and would be gone",
					written[i][0], path);
		TTP_TRY(compare_inputs_spare(in, written[i][0], path, e));
	}
	return TTP_OK;
}

/* 1 is "NEW is slower": where that is asked, what could not be read or written is none. */
static int status_of_failure(const struct options *u)
{
	const struct gate_options *g = &u->gate;

	return g->check || g->check_ops || g->file || g->targets ? 2 : 1;
}

static int compare_sides(const struct options *u)
{
	const struct call_options o = { .start_signpost = u->start,
					.end_signpost = u->end,
					.whole_file = u->whole_file };
	struct compare_inputs in[SIDES] = { 0 };
	struct compare_ask ask = { .min_percent = u->gate.min_percent, .min_ns = u->gate.min_ns };
	const struct console *console = cmd_console(cmd_compare_spec.prog);
	struct compare_gate gate;
	struct compare c;
	struct ttp_err e;
	enum ttp_rc rc = compare_gate_read(&gate, &u->gate, &e);
	int status = 0;

	cmd_status_of_lost_output = status_of_failure(u);
	for (int side = BASE; side < SIDES && !rc; side++)
		rc = compare_inputs_open(&in[side], u->side[side].at, u->side[side].len, &o, &e);
	for (int side = BASE; side < SIDES && !rc; side++)
		rc = spare(&in[side], &u->gate, &e);
	if (!rc) {
		warn_missing_signposts(in, u);
		compare_inputs_ask(&ask, in);
		compare_make(&c, &ask);
		rc = compare_gate_judge(&gate, &u->gate, &c, &status, &e);
		if (!rc)
			rc = show_all(&c, in, u, compare_gate_shown(&gate, &u->gate), &e);
		compare_release(&c);
	}
	compare_gate_release(&gate);
	for (int side = BASE; side < SIDES; side++)
		if (compare_inputs_close(&in[side], console, u->strict) && !status)
			status = status_of_failure(u);
	if (rc == TTP_USAGE)
		return cmd_misused(cmd_compare_spec.prog, &e);
	if (rc) {
		(void)cmd_fail(cmd_compare_spec.prog, &e);
		return status_of_failure(u);
	}
	return status;
}

int cmd_compare(int argc, char **argv)
{
	struct options u = { .top = 20,
			     .gate = { .min_percent = COMPARE_MIN_PERCENT,
				       .min_ns = COMPARE_MIN_NS,
				       .inconclusive = -1 } };
	SCOPED(mem) char **words = compare_words(&argc, argv);
	struct opt_found found;
	int status;

	if (!cmd_options(&cmd_compare_spec, argc, words, &u, &found, &status))
		return status;
	for (int i = 0; i < found.n && i < SIDES; i++)
		*vec_push(&u.side[i]) = found.args[i];
	/* one run and targets: it is its own BASE */
	u.is_alone = found.n == 1 && !u.side[NEW].len && (u.gate.targets || u.gate.write_targets) &&
		     !u.gate.file && !u.gate.check && !u.gate.check_ops;
	if (u.is_alone)
		*vec_push(&u.side[NEW]) = found.args[0];
	if (u.gate.min_percent < 0 || u.gate.min_ns < 0)
		status = cmd_misuse(cmd_compare_spec.prog, "--min-percent, --min-ns: not below 0");
	else if (!u.side[BASE].len || !u.side[NEW].len)
		status = cmd_misuse(cmd_compare_spec.prog, "%s is missing: ttprof compare BASE NEW",
				    u.side[BASE].len ? "NEW" : "BASE");
	else if (u.id && u.form != FORM_TEXT)
		status =
			cmd_misuse(cmd_compare_spec.prog,
				   "--id is for people: --json, --csv and --markdown have all ops");
	else if (found.n && (u.side[BASE].len != 1 || u.side[NEW].len != 1))
		status = cmd_misuse(cmd_compare_spec.prog,
				    "two runs, BASE and NEW, or --base RUN… --new RUN…, not both");
	else
		status = compare_sides(&u);
	for (int side = BASE; side < SIDES; side++)
		vec_release(&u.side[side]);
	return status;
}
