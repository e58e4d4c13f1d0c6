// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/paths.h"
#include "cmd/bench_runs.h"
#include "cmd/cmd.h"
#include "cmd/compare_inputs.h"
#include "cmd/draw_run.h"
#include "compare/compare.h"
#include "compare/diff.h"
#include "compare/gate.h"
#include "report/label.h"

struct options {
	int64_t runs, warmup, top;
	double max_time, precision, min_percent, min_ns;
	const char *folder;
	bool json, quiet;
	int colour;
};

enum { RUNS_MOST = 1000 };

#define OPTIONS struct options
static const struct opt opts[] = {
	OPTION_INT('n', "runs", runs, "N", 1, RUNS_MOST,
		   "runs of each, not as many as the interval needs", .section = "How many"),
	OPTION_INT(0, "warmup", warmup, "N", 0, 1000, "runs of each before these, not compared",
		   .preset = "1"),
	OPTION_DOUBLE(0, "precision", precision, "P",
		      "enough when the change of a step is known to ± so many percent",
		      .preset = "0.5"),
	OPTION_DOUBLE(0, "max-time", max_time, "S", "no run is started after so many seconds",
		      .preset = "600"),
	OPTION_STRING('o', "output-folder", folder, "DIR",
		      "where the runs go, instead of generated/bench/DATE", .section = "Output"),
	OPTION_DOUBLE(0, "min-percent", min_percent, "P", "as of `ttprof compare`", .preset = "1"),
	OPTION_DOUBLE(0, "min-ns", min_ns, "NS", "as of `ttprof compare`", .preset = "100"),
	OPTION_INT(0, "top", top, "N", 0, UINT32_MAX, "differences shown at most", .preset = "20"),
	OPTION_FLAG(0, "json", json, "as `ttprof compare --json`"),
	OPTION_FLAG('q', "quiet", quiet, "no line for each run"),
	CMD_COLOUR_OPTIONS,
	{ 0 },
};

static const struct opt_arg args[] = {
	{ "A", 0, OPT_MANY, "a program with its arguments, or all of it as one word in quotes" },
	{ 0 },
};

static const struct opt_example examples[] = {
	{ "ttprof bench ./old --steps 5 -- ./new --steps 5", "which one is faster" },
	{ "ttprof bench -n 6 \"./model --fp32\" \"./model --bf16\"", "six runs of each" },
	{ "ttprof bench ./model", "one against itself: what this machine can tell apart" },
	{ 0 },
};

static const struct opt_note notes[] = {
	{ "EXIT STATUS",
	  "0 done, whatever is faster; 1 a program failed or was not heard; 2 wrong usage." },
	{ 0 },
};

const struct opt_spec cmd_bench_spec = {
	.prog = "ttprof bench",
	.summary = "run two programs in turn, and compare them",
	.about =
		"Records A and B in turn (A B B A …) as `ttprof run -r` does, A being what stands before --, and B what follows, or two "
		"commands in quotes. The first run of each is not compared. It ends after -n runs of each; else when the interval of "
		"the change is narrow enough, at --max-time, or with Ctrl-C; then it compares what there is as `ttprof compare` does. "
		"The folders DIR/A and DIR/B stay, each a side for `ttprof compare`.\n\n"
		"With one command it is compared with itself: a difference is then chance, and the last lines are this machine's "
		"noise floor.",
	.opts = opts,
	.args = args,
	.examples = examples,
	.notes = notes,
	.stop_at_first = true,
};

/* "A … -- B …", two commands in quotes, or one command. */
static void find_commands(struct bench_runs *b, char **words, int n)
{
	b->command[0] = b->command[1] = words;
	for (int i = 0; i < n; i++)
		if (!strcmp(words[i], "--")) {
			words[i] = NULL;
			b->command[1] = words + i + 1;
			return;
		}
}

/* Two words with blanks in them: no program's name has one. */
static bool are_quoted(char **words, int n)
{
	return n == 2 && strchr(words[0], ' ') && strchr(words[1], ' ');
}

struct bench {
	const struct options *u;
	struct bench_runs runs;
	struct compare_inputs in[SIDES];
	struct compare c;
	bool has_compare;
};

static void forget(struct bench *b)
{
	if (b->has_compare)
		compare_release(&b->c);
	b->has_compare = false;
	for (int side = BASE; side < SIDES; side++) {
		(void)compare_inputs_close(&b->in[side], cmd_console(cmd_bench_spec.prog), false);
		b->in[side] = (struct compare_inputs){ 0 };
	}
}

static enum ttp_rc compare_now(struct bench *b, struct ttp_err *e)
{
	struct compare_ask ask = { .min_percent = b->u->min_percent, .min_ns = b->u->min_ns };
	const struct call_options o = { 0 };

	forget(b);
	for (int side = BASE; side < SIDES; side++)
		TTP_TRY(compare_inputs_open(&b->in[side],
					    (const char *const *)b->runs.done[side].at,
					    b->runs.done[side].len, &o, e));
	compare_inputs_ask(&ask, b->in);
	compare_make(&b->c, &ask);
	b->has_compare = true;
	return TTP_OK;
}

static double half_width_percent(const struct compare *c)
{
	return c->total_ns[BASE] > 0
		       ? 50 * (c->total.shift.high - c->total.shift.low) / (double)c->total_ns[BASE]
		       : INFINITY;
}

static void tell(const struct bench *b, int side, bool is_warmup, double took_s)
{
	SCOPED(buf) struct buf line = { 0 };

	if (b->u->quiet)
		return;
	buf_printf(&line, "%c %zu: %.1f s%s", "AB"[side], b -> runs.done[side].len, took_s,
		   is_warmup ? ", warm-up" : "");
	if (b->has_compare && isfinite(half_width_percent(&b->c)))
		buf_printf(&line, "; the change is known to ± %.2f %%", half_width_percent(&b->c));
	buf_char(&line, '\n');
	cmd_tell(&line);
}

/* By the width alone: to stop at a verdict would find one in noise, too. */
static bool is_enough(const struct bench *b)
{
	size_t n = b->runs.done[0].len;

	if (n != b->runs.done[1].len)
		return false;
	if (b->u->runs)
		return n >= (size_t)b->u->runs;
	return n >= RUNS_MOST || (b->has_compare && half_width_percent(&b->c) <= b->u->precision);
}

static enum ttp_rc run_one(struct bench *b, int side, bool is_warmup, struct ttp_err *e)
{
	int64_t from = clock_mono_ns();

	TTP_TRY(bench_runs_one(&b->runs, side, is_warmup, e));
	if (b->runs.stopped)
		return TTP_OK;
	/* a comparison after each pair, once there are enough for an interval */
	if (!b->u->runs && !is_warmup && b->runs.done[0].len == b->runs.done[1].len &&
	    b->runs.done[0].len >= COMPARE_RUNS_AT_LEAST)
		TTP_TRY(compare_now(b, e));
	tell(b, side, is_warmup, (double)(clock_mono_ns() - from) / 1e9);
	return TTP_OK;
}

static enum ttp_rc run_all(struct bench *b, struct ttp_err *e)
{
	int64_t until = clock_mono_ns() + (int64_t)(b->u->max_time * 1e9);

	TTP_TRY(bench_runs_begin(&b->runs, e));
	for (int64_t i = 0; i < 2 * b->u->warmup && !b->runs.stopped; i++)
		TTP_TRY(run_one(b, (int)(i % 2), true, e));
	while (!b->runs.stopped && !is_enough(b)) {
		bool some = b->runs.done[0].len && b->runs.done[1].len;

		if (some && clock_mono_ns() >= until)
			break;
		TTP_TRY(run_one(b, bench_runs_next(&b->runs), false, e));
	}
	return TTP_OK;
}

/* All runs were of one program: how they differ is what this machine does. */
static void show_noise(const struct compare *c)
{
	struct op_set all = { .with_gaps = true };
	double mean[SIDES], half, squares = 0, sum = 0;
	size_t n = 0;

	for (int side = BASE; side < SIDES; side++) {
		SCOPED(mem)
		double *to =
			mem_alloc(compare_samples_most(c, (enum compare_side)side), sizeof(*to));
		size_t k;

		for (uint32_t p = 0; p < c->runs[side]->at.len; p++)
			if (c->line_of[side][p] != DIFF_NONE)
				*vec_push(&all.at[side]) = p;
		k = compare_set_samples(c, &all, (enum compare_side)side, UNIT_RUNS, to);
		(void)gate_half_width(to, k, false, &mean[side]);
		for (size_t i = 0; i < k; i++)
			squares += (to[i] - mean[side]) * (to[i] - mean[side]);
		sum += mean[side] * (double)k;
		n += k;
		vec_release(&all.at[side]);
	}
	if (n <= SIDES || !(sum > 0))
		return;
	half = half_width_percent(c);
	out_printf(cmd_stdout(),
		   "\nNoise floor: a step differs by %.2f %% from run to run (standard deviation).",
		   100 * sqrt(squares / (double)(n - SIDES)) / (sum / (double)n));
	if (isfinite(half))
		out_printf(cmd_stdout(),
			   " With %zu runs of each, a change of a step is known to ± %.2f %%.",
			   c->ask.n[BASE], half);
	out_text(cmd_stdout(), "\n");
}

static enum ttp_rc show(struct bench *b, struct ttp_err *e)
{
	SCOPED(buf) struct buf a = { 0 }, n = { 0 };
	const char *names[SIDES];

	if (!b->runs.done[0].len || !b->runs.done[1].len)
		return ttp_fail(e, TTP_FORMAT, "stopped before each side had a run");
	TTP_TRY(compare_now(b, e));
	buf_printf(&a, "%s/A", b->runs.folder);
	buf_printf(&n, "%s/B", b->runs.folder);
	names[BASE] = a.at;
	names[NEW] = n.at;
	if (b->u->json) {
		compare_json(&b->c, names, NULL, NULL, cmd_stdout());
	} else {
		compare_text(&b->c, names, (size_t)b->u->top, draw_term(b->u->colour),
			     cmd_stdout());
		if (b->runs.command[0] == b->runs.command[1])
			show_noise(&b->c);
	}
	return TTP_OK;
}

int cmd_bench(int argc, char **argv)
{
	struct options u = { .warmup = 1,
			     .top = 20,
			     .max_time = 600,
			     .precision = 0.5,
			     .min_percent = 1,
			     .min_ns = 100 };
	struct bench b = { .u = &u };
	SCOPED(buf) struct buf folder = { 0 };
	char *quoted[4] = { NULL };
	struct opt_found found;
	struct ttp_err e;
	enum ttp_rc rc;
	char date[32];
	int status;

	if (!cmd_options(&cmd_bench_spec, argc, argv, &u, &found, &status))
		return status;
	find_commands(&b.runs, found.args, found.n);
	if (are_quoted(found.args, found.n)) {
		quoted[0] = found.args[0];
		quoted[2] = found.args[1];
		b.runs.command[0] = quoted;
		b.runs.command[1] = quoted + 2;
	}
	if (!found.n || !b.runs.command[0][0] || !b.runs.command[1][0])
		return cmd_misuse(
			cmd_bench_spec.prog,
			"a program is missing: ttprof bench A -- B, or one: ttprof bench A");
	if (!(u.precision >= 0) || !(u.max_time >= 0) || u.max_time > 1e8 || u.min_percent < 0 ||
	    u.min_ns < 0)
		return cmd_misuse(
			cmd_bench_spec.prog,
			"--precision, --max-time, --min-percent, --min-ns: not below 0; at most 1e8 seconds");
	date_text(date);
	buf_printf(&folder, "generated/bench/%s", date);
	b.runs.folder = u.folder ? u.folder : folder.at;
	rc = run_all(&b, &e);
	if (!rc)
		rc = show(&b, &e);
	forget(&b);
	bench_runs_release(&b.runs);
	return rc == TTP_USAGE ? cmd_misused(cmd_bench_spec.prog, &e)
	       : rc            ? cmd_fail(cmd_bench_spec.prog, &e)
			       : 0;
}
