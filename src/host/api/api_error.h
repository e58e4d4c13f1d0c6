// SPDX-License-Identifier: Apache-2.0
/* The text of ttp_device_error(), of the calling thread. */
#ifndef TTP_HOST_API_API_ERROR_H
#define TTP_HOST_API_API_ERROR_H

#include "base/err.h"

int host_fail(const struct ttp_err *e);                 /* -1 */
int host_failed(const char *fmt, ...) TTP_PRINTF(1, 2); /* the same from a text */
/* A handle is NULL: the error that made it so stays; if there was none, this is the first. */
int host_no(const char *handle);
/* A pointer that is needed is NULL. */
int host_null(const char *function, const char *what);

/* The same for functions that return a pointer. */
#define HOST_NONE(...)  (host_failed(__VA_ARGS__), NULL)
#define HOST_NO(handle) (host_no(handle), NULL)

#endif /* TTP_HOST_API_API_ERROR_H */
