// SPDX-License-Identifier: Apache-2.0
/*
 * planted CAUSE [OPS]: an op that is called again and again, with one thing wrong, which a report must find.
 *
 *	none		nothing: data in L1 of each core, work divided evenly
 *	dram		tensors in DRAM, read and written as fast as it can
 *	compute		eight times the exact GELU of each value, instead of none
 *	imbalance	four cores have eight times the tiles of the others
 *	host		the host looks at every result, and computes on its own before the next op
 *	recompile	a constant in the math kernel is another one for every call
 *	noc		every core reads from the L1 of the same neighbour
 *	hidden		before every second op the host is in write_log for 6 ms, before the others in tokenize for 4 ms
 *	pause		once, in the middle, the host is in load_weights for 300 ms
 *	readout		the profiler is read out after every op
 *	behind		the same, and the host is in tokenize for 4 ms after it
 *
 * The op has the same name, attributes and shapes each time: what is wrong is in the kernels, their arguments, or the host.
 */
#include "../../../examples/device/example.h"

#include <time.h>

#include <ttp/client.h>
#include <ttp/ops.h>

#define PLANTED "tests/e2e/kernels/"
enum { TILE_BYTES = 2048, BATCH = 7, TILES = 133 };

static struct {
	struct ttp_dev *dev;
	struct ttp_cores all;
	bool dram, compute, imbalance, host, recompile, noc, hidden, pause, readout, behind;
	struct ttp_buffer *in, *out;
	uint32_t variant;
} g;

static uint32_t tiles_of(uint32_t x, uint32_t y)
{
	if (!g.imbalance)
		return TILES;
	return y == 0 && x < 4 ? 7 * BATCH * 8 : 7 * BATCH;
}

static void define(struct ttp_kernel *k, const char *name, uint32_t value)
{
	char text[16];

	(void)snprintf(text, sizeof(text), "%u", value);
	CHECK(ttp_kernel_define(k, name, text));
}

static struct ttp_program *make(void)
{
	struct ttp_program *p = ttp_program_new(g.dev);
	struct ttp_kernel *read, *math, *write;
	uint32_t first = 0;

	CHECK(ttp_program_cb(p, 0, 3 * BATCH, TILE_BYTES, NULL, &g.all, 1));
	CHECK(ttp_program_cb(p, 16, 3 * BATCH, TILE_BYTES, NULL, &g.all, 1));
	read = ttp_program_kernel(p, PLANTED "planted_read.c", TTP_BRISC, &g.all, 1);
	math = ttp_program_kernel(p, PLANTED "planted_math.c", TTP_COMPUTE, &g.all, 1);
	write = ttp_program_kernel(p, PLANTED "planted_write.c", TTP_NCRISC, &g.all, 1);
	define(read, "BATCH", BATCH);
	define(math, "BATCH", BATCH);
	define(write, "BATCH", BATCH);
	define(math, "REPEAT", g.compute ? 8 : 0);
	CHECK(ttp_kernel_define(math, "FUNCTION", g.compute ? "TTP_SFPU_GELU" : "TTP_SFPU_NEGATE"));
	if (g.recompile)
		define(math, "VARIANT", g.variant++);
	if (g.dram) {
		CHECK(ttp_kernel_define(read, "FROM_DRAM", NULL));
		CHECK(ttp_kernel_define(write, "TO_DRAM", NULL));
	}
	for (uint32_t y = 0; y <= g.all.y1; y++)
		for (uint32_t x = 0; x <= g.all.x1; x++) {
			uint32_t n = tiles_of(x, y), nx, ny;
			uint32_t in[] = { ttp_buffer_address(g.in), g.dram ? first : 0, n, 0, 0 };
			uint32_t out[] = { ttp_buffer_address(g.out), g.dram ? first : 0, n };

			CHECK(ttp_dev_noc_core(g.dev, g.noc ? 3 : x, g.noc ? 3 : y, &nx, &ny));
			in[3] = nx;
			in[4] = ny;
			CHECK(ttp_kernel_args(read, x, y, in, 5));
			CHECK(ttp_kernel_args(math, x, y, &n, 1));
			CHECK(ttp_kernel_args(write, x, y, out, 3));
			first += n;
		}
	return p;
}

static void sleep_ms(long ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	(void)nanosleep(&t, NULL);
}

/* Work of the host that takes its time, in the host's own clock; PLANTED_HOST_MS: more than a busy machine makes of it by itself. */
static void work_on_the_host(void)
{
	const char *ms = getenv("PLANTED_HOST_MS");
	uint16_t some[TILE_BYTES / 2];

	CHECK(ttp_buffer_read(g.out, 0, some, sizeof(some)));
	sleep_ms(ms ? strtol(ms, NULL, 10) : 2);
}

static void write_log(void)
{
	TTP_ZONE("write_log");
	sleep_ms(6);
}

static void tokenize(void)
{
	TTP_ZONE("tokenize");
	sleep_ms(4);
}

/* Short beside what the profiler takes for a read-out. */
static void detokenize(void)
{
	struct timespec t = { .tv_nsec = 200 * 1000 };

	TTP_ZONE("detokenize");
	(void)nanosleep(&t, NULL);
}

static void load_weights(void)
{
	TTP_ZONE("load_weights");
	sleep_ms(300);
}

static void between_ops(uint32_t i, uint32_t ops)
{
	if (g.hidden && i % 2)
		write_log();
	else if (g.hidden)
		tokenize();
	else if (g.pause && i == ops / 2)
		load_weights();
	else if ((g.readout || g.behind) && i)
		CHECK(ttp_dev_read_profiler(g.dev));
	if (g.behind)
		detokenize();
}

int main(int argc, char **argv)
{
	const char *cause = argc > 1 ? argv[1] : "none";
	uint32_t ops = argument(argc, argv, 2, 4), cores;
	uint32_t shape[4] = { 1, 1, 32, 0 };
	struct ttp_program *program = NULL;
	struct ttp_tensor *in, *out;

	g.dram = !strcmp(cause, "dram");
	g.compute = !strcmp(cause, "compute");
	g.imbalance = !strcmp(cause, "imbalance");
	g.host = !strcmp(cause, "host");
	g.recompile = !strcmp(cause, "recompile");
	g.noc = !strcmp(cause, "noc");
	g.hidden = !strcmp(cause, "hidden");
	g.pause = !strcmp(cause, "pause");
	g.readout = !strcmp(cause, "readout");
	g.behind = !strcmp(cause, "behind");
	g.variant = (uint32_t)time(NULL) << 8; /* that no cache has */
	g.dev = ttp_dev_open(0, NULL);
	CHECK(!g.dev);
	g.all = whole_grid(g.dev);
	cores = (g.all.x1 + 1) * (g.all.y1 + 1);
	shape[3] = cores * TILES * 32;
	if (g.dram) {
		g.in = ttp_buffer_new(g.dev, TTP_DRAM, (uint64_t)cores * TILES * TILE_BYTES,
				      TILE_BYTES);
		g.out = ttp_buffer_new(g.dev, TTP_DRAM, (uint64_t)cores * TILES * TILE_BYTES,
				       TILE_BYTES);
	} else {
		/* Of a core's tiles BATCH are there; the kernels take them again and again. */
		g.in = ttp_buffer_new_sharded(g.dev, (uint64_t)cores * BATCH * TILE_BYTES,
					      BATCH * TILE_BYTES, &g.all);
		g.out = ttp_buffer_new_sharded(g.dev, (uint64_t)cores * BATCH * TILE_BYTES,
					       BATCH * TILE_BYTES, &g.all);
	}
	in = ttp_tensor_new(g.in, shape, 4, TTP_TILE, TTP_BFLOAT16);
	out = ttp_tensor_new(g.out, shape, 4, TTP_TILE, TTP_BFLOAT16);
	CHECK(!g.in || !g.out || !in || !out);
	for (uint32_t i = 0; i < ops; i++) {
		struct ttp_op *op = ttp_op_begin("UnaryDeviceOperation", TTP_OP_DEVICE, g.dev);

		if (!program || g.recompile) {
			ttp_program_free(program);
			program = make();
		}
		CHECK(ttp_op_input(op, in));
		CHECK(ttp_op_output(op, out));
		CHECK(ttp_enqueue(program));
		CHECK(ttp_op_end(op));
		if (i == 0 && !g.recompile) {
			CHECK(ttp_finish(g.dev));
			ttp_signpost("start",
				     NULL); /* what was built for the first op is not meant */
		}
		if (g.host)
			work_on_the_host();
		between_ops(i, ops);
	}
	ttp_tensor_free(in);
	ttp_tensor_free(out);
	CHECK(ttp_dev_close(g.dev));
	return 0;
}
