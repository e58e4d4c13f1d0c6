// SPDX-License-Identifier: Apache-2.0
#include "sql/sql.h"

#include <strings.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "sql/sql_print.h"

struct options {
	int form, colour;
	bool strict;
};

static const char *const form_names[] = { "table", "csv", "json", NULL };

#define OPTIONS struct options
static const struct opt opts[] = {
	OPTION_CHOICE('o', "output", form, "FORM", form_names, "how rows are printed",
		      .preset = "table"),
	OPTION_SET(0, "csv", form, SQL_FORM_CSV, "the same as -o csv"),
	OPTION_SET(0, "json", form, SQL_FORM_JSON, "the same as -o json: an array of objects"),
	OPTION_FLAG(0, "strict", strict,
		    "status 1 if anything of a run is damaged or can't be read"),
	CMD_COLOUR_OPTIONS,
	{ 0 },
};

static const struct opt_arg args[] = {
	{ "RUN", 1, 1, "what `ttprof report` takes; several are runs 1, 2, …" },
	{ "QUERY", 0, OPT_MANY,
	  "one SELECT; without one, the tables and their columns are listed" },
	{ 0 },
};

static const struct opt_example examples[] = {
	{ "ttprof sql run7", "the tables and their columns" },
	{ "ttprof sql run7 \"SELECT op, count(*), sum(time_us) FROM calls GROUP BY op ORDER BY 3 DESC\"",
	  "device time by op" },
	{ "ttprof sql run7 \"SELECT zone, sum(own_ns)/1e6 AS ms FROM gaps GROUP BY zone ORDER BY 2 DESC\"",
	  "what the host did while the device waited" },
	{ "ttprof sql before after \"SELECT run, verdict, device_ns FROM runs\" --json",
	  "two runs, for a program" },
	{ 0 },
};

const struct opt_spec cmd_sql_spec = {
	.prog = "ttprof sql",
	.summary = "ask a run questions in SQL",
	.about =
		"Each part of a run is a table: ops of the report, what the report says of them, gaps, findings, the account, cores, "
		"zones and messages of the trace, markers of the device log. Nothing is imported: what a query names is read when it "
		"runs, and only that. The language is SQLite's. A query reads; it can't write, open files or load extensions.\n\n"
		"`ttprof export --sqlite FILE RUN` writes the same tables into a file.",
	.opts = opts,
	.args = args,
	.examples = examples,
};

/* Runs come first; what begins as a query does is one, and is the last word. */
static bool is_query(const char *word)
{
	struct str s = str_trim(str_of(word));

	return s.len >= 7 && (!strncasecmp(s.at, "select", 6) || !strncasecmp(s.at, "with", 4) ||
			      !strncasecmp(s.at, "values", 6) || !strncasecmp(s.at, "explain", 7) ||
			      !strncasecmp(s.at, "pragma", 6));
}

/* Warnings of what was not read whole, then the end; the exit status. */
static int finish(const char *prog, struct sql *q, enum ttp_rc rc, const struct ttp_err *e,
		  bool strict)
{
	int status = rc == TTP_USAGE ? cmd_misused(prog, e) : rc ? cmd_fail(prog, e) : 0;
	int failed = 0;
	bool any = false;
	const char *note;

	vec_each (damage, &sql_data(q)->notes) {
		cmd_warn(prog, "%s", damage->msg);
		any = true;
	}
	vec_each (why, &sql_data(q)->failed)
		failed = cmd_error(prog, "%s: left out", why->msg);
	vec_each (r, &sql_data(q)->runs)
		for (size_t i = 0; (note = ttprof_run_note(r->run, i)); i++) {
			any = true;
			/* a status of 1 needs a reason */
			if (ttprof_run_note_code(r->run, i) == TTPROF_SYSTEM)
				failed = cmd_error(prog, "%s", note);
			else
				cmd_warn(prog, "%s", note);
		}
	sql_close(q);
	return status ? status : failed ? failed : strict && any;
}

int cmd_export_sqlite(const char *prog, const char *run, const char *file)
{
	struct sql *q;
	struct ttp_err e;
	enum ttp_rc rc = sql_open(&q, &run, 1, &e);

	if (!rc)
		rc = sql_save(q, file, &e);
	return finish(prog, q, rc, &e, false);
}

int cmd_sql(int argc, char **argv)
{
	struct options u = { 0 };
	struct opt_found found;
	const char *query = NULL;
	struct sql *q;
	struct ttp_err e;
	struct term term;
	enum ttp_rc rc;
	size_t runs;
	int status;

	if (!cmd_options(&cmd_sql_spec, argc, argv, &u, &found, &status))
		return status;
	runs = found.n;
	if (runs > 1 && (is_query(found.args[runs - 1]) || access(found.args[runs - 1], F_OK)))
		query = found.args[--runs];
	if (u.form != SQL_FORM_TABLE)
		cmd_stdout()->escapes = HARMLESS_NO_ESCAPES;
	term = term_of(STDOUT_FILENO, (enum term_colour)u.colour);
	rc = sql_open(&q, (const char *const *)found.args, runs, &e);
	if (!rc && query)
		rc = sql_print(q, query, (enum sql_form)u.form, term, cmd_stdout(), &e);
	else if (!rc)
		sql_print_tables(q, term, cmd_stdout());
	return finish(cmd_sql_spec.prog, q, rc, &e, u.strict);
}
