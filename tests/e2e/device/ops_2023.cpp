// SPDX-License-Identifier: Apache-2.0
// ops_2023 DIR: ops as host code of 2023 described them, with logs in folders.
#include <cstdio>
#include <cstdlib>

#include <tools/profiler/op_profiler.hpp>

static void check(bool good)
{
	if (good)
		return;
	std::fprintf(stderr, "error: %s\n", ttp_device_error());
	std::exit(1);
}

int main(int argc, char **argv)
{
	static const char text[] =
		"#include <ttp/kernel.h>\nvoid kernel_main(void) { for (volatile int i = 0; i < 300; i++) ; }\n";
	ttp_dev *dev = ttp_dev_open(0, nullptr);
	const ttp_cores cores = { 0, 0, 3, 0 };
	const uint32_t shape[] = { 1, 2, 33, 64 };
	ttp_buffer *buffer = ttp_buffer_new(dev, TTP_L1, 4096, 2048);
	ttp_tensor *tensor = ttp_tensor_new(buffer, shape, 4, TTP_TILE, TTP_BFLOAT16);

	check(dev && tensor);
	op_profiler::append_meta_data("without an op it goes nowhere");
	if (argc > 1)
		op_profiler::set_profiler_location(argv[1]);
	for (int i = 0; i < 3; i++) {
		ttp_program *program = ttp_program_new(dev);
		ttp_op *op = ttp_op_begin("tt::tt_metal::Matmul", TTP_OP_DEVICE, dev);

		check(op && ttp_program_kernel_text(program, "k.c", text, TTP_BRISC, &cores, 1) &&
		      ttp_program_kernel_text(program, "k.c", text, TTP_COMPUTE, &cores, 1));
		op_profiler::append_meta_data("step, " + std::to_string(i));
		op_profiler::set_parallelization_strategy("MULTI_CORE");
		check(!ttp_op_input(op, tensor) && !ttp_op_output(op, tensor) && !ttp_enqueue(program) &&
		      !ttp_op_end(op));
	}
	ttp_op *op = ttp_op_begin("torch/softmax", TTP_OP_FALLBACK, nullptr);
	check(!ttp_op_end(op));
	ttp_tensor_free(tensor);
	check(!ttp_dev_close(dev));
}
