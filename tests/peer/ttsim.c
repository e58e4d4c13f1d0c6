// SPDX-License-Identifier: Apache-2.0
/*
 * The embedded chip beside Tenstorrent's libttsim_wh.so (named by the first argument): random RV32IM sequences must
 * leave the same registers and memory, and the streaming program of the tests the same DRAM and L1.  The
 * library runs in a child, as it ends its process when something is wrong.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define fail_msg(...) (fprintf(stderr, __VA_ARGS__), fputc('\n', stderr), _exit(1))
#include "../unit/sim_stream.h"
#include "../unit/ttsim_direct.h"

enum {
	SEQUENCES = 10000,
	PER_TILE = 1000,
	TILES = SEQUENCES / PER_TILE,
	LENGTH = 24,
	RESULTS = 0x130000, /* 31 registers a sequence */
	SCRATCH = 0x120000, /* 256 bytes, loaded and stored by sequences */
	PAGES = 12,
	CODE = 0x4000,
};

struct results {
	uint32_t regs[TILES][PER_TILE][32];
	uint32_t scratch[TILES][64];
	uint8_t out[64][PAGES][2048], ring[64][4096];
	uint32_t words[64][64]; /* 0x200 .. 0x2FF */
	bool done;
};

static uint64_t seed;

static uint32_t random32(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 16);
}

static uint32_t below(uint32_t n)
{
	return random32() % n;
}

/* Values at which arithmetic goes wrong, if it does. */
static uint32_t value(void)
{
	static const uint32_t edges[] = { 0,          1,          2,          UINT32_MAX,
					  0x80000000, 0x7FFFFFFF, 0x80000001, 0xFFFFFFFE,
					  0x8000,     0xFFFF,     0x10000,    31 };

	return below(3) ? random32() >> below(32) : edges[below(sizeof(edges) / sizeof(*edges))];
}

/* One instruction; x30 and x31 are bases and never written. */
static void random_instruction(struct code *c, int left)
{
	uint32_t rd = below(30), rs1 = below(30), rs2 = below(30), size;

	switch (below(12)) {
	case 0:
	case 1: /* shifts: the distance instead of an immediate */
		size = below(2) ? 1 : 5;
		emit(c, enc_i(0x13, size, rd, rs1,
			      (int32_t)(below(32) | (size == 5 && below(2) ? 0x400u : 0))));
		break;
	case 2:
	case 3: {
		static const uint32_t f3[] = { 0, 2, 3, 4, 6, 7 };

		emit(c, enc_i(0x13, f3[below(6)], rd, rs1, (int32_t)below(4096) - 2048));
		break;
	}
	case 4:
	case 5:
		size = below(8);
		emit(c, enc_r((size == 0 || size == 5) && below(2) ? 0x20 : 0, size, rd, rs1, rs2));
		break;
	case 6:
	case 7: /* products and quotients */
		emit(c, enc_r(1, below(8), rd, rs1, rs2));
		break;
	case 8: {
		static const uint32_t f3[] = { 0, 1, 2, 4, 5 };

		size = f3[below(5)];
		emit(c,
		     enc_i(0x03, size, rd, 30, (int32_t)(below(256) & ~((1u << (size & 3)) - 1))));
		break;
	}
	case 9:
		size = below(3);
		emit(c, enc_s(size, 30, rs2, (int32_t)(below(256) & ~((1u << size) - 1))));
		break;
	case 10: {
		static const uint32_t f3[] = { 0, 1, 4, 5, 6, 7 };
		int skip = 1 + (int)below(3);

		emit(c, enc_b(f3[below(6)], rs1, rs2, 4 * (skip < left ? skip : left)));
		break;
	}
	default:
		size = below(3);
		if (size == 0)
			emit(c, enc_j(rd, 4 * (left > 1 ? 2 : 1)));
		else
			emit(c, (size == 1 ? 0x37u : 0x17u) | rd << 7 | (random32() & 0xFFFFF000u));
		break;
	}
}

static void random_sequences(struct code *c, int tile)
{
	seed = 0x9E3779B97F4A7C15u * (uint64_t)(tile + 1);
	c->base = CODE;
	c->len = 0;
	li(c, (enum reg)30, SCRATCH);
	li(c, (enum reg)31, RESULTS);
	for (int i = 0; i < PER_TILE; i++) {
		for (uint32_t r = 1; r < 30; r++)
			if (!i || below(4) == 0) /* the others keep what the last one left */
				li(c, (enum reg)r, value());
		for (int k = 0; k < LENGTH; k++)
			random_instruction(c, LENGTH - k);
		for (uint32_t r = 1; r < 30; r++)
			emit(c, enc_s(2, 31, r, (int32_t)(4 * r)));
		addi(c, (enum reg)31, (enum reg)31, 128);
	}
	poke(c, 0x100, 1);
	stop(c);
}

static struct tile tile_of(int i)
{
	return (struct tile){ (uint8_t)(1 + i % 4), (uint8_t)(1 + i / 4) };
}

static void run_sequences(struct port *p, struct results *r)
{
	static struct code c;
	struct watch w[TILES];

	for (int i = 0; i < TILES; i++) {
		random_sequences(&c, i);
		chip_load(p, tile_of(i), &c);
		chip_start(p, tile_of(i), 1 << RISC_B);
		w[i] = (struct watch){ tile_of(i), 0x100, 1, 1 };
	}
	chip_wait(p, w, TILES, 100000000, WAIT_ALL);
	for (int i = 0; i < TILES; i++) {
		p->ops->read(p, tile_of(i), RESULTS, r->regs[i], sizeof(r->regs[i]), NULL);
		p->ops->read(p, tile_of(i), SCRATCH, r->scratch[i], sizeof(r->scratch[i]), NULL);
		chip_start(p, tile_of(i), 0);
		chip_set(p, tile_of(i), 0x100, 0);
	}
}

static void run_stream(struct port *p, struct results *r)
{
	static struct watch w[128 * RISCS];
	size_t n = stream_start(p, PAGES, false, w);

	chip_wait(p, w, n, 100000000, WAIT_ALL);
	for (int i = 0; i < 64; i++) {
		struct tile t = w[i * RISCS].tile;
		uint32_t from = STREAM_OUT + (uint32_t)(i / 6) * 0x100000u;

		p->ops->read(p, stream_dram[i % 6], from, r->out[i], sizeof(r->out[i]), NULL);
		p->ops->read(p, t, STREAM_RING, r->ring[i], sizeof(r->ring[i]), NULL);
		p->ops->read(p, t, 0x200, r->words[i], sizeof(r->words[i]), NULL);
		r->words[i][(STREAM_OLD - 0x200) / 4] = 0; /* who came first is a matter of time */
	}
}

static void run_all(struct port *p, struct results *r)
{
	run_sequences(p, r);
	run_stream(p, r);
	r->done = true;
}

static struct results *shared(void)
{
	void *m = mmap(NULL, sizeof(struct results), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (m == MAP_FAILED)
		exit(1);
	return m;
}

static int failed;

static void result(bool good, const char *name)
{
	printf("%s %s\n", good ? "ok" : "not ok", name);
	failed |= !good;
}

int main(int argc, char **argv)
{
	struct results *ours = shared(), *theirs = shared();
	int status, different = 0;
	struct port *chip;
	pid_t child;

	if (argc != 2)
		return 2;
	child = fork();
	if (child == 0) {
		struct port *p = ttsim_open(argv[1]);

		if (!p)
			fail_msg("cannot load %s", argv[1]);
		run_all(p, theirs);
		_exit(0);
	}
	chip = chip_open(NULL);
	run_all(chip, ours);
	chip->ops->close(chip);
	if (child < 0 || waitpid(child, &status, 0) < 0 || !theirs->done) {
		printf("not ok ttsim_runs_to_the_end\n");
		return 1;
	}
	for (int i = 0; i < TILES; i++)
		for (int k = 0; k < PER_TILE; k++)
			if (memcmp(ours->regs[i][k], theirs->regs[i][k],
				   sizeof(ours->regs[i][k])) &&
			    !different++)
				for (int r = 1; r < 30; r++)
					if (ours->regs[i][k][r] != theirs->regs[i][k][r])
						printf("# tile %d sequence %d: x%d is 0x%x, libttsim has 0x%x\n",
						       i, k, r, ours->regs[i][k][r],
						       theirs->regs[i][k][r]);
	result(!different, "ten_thousand_random_sequences_leave_the_same_registers");
	result(!memcmp(ours->scratch, theirs->scratch, sizeof(ours->scratch)),
	       "they_leave_the_same_memory");
	result(!memcmp(ours->out, theirs->out, sizeof(ours->out)),
	       "streaming_leaves_the_same_dram");
	result(!memcmp(ours->ring, theirs->ring, sizeof(ours->ring)) &&
		       !memcmp(ours->words, theirs->words, sizeof(ours->words)),
	       "streaming_leaves_the_same_l1");
	return failed;
}
