// SPDX-License-Identifier: Apache-2.0
/*
 * Errors as values: a code to branch on, and one sentence built outward, frame by frame.
 *
 *	ttprof: error: run7: profile_log_device.csv: line 3: core_x: not a number: "abc"
 *
 * A function that can fail takes `struct ttp_err *e` last and returns enum ttp_rc.  The caller owns
 * `e` (normally on the stack); nothing here allocates, locks or prints.  `e` may be NULL when only
 * the code matters.
 */
#ifndef TTP_BASE_ERR_H
#define TTP_BASE_ERR_H

#include <stdbool.h>

enum ttp_rc {
	TTP_OK,
	TTP_SYS,    /* a system call failed: e->sys_errno is set */
	TTP_FORMAT, /* malformed input: file, wire or CSV data */
	TTP_VERSION,
	TTP_LIMIT, /* refused before allocating */
	TTP_USAGE, /* bad request from the caller */
	TTP_GONE,  /* the peer closed the connection */
};

struct ttp_err {
	enum ttp_rc rc;
	int sys_errno;
	char msg[480];
};

#define TTP_CHECKED           __attribute__((warn_unused_result))
#define TTP_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

/* Starts an error and returns `rc`, so that callers can write `return ttp_fail(e, ...)`. */
enum ttp_rc ttp_fail(struct ttp_err *e, enum ttp_rc rc, const char *fmt, ...) TTP_PRINTF(3, 4);

/* As ttp_fail(TTP_SYS), and appends strerror(errno). */
enum ttp_rc ttp_fail_errno(struct ttp_err *e, const char *fmt, ...) TTP_PRINTF(2, 3);

/* Prepends "<context>: " to the message of an error on its way up; returns e's code. */
enum ttp_rc ttp_wrap(struct ttp_err *e, enum ttp_rc rc, const char *fmt, ...) TTP_PRINTF(3, 4);

/*
 * Leaves the function with the code of a call that failed, as it is: for steps of which each needs the one before.
 * Locals that need a release are SCOPED (base/scoped.h).
 */
#define TTP_TRY(call)                         \
	do {                                  \
		enum ttp_rc try_rc_ = (call); \
                                              \
		if (try_rc_)                  \
			return try_rc_;       \
	} while (0)

#endif /* TTP_BASE_ERR_H */
