// SPDX-License-Identifier: Apache-2.0
#include "cmd/report_source.h"

void report_source_release(struct report_source *s)
{
	if (s->has_files)
		ops_table_release(&s->files);
	if (s->has_run)
		run_close(&s->run);
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

enum ttp_rc report_source_read(struct report_source *s, char **runs, const char *const *paths,
			       size_t n, struct ttp_err *e)
{
	struct ttp_err why;

	/* one run may have a trace, which says what the host did in its gaps */
	if (n == 1 && strcmp(paths[0], "-")) {
		s->has_run = true;
		if (!run_open(&s->run, runs[0], &why) && s->run.parts.ops.len &&
		    !strcmp(s->run.parts.ops.at, paths[0]))
			s->table = run_ops(&s->run, &calls_want, &why);
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
