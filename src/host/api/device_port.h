// SPDX-License-Identifier: Apache-2.0
#ifndef TTP_HOST_API_DEVICE_PORT_H
#define TTP_HOST_API_DEVICE_PORT_H

#include "base/err.h"
#include "device/port.h"

/* A device by its name (NULL: $TTP_DEVICE), without starting it; for those who only look. */
enum ttp_rc host_open_port(const char *name, int id, bool dispatch, struct port **out,
			   struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_HOST_API_DEVICE_PORT_H */
