// SPDX-License-Identifier: Apache-2.0
#include "runs/profiler_folder.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/paths.h"

void profiler_folder(struct buf *path)
{
	const char *direct = getenv("TT_METAL_PROFILER_DIR"), *home = getenv("TT_METAL_HOME");

	if (direct && *direct)
		buf_text(path, direct);
	else if (home && *home)
		buf_printf(path, "%s/generated/profiler", home);
	else
		buf_text(path, "generated/profiler");
}

bool profiler_folder_below(const char *run, struct buf *path)
{
	buf_set(path, "%s%sgenerated/profiler", run, str_ends(str_of(run), STR("/")) ? "" : "/");
	return path_is_folder(path->at);
}

bool profiler_folder_2023(const char *name, const char *now, const char *results, struct buf *path,
			  struct buf *out)
{
	const char *home = getenv("TT_METAL_HOME");          // NOLINT(concurrency-mt-unsafe)
	const char *moved = getenv("TT_METAL_PROFILER_DIR"); // NOLINT(concurrency-mt-unsafe)
	SCOPED(buf) struct buf newer = { 0 };
	struct stat then, today;

	if (!home || !*home)
		home = ".";
	buf_clear(path);
	buf_clear(out);
	buf_printf(path, "%s/tt_metal/tools/profiler/%s", home, name);
	buf_printf(out, "%s/tt_metal/tools/profiler/%s", home, results);
	buf_printf(&newer, "%s/generated/profiler/%s", home, now);
	return !(moved && *moved) && !stat(path->at, &then) &&
	       (stat(newer.at, &today) || today.st_mtime < then.st_mtime);
}
