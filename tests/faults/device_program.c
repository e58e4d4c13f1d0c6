// SPDX-License-Identifier: Apache-2.0
/*
 * device_program: opens a device, runs an op with a kernel on four cores, reads the sum that it made, closes; twice.  Prints
 * what failed, for tests/faults/run.  It allocates nothing itself.
 */
#include <stdio.h>
#include <unistd.h>

#include <ttp/device.h>
#include <ttp/ops.h>

static const char kernel_text[] = "#include <ttp/kernel.h>\n"
				  "void kernel_main(void)\n"
				  "{\n"
				  "	volatile uint32_t *at = TTP_L1(ttp_get_arg(0));\n"
				  "	DeviceZoneScopedN(\"ADD\");\n"
				  "	*at = ttp_get_arg(1) + ttp_get_arg(2);\n"
				  "}\n";

static int failed(const char *what)
{
	char line[700];
	int n = snprintf(line, sizeof(line), "device_program: error: %s: %s\n", what,
			 ttp_device_error());

	(void)!write(STDERR_FILENO, line, (size_t)n);
	return 1;
}

static int use(struct ttp_dev *dev, int turn)
{
	const struct ttp_cores cores = TTP_CORES(0, 0, 1, 1);
	struct ttp_buffer *buffer = ttp_buffer_new(dev, TTP_L1, 1 << 16, 1 << 10);
	struct ttp_op *op = ttp_op_begin("Add", TTP_OP_DEVICE, dev);
	struct ttp_program *program = ttp_program_new(dev);
	struct ttp_kernel *kernel =
		ttp_program_kernel_text(program, "add.c", kernel_text, TTP_BRISC, &cores, 1);
	uint32_t words[] = { ttp_buffer_address(buffer), 40, 2 + (uint32_t)turn }, sum = 0;
	char line[32];
	int n;

	for (uint32_t i = 0; i < 4; i++)
		if (ttp_kernel_args(kernel, i % 2, i / 2, words, 3))
			return failed("arguments");
	if (ttp_op_attribute(op, "turn", "n") || ttp_op_program(op, program))
		return failed("op");
	if (ttp_enqueue(program))
		return failed("enqueue");
	if (ttp_finish(dev))
		return failed("finish");
	if (ttp_op_end(op))
		return failed("end of op");
	if (ttp_dev_l1_read(dev, 1, 1, words[0], &sum, sizeof(sum)))
		return failed("read");
	n = snprintf(line, sizeof(line), "%u\n", sum);
	return write(STDOUT_FILENO, line, (size_t)n) == n ? 0 : failed("stdout");
}

int main(void)
{
	int status = 0;

	for (int turn = 0; turn < 2; turn++) {
		struct ttp_dev *dev = ttp_dev_open(0, "sim");

		if (!dev) {
			status = failed("open");
			continue;
		}
		status |= use(dev, turn);
		if (ttp_dev_close(dev))
			status = status ? status : failed("close");
	}
	return status;
}
