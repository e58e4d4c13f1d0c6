// SPDX-License-Identifier: Apache-2.0
#include "device/embedded_files.h"

bool device_file(const char *name, struct str *bytes)
{
	for (const struct device_file *f = device_files; f->name; f++)
		if (!strcmp(f->name, name)) {
			*bytes = str_n(f->at, (size_t)(f->end - f->at));
			return true;
		}
	return false;
}
