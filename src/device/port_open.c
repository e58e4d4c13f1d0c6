// SPDX-License-Identifier: Apache-2.0
#include "device/port.h"

#include <stdlib.h>

enum ttp_rc port_open(const struct port_driver *const *drivers, struct str name, int id,
		      struct port **out, struct ttp_err *e)
{
	size_t colon = str_find_char(name, ':');
	struct str head = colon == STR_NONE ? name : str_head(name, colon);
	struct str rest = colon == STR_NONE ? str_n("", 0) : str_from(name, colon + 1);
	SCOPED(buf) struct buf known = { 0 };
	enum ttp_rc rc;

	for (size_t i = 0; drivers[i]; i++) {
		if (head.len && !str_eq(head, str_of(drivers[i]->name)))
			continue;
		if (rest.len && !drivers[i]->argument)
			return ttp_fail(e, TTP_USAGE, "device \"%.*s\": nothing may follow \"%s\"",
					STR_ARG(name), drivers[i]->name);
		rc = drivers[i]->open(rest, id, out, e);
		return rc ? ttp_wrap(e, rc, "device \"%s\"", drivers[i]->name) : TTP_OK;
	}
	for (size_t i = 0; drivers[i]; i++)
		buf_printf(&known, "%s%s%s%s", i ? ", " : "", drivers[i]->name,
			   drivers[i]->argument ? ":" : "",
			   drivers[i]->argument ? drivers[i]->argument : "");
	return ttp_fail(e, TTP_USAGE, "no device \"%.*s\"; known are %s", STR_ARG(name),
			known.at ? known.at : "none");
}

enum ttp_rc port_open_default(const struct port_driver *const *drivers, const char *name, int id,
			      struct port **out, struct ttp_err *e)
{
	const char *from = name ? name : getenv("TTP_DEVICE");

	return port_open(drivers, str_of(from ? from : ""), id, out, e);
}
