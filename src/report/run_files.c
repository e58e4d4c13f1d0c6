// SPDX-License-Identifier: Apache-2.0
#include "report/run_files.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { DEPTH_MAX = 3 }; /* generated/profiler → reports → <date> → file */

static bool is_ops_report(struct str name)
{
	return str_starts(name, STR("ops_perf_results")) &&
	       (str_ends(name, STR(".csv")) || str_ends(name, STR(".csv.gz")) ||
		str_ends(name, STR(".csv.zst")));
}

static bool is_folder(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static int last_name_first(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*b)->d_name, (*a)->d_name);
}

static int not_hidden(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

static bool search(struct buf *path, int depth)
{
	size_t base = path->len;
	struct dirent **names;
	int n = scandir(path->at, &names, not_hidden, last_name_first);
	bool found = false;

	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; i < n && !found; i++) {
			bool file = is_ops_report(str_of(names[i]->d_name));

			path->len = base;
			buf_char(path, '/');
			buf_text(path, names[i]->d_name);
			if (pass == 0)
				found = file && !is_folder(path->at);
			else
				found = depth > 1 && is_folder(path->at) && search(path, depth - 1);
		}
	for (int i = 0; i < n; i++)
		free(names[i]);
	if (n >= 0)
		free(names);
	if (!found)
		path->len = base;
	path->at[path->len] = 0;
	return found;
}

enum ttp_rc run_ops_file(const char *run, struct buf *path, struct ttp_err *e)
{
	buf_clear(path);
	if (!*run)
		return ttp_fail(e, TTP_USAGE, "an empty name is no file");
	buf_text(path, run);
	if (!is_folder(run))
		return TTP_OK;
	while (path->len > 1 && path->at[path->len - 1] == '/')
		path->at[--path->len] = 0;
	if (search(path, DEPTH_MAX))
		return TTP_OK;
	return ttp_fail(e, TTP_USAGE, "%s: no ops_perf_results*.csv in this folder or below", run);
}
