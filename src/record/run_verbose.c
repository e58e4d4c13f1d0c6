// SPDX-License-Identifier: Apache-2.0
#include "record/run_job.h"

#include <stdlib.h>

#include "base/paths.h"
#include "base/vec.h"
#include "base/width.h"

extern char **environ;

void run_before_take(struct run_before *b)
{
	for (char **at = environ; *at; at++)
		*vec_push(b) = mem_text(*at);
}

void run_before_release(struct run_before *b)
{
	vec_each (v, b)
		free(*v);
	vec_release(b);
}

static bool was_there(const struct run_before *b, const char *variable)
{
	vec_each (v, b)
		if (*v && !strcmp(*v, variable))
			return true;
	return false;
}

/* A line of stderr; what comes from outside can't steer the terminal. */
static void line(struct buf *out, const char *what, const char *text)
{
	buf_printf(out, "ttprof run: %-8s ", what);
	width_clean(out, str_of(text));
	buf_char(out, '\n');
}

static void variables(struct buf *out, const struct run_before *before)
{
	SCOPED(buf) struct buf gone = { 0 };

	for (char **at = environ; *at; at++)
		if (!was_there(before, *at))
			line(out, "sets", *at);
	vec_each (v, before) {
		const char *equals = *v ? strchr(*v, '=') : NULL;

		if (!equals)
			continue;
		buf_clear(&gone);
		buf_add(&gone, *v, (size_t)(equals - *v));
		if (!getenv(gone.at)) // NOLINT(concurrency-mt-unsafe)
			line(out, "unsets", gone.at);
	}
}

void run_verbose_begin(const struct run_request *q, const struct job *j, char **argv,
		       const struct run_before *before)
{
	SCOPED(buf) struct buf out = { 0 }, words = { 0 };

	for (char **w = argv; *w; w++)
		buf_printf(&words, "%s%s", w == argv ? "" : " ", *w);
	line(&out, "runs", words.at);
	variables(&out, before);
	if (j) {
		buf_set(&words, "%s; %s%s, and Tracy's own clients at the ports they find",
			j->socket.at, j->port ? "port " : "no port",
			j->port ? strrchr(j->address, ':') + 1 : "");
		line(&out, "session", words.at);
		line(&out, "logs", j->logs.at);
		line(&out, "spool", j->spool.at);
	} else {
		line(&out, "records", "nothing here (no -r): the program listens for a GUI");
	}
	q->console->print(&out);
}

void run_verbose_end(const struct job *j)
{
	SCOPED(buf) struct buf out = { 0 }, text = { 0 };

	vec_each (c, &j->result.clients) {
		buf_set(&text, "%s, pid %llu: %s, %llu zones, %llu messages", c->program,
			(unsigned long long)c->pid, c->recorded ? "recorded" : "not recorded",
			(unsigned long long)c->zones, (unsigned long long)c->messages);
		line(&out, "heard", text.at);
	}
	buf_set(&text, "%.3f s, %llu bytes of spool", (double)j->result.elapsed_ns / 1e9,
		(unsigned long long)j->result.spool_bytes);
	line(&out, "recorded", text.at);
	line(&out, "reads", j->logs.at);
	j->q->console->print(&out);
}

void run_verbose_files(const struct run_request *q, const char *dir)
{
	SCOPED(buf) struct buf out = { 0 }, path = { 0 };
	SCOPED(mem) struct dirent **names = NULL;
	int n = q->verbose ? folder_list(dir, &names, NULL, alphasort) : 0;

	for (int i = 0; i < n; i++) {
		if (names[i]->d_name[0] != '.') {
			buf_set(&path, "%s/%s", dir, names[i]->d_name);
			line(&out, "wrote", path.at);
		}
		free(names[i]);
	}
	if (out.len)
		q->console->print(&out);
}
