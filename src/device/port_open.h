// SPDX-License-Identifier: Apache-2.0
/*
 * Opening a device by its name: the value of TTP_DEVICE, or what a program asks for.
 *
 *	sim			the embedded chip, as it comes
 *	sim:GRID		what the driver makes of the rest ("sim:8x8")
 *	ttsim:/path/lib.so	Tenstorrent's simulator
 *
 * This room knows libttsim only.  Whoever links the embedded chip gives its driver in the table, so
 * that a program without it stays small.
 */
#ifndef TTP_DEVICE_PORT_OPEN_H
#define TTP_DEVICE_PORT_OPEN_H

#include "base/err.h"
#include "base/str.h"
#include "device/port.h"

struct port_driver {
	const char *name;     /* before the colon */
	const char *argument; /* what follows it, for messages: "PATH"; NULL if nothing may */
	/* `rest` is what follows the colon, empty if there is none; `id` the device's number. */
	enum ttp_rc (*open)(struct str rest, int id, struct port **, struct ttp_err *);
};

extern const struct port_driver port_ttsim;

/* `drivers` ends with NULL; the first is taken when `name` is empty.  On success port_close() it. */
enum ttp_rc port_open(const struct port_driver *const *drivers, struct str name, int id,
		      struct port **out, struct ttp_err *e) TTP_CHECKED;
/* `name` NULL: $TTP_DEVICE. */
enum ttp_rc port_open_default(const struct port_driver *const *drivers, const char *name, int id,
			      struct port **out, struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_DEVICE_PORT_OPEN_H */
