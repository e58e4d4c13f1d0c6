// SPDX-License-Identifier: Apache-2.0
/* What kernels do to memory: copies, multicast, compute; tt-metal's spelling; the documents' kernels. */
#include "device_probe.h"

#include <dirent.h>

#define TRY(call)                          \
	do {                               \
		const char *wrong_ = call; \
		if (wrong_)                \
			return wrong_;     \
	} while (0)

#define DRAM_A 0x2000000u
#define DRAM_B 0x3000000u
#define DRAM_C 0x4000000u

static const char *kernel(struct probe *p, struct launch_tile *work, int risc, const char *file)
{
	work->kernel[risc] = probe_kernel(p, file, risc);
	return work->kernel[risc] ? NULL : because("%s: %.900s", file, p->reason);
}

/* A page of a buffer that is spread over the banks. */
static const char *page(struct probe *p, bool write, uint32_t base, uint32_t bytes, uint32_t i,
			void *data)
{
	struct ttp_err e;
	uint64_t offset;
	int banks = p->device.coord.banks;
	struct tile t = coord_bank(&p->device.coord, (int)i % banks, &offset);
	uint64_t at = offset + base + (uint64_t)(i / (uint32_t)banks) * bytes;

	if (write ? p->port->ops->write(p->port, t, at, data, bytes, &e)
		  : p->port->ops->read(p->port, t, at, data, bytes, &e))
		return because("%s", e.msg);
	return NULL;
}

static void cb(struct ttp_cb_config *c, uint32_t *mask, int n, uint32_t addr, uint32_t page_bytes,
	       uint32_t pages)
{
	c[n] = (struct ttp_cb_config){ addr, page_bytes * pages, page_bytes, pages };
	*mask |= 1u << n;
}

/* Every tile copies its pages, one core reading, one writing; a page is 2 KiB. */
static const char *dram_copy(struct probe *p)
{
	enum { PAGES = 12, BYTES = 2048 };
	struct ttp_cb_config cbs[TTP_CBS] = { 0 };
	struct launch_tile like = { .cbs = cbs }, *work;
	uint32_t(*args)[2][5];
	uint32_t data[BYTES / 4], n;
	const char *wrong = NULL;

	TRY(probe_start(p, 1000));
	TRY(kernel(p, &like, 0, "copy_reader.cpp"));
	TRY(kernel(p, &like, 1, "copy_writer.cpp"));
	cb(cbs, &like.cb_mask, 0, TTP_L1_FREE, BYTES, 3);
	n = p->workers * PAGES;
	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t k = 0; k < BYTES / 4; k++)
			data[k] = i * 0x10001 + k;
		TRY(page(p, true, DRAM_A, BYTES, i, data));
	}
	work = mem_alloc(p->workers, sizeof(*work));
	args = mem_alloc(p->workers, sizeof(*args));
	for (unsigned i = 0; i < p->workers; i++) {
		work[i] = like;
		work[i].tile = probe_worker(p, (int)i);
		for (int r = 0; r < 2; r++) {
			uint32_t a[5] = { r ? DRAM_B : DRAM_A, PAGES, BYTES, i * PAGES, 0 };

			memcpy(args[i][r], a, sizeof(a));
			work[i].args[r] = (struct words){ args[i][r], 5 };
		}
	}
	wrong = probe_run_on(p, work, p->workers, 1);
	free(work);
	free(args);
	if (wrong)
		return wrong;
	for (uint32_t i = 0; i < n; i++) {
		TRY(page(p, false, DRAM_B, BYTES, i, data));
		for (uint32_t k = 0; k < BYTES / 4; k++)
			CHECK(data[k] == i * 0x10001 + k, "page %u word %u is 0x%x", i, k, data[k]);
	}
	TRY(probe_read(p));
	CHECK(probe_count(p, MARKER_ZONE_END, 0, "READ-PAGE") == n, "READ-PAGE");
	CHECK(probe_count(p, MARKER_ZONE_END, 1, "WRITE-PAGE") == n, "WRITE-PAGE");
	return NULL;
}

static const char *multicast_and_semaphores(struct probe *p)
{
	struct launch_tile like = { 0 }, work[4];
	uint32_t args[4][4], zeros[4] = { 0 };
	struct ttp_err e;

	TRY(probe_start(p, 1000));
	TRY(kernel(p, &like, 0, "multicast.c"));
	TRY(kernel(p, &like, 1, "multicast.c"));
	for (int i = 0; i < 4; i++) {
		struct tile t = probe_worker(p, i);
		struct xlat_tile first = coord_xlat(&p->device.coord, probe_worker(p, 0));
		uint32_t a[4] = { !i, first.x, first.x + 3u, first.y };

		memcpy(args[i], a, sizeof(a));
		work[i] = like;
		work[i].tile = t;
		work[i].args[0] = work[i].args[1] = (struct words){ args[i], 4 };
		work[i].semaphores = zeros;
		work[i].semaphores_n = 4;
	}
	TRY(probe_run_on(p, work, 4, 1));
	for (int i = 0; i < 4; i++)
		for (int noc = 0; noc < 2; noc++) {
			uint32_t line[64];

			CHECK(!p->port->ops->read(p->port, work[i].tile,
						  TTP_L1_FREE + 0x100 + (uint64_t)noc * 0x1000,
						  line, sizeof(line), &e),
			      "%s", e.msg);
			for (uint32_t k = 0; k < 64; k++)
				CHECK(line[k] == 0xC0DE0000u + k, "tile %d NoC %d word %u is 0x%x",
				      i, noc, k, line[k]);
		}
	TRY(probe_read(p));
	CHECK(probe_count(p, MARKER_ZONE_END, -1, "RECEIVE") == 6, "RECEIVE");
	return NULL;
}

static uint16_t bf16(float f)
{
	uint32_t bits;

	memcpy(&bits, &f, 4);
	return (uint16_t)(bits >> 16);
}

static float from_bf16(uint16_t h)
{
	uint32_t bits = (uint32_t)h << 16;
	float f;

	memcpy(&f, &bits, 4);
	return f;
}

/* Element (row, column) of a tile: four faces of 16 x 16. */
static int at(int row, int column)
{
	return (row / 16 * 2 + column / 16) * 256 + row % 16 * 16 + column % 16;
}

static const char *compute(struct probe *p, const char *file, uint32_t tiles)
{
	struct ttp_cb_config cbs[TTP_CBS] = { 0 };
	struct launch_tile work = { .cbs = cbs };
	uint32_t reader[4] = { DRAM_A, DRAM_B, tiles, 0 }, writer[5] = { DRAM_C, 1, 2048, 0, 16 };

	TRY(kernel(p, &work, 0, "copy_writer.cpp"));
	TRY(kernel(p, &work, 1, "pair_reader.cpp"));
	for (int r = 2; r < RISCS; r++)
		TRY(kernel(p, &work, r, file));
	cb(cbs, &work.cb_mask, 0, TTP_L1_FREE, 2048, 2);
	cb(cbs, &work.cb_mask, 1, TTP_L1_FREE + 4096, 2048, 2);
	cb(cbs, &work.cb_mask, 16, TTP_L1_FREE + 8192, 2048, 2);
	work.tile = probe_worker(p, 9);
	if (!strcmp(file, "compute_pair.cpp"))
		writer[1] = tiles;
	work.args[0] = (struct words){ writer, 5 };
	work.args[1] = (struct words){ reader, 4 };
	work.args[2] = (struct words){ &tiles, 1 };
	return probe_run_on(p, &work, 1, 1);
}

static const char *fill(struct probe *p, uint32_t base, uint32_t tiles, int seed)
{
	uint16_t tile[1024];

	for (uint32_t i = 0; i < tiles; i++) {
		for (int r = 0; r < 32; r++)
			for (int c = 0; c < 32; c++)
				tile[at(r, c)] =
					bf16((float)((r * 3 + c * 5 + (int)i + seed) % 7 - 3));
		TRY(page(p, true, base, 2048, i, tile));
	}
	return NULL;
}

static const char *eltwise_add(struct probe *p)
{
	uint16_t tile[1024];

	TRY(probe_start(p, 1000));
	TRY(fill(p, DRAM_A, 5, 0));
	TRY(fill(p, DRAM_B, 5, 2));
	TRY(compute(p, "compute_pair.cpp", 5));
	for (int i = 0; i < 5; i++) {
		TRY(page(p, false, DRAM_C, 2048, (uint32_t)i, tile));
		for (int r = 0; r < 32; r++)
			for (int c = 0; c < 32; c++) {
				float want = (float)((r * 3 + c * 5 + i) % 7 - 3 +
						     (r * 3 + c * 5 + i + 2) % 7 - 3);

				CHECK(from_bf16(tile[at(r, c)]) == want,
				      "tile %d (%d,%d): %g not %g", i, r, c,
				      (double)from_bf16(tile[at(r, c)]), (double)want);
			}
	}
	TRY(probe_read(p));
	CHECK(probe_count(p, MARKER_ZONE_END, -1, "COMPUTE-TILE") == 15, "COMPUTE-TILE");
	return NULL;
}

static const char *matmul(struct probe *p)
{
	uint16_t tile[1024];

	TRY(probe_start(p, 1000));
	TRY(fill(p, DRAM_A, 3, 0));
	TRY(fill(p, DRAM_B, 3, 2));
	TRY(compute(p, "compute_matmul.cpp", 3));
	TRY(page(p, false, DRAM_C, 2048, 0, tile));
	for (int r = 0; r < 32; r++)
		for (int c = 0; c < 32; c++) {
			float want = 0;

			for (int i = 0; i < 3; i++)
				for (int k = 0; k < 32; k++)
					want += (float)((r * 3 + k * 5 + i) % 7 - 3) *
						(float)((k * 3 + c * 5 + i + 2) % 7 - 3);
			/* Small whole numbers: bf16 has 8 bits. */
			CHECK(from_bf16(tile[at(r, c)]) - want <= 2 &&
				      want - from_bf16(tile[at(r, c)]) <= 2,
			      "(%d,%d): %g not %g", r, c, (double)from_bf16(tile[at(r, c)]),
			      (double)want);
		}
	return NULL;
}

/* Every kernel of the documents that PROBE_DOCUMENTS has, for both data-movement cores. */
static const char *documents_kernels(struct probe *p)
{
	const char *folder = getenv("PROBE_DOCUMENTS");
	struct ttp_cb_config cbs[TTP_CBS] = { 0 };
	struct launch_tile work = { .cbs = cbs };
	uint32_t args[3] = { DRAM_A, DRAM_B, 2 }, data[512];
	struct dirent *d;
	DIR *dir;
	int n = 0;

	p->profile = 9;
	TRY(probe_start(p, 1000));
	cb(cbs, &work.cb_mask, 0, TTP_L1_FREE, 2048, 2);
	work.args[0] = work.args[1] = (struct words){ args, 3 };
	for (uint32_t k = 0; k < 512; k++)
		data[k] = 77 + k;
	TRY(page(p, true, DRAM_A, 2048, 1, data));
	p->folder = folder;
	work.tile = probe_worker(p, 3);
	dir = opendir(folder);
	CHECK(dir, "%s can't be read", folder);
	while ((d = readdir(dir)))
		if (strstr(d->d_name, ".cpp")) {
			n++;
			TRY(kernel(p, &work, 0, d->d_name));
			TRY(kernel(p, &work, 1, d->d_name));
			TRY(probe_run_on(p, &work, 1, (uint32_t)n));
		}
	closedir(dir);
	CHECK(n >= 8, "%d kernels in %s", n, folder);
	TRY(probe_read(p));
	TRY(page(p, false, DRAM_B, 2048, 0, data));
	CHECK(data[0] == 77, "the end-to-end kernel copied 0x%x", data[0]);
	CHECK(probe_count(p, MARKER_ZONE_END, 0, "DATAFLOW-KERNEL") == 1, "DATAFLOW-KERNEL");
	CHECK(probe_count(p, MARKER_ZONE_END, 0, "KERNEL-INNER-LOOP") == 1, "KERNEL-INNER-LOOP");
	return NULL;
}

const struct scenario scenarios_kernels[] = {
	{ "dram_copy", true, dram_copy },
	{ "multicast_and_semaphores", true, multicast_and_semaphores },
	{ "eltwise_add", false, eltwise_add },
	{ "matmul", false, matmul },
	{ "documents_kernels", true, documents_kernels },
	{ NULL, false, NULL },
};
