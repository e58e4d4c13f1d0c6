// SPDX-License-Identifier: Apache-2.0
#include "cmd/report_ask.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "report/report_parse.h"
#include "runs/run_files.h"

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

static int show(const struct report *r, const struct report_ask *u)
{
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
	if (u->json)
		report_json(r, cmd_stdout());
	else if (!u->id && !u->csv)
		report_text(r, cmd_stdout());
	return 0;
}

static int report_files(const char *const *paths, size_t n, const struct report_ask *u,
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
	if (u->id && !report_has_op(&r, (uint32_t)u->id) && !u->start && !u->end &&
	    !u->whole_file) {
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

static int report_runs(char **runs, size_t n, const struct report_ask *u,
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
	if (report_ask_translate(&u, &o, &regex, fields, &e))
		return cmd_misused(cmd_report_spec.prog, &e);
	status = report_runs(found.args, (size_t)found.n, &u, &o);
	if (o.filter)
		regfree(&regex);
	return status;
}
