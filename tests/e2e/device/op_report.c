// SPDX-License-Identifier: Apache-2.0
/* op_report: a matmul with a model, then ops on two sub-devices, for the op report's tests in run_modes. */
#include "../../../examples/device/example.h"

#include <ttp/ops.h>

static struct ttp_dev *dev;

static void run(const char *code, struct ttp_cores cores, const struct ttp_tensor *in,
		const struct ttp_tensor *out, bool model)
{
	static const char text[] =
		"#include <ttp/kernel.h>\nvoid kernel_main(void) { for (volatile int i = 0; i < 50; i++) ; }\n";
	double bandwidths[] = { 292.5714416503906, 292.5714416503906 };
	struct ttp_op *op = ttp_op_begin(code, TTP_OP_DEVICE, dev);
	struct ttp_program *p = ttp_program_new(dev);

	CHECK(!ttp_program_kernel_text(p, "small.c", text, TTP_BRISC, &cores, 1));
	CHECK(ttp_op_program(op, p) || ttp_op_input(op, in) || ttp_op_output(op, out));
	if (model)
		CHECK(ttp_op_model(op, 7, 1, 7) ||
		      ttp_op_model_bandwidths(op, bandwidths, 2, bandwidths, 1));
	CHECK(ttp_enqueue(p) || ttp_op_end(op));
}

int main(void)
{
	uint32_t in_shape[] = { 1, 1, 1, 65 }, out_shape[] = { 2, 3, 33, 64 };
	struct ttp_cores subs[] = { TTP_CORES(0, 0, 3, 3), TTP_CORES(0, 4, 4, 4) };
	struct ttp_tensor *in, *out;

	dev = ttp_dev_open(0, NULL);
	CHECK(!dev);
	in = ttp_tensor_new(NULL, in_shape, 4, TTP_TILE, TTP_BFLOAT16);
	out = ttp_tensor_new(NULL, out_shape, 4, TTP_TILE, TTP_FLOAT32);
	run("MatmulDeviceOperation", TTP_CORE(0, 0), in, out, true);
	CHECK(ttp_finish(dev) || ttp_dev_sub_devices(dev, subs, 2) < 0);
	run("BinaryNgDeviceOperation", TTP_CORES(0, 0, 1, 1), in, out, false);
	run("BinaryNgDeviceOperation", TTP_CORES(0, 0, 3, 3), in, out, false);
	run("BinaryNgDeviceOperation", TTP_CORES(0, 4, 4, 4), in, out, false);
	run("UnaryDeviceOperation", TTP_CORES(0, 0, 3, 3), in, out, false);
	ttp_tensor_free(in);
	ttp_tensor_free(out);
	return ttp_dev_close(dev) != 0;
}
