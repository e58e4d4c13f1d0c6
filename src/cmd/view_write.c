// SPDX-License-Identifier: Apache-2.0
#include "cmd/view_write.h"

#include <sys/stat.h>

#include "base/paths.h"
#include "cmd/cmd.h"

static bool is_link(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && S_ISLNK(st.st_mode);
}

/* A page that would replace what it was made of; a link that nobody has named is not followed, but replaced. */
static enum ttp_rc check_output(const struct view_runs *v, const char *path, struct ttp_err *e)
{
	vec_each (f, &v->files)
		if (path_is_same(*f, path))
			return ttp_fail(e, TTP_USAGE,
					"-o: %s is of the run itself, and would be gone", path);
	return TTP_OK;
}

static void write_to(const struct packed_pages *all, struct str page, bool data_only,
		     struct out *out)
{
	if (data_only)
		page_data_write(all, out);
	else
		page_file_write(all, page, out);
}

static enum ttp_rc too_large(const struct view_runs *v, const struct view_write_ask *ask,
			     uint64_t mb, struct ttp_err *e)
{
	if (ask->of == PAGE_OF_HISTORY)
		return ttp_fail(
			e, TTP_LIMIT,
			"the page would have %llu MB, more than a browser likes to open: choose a part by `ttprof history "
			"show --html FILE` with --name, --branch, --last",
			(unsigned long long)mb);
	if (ask->of == PAGE_OF_SIDES)
		return ttp_fail(
			e, TTP_LIMIT,
			"the page of %zu runs would have %llu MB, more than a browser likes to open: name "
			"fewer of them (`ttprof compare` takes all), or the ops reports alone",
			v->pages.runs.len, (unsigned long long)mb);
	return ttp_fail(
		e, TTP_LIMIT,
		"the page would have %llu MB, more than a browser likes to open: show a "
		"part (the run takes %.0f ms: --from, --to), or all of it with `ttprof view "
		"--serve %s`",
		(unsigned long long)mb, v->longest_ms, ask->run);
}

enum ttp_rc view_write(const char *prog, const struct view_runs *v,
		       const struct view_write_ask *ask, struct ttp_err *e)
{
	const char *path = ask->path;
	bool typed = ask->typed, data_only = ask->data_only;
	struct str page = ask->page;
	uint64_t mb = (page_file_bytes(&v->pages) + page.len) >> 20;
	struct out_file f;
	enum ttp_rc rc;

	if (mb > PAGE_MAX_MB)
		return too_large(v, ask, mb, e);
	if (mb > PAGE_WARN_MB)
		cmd_warn(
			prog,
			"the page has %llu MB: it takes a while to open; --from and --to show a part",
			(unsigned long long)mb);
	if (!strcmp(path, "-")) {
		write_to(&v->pages, page, data_only, cmd_stdout());
		return TTP_OK;
	}
	rc = typed || !is_link(path) ? check_output(v, path, e) : TTP_OK;
	if (!rc && !typed && is_link(path))
		cmd_warn(prog, "%s was a link: it is replaced, and what it led to is left alone",
			 path);
	if (!rc)
		rc = typed ? out_file_open(&f, path, e) : out_file_open_here(&f, path, e);
	if (rc)
		return rc;
	write_to(&v->pages, page, data_only, &f.out);
	return out_file_commit(&f, e);
}

void view_tell_written(const struct view_runs *v, const char *path, enum page_of of,
		       struct str page)
{
	size_t runs = of == PAGE_OF_HISTORY ? v->history_runs : v->pages.runs.len;
	struct out *out = cmd_stdout();

	out_printf(out, "%s: ", path);
	if (of != PAGE_OF_RUN)
		out_printf(out, "%zu run%s, ", runs, runs == 1 ? "" : "s");
	if (of != PAGE_OF_HISTORY)
		out_printf(out, "%llu row%s of ops, %llu zone%s, ", (unsigned long long)v->rows,
			   v->rows == 1 ? "" : "s", (unsigned long long)v->zones,
			   v->zones == 1 ? "" : "s");
	out_printf(out, "%.1f MB\n", (double)(page_file_bytes(&v->pages) + page.len) / 1e6);
}
