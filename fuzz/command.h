// SPDX-License-Identifier: Apache-2.0
/* A whole command in this process: it may refuse, but neither crash, leak, end the process nor leave a half-written line. */
#ifndef TTP_FUZZ_COMMAND_H
#define TTP_FUZZ_COMMAND_H

#include "cmd/cmd.h"
#include "work_folder.h"

struct command_words {
	char text[512];
	char *argv[FOLDER_WORDS_MAX + 2];
	int argc;
};

/*
 * Words of a line.  False when the first is none of `commands` (ended by NULL), or a word could reach out of the folder,
 * wait for standard input or serve without end.
 */
static inline bool command_words(struct command_words *w, struct str line,
				 const char *const *commands)
{
	size_t at = 0;
	struct str word;

	w->argc = 0;
	w->argv[w->argc++] = (char *)(uintptr_t) "ttprof";
	while (str_split(&line, ' ', &word)) {
		if (!word.len || word.len > 100 || at + word.len + 1 > sizeof(w->text) ||
		    w->argc > FOLDER_WORDS_MAX || memchr(word.at, '/', word.len) ||
		    memchr(word.at, 0, word.len) || str_eq(word, STR("-")) ||
		    str_eq(word, STR("..")) || str_starts(word, STR("--se")))
			return false;
		memcpy(w->text + at, word.at, word.len);
		w->text[at + word.len] = 0;
		w->argv[w->argc++] = w->text + at;
		at += word.len + 1;
	}
	w->argv[w->argc] = NULL;
	for (size_t i = 0; w->argc > 1 && commands[i]; i++)
		if (!strcmp(w->argv[1], commands[i]))
			return true;
	return false;
}

/* A named pipe that is asked for is waited for, which takes seconds: not here. */
static inline bool command_waits(const struct command_words *w)
{
	for (int i = 2; i < w->argc; i++) {
		const char *value = strchr(w->argv[i], '=');
		struct stat st;

		if ((!stat(w->argv[i], &st) && S_ISFIFO(st.st_mode)) ||
		    (value && !stat(value + 1, &st) && S_ISFIFO(st.st_mode)) ||
		    (w->argv[i][0] == '-' && w->argv[i][1] && !stat(w->argv[i] + 2, &st) &&
		     S_ISFIFO(st.st_mode)))
			return true;
	}
	return false;
}

/* Prints to `fd`, or to nowhere (-1). */
static inline int command_run(int argc, char **argv, int fd)
{
	static int nowhere = -1;
	int status;

	if (nowhere < 0)
		nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	out_init(cmd_stdout(), fd < 0 ? nowhere : fd, "stdout");
	status = cmd_dispatch(argc, argv);
	folder_must(status >= 0 && status <= 3 && !out_finish(cmd_stdout(), NULL));
	return status;
}

#endif /* TTP_FUZZ_COMMAND_H */
