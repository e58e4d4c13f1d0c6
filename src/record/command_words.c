// SPDX-License-Identifier: Apache-2.0
#include "record/command_words.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"

static void push(struct words *w, const char *text, size_t len)
{
	char *copy = mem_zero(len + 1, 1);

	memcpy(copy, text, len);
	w->at.len -= w->at.len > 0; /* the NULL at the end */
	*vec_push(&w->at) = copy;
	*vec_push(&w->at) = NULL;
}

/* Characters that mean something to sh outside of quotes; '=' in the first word sets a variable. */
static bool means_more(char c, bool first_word)
{
	return strchr("|&;<>()$`*?[{~#\n", c) || (first_word && c == '=');
}

/* One pass; false when a shell is needed. */
static bool split(struct words *w, const char *p, struct ttp_err *e)
{
	SCOPED(buf) struct buf word = { 0 };
	bool open = false, ok = true;
	char quote = 0;

	e->rc = TTP_OK;
	for (; *p && ok; p++) {
		if (quote == '\'') {
			if (*p == quote)
				quote = 0;
			else
				buf_char(&word, *p);
		} else if (quote) {
			if (*p == quote)
				quote = 0;
			else if (*p == '\\' && p[1] && strchr("\"\\$`", p[1]))
				buf_char(&word, *++p);
			else if (*p == '$' || *p == '`')
				ok = false;
			else
				buf_char(&word, *p);
		} else if (*p == '\'' || *p == '"') {
			quote = *p;
			open = true;
		} else if (*p == '\\' && p[1]) {
			buf_char(&word, *++p);
			open = true;
		} else if (*p == ' ' || *p == '\t') {
			if (open || word.len)
				push(w, word.at ? word.at : "", word.len);
			buf_clear(&word);
			open = false;
		} else if (means_more(*p, !w->at.len)) {
			/* A pattern that pytest knows, test.py::name[param], is no pattern for a shell either way. */
			ok = *p == '[' && strstr(p, "]") && (open || word.len) &&
			     strstr(word.at ? word.at : "", "::");
			if (ok)
				buf_char(&word, *p);
		} else {
			buf_char(&word, *p);
		}
	}
	if (ok && quote)
		(void)ttp_fail(e, TTP_USAGE, "the command has a %s without an end",
			       quote == '"' ? "\" (double quote)" : "' (single quote)");
	else if (ok && (open || word.len))
		push(w, word.at ? word.at : "", word.len);
	return ok;
}

/* A command that no file is there for: sh knows it alone. */
static bool is_of_shell(const struct words *w)
{
	static const char *const names[] = {
		".",       ":",        "alias", "bg",    "break", "builtin",  "case",   "cd",
		"command", "continue", "eval",  "exec",  "exit",  "export",   "fg",     "for",
		"hash",    "if",       "jobs",  "local", "read",  "readonly", "return", "set",
		"shift",   "source",   "times", "trap",  "type",  "ulimit",   "umask",  "unalias",
		"unset",   "until",    "wait",  "while"
	};

	for (size_t i = 0; w->at.len && i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(w->at.at[0], names[i]))
			return true;
	return false;
}

enum ttp_rc words_split(struct words *w, const char *text, struct ttp_err *e)
{
	*w = (struct words){ 0 };
	if (split(w, text, e) && !is_of_shell(w)) {
		if (!e->rc && !w->at.len)
			return ttp_fail(e, TTP_USAGE, "the command is empty");
		if (w->at.len)
			w->at.len--;
		return e->rc;
	}
	words_release(w);
	w->shell = true;
	push(w, "sh", 2);
	push(w, "-c", 2);
	push(w, text, strlen(text));
	w->at.len--;
	return TTP_OK;
}

static void add_quoted(struct buf *to, const char *word)
{
	buf_text(to, " '");
	for (; *word; word++)
		if (*word == '\'')
			buf_text(to, "'\\''");
		else
			buf_char(to, *word);
	buf_char(to, '\'');
}

/* What only a shell can do, of a module of Python: the shell starts the interpreter. */
static void module_in_shell(const struct run_request *q, const char *text, struct words *w)
{
	SCOPED(buf) struct buf line = { 0 };

	buf_text(&line, "exec");
	add_quoted(&line, q->python ? q->python : "python3");
	buf_printf(&line, " -m ttprof.child -m %s", text);
	for (int i = 1; i < q->n_words; i++)
		add_quoted(&line, q->words[i]);
	words_release(w);
	push(w, "sh", 2);
	push(w, "-c", 2);
	push(w, line.at, line.len);
	w->at.len--;
}

enum ttp_rc words_of_program(struct run_request *q, struct words *room, struct ttp_err *e)
{
	*room = (struct words){ 0 };
	if (!q->n_words || !strpbrk(q->words[0], " \t") || !access(q->words[0], F_OK))
		return TTP_OK;
	TTP_TRY(words_split(room, q->words[0], e));
	if (room->shell && q->module) {
		module_in_shell(q, q->words[0], room);
		q->module = false;
	} else {
		room->at.len++; /* push() takes the NULL away */
		for (int i = 1; i < q->n_words; i++)
			push(room, q->words[i], strlen(q->words[i]));
		room->at.len--;
	}
	q->words = room->at.at;
	q->n_words = (int)room->at.len;
	return TTP_OK;
}

void words_release(struct words *w)
{
	for (size_t i = 0; i < w->at.len; i++)
		free(w->at.at[i]);
	vec_release(&w->at);
	*w = (struct words){ 0 };
}
