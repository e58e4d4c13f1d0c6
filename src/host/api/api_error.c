// SPDX-License-Identifier: Apache-2.0
/* The last error of each thread, for callers that keep none of their own. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include <ttp/device.h>

#include "host/host_device.h"

static _Thread_local char text[sizeof(((struct ttp_err *)0)->msg)] = "nothing went wrong yet";
static _Thread_local bool went_wrong;

const char *ttp_device_error(void)
{
	return text;
}

int host_fail(const struct ttp_err *e)
{
	snprintf(text, sizeof(text), "%s", e->msg);
	went_wrong = true;
	return -1;
}

int host_failed(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	went_wrong = true;
	return -1;
}

int host_no(const char *handle)
{
	if (went_wrong)
		return -1;
	return host_failed("no %s was given: its handle is NULL", handle);
}

int host_null(const char *function, const char *what)
{
	return host_failed("%s: %s is NULL", function, what);
}
