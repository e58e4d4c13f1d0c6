// SPDX-License-Identifier: Apache-2.0
#include "web/device_map.h"

#include <stdlib.h>

#include "base/map.h"
#include "chip/grid.h"

static void key(struct json_writer *w, const char *name)
{
	json_write_key(w, str_of(name));
}

static const char *cell_kind(char tile, bool used)
{
	switch (tile) {
	case 'w':
		return used ? "tensix" : "harvested";
	case 'e':
		return "eth";
	case 'p':
		return "pcie";
	case 'a':
		return "arc";
	case '.':
		return "router";
	default:
		return "dram";
	}
}

/* Whether each tile that did something is a core of the chip's: else the map is of another one, or coordinates are logical. */
struct fit {
	const struct chip_grid *g;
	uint64_t lines; /* rows, or columns, in which something ran */
	bool fits;
};

static void place(struct fit *f, int x, int y)
{
	char tile = chip_grid_tile(f->g, x, y);
	int line = f->g->columns_fail ? x : y;

	f->fits &= tile == 'w' || tile == 'e';
	if (tile == 'w' && line >= 0 && line < 64)
		f->lines |= 1ull << line;
}

/* A tile of a device, by the device's number in the page. */
struct spot {
	uint32_t device;
	int x, y;
};
typedef VEC(struct spot) spots;

static int by_device(const void *a, const void *b)
{
	const struct spot *x = a, *y = b;

	return x->device < y->device ? -1 : x->device > y->device;
}

/* All that did something, so that each device need not look at what the others did. */
static void find_spots(const struct page *p, spots *all)
{
	struct u64map index = { 0 };
	uint32_t i;

	vec_each (d, &p->devices)
		u64map_put(&index, d->id, (uint32_t)(d - p->devices.at));
	vec_each (k, &p->op_cores)
		if (u64map_get(&index, k->device, &i))
			*vec_push(all) = (struct spot){ i, k->x, k->y };
	vec_each (l, &p->lanes)
		if (l->kind == LANE_CORE && l->device >= 0 && l->x >= 0 &&
		    u64map_get(&index, (uint64_t)l->device, &i))
			*vec_push(all) = (struct spot){ i, l->x, l->y };
	if (all->len)
		qsort(all->at, all->len, sizeof(*all->at), by_device);
	u64map_release(&index);
}

/*
 * Lines of workers on which nothing ever ran are harvested, or kept for dispatch, if the log counts as many workers less than the chip has; else some of
 * them were merely idle, and nobody can tell which.
 */
static bool told_apart(const struct chip_grid *g, uint64_t used, int64_t workers)
{
	uint64_t has = 0;
	int64_t idle = 0;

	for (int y = 0; y < g->height; y++)
		for (int x = 0; x < g->width; x++) {
			int line = g->columns_fail ? x : y;

			if (chip_grid_tile(g, x, y) != 'w')
				continue;
			has |= 1ull << line;
			idle += !(used >> line & 1);
		}
	return workers > 0 && (used & has) && idle <= g->workers - workers;
}

static void write_cells(struct json_writer *w, const struct chip_grid *g, uint64_t lines)
{
	for (int y = 0; y < g->height; y++)
		for (int x = 0; x < g->width; x++) {
			int line = g->columns_fail ? x : y;

			json_open_array(w);
			json_write_i64(w, x);
			json_write_i64(w, y);
			json_write_str(w, str_of(cell_kind(chip_grid_tile(g, x, y),
							   !lines || (lines >> line & 1))));
			json_close_array(w);
		}
}

static void write_device(const struct page_device *d, const struct spot *at, size_t n,
			 struct json_writer *w)
{
	struct chip_grid g;
	bool known = chip_grid_find(d->arch, &g), shown;
	struct fit f = { .g = &g, .fits = true };

	for (size_t i = 0; i < n; i++)
		place(&f, at[i].x, at[i].y);
	shown = known && f.fits;
	json_open_object(w);
	json_put_whole(w, "id", d->id);
	json_put_text(w, "arch", d->arch);
	key(w, "mhz");
	if (d->mhz > 0)
		json_write_double(w, d->mhz);
	else
		json_write_null(w);
	json_put_whole(w, "workers", d->workers);
	json_put_text(w, "map", shown ? STR("chip") : known ? STR("misfit") : STR("unknown"));
	json_put_whole(w, "width", shown ? (uint64_t)g.width : 0);
	json_put_whole(w, "height", shown ? (uint64_t)g.height : 0);
	key(w, "cells");
	json_open_array(w);
	if (shown)
		write_cells(w, &g, told_apart(&g, f.lines, d->workers) ? f.lines : 0);
	json_close_array(w);
	json_close_object(w);
}

void page_write_devices(const struct page *p, struct json_writer *w)
{
	spots all = { 0 };
	size_t at = 0, end;

	find_spots(p, &all);
	for (size_t i = 0; i < p->devices.len; i++, at = end) {
		for (end = at; end < all.len && all.at[end].device == i;)
			end++;
		write_device(&p->devices.at[i], all.len ? all.at + at : NULL, end - at, w);
	}
	vec_release(&all);
}
