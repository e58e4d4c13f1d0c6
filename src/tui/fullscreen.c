// SPDX-License-Identifier: Apache-2.0
#include "tui/fullscreen.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
	ESCAPE_MS = 50, /* an Escape that nothing follows for so long is the key */
	ROWS = 24,
	COLUMNS = 80
};

/* The other screen, no cursor, no wrapping; and back. */
#define ENTER "\033[?1049h\033[?25l\033[?7l"
#define LEAVE "\033[?7h\033[?25h\033[?1049l"

static volatile sig_atomic_t resized, told_to_end; /* the signal's number */
/* Of the screen that is open: what atexit() restores. */
static struct termios restore_to;
static volatile sig_atomic_t restore;

static void send(struct str s)
{
	while (s.len) {
		ssize_t n = write(STDOUT_FILENO, s.at, s.len);

		if (n < 0 && errno == EAGAIN) {
			struct pollfd room = { .fd = STDOUT_FILENO, .events = POLLOUT };

			(void)poll(&room, 1, 1000);
			continue;
		}
		if (n < 0 && errno != EINTR)
			return; /* the terminal is gone: the next key says so */
		if (n > 0)
			s = str_from(s, (size_t)n);
	}
}

static void give_back(void)
{
	if (!restore)
		return;
	restore = 0;
	send(STR(LEAVE));
	(void)tcsetattr(STDIN_FILENO, TCSANOW, &restore_to);
}

static void note_signal(int number)
{
	if (number == SIGWINCH)
		resized = 1;
	else
		told_to_end = number;
}

static const int watched[] = { SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGQUIT };
enum { WATCHED = sizeof(watched) / sizeof(*watched) };
static struct sigaction actions_before[WATCHED];
static sigset_t mask_before;

/* Signals come only while we wait for a key. */
static void watch_signals(void)
{
	struct sigaction note = { .sa_handler = note_signal };
	sigset_t these;

	(void)sigemptyset(&these);
	(void)sigemptyset(&note.sa_mask);
	for (int i = 0; i < WATCHED; i++) {
		(void)sigaddset(&these, watched[i]);
		(void)sigaction(watched[i], &note, &actions_before[i]);
	}
	(void)sigprocmask(SIG_BLOCK, &these, &mask_before);
}

static void find_size(struct fullscreen *f)
{
	struct winsize size = { 0 };

	(void)ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
	f->rows = size.ws_row ? size.ws_row : ROWS;
	f->columns = size.ws_col ? size.ws_col : COLUMNS;
}

static void take(struct fullscreen *f)
{
	struct termios raw = f->before;

	raw.c_iflag &= ~(tcflag_t)(BRKINT | ICRNL | INPCK | ISTRIP | IXON);
	raw.c_lflag &= ~(tcflag_t)(ECHO | ICANON | IEXTEN | ISIG);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	(void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw);
	restore_to = f->before;
	restore = 1;
	send(STR(ENTER));
	find_size(f);
}

enum ttp_rc fullscreen_open(struct fullscreen *f, struct ttp_err *e)
{
	static bool at_exit;
	const char *kind = getenv("TERM");

	*f = (struct fullscreen){ 0 };
	if (isatty(STDIN_FILENO) != 1 || isatty(STDOUT_FILENO) != 1)
		return ttp_fail(
			e, TTP_USAGE,
			"this needs a terminal for input and output; `ttprof report` writes what it shows to files and pipes");
	if (!kind || !*kind || !strcmp(kind, "dumb"))
		return ttp_fail(
			e, TTP_USAGE,
			"the terminal can't be drawn on: TERM is %s; set it to what the terminal is, as xterm",
			kind && *kind ? kind : "not set");
	if (tcgetattr(STDIN_FILENO, &f->before))
		return ttp_fail_errno(e, "the terminal");
	if (!at_exit)
		(void)atexit(give_back);
	at_exit = true;
	watch_signals();
	take(f);
	f->open = true;
	return TTP_OK;
}

void fullscreen_close(struct fullscreen *f)
{
	if (!f->open)
		return;
	give_back();
	for (int i = 0; i < WATCHED; i++)
		(void)sigaction(watched[i], &actions_before[i], NULL);
	(void)sigprocmask(SIG_SETMASK, &mask_before, NULL);
	buf_release(&f->input);
	f->open = false;
	if (told_to_end)
		(void)raise(told_to_end);
}

void fullscreen_suspend(struct fullscreen *f)
{
	give_back();
	(void)kill(0, SIGTSTP); /* the shell sees all of its job stop */
	take(f);
}

void fullscreen_paint(struct fullscreen *f, struct str lines)
{
	SCOPED(buf) struct buf b = { 0 };
	struct str line;

	buf_text(&b, "\033[H");
	for (int row = 0; row < f->rows; row++) {
		/* erased before: behind a line that fills the screen the cursor is still on its last column */
		buf_text(&b, row ? "\r\n\033[K" : "\033[K");
		if (str_split(&lines, '\n', &line))
			buf_str(&b, line);
		buf_text(&b, "\033[m");
	}
	send(buf_view(&b));
}

/* Waits for input, at most so long (-1: for ever); false when there was none. */
static bool more_input(struct fullscreen *f, int ms)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
	struct timespec at_most = { .tv_nsec = ms * 1000000L };
	char at[256];
	ssize_t n;

	if (ppoll(&in, 1, ms < 0 ? NULL : &at_most, &mask_before) <= 0)
		return false;
	n = read(STDIN_FILENO, at, sizeof(at));
	if (n > 0)
		buf_add(&f->input, at, (size_t)n);
	else if (n == 0 || (errno != EINTR && errno != EAGAIN))
		f->ended = true;
	return n > 0;
}

struct key fullscreen_key(struct fullscreen *f)
{
	struct key key;
	bool all = false;

	for (;;) {
		size_t took = f->input.len ? key_decode(buf_view(&f->input), all, &key) : 0;

		if (took) {
			key.text.at = memcpy(f->text, key.text.at ? key.text.at : "", key.text.len);
			memmove(f->input.at, f->input.at + took, f->input.len - took);
			f->input.len -= took;
			if (key.name != KEY_NONE)
				return key;
			continue;
		}
		if (f->ended || told_to_end)
			return (struct key){ .name = KEY_CLOSED };
		if (resized) {
			resized = 0;
			find_size(f);
			return (struct key){ .name = KEY_RESIZE };
		}
		all = !more_input(f, f->input.len ? ESCAPE_MS : -1) && f->input.len;
	}
}
