// SPDX-License-Identifier: Apache-2.0
/* buffers KERNEL: every kind of buffer, written and read by the host, and seen by kernels where it says it is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ttp/device.h>

#define CHECK(what)                                                                       \
	do {                                                                              \
		if (!(what)) {                                                            \
			printf("line %d: %s: %s\n", __LINE__, #what, ttp_device_error()); \
			exit(1);                                                          \
		}                                                                         \
	} while (0)

static void fill(uint8_t *at, size_t n, uint32_t seed)
{
	for (size_t i = 0; i < n; i++) {
		seed = seed * 1664525u + 1013904223u;
		at[i] = (uint8_t)(seed >> 24);
	}
}

/* Whole, and in odd pieces over the borders of pages. */
static void round_trip(struct ttp_buffer *b, uint32_t seed)
{
	size_t n = (size_t)ttp_buffer_bytes(b);
	uint8_t *sent = malloc(n), *got = malloc(n);

	CHECK(b && sent && got);
	fill(sent, n, seed);
	CHECK(!ttp_buffer_write(b, 0, sent, n));
	CHECK(!ttp_buffer_read(b, 0, got, n) && !memcmp(sent, got, n));
	fill(sent + n / 3, n / 2, seed + 1);
	CHECK(!ttp_buffer_write(b, n / 3, sent + n / 3, n / 2));
	memset(got, 0, n);
	for (size_t at = 0; at < n; at += 37)
		CHECK(!ttp_buffer_read(b, at, got + at, n - at < 37 ? n - at : 37));
	CHECK(!memcmp(sent, got, n));
	CHECK(ttp_buffer_read(b, n, got, 1) && strstr(ttp_device_error(), "of a buffer of"));
	free(sent);
	free(got);
}

/* `mode` 0: pages of an L1 buffer to DRAM; 1: every core counts its shard up. */
static void run(struct ttp_dev *dev, const char *path, uint32_t mode, struct ttp_cores cores,
		uint32_t from, uint32_t to, uint32_t pages, uint32_t bytes)
{
	struct ttp_program *p = ttp_program_new(dev);
	struct ttp_kernel *k = ttp_program_kernel(p, path, TTP_BRISC, &cores, 1);
	uint32_t args[] = { mode, from, to, pages, bytes };

	CHECK(!ttp_kernel_common_args(k, args, 5));
	CHECK(!ttp_enqueue(p) && !ttp_finish(dev));
	ttp_program_free(p);
}

int main(int argc, char **argv)
{
	enum { PAGES = 100, PAGE = 64, SHARD = 256 };
	struct ttp_dev *dev = ttp_dev_open(0, NULL);
	struct ttp_cores some = TTP_CORES(1, 2, 3, 4);
	struct ttp_buffer *dram, *l1, *shards, *bank, *odd, *again;
	uint8_t sent[PAGES * PAGE], got[PAGES * PAGE];
	uint32_t word;

	CHECK(dev && argc == 2);
	dram = ttp_buffer_new(dev, TTP_DRAM, PAGES * PAGE, PAGE);
	l1 = ttp_buffer_new(dev, TTP_L1, PAGES * PAGE, PAGE);
	odd = ttp_buffer_new(dev, TTP_DRAM, 1000, 44);
	bank = ttp_buffer_new_bank(dev, TTP_DRAM, 7, 5000);
	shards = ttp_buffer_new_sharded(dev, 9 * SHARD, SHARD, &some);
	CHECK(ttp_buffer_page_stride(odd) == 64);
	round_trip(dram, 1);
	round_trip(l1, 2);
	round_trip(odd, 3);
	round_trip(bank, 4);
	round_trip(shards, 5);

	fill(sent, sizeof(sent), 9);
	CHECK(!ttp_buffer_write(l1, 0, sent, sizeof(sent)));
	run(dev, argv[1], 0, TTP_CORE(5, 5), ttp_buffer_address(l1), ttp_buffer_address(dram),
	    PAGES, PAGE);
	CHECK(!ttp_buffer_read(dram, 0, got, sizeof(got)) && !memcmp(sent, got, sizeof(got)));

	for (word = 0; word < 9; word++)
		CHECK(!ttp_buffer_write(shards, word * SHARD, &word, 4));
	run(dev, argv[1], 1, some, ttp_buffer_address(shards), 0, 0, 0);
	for (uint32_t i = 0; i < 9; i++) {
		CHECK(!ttp_buffer_read(shards, i * SHARD, &word, 4) && word == i + 100);
		/* shards go row by row */
		CHECK(!ttp_dev_l1_read(dev, 1 + i % 3, 2 + i / 3, ttp_buffer_address(shards), &word,
				       4));
		CHECK(word == i + 100);
	}
	/* what is given back is taken again */
	again = ttp_buffer_new_bank(dev, TTP_L1, 3, 64);
	word = ttp_buffer_address(again);
	ttp_buffer_free(again);
	again = ttp_buffer_new_bank(dev, TTP_L1, 4, 64);
	CHECK(word && ttp_buffer_address(again) == word);

	/* what is not there */
	CHECK(!ttp_buffer_new(dev, TTP_L1, 64ull << 21, 1 << 20) &&
	      strstr(ttp_device_error(), "no room"));
	CHECK(!ttp_buffer_new(dev, TTP_DRAM, 1ull << 50, 1 << 20) &&
	      strstr(ttp_device_error(), "no room"));
	CHECK(!ttp_buffer_new(dev, TTP_DRAM, 0, 32) && !ttp_buffer_new(dev, TTP_DRAM, 32, 0));
	CHECK(!ttp_buffer_new_bank(dev, TTP_DRAM, 12, 32));
	CHECK(ttp_dev_l1_read(dev, 8, 0, 0, &word, 4) &&
	      ttp_dev_l1_read(dev, 0, 0, 1464 * 1024, &word, 4));
	/* circular buffers and L1 buffers meet */
	{
		struct ttp_program *p = ttp_program_new(dev);
		struct ttp_cores core = TTP_CORE(0, 0);

		CHECK(!ttp_program_cb(p, 0, 10, 65536, NULL, &core, 1));
		CHECK(ttp_program_cb(p, 1, 10, 65536, NULL, &core, 1) == 0);
		CHECK(ttp_program_cb(p, 2, 10, 65536, NULL, &core, 1) == -1 &&
		      strstr(ttp_device_error(), "L1 has"));
		CHECK(ttp_program_cb(p, 1, 1, 64, NULL, &core, 1) == -1);
		CHECK(ttp_program_cb(p, 3, 1, 17, NULL, &core, 1) == -1);
		CHECK(ttp_program_cb(p, 3, 4, 64, shards, &core, 1) == 0);
		CHECK(ttp_program_cb(p, 4, 400, 64, shards, &core, 1) == -1);
		for (int i = 0; i < 16; i++)
			CHECK(ttp_program_semaphore(p, 0, &core, 1) == i);
		CHECK(ttp_program_semaphore(p, 0, &core, 1) == -1);
	}
	CHECK(!ttp_dev_close(dev));
	puts("all buffers are right");
	return 0;
}
