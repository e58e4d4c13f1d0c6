// SPDX-License-Identifier: Apache-2.0
/*
 * What happened, for whoever looks into a problem: lines on stderr.  Results go to stdout, errors to the
 * caller as values; a log line changes nothing.
 *
 *	#define LOG_AREA "capture"
 *	#include "base/log.h"
 *	log_warn("client is slow pid=%d waited_ms=%d", pid, ms);
 *
 *	ttprof: warning: capture: client is slow pid=812 waited_ms=1500
 *
 * TTP_LOG picks levels by area: "capture:debug,*:warn", or just "debug" for all; a named area counts
 * more than *, and later pieces more than earlier ones.  Levels are off, error, warn, info, debug; the
 * default is warn.  Any thread may log.  A line is one write(2), so lines of several threads or
 * processes don't mix; it is cut at LOG_LINE_MAX bytes and control characters become blanks.
 * errno is kept.  A line that is switched off costs one load and a compare, when no area is louder.
 */
#ifndef TTP_BASE_LOG_H
#define TTP_BASE_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"

enum { LOG_LINE_MAX = 1024, LOG_RULES_MAX = 32, LOG_AREA_MAX = 24 };

/* Word in TTP_LOG, word in a line. */
#define LOG_LEVEL_LIST(X)          \
	X(OFF, "off", "")          \
	X(ERROR, "error", "error") \
	X(WARN, "warn", "warning") \
	X(INFO, "info", "info")    \
	X(DEBUG, "debug", "debug")

enum log_level {
#define X(name, option, word) LOG_##name,
	LOG_LEVEL_LIST(X)
#undef X
};

/*
 * Replaces all levels.  Without a call, TTP_LOG is read when the first line is logged, and what is wrong in
 * it is itself logged.  On error (TTP_USAGE) the pieces that make sense count nevertheless.
 */
enum ttp_rc log_configure(struct str spec, struct ttp_err *e);

void log_line(const char *area, enum log_level level, const char *fmt, ...) TTP_PRINTF(3, 4);

/* Loudest level that any area has; read without the lock. */
extern int log_loudest;

#define LOG_AT(level, ...)                                               \
	((int)(level) <= __atomic_load_n(&log_loudest, __ATOMIC_RELAXED) \
		 ? log_line(LOG_AREA, (level), __VA_ARGS__)              \
		 : (void)0)
#define log_error(...) LOG_AT(LOG_ERROR, __VA_ARGS__)
#define log_warn(...)  LOG_AT(LOG_WARN, __VA_ARGS__)
#define log_info(...)  LOG_AT(LOG_INFO, __VA_ARGS__)
#define log_debug(...) LOG_AT(LOG_DEBUG, __VA_ARGS__)

#endif /* TTP_BASE_LOG_H */
