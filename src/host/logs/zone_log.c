// SPDX-License-Identifier: Apache-2.0
#include "host/logs/zone_log.h"

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
	enum ttp_rc rc = input_open(&in, path, e);

	if (rc)
		return rc;
	rest = in.data;
	while (rest.len && str_split(&rest, '\n', &line))
		intern_copy(lines, line);
	input_close(&in);
	return TTP_OK;
}

/* Adds the lines that the file does not have; each is there once, whoever adds. */
static enum ttp_rc add_to(const char *folder, const char *name,
			  const struct elf_image *const *images, size_t n, struct ttp_err *e)
{
	struct intern lines = { 0 };
	struct buf line = { 0 };
	struct out_append file;
	enum ttp_rc rc = out_append_open(&file, e, "%s/%s", folder, name), closed;

	if (rc)
		return rc;
	if (!file.fresh)
		rc = load(file.path.at, &lines, e);
	for (size_t i = 0; !rc && i < n; i++)
		vec_each (z, &images[i]->zones) {
			buf_clear(&line);
			add_line(&line, z);
			if (intern_find(&lines, buf_view(&line)) != INTERN_NONE)
				continue;
			intern_copy(&lines, buf_view(&line));
			out_str(&file.out, buf_view(&line));
			out_char(&file.out, '\n');
		}
	closed = out_append_close(&file, rc ? NULL : e);
	buf_release(&line);
	intern_release(&lines);
	return rc ? rc : closed;
}

/* The one has all locations of all programs that wrote there, the other those of this run. */
enum ttp_rc zone_log_add(const char *folder, const struct elf_image *const *images, size_t n,
			 struct ttp_err *e)
{
	enum ttp_rc rc = add_to(folder, RUN_ZONES, images, n, e);

	return rc ? rc : add_to(folder, RUN_ZONES_NEW, images, n, e);
}
