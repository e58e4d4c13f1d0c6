// SPDX-License-Identifier: Apache-2.0
/*
 * Pictures of a run: the first line has the words of heat, timeline, top or view, the rest is the folder (work_folder.h).
 * What JSON has been printed is JSON.
 */
#include <sys/mman.h>

#include "base/json.h"
#include "command.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const commands[] = { "heat", "timeline", "top", "view", NULL };

static void check_json(int fd)
{
	static char text[1 << 20];
	ssize_t n = pread(fd, text, sizeof(text), 0);
	struct json_reader r = json_reader_of(str_n(text, n < 0 ? 0 : (size_t)n));
	enum json_event ev;

	if (n <= 0 || n == sizeof(text) || text[0] != '{')
		return; /* a picture or a help page, or too much to check */
	while ((ev = json_next(&r)) > JSON_END)
		;
	folder_must(ev != JSON_ERROR && str_is_utf8(str_n(text, (size_t)n)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = str_n((const char *)data, size), line;
	struct command_words w;
	struct work_folder f;
	int fd;

	if (size > 100000 || !str_split(&text, '\n', &line) || !command_words(&w, line, commands))
		return 0;
	folder_open(&f, text);
	fd = memfd_create("stdout", MFD_CLOEXEC);
	folder_must(fd >= 0);
	if (!command_waits(&w) && !command_run(w.argc, w.argv, fd))
		check_json(fd);
	close(fd);
	folder_close(&f);
	return 0;
}
