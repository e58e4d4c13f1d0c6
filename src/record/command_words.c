// SPDX-License-Identifier: Apache-2.0
#include "record/command_words.h"

#include <stdlib.h>
#include <string.h>

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

enum ttp_rc words_split(struct words *w, const char *text, struct ttp_err *e)
{
	*w = (struct words){ 0 };
	if (split(w, text, e)) {
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

void words_release(struct words *w)
{
	for (size_t i = 0; i < w->at.len; i++)
		free(w->at.at[i]);
	vec_release(&w->at);
	*w = (struct words){ 0 };
}
