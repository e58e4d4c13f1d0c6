// SPDX-License-Identifier: Apache-2.0
/* ops WHAT: ops of every kind, for tests/e2e/run_profile. */
#include "../../../examples/device/example.h"

#include <ttp/client.h>
#include <ttp/ops.h>

static struct ttp_dev *dev;

static struct ttp_program *small_program(uint32_t cores)
{
	static const char text[] =
		"#include <ttp/kernel.h>\nvoid kernel_main(void) { for (volatile int i = 0; i < 300; i++) ; }\n";
	struct ttp_cores some = TTP_CORES(0, 0, cores - 1, 0);
	struct ttp_program *p = ttp_program_new(dev);

	/* Two, which don't start in the same cycle: tt-metal's script divides by that distance. */
	CHECK(!ttp_program_kernel_text(p, "small.c", text, TTP_BRISC, &some, 1) ||
	      !ttp_program_kernel_text(p, "small.c", text, TTP_NCRISC, &some, 1));
	return p;
}

static void kinds(void)
{
	uint32_t odd[] = { 3, 1, 33, 65 }, five[] = { 2, 3, 4, 5, 6 }, wide[] = { 4, 1, 40, 70 };
	struct ttp_cores four = TTP_CORES(0, 0, 3, 0);
	struct ttp_buffer *dram = ttp_buffer_new(dev, TTP_DRAM, 4096, 2048);
	struct ttp_buffer *l1 = ttp_buffer_new_sharded(dev, 4096, 1024, &four);
	struct ttp_buffer *bank = ttp_buffer_new_bank(dev, TTP_L1, 2, 4096);
	struct ttp_tensor *t[] = {
		ttp_tensor_new(dram, odd, 4, TTP_TILE, TTP_BFLOAT8_B),
		ttp_tensor_new(l1, five, 5, TTP_ROW_MAJOR, TTP_FLOAT32),
		ttp_tensor_new(bank, odd, 2, TTP_CHANNELS_LAST, TTP_UINT32),
		ttp_tensor_new(NULL, odd + 3, 1, TTP_TILE, TTP_BFLOAT16),
	};
	double in[] = { 1.5, 2 }, out[] = { 0.25 };
	struct ttp_program *p = small_program(4);
	struct ttp_op *op, *inner;

	CHECK(ttp_tensor_padded(t[2], wide, 4) || ttp_tensor_memory_layout(t[1], "HEIGHT_SHARDED"));
	op = ttp_op_begin("Some, \"quoted\" `op`\n", TTP_OP_DEVICE, dev);
	CHECK(ttp_op_current() != op);
	CHECK(ttp_op_attribute(op, "a", "1") ||
	      ttp_op_attribute(op, "b", "tick ` quote \" comma, line\n") ||
	      ttp_op_attribute(op, "a", "2"));
	for (int i = 0; i < 3; i++)
		CHECK(ttp_op_input(op, t[i]));
	CHECK(ttp_op_output(op, t[3]));
	CHECK(ttp_op_parallelization(op, "SINGLE_CORE") || ttp_op_model(op, 100, 90, 80) ||
	      ttp_op_model_bandwidths(op, in, 2, out, 1));
	CHECK(ttp_op_kernel(op, "x/compute.cpp", "compute/1", 2) ||
	      ttp_op_kernel(op, "x/read.cpp", "read/1", 0));
	CHECK(ttp_op_program_cache(op, UINT64_C(0xFEDCBA9876543210), true));
	CHECK(ttp_op_end(op));

	op = ttp_op_begin("torch.softmax", TTP_OP_FALLBACK, NULL);
	CHECK(ttp_op_input(op, t[3]));
	inner = ttp_op_begin("tilize", TTP_OP_CPU, NULL);
	CHECK(ttp_op_meta_data(ttp_op_current(), "one") || ttp_op_meta_data(inner, "two"));
	CHECK(ttp_op_end(inner) || ttp_op_end(op));

	/* The first program inside is the op's; a second one goes by itself. */
	op = ttp_op_begin("Auto", TTP_OP_DEVICE, dev);
	CHECK(ttp_enqueue(p) || ttp_enqueue(small_program(1)));
	CHECK(ttp_program_id(p) != ttp_op_id(op) >> 10);
	ttp_program_free(p);
	CHECK(ttp_op_end(op));
	for (int i = 0; i < 4; i++)
		ttp_tensor_free(t[i]);
}

/* The same op again, with and without something new about it. */
static void again(void)
{
	struct ttp_program *p = small_program(1), *other = small_program(2);
	uint32_t shape[] = { 32, 32 };
	struct ttp_tensor *t = ttp_tensor_new(NULL, shape, 2, TTP_TILE, TTP_BFLOAT16);

	for (int i = 0; i < 8; i++) {
		struct ttp_op *op = ttp_op_begin("Again", TTP_OP_DEVICE, dev);

		CHECK(ttp_op_program(op, i == 7 ? other : p) || ttp_op_input(op, t));
		if (i == 3)
			CHECK(ttp_op_meta_data(op, "only this one"));
		if (i == 5)
			CHECK(ttp_op_attribute(op, "new", "yes"));
		CHECK(ttp_enqueue(i == 7 ? other : p) || ttp_op_end(op));
	}
	ttp_tensor_free(t);
}

/* Tensors, attributes and kernels that do not fit into a message. */
static void large(uint32_t tensors, uint32_t attributes, uint32_t kernels,
		  struct ttp_program *program)
{
	struct ttp_op *op = ttp_op_begin("Large", TTP_OP_DEVICE, dev);
	uint32_t shape[] = { 1, 1, 32, 32 };
	struct ttp_tensor *t = ttp_tensor_new(NULL, shape, 4, TTP_TILE, TTP_BFLOAT16);
	char name[64], value[200];

	memset(value, 'v', sizeof(value) - 1);
	value[sizeof(value) - 1] = 0;
	if (program)
		CHECK(ttp_enqueue(program));
	for (uint32_t i = 0; i < tensors; i++)
		CHECK(ttp_op_input(op, t));
	for (uint32_t i = 0; i < attributes; i++) {
		(void)snprintf(name, sizeof(name), "attribute%u", i);
		CHECK(ttp_op_attribute(op, name, value));
	}
	for (uint32_t i = 0; i < kernels; i++) {
		(void)snprintf(name, sizeof(name), "kernels/number%u.cpp", i);
		CHECK(ttp_op_kernel(op, name, value, 4));
	}
	CHECK(ttp_op_end(op));
	ttp_tensor_free(t);
}

static void traced(void)
{
	struct ttp_program *p = small_program(2);
	struct ttp_op *op = ttp_op_begin("Before", TTP_OP_DEVICE, dev);
	struct ttp_trace *trace;

	CHECK(ttp_op_program(op, p) || ttp_enqueue(p) || ttp_op_end(op));
	trace = ttp_trace_begin(dev);
	for (int i = 0; i < 2; i++) {
		op = ttp_op_begin(i ? "Second" : "First", TTP_OP_DEVICE, dev);
		CHECK(ttp_op_program(op, p) || ttp_enqueue(p) || ttp_op_end(op));
	}
	CHECK(ttp_trace_end(trace));
	for (int i = 0; i < 3; i++)
		CHECK(ttp_trace_replay(trace));
	CHECK(ttp_finish(dev));
	ttp_trace_release(trace);
	ttp_signpost("done", "with traces");
}

/* Everything that an op can do with the device. */
static void calls(void)
{
	struct ttp_buffer *b = ttp_buffer_new(dev, TTP_DRAM, 4096, 2048);
	struct ttp_op *op = ttp_op_begin("Calls", TTP_OP_DEVICE, dev);
	struct ttp_program *p = small_program(1);
	char bytes[4096] = { 0 };

	CHECK(ttp_buffer_write(b, 0, bytes, sizeof(bytes)) || ttp_enqueue(p) ||
	      ttp_buffer_read(b, 0, bytes, sizeof(bytes)) || ttp_dev_read_profiler(dev) ||
	      ttp_op_end(op));
}

static int fails(int failed)
{
	printf("%s\n", failed ? ttp_device_error() : "did not fail");
	return 0;
}

static void misuse(void)
{
	struct ttp_op *outer = ttp_op_begin("Outer", TTP_OP_DEVICE, dev);
	struct ttp_op *inner = ttp_op_begin("Inner", TTP_OP_DEVICE, dev);
	struct ttp_program *p = small_program(1), *q = small_program(1);
	uint32_t shape[] = { 1 };

	CHECK(fails(!ttp_op_begin("", TTP_OP_CPU, NULL)) ||
	      fails(!ttp_op_begin("x", (enum ttp_op_type)7, NULL)));
	CHECK(fails(ttp_op_end(outer)));
	CHECK(ttp_op_program(inner, p));
	CHECK(fails(ttp_op_program(outer, p)) || fails(ttp_op_program(inner, q)));
	CHECK(fails(ttp_op_attribute(inner, NULL, "x")) ||
	      fails(ttp_op_kernel(inner, "x", NULL, 0)));
	CHECK(fails(!ttp_tensor_new(NULL, NULL, 3, TTP_TILE, TTP_BFLOAT16)) ||
	      fails(!ttp_tensor_new(NULL, shape, 1, (enum ttp_layout)9, TTP_BFLOAT16)));
	CHECK(ttp_op_end(inner) || ttp_op_end(outer));
	/* NULL is taken everywhere. */
	CHECK(!ttp_op_end(NULL) || !ttp_op_program(NULL, p) || !ttp_op_input(NULL, NULL) ||
	      ttp_op_id(NULL) || !ttp_op_attribute(NULL, "a", "b") ||
	      !ttp_op_model(NULL, 1, 1, 1) || !ttp_tensor_padded(NULL, shape, 1));
	ttp_tensor_free(NULL);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "kinds";

	dev = ttp_dev_open((int)argument(argc, argv, 5, 0), NULL);
	CHECK(!dev);
	if (!strcmp(what, "kinds"))
		kinds();
	else if (!strcmp(what, "again"))
		again();
	else if (!strcmp(what, "large"))
		large(argument(argc, argv, 2, 0), argument(argc, argv, 3, 0),
		      argument(argc, argv, 4, 0), NULL);
	else if (!strcmp(what, "again_large"))
		large(1000, 100, 100, small_program(1));
	else if (!strcmp(what, "traced"))
		traced();
	else if (!strcmp(what, "calls"))
		calls();
	else if (!strcmp(what, "misuse"))
		misuse();
	CHECK(ttp_dev_close(dev));
	return 0;
}
