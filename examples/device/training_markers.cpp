// SPDX-License-Identifier: Apache-2.0
//
// training_markers [STEPS]: the outline of a training loop with tt-train's markers, by its own names.  What a step does is
// left out; the report has the markers alone.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "autograd/auto_context.hpp"

using ttml::autograd::ctx;

static void train(int steps)
{
	auto *device = &ctx().get_device();

	ctx().get_profiler().read_results(device, "compilation_finished");
	for (int step = 1; step <= steps; step++) {
		ctx().get_profiler().read_results(device, "dataloader_step_done");
		// forward
		ctx().get_profiler().read_results(device, "forward_pass_done");
		// backward
		ctx().get_profiler().read_results(device, "backward_pass_done");
		ctx().get_profiler().read_results(device, "gradient_sync_done");
		// optimizer
		ctx().get_profiler().read_results(device, "optimizer_step_done");
		ctx().get_profiler().read_results(device, "iteration_" + std::to_string(step), true);
	}
	ctx().get_profiler().dump_results();
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? std::atoi(argv[1]) : 3;

	try {
		ctx().open_device();
		train(steps);
		ctx().close_device();
	} catch (const std::runtime_error &e) {
		std::fprintf(stderr, "error: %s\n", e.what());
		return 1;
	}
	std::printf("%d steps\n", steps);
	return 0;
}
