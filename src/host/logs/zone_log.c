// SPDX-License-Identifier: Apache-2.0
#include "host/logs/marker_results.h"

#include "base/input.h"
#include "base/map.h"
#include "base/out.h"
#include "host/host_device.h"
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

	TTP_TRY(input_open(&in, path, e));
	rest = in.data;
	while (rest.len && str_split(&rest, '\n', &line))
		intern_copy(lines, line);
	input_close(&in);
	return TTP_OK;
}

/* Adds those lines of an image that the file does not have. */
static void add_image(struct out *out, struct intern *lines, const struct elf_image *image)
{
	SCOPED(buf) struct buf line = { 0 };

	vec_each (z, &image->zones) {
		buf_clear(&line);
		add_line(&line, z);
		if (intern_find(lines, buf_view(&line)) != INTERN_NONE)
			continue;
		intern_copy(lines, buf_view(&line));
		out_str(out, buf_view(&line));
		out_char(out, '\n');
	}
}

/* Each line is there once, whoever adds. */
static enum ttp_rc add_to(const struct ttp_dev *d, const char *name, struct ttp_err *e)
{
	SCOPED(intern) struct intern lines = { 0 };
	struct out_append file;
	enum ttp_rc rc = out_append_open(&file, e, "%s/%s", d->settings.folder, name), closed;

	if (rc)
		return rc;
	if (!file.fresh)
		rc = load(file.path.at, &lines, e);
	for (int risc = 0; !rc && risc < RISCS; risc++)
		add_image(&file.out, &lines, &d->device.firmware[risc]);
	vec_each (i, &d->images)
		if (!rc)
			add_image(&file.out, &lines, &(*i)->elf);
	closed = out_append_close(&file, rc ? NULL : e);
	return rc ? rc : closed;
}

/* The one has all locations of all programs that wrote there, the other those of this run. */
enum ttp_rc zone_log_add(const struct ttp_dev *d, struct ttp_err *e)
{
	enum ttp_rc rc = add_to(d, RUN_ZONES, e);

	return rc ? rc : add_to(d, RUN_ZONES_NEW, e);
}
