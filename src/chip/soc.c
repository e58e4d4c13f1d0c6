// SPDX-License-Identifier: Apache-2.0
#include "chip/soc.h"

#include <stddef.h>

const struct soc soc_wormhole = {
#define FACT(field, value, source) .field = (value),
#include "chip/wormhole.def"
#undef FACT
};

enum { SOCS = 1 };
static const struct soc *const all[SOCS] = { &soc_wormhole };

const struct soc *soc_find(struct str name)
{
	for (int i = 0; i < SOCS; i++)
		if (str_eq(name, str_of(all[i]->id)) || str_eq(name, str_of(all[i]->arch)))
			return all[i];
	return NULL;
}

char soc_tile(const struct soc *s, int x, int y)
{
	if (x < 0 || y < 0 || x >= s->width || y >= s->height)
		return '.';
	return s->row[y][x];
}
