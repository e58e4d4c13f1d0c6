// SPDX-License-Identifier: Apache-2.0
/*
 * How far the recording is, in the last line of stderr's terminal.
 *
 * The program writes to the same terminal, and we don't know when.  So the rest of the screen scrolls without the last line
 * (as apt does it), and each change is one write that leaves the cursor where it was: nothing of ours comes between what the
 * program prints.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/term.h"
#include "base/width.h"
#include "record/run_job.h"

enum {
	FIRST_S = 1,
	EVERY_NS = 500000000,
	ROWS_MIN = 6,
	COLUMNS_MIN = 20,
	QUIET_S = 3,
	STOP_FROM = 60
};

/* Save the cursor, the whole screen scrolls again, restore it. */
static const char undo[] = "\0337\033[r\0338";

const char *run_line_undo(void)
{
	return undo;
}

static bool size_of(int *rows, int *columns)
{
	struct winsize w = { 0 };

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &w))
		return false;
	*rows = w.ws_row;
	*columns = w.ws_col;
	return w.ws_row >= ROWS_MIN && w.ws_col >= COLUMNS_MIN;
}

void run_line_begin(struct job *j)
{
	const char *term = getenv("TERM"); // NOLINT(concurrency-mt-unsafe)

	j->line = (struct run_line){ 0 };
	j->line.on =
		!j->q->quiet && isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0;
	j->line.next_ns = j->began_ns + FIRST_S * SECONDS;
}

static void put(const struct buf *b)
{
	(void)!write(STDERR_FILENO, b->at, b->len);
}

static void count_text(struct buf *b, uint64_t n)
{
	if (n < 100000)
		buf_printf(b, "%llu", (unsigned long long)n);
	else if (n < 10000000)
		buf_printf(b, "%.2f M", (double)n / 1e6);
	else
		buf_printf(b, "%.1f M", (double)n / 1e6);
}

static void rate_text(struct buf *b, double bytes)
{
	if (bytes < 1e6)
		buf_printf(b, "%.0f KB/s", bytes / 1e3);
	else
		buf_printf(b, "%.1f MB/s", bytes / 1e6);
}

/* A piece, if there is room for it: what comes first matters most. */
static bool piece(struct buf *line, const char *text, int columns)
{
	if (!text || !*text)
		return true;
	if (width_text(buf_view(line)) + 2 + width_text(str_of(text)) > (size_t)columns - 1)
		return false;
	buf_printf(line, "%s%s", line->len ? "  " : "", text);
	return true;
}

/* What has come to a stop is what one waits for: nothing comes at all, or no more ops. */
static void activity_text(struct job *j, int64_t now_ns, struct buf *b)
{
	struct run_line *l = &j->line;
	uint64_t events = j->now.events, ops = j->now.ops;
	int64_t quiet_s, no_op_s;

	if (events != l->events_seen || !l->event_ns)
		l->event_ns = now_ns;
	if (ops != l->ops_seen || !l->op_ns)
		l->op_ns = now_ns;
	l->events_seen = events;
	l->ops_seen = ops;
	quiet_s = (now_ns - l->event_ns) / SECONDS;
	no_op_s = (now_ns - l->op_ns) / SECONDS;
	if (events && quiet_s >= QUIET_S)
		buf_printf(b, "nothing for %lld s", (long long)quiet_s);
	else if (ops && no_op_s >= QUIET_S)
		buf_printf(b, "no op for %lld s", (long long)no_op_s);
}

static void describe(struct job *j, int64_t now_ns, struct buf *line)
{
	const struct capture_sum *t = &j->now;
	int64_t s = (now_ns - j->began_ns) / SECONDS;
	uint64_t drops = t->drops, ops = t->ops, processes = t->clients;
	bool utf8 = term_of(STDERR_FILENO, TERM_COLOUR_AUTO).utf8;
	const char *stop = utf8 ? "·  Ctrl-C stops and reports" : "Ctrl-C stops and reports";
	SCOPED(buf) struct buf b = { 0 };
	/* How to end it has its room as soon as the time and the ops have theirs. */
	bool says_how = j->line.columns >= STOP_FROM;
	int c = j->line.columns - (says_how ? 2 + (int)width_text(str_of(stop)) : 0);

	(void)piece(line, j->window.paused ? "paused" : "recording", c);
	buf_printf(&b, "%02lld:%02lld", (long long)(s / 60), (long long)(s % 60));
	(void)piece(line, b.at, c);
	buf_clear(&b);
	count_text(&b, ops);
	(void)piece(line, ops ? (buf_text(&b, ops == 1 ? " op" : " ops"), b.at) : "", c);
	/* What is lost comes before what is only of interest. */
	buf_set(&b, "drops %llu", (unsigned long long)drops);
	(void)piece(line, drops ? b.at : "", c);
	buf_clear(&b);
	activity_text(j, now_ns, &b);
	(void)piece(line, b.at, c);
	buf_clear(&b);
	count_text(&b, t->events);
	buf_text(&b, " events");
	(void)piece(line, b.at, c);
	buf_set(&b, "drops %llu", (unsigned long long)drops);
	(void)piece(line, drops ? "" : b.at, c);
	buf_clear(&b);
	/* None was heard yet: the program runs all the same. */
	if (processes)
		buf_printf(&b, "%llu process%s", (unsigned long long)processes,
			   processes == 1 ? "" : "es");
	else
		buf_text(&b, "waiting for a client");
	(void)piece(line, b.at, c);
	buf_clear(&b);
	rate_text(&b, j->line.rate);
	buf_text(&b, utf8 ? " → " : " > ");
	rate_text(&b, j->line.stored_rate);
	buf_text(&b, " on disk");
	(void)piece(line, b.at, c);
	if (says_how)
		(void)piece(line, stop, j->line.columns);
}

void run_line_show(struct job *j, int64_t now_ns)
{
	struct run_line *l = &j->line;
	SCOPED(buf) struct buf out = { 0 }, line = { 0 };
	double seconds = (double)(now_ns - l->last_ns) / 1e9;
	int rows, columns;

	if (!l->on || now_ns < l->next_ns)
		return;
	l->next_ns = now_ns + EVERY_NS;
	if (l->last_ns && seconds > 0) {
		l->rate = (double)(j->now.raw_bytes - l->last_bytes) / seconds;
		l->stored_rate = (double)(j->now.stored_bytes - l->last_stored) / seconds;
	}
	l->last_ns = now_ns;
	l->last_bytes = j->now.raw_bytes;
	l->last_stored = j->now.stored_bytes;
	if (!size_of(&rows, &columns)) {
		run_line_hide(j);
		return;
	}
	if (!l->shown)
		/* What stands in the last line moves up; then it is not part of what scrolls. */
		buf_printf(&out, "\033D\0337\033[1;%dr\0338\033[1A", rows - 1);
	else if (rows != l->rows)
		buf_printf(&out, "\0337\033[1;%dr\0338", rows - 1);
	l->shown = true;
	l->rows = rows;
	l->columns = columns;
	describe(j, now_ns, &line);
	if (term_of(STDERR_FILENO, TERM_COLOUR_AUTO).colour)
		buf_printf(&out, "\0337\033[%d;1H\033[K\033[2m%s\033[0m\0338", rows, line.at);
	else
		buf_printf(&out, "\0337\033[%d;1H\033[K%s\0338", rows, line.at);
	put(&out);
}

void run_line_hide(struct job *j)
{
	SCOPED(buf) struct buf out = { 0 };

	if (!j->line.shown)
		return;
	buf_printf(&out, "\0337\033[r\033[%d;1H\033[K\0338", j->line.rows);
	put(&out);
	j->line.shown = false;
}
