// SPDX-License-Identifier: Apache-2.0
/*
 * Which Python runs a program of Python.  A script says so itself, in its first line: that of /usr/bin/pytest may be another one than the
 * python3 that is found first, with other packages.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/paths.h"
#include "base/vec.h"
#include "base/width.h"
#include "device/spawn.h"
#include "record/run_engine.h"
#include "record/run_job.h"

void run_own_folder(struct buf *to)
{
	char self[4096];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash;

	self[n > 0 ? n : 0] = '\0';
	slash = strrchr(self, '/');
	if (slash)
		*slash = '\0';
	buf_set_str(to, str_of(self));
}

/* Beside the program in a build, in share/ when installed. */
bool run_package_folder(struct buf *path)
{
	static const char *const places[] = { "python", "../share/ttprof/python", "../lib/ttprof/python" };
	SCOPED(buf) struct buf own = { 0 }, probe = { 0 };

	run_own_folder(&own);
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		buf_set(path, "%s/%s", own.at, places[i]);
		buf_set(&probe, "%s/ttprof/__init__.py", path->at);
		if (!access(probe.at, R_OK))
			return true;
	}
	return false;
}

bool run_find_program(const char *name, struct buf *file)
{
	const char *path = getenv("PATH"); // NOLINT(concurrency-mt-unsafe)
	struct str rest = str_of(path ? path : "/bin:/usr/bin"), dir;
	bool found = false;

	buf_clear(file);
	if (strchr(name, '/')) {
		buf_text(file, name);
		return !access(name, X_OK);
	}
	while (!found && str_split(&rest, ':', &dir)) {
		buf_set(file, "%.*s/%s", dir.len ? (int)dir.len : 1, dir.len ? dir.at : ".", name);
		found = !access(file->at, X_OK);
	}
	if (!found)
		errno = ENOENT;
	return found;
}

/* "#!/usr/bin/python3" or "#!/usr/bin/env python3": the interpreter.  One that is given options gets them only if the script
 * is left alone, so it is. */
static bool first_line_names_python(const char *script, struct buf *interpreter)
{
	char text[256];
	int fd = open(script, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, text, sizeof(text) - 1) : -1;
	struct str all, rest, word, name = { 0 };
	SCOPED(buf) struct buf wanted = { 0 };

	fd_release(&fd);
	if (n < 3 || text[0] != '#' || text[1] != '!')
		return false;
	all = str_n(text + 2, (size_t)n - 2);
	if (!str_split(&all, '\n', &rest))
		return false;
	rest = str_trim(rest);
	for (int i = 0; i < 3 && str_split(&rest, ' ', &word); i++) {
		if (!word.len)
			continue;
		if (name.len) /* options */
			return false;
		if (str_eq(word, STR("/usr/bin/env")) || str_eq(word, STR("/bin/env")))
			continue;
		name = word;
	}
	buf_str(&wanted, name);
	buf_text(&wanted, "");
	return name.len && str_starts(path_name(wanted.at), STR("python")) &&
	       run_find_program(wanted.at, interpreter);
}

/* ---- does our package work there? ---- */

enum fit { FIT_WHOLE, FIT_WITHOUT_EXTENSION, FIT_NOT };

static const char probe[] = "import sys\n"
			    "if sys.version_info < (3, 9): sys.exit(8)\n"
			    "sys.path.insert(0, sys.argv[1])\n"
			    "import ttprof.child\n"
			    "try: import ttprof._client\n"
			    "except ImportError: sys.exit(7)\n";

static enum fit fit_of(const char *interpreter)
{
	SCOPED(buf) struct buf folder = { 0 }, ignored = { 0 };
	enum fit fit = FIT_NOT;
	struct ttp_err e;
	int status = 0;

	if (run_package_folder(&folder)) {
		const char *const argv[] = { interpreter, "-c", probe, folder.at, NULL };

		if (!spawn_wait(argv, str_n("", 0), NULL, &ignored, &status, &e) &&
		    WIFEXITED(status))
			fit = !WEXITSTATUS(status)       ? FIT_WHOLE
			      : WEXITSTATUS(status) == 7 ? FIT_WITHOUT_EXTENSION
							 : FIT_NOT;
	}
	return fit;
}

/* Its own interpreter, if our package can be put on its path; else why not, and what fixes it. */
static bool own_interpreter(const struct run_request *q, const struct buf *interpreter)
{
	enum fit fit = fit_of(interpreter->at);

	if (fit == FIT_NOT)
		console_warn(
			q->console,
			"%s is run by %s (its first line), which can't load our package, as 3.9 and later "
			"can: nothing of its Python is recorded; `--python OTHER` runs it by another one",
			q->words[0], interpreter->at);
	else if (fit == FIT_WITHOUT_EXTENSION)
		console_warn(
			q->console,
			"%s is run by %s (its first line), for which our package was not built: nothing of "
			"its Python is recorded; `%s -m pip install ./python`, in a clone of ttprof, mends "
			"it, or `--python OTHER`",
			q->words[0], interpreter->at, interpreter->at);
	return fit == FIT_WHOLE;
}

void run_python_note(const char *dir, struct buf *who)
{
	char path[512], text[512];
	ssize_t n;
	int fd;

	(void)snprintf(path, sizeof(path), "%s/python", dir);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	(void)unlink(path);
	if (who && n > 0)
		width_clean(who, str_n(text, (size_t)n));
}

enum ttp_rc run_command(const struct run_request *q, struct buf *room, char ***argv,
			struct ttp_err *e)
{
	static char dash_m[] = "-m", child[] = "ttprof.child", pytest_module[] = "pytest";
	struct str base = path_name(q->words[0]);
	bool pytest = !q->module && (str_eq(base, STR("pytest")) || str_eq(base, STR("py.test")));
	bool python = q->module || pytest || str_ends(str_of(q->words[0]), STR(".py"));
	SCOPED(buf) struct buf file = { 0 }, own = { 0 };
	char **words;
	size_t n = 0;

	*argv = q->words;
	/* A .py file is given to python3, whatever its first line says: so it is when its user types it behind `python`. */
	if (!q->python && !q->module && (pytest || !python) &&
	    run_find_program(q->words[0], &file) && first_line_names_python(file.at, &own))
		python = own_interpreter(q, &own);
	else if (pytest && strchr(q->words[0], '/') && !q->python)
		python = false; /* no script of Python's, whatever it is called */
	if (!python)
		return TTP_OK;
	if (!q->module && !pytest && !own.len && access(q->words[0], R_OK))
		return ttp_fail_errno(e, "%s", q->words[0]);
	buf_text(room, q->python ? q->python : own.len ? own.at : "python3");
	if (!q->module && !pytest && own.len) {
		/* Two texts in one: the script as it was found. */
		buf_char(room, '\0');
		n = room->len;
		buf_text(room, file.at);
	}
	words = mem_zero((size_t)q->n_words + 6, sizeof(*words));
	*argv = words;
	*words++ = room->at;
	*words++ = dash_m;
	*words++ = child;
	if (q->module || pytest)
		*words++ = dash_m;
	*words++ = pytest ? pytest_module : n ? room->at + n : q->words[0];
	for (int i = 1; i < q->n_words; i++)
		*words++ = q->words[i];
	return TTP_OK;
}
