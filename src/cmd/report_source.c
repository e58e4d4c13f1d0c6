// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "base/paths.h"
#include "cmd/cmd.h"
#include "cmd/report_source.h"
#include "runs/run_files.h"

void report_source_release(struct report_source *s)
{
	if (s->has_files)
		ops_table_release(&s->files);
	if (s->has_run)
		run_close(&s->run);
}

int report_source_warn(const struct report_source *s, const struct console *console, bool strict)
{
	const struct ttp_err *notes = s->run.parts.left_out.at;
	size_t n = s->has_run && s->host ? s->run.parts.left_out.len - s->notes : 0;

	for (size_t i = 0; i < n; i++)
		run_note_print(&notes[s->notes + i], console);
	return n && (strict || run_notes_fail(notes + s->notes, n));
}

/* Hosts of one run have chips of one kind; two that differ are two runs. */
static enum ttp_rc check_chips(const struct ops_table *t, char **runs, struct ttp_err *e)
{
	struct str first = { NULL, 0 };

	for (size_t row = 0; row < t->rows; row++) {
		struct str arch = ops_text(t, OPS_DEVICE_ARCH, row);
		size_t file = (size_t)(ops_file_of(t, row) - t->files.at);

		if (!arch.len)
			continue;
		if (!first.len)
			first = arch;
		if (!str_eq(arch, first))
			return ttp_fail(
				e, TTP_USAGE,
				"%.200s is of another chip (%.*s) than %.200s (%.*s), so they are not of one run: report each by itself, `ttprof report %.200s`",
				runs[file], STR_ARG(str_head(arch, 40)), runs[0],
				STR_ARG(str_head(first, 40)), runs[file]);
	}
	return TTP_OK;
}

/* The run, if its report is the one that was found. */
static bool has_report(struct report_source *s, const char *run, const char *report)
{
	struct ttp_err why;

	s->has_run = true;
	return !run_open(&s->run, run, &why) && s->run.parts.ops.len &&
	       !strcmp(s->run.parts.ops.at, report);
}

enum ttp_rc report_source_read(struct report_source *s, char **runs, const char *const *paths,
			       size_t n, struct ttp_err *e)
{
	struct ttp_err why;

	/* one run may have a trace, which says what the host did in its gaps */
	if (n == 1 && strcmp(paths[0], "-")) {
		bool found = has_report(s, runs[0], paths[0]);

		/* what was named stands for its folder, and can't be read itself (manifest.json): what lies beside the report */
		if (!found && !s->run.parts.ops.len) {
			run_close(&s->run);
			found = has_report(s, paths[0], paths[0]);
		}
		if (found)
			s->table = run_ops(&s->run, &calls_want, &why);
		s->notes = s->run.parts.left_out.len;
		if (s->table && s->run.parts.trace.len)
			s->host = run_host_gaps(&s->run, &why);
	}
	if (!s->table) {
		TTP_TRY(ops_table_read(&s->files, paths, n, &calls_want, &ops_rules, e));
		s->has_files = true;
		s->table = &s->files;
		s->two_runs = n > 1 && check_chips(s->table, runs, e);
		if (s->two_runs)
			return e->rc;
	}
	return ops_table_check(s->table, e);
}

bool report_ranks(const char *run, struct report_ranks *ranks)
{
	SCOPED(buf) struct buf path = { 0 }, without = { 0 };
	size_t found = run_rank_folders(run, &ranks->at);
	struct ttp_err e;

	ranks->n = 0;
	for (size_t i = 0; i < found; i++) {
		char *folder = ranks->at[i];

		if (!run_ops_file(folder, &path, &e)) {
			ranks->at[ranks->n++] = folder;
			continue;
		}
		buf_printf(&without, "%s%s", without.len ? ", " : "", path_name(folder).at);
		free(folder);
	}
	if (ranks->n && without.len)
		console_warn(cmd_console(cmd_report_spec.prog),
			     "%s: ranks without an ops report are left out: %s", run, without.at);
	if (!ranks->n)
		report_ranks_release(ranks);
	return ranks->n > 0;
}

void report_ranks_release(struct report_ranks *ranks)
{
	for (size_t i = 0; i < ranks->n; i++)
		free(ranks->at[i]);
	free(ranks->at);
	ranks->at = NULL;
}
