// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <unistd.h>

#include "base/paths.h"
#include "base/suggest.h"
#include "cmd/cmd.h"
#include "cmd/draw_run.h"
#include "cmd/history_add.h"
#include "cmd/view_history.h"
#include "history/history_out.h"

enum form { FORM_TEXT, FORM_JSON };

struct options {
	const char *db, *svg, *html;
	double wait_s;
	struct history_add_options add;
	struct trends_ask ask;
	bool check, all;
	int form, colour;
	int64_t last_runs;
};

#define OPTIONS struct options
static const struct opt opts[] = {
	OPTION_STRING(0, "db", db, "FILE", "the history: a file, or postgresql://USER@HOST/NAME",
		      .preset = "TTPROF_HISTORY, or ~/.local/state/ttprof/history.db"),
	OPTION_DOUBLE(0, "wait", wait_s, "S", "for others that write to it, at most",
		      .preset = "60"),
	OPTION_STRING(
		0, "name", add.name, "NAME",
		"add: what was run, the same for runs that are to be compared; others: only runs of this name",
		.preset = "its program", .section = "What a run is"),
	OPTION_STRING(0, "branch", add.branch, "NAME", "the same for the branch",
		      .preset = "the one that is checked out"),
	OPTION_STRING(0, "machine", add.machine, "NAME", "the same for the machine",
		      .preset = "the one that recorded it"),
	OPTION_STRING(0, "commit", add.commit, "COMMIT", "add: of this commit",
		      .preset = "the one that is checked out"),
	OPTION_INT(0, "commit-time", add.commit_time, "S", 1, INT64_MAX,
		   "add: when that was made, in seconds since 1970, where git does not know it"),
	OPTION_INT(0, "time", add.time, "S", 1, INT64_MAX, "add: when it was recorded"),
	OPTION_FLAG(0, "no-git", add.no_git, "add: git is not asked for commit and branch"),
	OPTION_LIST(0, "with", add.versions, "WHAT=VERSION",
		    "add: a version of something, kept with the run"),
	OPTION_STRING(0, "start-signpost", add.start, "NAME",
		      "add: ops after the first signpost of this name, as in `ttprof report`"),
	OPTION_STRING(0, "end-signpost", add.end, "NAME",
		      "add: ops before the next signpost of this name"),
	OPTION_FLAG(0, "ignore-signposts", add.whole_file, "add: all ops of the report"),
	OPTION_DOUBLE(0, "min-percent", ask.min_percent, "P",
		      "a change counts from this share of the time before it on", .preset = "1",
		      .section = "What counts as a change"),
	OPTION_DOUBLE(0, "min-ns", ask.min_ns, "NS", "and from so many nanoseconds of a step on",
		      .preset = "100"),
	OPTION_INT(0, "last", last_runs, "N", 1, 2000, "of each series the newest N runs",
		   .preset = "500"),
	OPTION_FLAG(0, "check", check,
		    "regressions: exit status 1 if something is slower, 3 if that can't be said"),
	OPTION_FLAG(0, "all", all, "regressions: also what was fixed, and what got faster"),
	OPTION_SET(0, "json", form, FORM_JSON, "as JSON (docs/reference/formats/history-json.md)",
		   .section = "Output"),
	OPTION_STRING(0, "svg", svg, "FILE", "show: a picture for documents"),
	OPTION_STRING(
		0, "html", html, "FILE",
		"show: the page of `ttprof view HISTORY`, of these runs; of all ops without a name"),
	OPTION_FLAG(0, "strict", add.strict,
		    "add: status 1 if anything of a run is damaged or can't be read"),
	CMD_COLOUR_OPTIONS,
	{ 0 },
};

static const struct opt_arg args[] = {
	{ "ACTION", 1, 1, "add, list, show or regressions" },
	{ "WHAT", 0, OPT_MANY,
	  "add: runs as `ttprof report` takes them; show: a part of an op's name, step, gaps" },
	{ 0 },
};

static const struct opt_example examples[] = {
	{ "ttprof history add run7", "keep it, with the commit that is checked out" },
	{ "ttprof history list", "what there is" },
	{ "ttprof history show Matmul", "how these ops changed over time" },
	{ "ttprof history regressions --check",
	  "what got slower, when and by how much; status 1 for scripts" },
	{ "ttprof history add run7 --db postgresql://perf@db.example/team", "for a team" },
	{ 0 },
};

static const struct opt_note notes[] = {
	{ "EXIT STATUS",
	  "0 done; 1 the history or a run can't be read or written, or --check found a regression; 2 wrong usage, or there is nothing of that name; 3 --check could not tell." },
	{ "ENVIRONMENT", "TTPROF_HISTORY: the history where --db is not given." },
	{ 0 },
};

const struct opt_spec cmd_history_spec = {
	.prog = "ttprof history",
	.summary = "keep runs, and tell what got slower when",
	.about =
		"Keeps of each run what every op of a step took, with commit, branch, machine, chip, clock and versions, in one file of SQLite that many may "
		"write to at once, or on a server of PostgreSQL. Ops are followed from run to run as `ttprof compare` pairs them. Where the times of an "
		"op, of the gaps between ops or of the whole step change for good, that is named with the last good and the first bad commit. Adding "
		"a run again changes nothing.",
	.opts = opts,
	.args = args,
	.examples = examples,
	.notes = notes,
};

/* Where a history is that nobody has named; its folder is made for those who write. */
static enum ttp_rc find_db(struct buf *path, bool writes, struct ttp_err *e)
{
	const char *given = getenv("TTPROF_HISTORY"); // NOLINT(concurrency-mt-unsafe)
	const char *state = getenv("XDG_STATE_HOME"); // NOLINT(concurrency-mt-unsafe)
	const char *home = getenv("HOME");            // NOLINT(concurrency-mt-unsafe)

	if (given && *given) {
		buf_text(path, given);
		return TTP_OK;
	}
	if (state && *state == '/')
		buf_printf(path, "%s/ttprof", state);
	else if (home && *home == '/')
		buf_printf(path, "%s/.local/state/ttprof", home);
	else
		return ttp_fail(e, TTP_USAGE,
				"there is no home folder (HOME): say by --db where the history is");
	if (writes)
		TTP_TRY(folder_make(path->at, e));
	buf_text(path, "/history.db");
	return TTP_OK;
}

static bool is_wanted(const void *ctx, const struct history_run *r)
{
	const struct options *u = ctx;

	return (!u->add.name || str_eq(r->name, str_of(u->add.name))) &&
	       (!u->add.branch || str_eq(r->branch, str_of(u->add.branch))) &&
	       (!u->add.machine || str_eq(r->machine, str_of(u->add.machine)));
}

static enum ttp_rc list(struct history *h, const struct options *u, struct ttp_err *e)
{
	TTP_TRY(history_read(h, is_wanted, u, false, e));
	if (u->form == FORM_JSON)
		history_list_json(h, cmd_stdout());
	else
		history_list_text(h, draw_term(u->colour), cmd_stdout());
	return TTP_OK;
}

static enum ttp_rc write_page(const struct trends *t, const struct options *u, const char *op,
			      struct ttp_err *e)
{
	const struct history_shown shown = { .op = op, .every = true };
	struct packed_pages pages = { 0 };
	struct view_page page = { .pages = &pages };
	enum ttp_rc rc = web_template(&page.text, e);

	if (!rc) {
		view_history_pack(&pages, t, &shown);
		rc = cmd_write(u->html, view_page_write, &page, e);
	}
	packed_pages_release(&pages);
	return rc;
}

/* A picture or page must not replace the history itself, or the files that SQLite has beside it. */
static enum ttp_rc check_output(const struct history *h, const char *path, struct ttp_err *e)
{
	static const char *const beside[] = { "", "-wal", "-shm" };

	if (!path || store_is_server(h->store.shown.at))
		return TTP_OK;
	for (size_t i = 0; i < sizeof(beside) / sizeof(*beside); i++) {
		SCOPED(buf) struct buf own = { 0 };

		buf_printf(&own, "%s%s", h->store.shown.at, beside[i]);
		if (path_is_same(own.at, path))
			return ttp_fail(
				e, TTP_USAGE,
				"%s is of the history itself, and would be gone: name another file",
				path);
	}
	return TTP_OK;
}

struct picture {
	const struct trends *t;
	const struct history_shown *shown;
};

static void draw(const void *what, struct out *out)
{
	const struct picture *p = what;

	history_show_svg(p->t, p->shown, out);
}

static enum ttp_rc show(struct history *h, const struct options *u, const char *op,
			struct ttp_err *e)
{
	const struct history_shown shown = { .op = op };
	enum ttp_rc rc = TTP_OK;
	struct trends t;

	TTP_TRY(check_output(h, u->svg ? u->svg : u->html, e));
	TTP_TRY(history_read(h, is_wanted, u, true, e));
	trends_make(&t, h, &u->ask);
	if (op && !history_has(&t, &shown))
		rc = ttp_fail(e, TTP_USAGE, "no op of these runs is called \"%s\"", op);
	else if (u->svg)
		rc = cmd_write(u->svg, draw, &(struct picture){ &t, &shown }, e);
	else if (u->html)
		rc = write_page(&t, u, op, e);
	else if (u->form == FORM_JSON)
		history_show_json(&t, &shown, cmd_stdout());
	else
		history_show_text(&t, &shown, draw_term(u->colour), cmd_stdout());
	trends_release(&t);
	return rc;
}

static enum ttp_rc regressions(struct history *h, const struct options *u, int *status,
			       struct ttp_err *e)
{
	const struct history_shown shown = { .all = u->all };
	struct trends t;

	TTP_TRY(history_read(h, is_wanted, u, true, e));
	trends_make(&t, h, &u->ask);
	if (u->form == FORM_JSON)
		history_regressions_json(&t, &shown, cmd_stdout());
	else
		history_regressions_text(&t, &shown, draw_term(u->colour), cmd_stdout());
	*status = u->check ? history_status(&t) : 0;
	trends_release(&t);
	return TTP_OK;
}

static bool versions_are_good(const struct opt_list *all)
{
	for (size_t i = 0; i < all->len; i++)
		if (str_find_char(str_of(all->at[i]), '=') == STR_NONE)
			return false;
	return true;
}

static const char *const actions[] = { "add", "list", "show", "regressions" };
enum action { ADD, LIST, SHOW, REGRESSIONS, ACTIONS };

static int read_history(const struct options *u, enum action what, const char *op,
			const struct store_ask *ask)
{
	const char *prog = cmd_history_spec.prog;
	struct history h;
	struct ttp_err e;
	enum ttp_rc rc = history_open(&h, ask, &e);
	int status = 0;

	if (!rc)
		rc = what == LIST   ? list(&h, u, &e)
		     : what == SHOW ? show(&h, u, op, &e)
				    : regressions(&h, u, &status, &e);
	history_release(&h);
	return rc == TTP_USAGE ? cmd_misused(prog, &e) : rc ? cmd_fail(prog, &e) : status;
}

static int do_action(const struct options *u, enum action what, const struct opt_found *found)
{
	const char *prog = cmd_history_spec.prog;
	SCOPED(buf) struct buf db = { 0 };
	struct store_ask ask = { .mode = what == ADD ? STORE_WRITE : STORE_READ,
				 .wait_s = u->wait_s };
	struct ttp_err e;

	if (!u->db && find_db(&db, what == ADD, &e))
		return e.rc == TTP_USAGE ? cmd_misused(prog, &e) : cmd_fail(prog, &e);
	ask.where = u->db ? u->db : db.at;
	return what == ADD
		       ? history_add_runs(prog, &u->add, &ask, (const char *const *)found->args + 1,
					  (size_t)found->n - 1)
		       : read_history(u, what, found->n > 1 ? found->args[1] : NULL, &ask);
}

int cmd_history(int argc, char **argv)
{
	struct options u = { .wait_s = 60, .last_runs = -1, .ask = TRENDS_USUAL };
	const char *prog = cmd_history_spec.prog;
	enum action what = ADD;
	struct opt_found found;
	int status;

	if (!cmd_options(&cmd_history_spec, argc, argv, &u, &found, &status))
		return status;
	while (what < ACTIONS && strcmp(found.args[0], actions[what]) != 0)
		what++;
	const struct cmd_rule rules[] = {
		{ what == ACTIONS, "what shall it do: add, list, show or regressions?" },
		{ what == ADD && found.n < 2, "RUN is missing: ttprof history add RUN" },
		{ (what == LIST || what == REGRESSIONS) && found.n > 1,
		  "list and regressions take no further words" },
		{ what == SHOW && found.n > 2, "show takes one word: quote a name of several" },
		{ u.wait_s < 0 || u.ask.min_percent < 0 || u.ask.min_ns < 0,
		  "--wait, --min-percent, --min-ns: not below 0" },
		{ !versions_are_good(&u.add.versions), "--with: WHAT=VERSION" },
		{ u.check && what != REGRESSIONS, "--check is of regressions" },
		{ u.svg && (what != SHOW || u.form == FORM_JSON),
		  "--svg is of show, without --json" },
		{ u.html && (what != SHOW || u.form == FORM_JSON || u.svg),
		  "--html is of show, without --json and --svg" },
		{ 0 },
	};
	if (u.last_runs > 0)
		u.ask.last = (size_t)u.last_runs;
	status = cmd_refuse(prog, rules);
	if (!status)
		status = do_action(&u, what, &found);
	vec_release(&u.add.versions);
	return status;
}
