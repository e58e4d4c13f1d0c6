// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/harmless.h"

struct rule {
	char area[LOG_AREA_MAX];
	enum log_level level;
};

/* Over all below; taken before nothing else, and held while a line is written, so that lines are whole. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool configured;
static enum log_level everywhere = LOG_WARN;
static struct rule rules[LOG_RULES_MAX];
static size_t rule_count;

/* As loud as can be until configured, so that the first line comes here and reads TTP_LOG. */
int log_loudest = LOG_DEBUG;

static bool level_of(struct str word, enum log_level *out)
{
	static const char *const option[] = { LOG_LEVEL_LIST(LIST_2ND) };

	if (str_eq(word, STR("warning")))
		word = STR("warn");
	for (size_t i = 0; i < sizeof(option) / sizeof(option[0]); i++)
		if (str_eq(word, str_of(option[i]))) {
			*out = (enum log_level)i;
			return true;
		}
	return false;
}

static struct rule *rule_of(struct str area)
{
	for (size_t i = 0; i < rule_count; i++)
		if (str_eq(str_of(rules[i].area), area))
			return &rules[i];
	return NULL;
}

/* "area:level" or "level" */
static enum ttp_rc add_rule(struct str piece, struct ttp_err *e)
{
	size_t colon = str_rfind_char(piece, ':');
	struct str area = colon == STR_NONE ? STR("*") : str_trim(str_head(piece, colon));
	struct str word = colon == STR_NONE ? piece : str_trim(str_from(piece, colon + 1));
	enum log_level level;
	struct rule *r;

	if (!level_of(word, &level))
		return ttp_fail(e, TTP_USAGE, "log levels: unknown level \"%.*s\"", STR_ARG(word));
	if (str_eq(area, STR("*"))) {
		everywhere = level;
		return TTP_OK;
	}
	if (!area.len || area.len >= LOG_AREA_MAX)
		return ttp_fail(e, TTP_USAGE, "log levels: not an area: \"%.*s\"", STR_ARG(area));
	r = rule_of(area);
	if (!r) {
		if (rule_count == LOG_RULES_MAX)
			return ttp_fail(e, TTP_USAGE, "log levels: more than %d areas",
					LOG_RULES_MAX);
		r = &rules[rule_count++];
		memcpy(r->area, area.at, area.len);
		r->area[area.len] = 0;
	}
	r->level = level;
	return TTP_OK;
}

static enum ttp_rc configure_locked(struct str spec, struct ttp_err *e)
{
	enum ttp_rc rc = TTP_OK, one;
	struct str piece;
	int loudest;

	configured = true;
	everywhere = LOG_WARN;
	rule_count = 0;
	while (str_split(&spec, ',', &piece)) {
		piece = str_trim(piece);
		one = piece.len ? add_rule(piece, rc ? NULL : e) : TTP_OK;
		rc = rc ? rc : one;
	}
	loudest = (int)everywhere;
	for (size_t i = 0; i < rule_count; i++)
		if ((int)rules[i].level > loudest)
			loudest = (int)rules[i].level;
	__atomic_store_n(&log_loudest, loudest, __ATOMIC_RELAXED);
	return rc;
}

enum ttp_rc log_configure(struct str spec, struct ttp_err *e)
{
	enum ttp_rc rc;

	pthread_mutex_lock(&lock);
	rc = configure_locked(spec, e);
	pthread_mutex_unlock(&lock);
	return rc;
}

static void emit_locked(char *line, size_t len)
{
	for (size_t i = 0, n; i < len; i += n) {
		uint32_t c;

		n = harmless_decode(str_n(line + i, len - i), &c);
		if (!harmless_char(c) || (n == 1 && (unsigned char)line[i] >= 0x80))
			memset(line + i, ' ', n);
	}
	line[len++] = '\n';
	(void)!write(STDERR_FILENO, line, len); /* whom to tell? */
}

static size_t start_line(char *line, size_t cap, const char *area, enum log_level level)
{
	static const char *const word[] = { LOG_LEVEL_LIST(LIST_3RD) };
	int n = snprintf(line, cap, "ttprof: %s: %s: ", word[level], area);

	return n < 0 ? 0 : (size_t)n < cap ? (size_t)n : cap - 1;
}

static void read_environment_locked(void)
{
	char line[LOG_LINE_MAX];
	struct ttp_err e = { 0 };
	size_t n;
	int more;

	if (configured || !configure_locked(str_of(getenv("TTP_LOG")), &e))
		return;
	n = start_line(line, sizeof(line) - 1, "log", LOG_WARN);
	more = snprintf(line + n, sizeof(line) - 1 - n, "TTP_LOG: %s", e.msg);
	emit_locked(line,
		    n + (size_t)more < sizeof(line) - 1 ? n + (size_t)more : sizeof(line) - 2);
}

static bool enabled_locked(const char *area, enum log_level level)
{
	const struct rule *r;

	read_environment_locked();
	r = rule_of(str_of(area));
	return level <= (r ? r->level : everywhere);
}

void log_line(const char *area, enum log_level level, const char *fmt, ...)
{
	char line[LOG_LINE_MAX];
	int saved = errno, more;
	va_list ap;
	size_t n;

	pthread_mutex_lock(&lock);
	if (enabled_locked(area, level)) {
		size_t cap = sizeof(line) - 1; /* one byte for the newline */

		n = start_line(line, cap, area, level);
		va_start(ap, fmt);
		more = vsnprintf(line + n, cap - n, fmt, ap);
		va_end(ap);
		n = more < 0 ? n : n + (size_t)more;
		if (n >= cap) {
			n = cap - 1;
			memcpy(line + n - 3, "...", 3);
		}
		emit_locked(line, n);
	}
	pthread_mutex_unlock(&lock);
	errno = saved;
}
