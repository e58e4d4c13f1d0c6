// SPDX-License-Identifier: Apache-2.0
#include "runs/ops_reports.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/out.h"
#include "base/paths.h"
#include "base/tar.h"
#include "base/vec.h"

enum { DEPTH_MAX = 16 }; /* of folders; logs have three */

struct found {
	VEC(struct tar_file) files;
	struct arena texts;
};

/* In the order of names, so that the same logs make the same archive. */
static void find(struct found *f, const char *folder, const char *name, int depth)
{
	struct dirent **entries = NULL;
	int n = scandir(folder, &entries, NULL, alphasort);
	SCOPED(buf) struct buf path = { 0 }, inside = { 0 };

	for (int i = 0; i < n; i++) {
		const char *entry = entries[i]->d_name;
		struct stat st;

		buf_set(&path, "%s/%s", folder, entry);
		buf_set(&inside, "%s/%s", name, entry);
		if (!strcmp(entry, ".") || !strcmp(entry, "..") || lstat(path.at, &st))
			st.st_mode = 0;
		if (S_ISDIR(st.st_mode) && depth < DEPTH_MAX)
			find(f, path.at, inside.at, depth + 1);
		else if (S_ISREG(st.st_mode))
			*vec_push(&f->files) = (struct tar_file){
				arena_dup(&f->texts, inside.at, inside.len),
				arena_dup(&f->texts, path.at, path.len),
			};
		free(entries[i]);
	}
	free(entries);
}

enum ttp_rc logs_archive_write(const char *ops, const char *path, struct ttp_err *e)
{
	SCOPED(buf) struct buf folder = { 0 }, device = { 0 };
	struct found f = { 0 };
	struct out_file to;
	enum ttp_rc rc;

	buf_text(&folder, ops);
	path_absolute(&folder);
	while (folder.len > 1 && folder.at[folder.len - 1] == '/')
		folder.at[--folder.len] = 0;
	buf_printf(&device, "%s_device", folder.at);
	find(&f, folder.at, path_name(folder.at).at, 0);
	find(&f, device.at, path_name(device.at).at, 0);
	rc = out_file_open_here(&to, path, e);
	to.keeps = true;
	if (!rc) {
		rc = tar_gz_write(&to.out, f.files.at, f.files.len, e);
		if (rc)
			out_file_abandon(&to);
		else
			rc = out_file_commit(&to, e);
	}
	vec_release(&f.files);
	arena_release(&f.texts);
	return rc;
}
