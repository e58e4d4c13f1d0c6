// SPDX-License-Identifier: Apache-2.0
#include "compare/compare.h"

#include "cmd/cmd.h"
#include "cmd/compare_inputs.h"
#include "cmd/draw_run.h"

enum form { FORM_TEXT, FORM_JSON, FORM_CSV, FORM_MARKDOWN };
enum inconclusive { INCONCLUSIVE_TELL, INCONCLUSIVE_PASS, INCONCLUSIVE_FAIL };
enum { EXIT_UNSURE = 3 };

struct options {
	struct opt_list side[SIDES];
	const char *start, *end;
	bool whole_file, check, check_ops, strict;
	double min_percent, min_ns;
	int64_t top;
	int form, inconclusive, colour;
};

static const char *const inconclusive_names[] = { "tell", "pass", "fail", NULL };

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
	OPTION_DOUBLE(0, "min-percent", min_percent, "P",
		      "a change counts from this share of the op's, or the step's, time in BASE on",
		      .preset = "1", .section = "What counts as a change"),
	OPTION_DOUBLE(0, "min-ns", min_ns, "NS", "and from so many nanoseconds of a step on",
		      .preset = "100"),
	OPTION_FLAG(
		0, "check", check,
		"exit status 1 if NEW is slower, 3 if the runs don't settle it: for scripts and CI",
		.section = "Verdict"),
	OPTION_FLAG(0, "check-ops", check_ops, "the same, and 1 if any op is slower"),
	OPTION_CHOICE(
		0, "inconclusive", inconclusive, "HOW", inconclusive_names,
		"with --check: what \"can't tell\" is: a status of its own, as good, or as slower",
		.preset = "tell"),
	OPTION_INT('n', "top", top, "N", 0, UINT32_MAX,
		   "differences shown at most, 0 for all that explain 95 %", .preset = "20",
		   .section = "Output"),
	OPTION_SET(0, "json", form, FORM_JSON, "everything as JSON (docs/formats/compare-json.md)"),
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
	{ "ttprof compare --base a1 a2 a3 a4 a5 --new b1 b2 b3 b4 b5",
	  "the same, sure of it: chance is judged from run to run" },
	{ "ttprof compare --check --min-percent 2 main-runs branch-runs",
	  "for CI, folders of runs: status 1 from 2 % on" },
	{ "ttprof compare --markdown main branch > comment.md", "for a pull request" },
	{ 0 },
};

static const struct opt_note notes[] = {
	{ "EXIT STATUS",
	  "0 done; 1 a run can't be read, or --check found NEW slower; 2 wrong usage, or a run without ops; 3 --check could not tell." },
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

/* "--base A1 A2" becomes "--base A1 --base A2": an option takes one word. */
static char **one_word_each(int *argc, char **argv)
{
	char **to = mem_alloc(2 * (size_t)*argc + 1, sizeof(*to)), *option = NULL;
	bool first = false;
	int n = 0;

	for (int i = 0; i < *argc; i++) {
		bool is_option = argv[i][0] == '-' && argv[i][1];

		if (is_option)
			option = !strcmp(argv[i], "--base") || !strcmp(argv[i], "--new") ? argv[i]
											 : NULL;
		else if (option && !first)
			to[n++] = option;
		first = is_option && option;
		to[n++] = argv[i];
	}
	to[n] = NULL;
	*argc = n;
	return to;
}

static void side_name(struct buf *b, const struct compare_inputs *in)
{
	buf_str(b, buf_view(&in->all.at[0]->name));
	if (in->all.len > 1)
		buf_printf(b, " and %zu more", in->all.len - 1);
}

static void show(const struct compare *c, const struct compare_inputs *in, const struct options *u)
{
	SCOPED(buf) struct buf base = { 0 }, new_one = { 0 };
	const char *names[SIDES];

	side_name(&base, &in[BASE]);
	side_name(&new_one, &in[NEW]);
	names[BASE] = base.at;
	names[NEW] = new_one.at;
	switch ((enum form)u->form) {
	case FORM_TEXT:
		compare_text(c, names, (size_t)u->top, draw_term(u->colour), cmd_stdout());
		break;
	case FORM_JSON:
		compare_json(c, names, cmd_stdout());
		break;
	case FORM_CSV:
		compare_csv(c, cmd_stdout());
		break;
	case FORM_MARKDOWN:
		compare_markdown(c, names, (size_t)u->top, cmd_stdout());
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

static int status_of(const struct compare *c, const struct options *u)
{
	bool slower = c->total.verdict == COMPARE_SLOWER;
	bool unsure = c->total.verdict == COMPARE_UNSURE || !c->is_firm;

	if (!u->check && !u->check_ops)
		return 0;
	vec_each (l, &c->lines)
		slower |= u->check_ops && l->time.verdict == COMPARE_SLOWER &&
			  l->time.samples[BASE] && l->time.samples[NEW];
	if (slower && c->is_firm)
		return 1;
	if (!unsure || u->inconclusive == INCONCLUSIVE_PASS)
		return 0;
	return u->inconclusive == INCONCLUSIVE_FAIL ? 1 : EXIT_UNSURE;
}

static int compare_sides(const struct options *u)
{
	const struct call_options o = { .start_signpost = u->start,
					.end_signpost = u->end,
					.whole_file = u->whole_file };
	struct compare_inputs in[SIDES] = { 0 };
	struct compare_ask ask = { .min_percent = u->min_percent, .min_ns = u->min_ns };
	const struct console *console = cmd_console(cmd_compare_spec.prog);
	struct compare c;
	struct ttp_err e;
	enum ttp_rc rc = TTP_OK;
	int status = 0;

	for (int side = BASE; side < SIDES && !rc; side++) {
		rc = compare_inputs_open(&in[side], u->side[side].at, u->side[side].len, &o, &e);
		ask.runs[side] = in[side].calls.at;
		ask.n[side] = in[side].calls.len;
	}
	if (!rc) {
		warn_missing_signposts(in, u);
		compare_make(&c, &ask);
		show(&c, in, u);
		status = status_of(&c, u);
		compare_release(&c);
	}
	for (int side = BASE; side < SIDES; side++)
		if (compare_inputs_close(&in[side], console, u->strict))
			status = 1;
	return rc == TTP_USAGE ? cmd_misused(cmd_compare_spec.prog, &e)
	       : rc            ? cmd_fail(cmd_compare_spec.prog, &e)
			       : status;
}

int cmd_compare(int argc, char **argv)
{
	struct options u = { .top = 20, .min_percent = 1, .min_ns = 100 };
	SCOPED(mem) char **words = one_word_each(&argc, argv);
	struct opt_found found;
	int status;

	if (!cmd_options(&cmd_compare_spec, argc, words, &u, &found, &status))
		return status;
	for (int i = 0; i < found.n && i < SIDES; i++)
		*vec_push(&u.side[i]) = found.args[i];
	if (u.min_percent < 0 || u.min_ns < 0)
		status = cmd_misuse(cmd_compare_spec.prog, "--min-percent, --min-ns: not below 0");
	else if (!u.side[BASE].len || !u.side[NEW].len)
		status = cmd_misuse(cmd_compare_spec.prog, "%s is missing: ttprof compare BASE NEW",
				    u.side[BASE].len ? "NEW" : "BASE");
	else if (found.n && (u.side[BASE].len != 1 || u.side[NEW].len != 1))
		status = cmd_misuse(cmd_compare_spec.prog,
				    "two runs, BASE and NEW, or --base RUN… --new RUN…, not both");
	else
		status = compare_sides(&u);
	for (int side = BASE; side < SIDES; side++)
		vec_release(&u.side[side]);
	return status;
}
