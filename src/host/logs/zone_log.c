// SPDX-License-Identifier: Apache-2.0
#include "host/logs/zone_log.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/input.h"
#include "base/map.h"
#include "base/out.h"
#include "wire/run_names.h"

static void add_line(struct buf *b, const struct elf_zone *z)
{
	buf_text(b, "ttprof: note: '#pragma message: ");
	for (size_t i = 0; i < z->name.len; i++)
		if (z->name.at[i] == '\n')
			buf_text(b, "\\n");
		else
			buf_char(b, z->name.at[i]);
	buf_char(b, ',');
	buf_str(b, z->file);
	buf_printf(b, ",%u,KERNEL_PROFILER'", z->line);
}

static enum ttp_rc load(const char *path, struct intern *lines, struct ttp_err *e)
{
	struct input in;
	struct str rest, line;
	enum ttp_rc rc;

	if (access(path, F_OK))
		return TTP_OK;
	rc = input_open(&in, path, e);
	if (rc)
		return rc;
	rest = in.data;
	while (rest.len && str_split(&rest, '\n', &line))
		intern_copy(lines, line);
	input_close(&in);
	return TTP_OK;
}

static pthread_mutex_t lock =
	PTHREAD_MUTEX_INITIALIZER; /* of the file: one process adds a location once */

/* Adds the lines that the file does not have. */
static enum ttp_rc add_to(const char *path, const struct elf_image *const *images, size_t n,
			  struct ttp_err *e)
{
	struct intern lines = { 0 };
	struct buf line = { 0 };
	struct out out;
	enum ttp_rc rc;
	int fd;

	rc = load(path, &lines, e);
	if (rc)
		return rc;
	fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0) {
		intern_release(&lines);
		return ttp_fail_errno(e, "%s", path);
	}
	out_init(&out, fd, path);
	for (size_t i = 0; i < n; i++)
		vec_each (z, &images[i]->zones) {
			buf_clear(&line);
			add_line(&line, z);
			if (intern_find(&lines, buf_view(&line)) != INTERN_NONE)
				continue;
			intern_copy(&lines, buf_view(&line));
			out_str(&out, buf_view(&line));
			out_char(&out, '\n');
		}
	rc = out_finish(&out, e);
	if (close(fd) && !rc)
		rc = ttp_fail_errno(e, "%s", path);
	buf_release(&line);
	intern_release(&lines);
	return rc;
}

/* The one has all locations of all programs that wrote there, the other those of this one. */
static enum ttp_rc add(const char *folder, const struct elf_image *const *images, size_t n,
		       struct ttp_err *e)
{
	static char begun[1100];
	char path[1200];
	enum ttp_rc rc;

	snprintf(path, sizeof(path), "%s/" RUN_ZONES, folder);
	rc = add_to(path, images, n, e);
	snprintf(path, sizeof(path), "%s/" RUN_ZONES_NEW, folder);
	if (!rc && strcmp(begun, folder) != 0) {
		snprintf(begun, sizeof(begun), "%s", folder);
		if (unlink(path) && errno != ENOENT)
			rc = ttp_fail_errno(e, "can't remove the old %s", path);
	}
	return rc ? rc : add_to(path, images, n, e);
}

enum ttp_rc zone_log_add(const char *folder, const struct elf_image *const *images, size_t n,
			 struct ttp_err *e)
{
	enum ttp_rc rc;

	pthread_mutex_lock(&lock);
	rc = add(folder, images, n, e);
	pthread_mutex_unlock(&lock);
	return rc;
}
