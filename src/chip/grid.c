// SPDX-License-Identifier: Apache-2.0
#include "chip/grid.h"

#include "chip/soc.h"

/* tt-metal tt_metal/soc_descriptors/blackhole_140_arch.yaml@049e2880 */
static const char *const blackhole[] = {
	"d.......ad.p.....", "deeeeeee.deeeeeee", "dwwwwwww.dwwwwwww", "dwwwwwww.dwwwwwww",
	"dwwwwwww.dwwwwwww", "dwwwwwww.dwwwwwww", "dwwwwwww.dwwwwwww", "dwwwwwww.dwwwwwww",
	"dwwwwwww.dwwwwwww", "dwwwwwww.dwwwwwww", "dwwwwwww.dwwwwwww", "dwwwwwww.dwwwwwww",
};

/* tt-metal tt_metal/soc_descriptors/grayskull_120_arch.yaml@049e2880 */
static const char *const grayskull[] = {
	".d..d..d..d..", ".wwwwwwwwwwww", "awwwwwwwwwwww", ".wwwwwwwwwwww",
	"pwwwwwwwwwwww", ".wwwwwwwwwwww", ".d..d..d..d..", ".wwwwwwwwwwww",
	".wwwwwwwwwwww", ".wwwwwwwwwwww", ".wwwwwwwwwwww", ".wwwwwwwwwwww",
};

static void fill(struct chip_grid *g, const char *const *rows, int height)
{
	g->height = height;
	g->width = (int)strlen(rows[0]);
	for (int y = 0; y < height; y++)
		for (int x = 0; x < g->width; x++) {
			char c = rows[y][x];

			g->tile[y][x] = c >= '0' && c <= '9' ? 'd' : c; /* a DRAM group's number */
			g->workers += c == 'w';
		}
}

bool chip_grid_find(struct str arch, struct chip_grid *out)
{
	const struct soc *soc = soc_find(arch);

	memset(out, 0, sizeof(*out));
	if (soc) {
		out->arch = soc->arch;
		fill(out, soc->row, soc->height);
	} else if (str_eq_nocase(arch, STR("blackhole"))) {
		out->arch = "blackhole";
		out->columns_fail = true;
		fill(out, blackhole, (int)(sizeof(blackhole) / sizeof(*blackhole)));
	} else if (str_eq_nocase(arch, STR("grayskull"))) {
		out->arch = "grayskull";
		fill(out, grayskull, (int)(sizeof(grayskull) / sizeof(*grayskull)));
	}
	return out->width > 0;
}

char chip_grid_tile(const struct chip_grid *g, int x, int y)
{
	return x < 0 || y < 0 || x >= g->width || y >= g->height ? '.' : g->tile[y][x];
}

uint64_t chip_grid_off(const struct chip_grid *g, uint64_t used, int64_t workers)
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
	return workers > 0 && (used & has) && idle <= g->workers - workers ? has & ~used : 0;
}
