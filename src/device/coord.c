// SPDX-License-Identifier: Apache-2.0
#include "device/coord.h"

#include <string.h>

enum { XLAT_FIRST = 16, XLAT_WORKERS = 18, NONE = 255 };

/* A tile of each group that is near the middle of its column, where the NoC is shortest for most. */
struct dram_tiles {
	const char *arch;
	int groups;
	struct tile at[8];
};

static const struct dram_tiles dram_of[] = {
	{ "wormhole_b0", 6, { { 0, 0 }, { 0, 5 }, { 5, 0 }, { 5, 2 }, { 5, 3 }, { 5, 5 } } },
	{ "blackhole",
	  8,
	  { { 0, 0 }, { 0, 2 }, { 0, 9 }, { 0, 5 }, { 9, 0 }, { 9, 2 }, { 9, 9 }, { 9, 5 } } },
};

static bool column_has_workers(const struct port_info *info, int x)
{
	for (int y = 0; y < info->height; y++)
		if (info->kind[y][x] == TILE_WORKER || info->kind[y][x] == TILE_HARVESTED)
			return true;
	return false;
}

static bool row_has(const struct port_info *info, int y, enum tile_kind kind)
{
	for (int x = 0; x < info->width; x++)
		if (info->kind[y][x] == kind)
			return true;
	return false;
}

enum ttp_rc coord_init(struct coord *c, const struct port_info *info, struct ttp_err *e)
{
	int next_x = XLAT_WORKERS, next_y = XLAT_WORKERS, other_x = XLAT_FIRST,
	    other_y = XLAT_FIRST;
	bool wormhole = !strcmp(info->arch, "wormhole_b0");

	memset(c, 0, sizeof(*c));
	memset(c->x_column, NONE, sizeof(c->x_column));
	memset(c->y_row, NONE, sizeof(c->y_row));
	if (info->width < 1 || info->width > PORT_GRID_MAX || info->height < 1 ||
	    info->height > PORT_GRID_MAX)
		return ttp_fail(e, TTP_FORMAT, "a grid of %d x %d tiles", info->width,
				info->height);
	c->width = info->width;
	c->height = info->height;
	for (int x = 0; x < c->width; x++) {
		if (column_has_workers(info, x)) {
			c->column_x[c->columns] = (uint8_t)x;
			c->x_column[x] = (uint8_t)c->columns++;
			c->x_xlat[x] = (uint8_t)next_x++;
		} else {
			c->x_xlat[x] = (uint8_t)(wormhole ? other_x++ : x);
		}
	}
	/* Rows with workers first, harvested rows behind them. */
	for (int pass = 0; pass < 2; pass++)
		for (int y = 0; y < c->height; y++) {
			bool live = row_has(info, y, TILE_WORKER);
			bool dead = !live && row_has(info, y, TILE_HARVESTED);

			if (pass == 0 && live) {
				c->row_y[c->rows] = (uint8_t)y;
				c->y_row[y] = (uint8_t)c->rows++;
				c->y_xlat[y] = (uint8_t)next_y++;
			} else if (pass == 1 && dead) {
				c->y_xlat[y] = (uint8_t)next_y++;
			} else if (pass == 1 && !live) {
				c->y_xlat[y] = (uint8_t)(wormhole ? other_y++ : y);
			}
		}
	if (!wormhole) /* Blackhole moves harvested columns; with none, translated is physical. */
		for (int i = 0; i < PORT_GRID_MAX; i++)
			c->x_xlat[i] = c->y_xlat[i] = (uint8_t)i;
	for (int row = 0; row < c->rows; row++)
		for (int column = 0; column < c->columns; column++)
			if (info->kind[c->row_y[row]][c->column_x[column]] != TILE_WORKER)
				return ttp_fail(
					e, TTP_FORMAT,
					"tile (%d,%d) is no worker: the workers must be whole rows",
					c->column_x[column], c->row_y[row]);
	c->groups = 1;
	for (size_t i = 0; i < sizeof(dram_of) / sizeof(dram_of[0]); i++)
		if (!strcmp(dram_of[i].arch, info->arch)) {
			c->groups = dram_of[i].groups;
			memcpy(c->dram, dram_of[i].at, sizeof(dram_of[i].at));
		}
	if (info->dram_channels < c->groups || info->dram_channels % c->groups)
		return ttp_fail(e, TTP_FORMAT, "%d DRAM channels behind %d groups of tiles",
				info->dram_channels, c->groups);
	c->banks = info->dram_channels;
	c->bank_bytes = info->dram_bytes;
	return TTP_OK;
}

struct noc1_tile coord_noc1(const struct coord *c, struct tile t)
{
	return (struct noc1_tile){ (uint8_t)(c->width - 1 - t.x), (uint8_t)(c->height - 1 - t.y) };
}

struct tile coord_from_noc1(const struct coord *c, struct noc1_tile t)
{
	return (struct tile){ (uint8_t)(c->width - 1 - t.x), (uint8_t)(c->height - 1 - t.y) };
}

struct xlat_tile coord_xlat(const struct coord *c, struct tile t)
{
	return (struct xlat_tile){ c->x_xlat[t.x], c->y_xlat[t.y] };
}

bool coord_from_xlat(const struct coord *c, struct xlat_tile t, struct tile *out)
{
	int found = 0;

	for (int x = 0; x < c->width; x++)
		if (c->x_xlat[x] == t.x) {
			out->x = (uint8_t)x;
			found |= 1;
		}
	for (int y = 0; y < c->height; y++)
		if (c->y_xlat[y] == t.y) {
			out->y = (uint8_t)y;
			found |= 2;
		}
	return found == 3;
}

bool coord_from_logical(const struct coord *c, struct logical_tile t, struct tile *out)
{
	if (t.x >= c->columns || t.y >= c->rows)
		return false;
	*out = (struct tile){ c->column_x[t.x], c->row_y[t.y] };
	return true;
}

bool coord_logical(const struct coord *c, struct tile t, struct logical_tile *out)
{
	if (t.x >= c->width || t.y >= c->height || c->x_column[t.x] == NONE ||
	    c->y_row[t.y] == NONE)
		return false;
	*out = (struct logical_tile){ c->x_column[t.x], c->y_row[t.y] };
	return true;
}

struct tile coord_bank(const struct coord *c, int bank, uint64_t *offset)
{
	int per_group = c->banks / c->groups;

	if (offset)
		*offset = (uint64_t)(bank % per_group) * c->bank_bytes;
	return c->dram[bank / per_group];
}

uint16_t coord_raw(const struct coord *c, int noc, struct tile t)
{
	if (noc == 1) {
		struct noc1_tile n = coord_noc1(c, t);

		return (uint16_t)(n.x | n.y << 6);
	}
	return (uint16_t)(t.x | t.y << 6);
}

int coord_flat_id(const struct port_info *info, struct tile t, int *count)
{
	int n = 0, id = -1;

	for (int x = 0; x < info->width; x++)
		for (int y = 0; y < info->height; y++) {
			if (info->kind[y][x] != TILE_WORKER && info->kind[y][x] != TILE_ETH)
				continue;
			if (x == t.x && y == t.y)
				id = n;
			n++;
		}
	if (count)
		*count = n;
	return id;
}
