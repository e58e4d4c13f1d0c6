// SPDX-License-Identifier: Apache-2.0
/* nano_gpt: trains a small GPT on the device.  `nano_gpt --help` has the options; run it from the root of the project. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <ttp/client.h>

#include "checkpoint.h"
#include "model.h"
#include "text.h"

struct options {
	struct shape shape;
	uint32_t steps, load;
	uint64_t seed;
	float rate;
	const char *checkpoint;
	bool check, markers, trace;
};

static const char usage[] =
	"usage: nano_gpt [options]\n"
	"Trains a small GPT on text about a chip: forward, backward and AdamW, on the device.\n"
	"  --batch N         texts of a step (4)\n"
	"  --layers N        (2)\n"
	"  --width N         a multiple of 32 x heads (128)\n"
	"  --heads N         (4)\n"
	"  --seq N           tokens of a text, a multiple of 32 (64)\n"
	"  --steps N         steps of this run (5)\n"
	"  --rate X          learning rate (0.003)\n"
	"  --seed N          first weights and order of the text (1)\n"
	"  --checkpoint FILE go on from it, if it is there; written at the end\n"
	"  --check           compare each result of the first step with the host's\n"
	"  --trace           forward and backward as a trace, which needs no host\n"
	"  --load N          the host takes N looks at the clock to load the texts of a step (0)\n"
	"  --no-markers      a profile without tt-train's marker ops\n";

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static uint64_t number(const char *option, const char *text, uint64_t most)
{
	char *end;
	unsigned long long n = strtoull(text, &end, 10);

	if (!*text || *end || *text == '-' || n > most)
		fail("--%s %s: a number up to %llu is wanted", option, text,
		     (unsigned long long)most);
	return n;
}

static void parse(int argc, char **argv, struct options *o)
{
	static const struct option list[] = {
		{ "batch", 1, NULL, 'b' },      { "layers", 1, NULL, 'l' },
		{ "width", 1, NULL, 'w' },      { "heads", 1, NULL, 'e' },
		{ "seq", 1, NULL, 's' },        { "steps", 1, NULL, 'n' },
		{ "seed", 1, NULL, 'r' },       { "rate", 1, NULL, 'a' },
		{ "load", 1, NULL, 'o' },       { "checkpoint", 1, NULL, 'c' },
		{ "check", 0, NULL, 'k' },      { "trace", 0, NULL, 't' },
		{ "no-markers", 0, NULL, 'm' }, { "help", 0, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c, at = 0;
	char *end;

	while ((c = getopt_long(argc, argv, "", list, &at)) != -1)
		switch (c) {
		case 'b':
			o->shape.batch = (uint32_t)number("batch", optarg, 4096);
			break;
		case 'l':
			o->shape.layers = (uint32_t)number("layers", optarg, MODEL_LAYERS);
			break;
		case 'w':
			o->shape.width = (uint32_t)number("width", optarg, 1024);
			break;
		case 'e':
			o->shape.heads = (uint32_t)number("heads", optarg, 32);
			break;
		case 's':
			o->shape.sequence = (uint32_t)number("seq", optarg, 1024);
			break;
		case 'n':
			o->steps = (uint32_t)number("steps", optarg, 1000000);
			break;
		case 'r':
			o->seed = number("seed", optarg, UINT64_MAX);
			break;
		case 'o':
			o->load = (uint32_t)number("load", optarg, 1000000);
			break;
		case 'a':
			o->rate = strtof(optarg, &end);
			if (!*optarg || *end || !(o->rate > 0 && o->rate < 1))
				fail("--rate %s: a number between 0 and 1 is wanted", optarg);
			break;
		case 'c':
			o->checkpoint = optarg;
			break;
		case 'k':
			o->check = true;
			break;
		case 't':
			o->trace = true;
			break;
		case 'm':
			o->markers = false;
			break;
		case 'h':
			fputs(usage, stdout);
			exit(0);
		default:
			fputs("try nano_gpt --help\n", stderr);
			exit(2);
		}
	if (optind < argc)
		fail("%s: not an option; try nano_gpt --help", argv[optind]);
	if (o->trace && o->check)
		fail("--trace and --check: a trace has no moment for comparing");
	if (shape_error(&o->shape))
		fail("%s", shape_error(&o->shape));
}

/* Markers are for a profile; without one they would only take time. */
static bool profiled(struct ttp_dev *dev)
{
	struct ttp_dev_info info = { 0 };

	must(ttp_dev_info(dev, &info, sizeof(info)));
	return info.profiled;
}

static uint64_t cycles(struct ttp_dev *dev)
{
	struct ttp_dev_info info = { 0 };

	must(ttp_dev_info(dev, &info, sizeof(info)));
	return info.cycles;
}

static struct adamw optimizer(const struct options *opt)
{
	return (struct adamw){ opt->rate, 0.9f, 0.95f, 1e-8f, 0.1f };
}

/* So that no step has to wait for the compiler. */
static void compile(struct ops *ops, struct model *m, const struct options *opt)
{
	struct adamw a = optimizer(opt);

	ops_compile_begin(ops);
	model_forward(m);
	model_backward(m);
	model_optimize(m, &a, 1);
	ops_compile_end(ops);
	if (opt->trace) {
		ops_trace_begin(ops);
		model_forward(m);
		model_backward(m);
		ops_trace_end(ops);
	}
	if (opt->markers)
		model_marker(m, "compilation_finished", false);
}

static void mark(struct model *m, const struct options *opt, const char *identifier)
{
	if (opt->markers)
		model_marker(m, identifier, false);
}

/*
 * The profiler keeps 1000 programs until it is read, which the device waits for: so it is read before they are too many,
 * and not in each step.
 */
static bool must_read(struct ops *ops)
{
	static uint64_t last_step, last_read;
	uint64_t now = ops_run(ops), step = now - last_step;

	last_step = now;
	if (now - last_read + step + 50 < 1000)
		return false;
	last_read = now;
	return true;
}

/* A loader of data that takes its time, by any clock: a scripted one goes on when it is looked at. */
static void take_time(uint32_t looks)
{
	TTP_ZONE("load_text");
	for (uint32_t i = 0; i < looks; i++)
		(void)ttp_host_ns();
}

/* One step, with tt-train's markers: the loss of before it. */
static float train(struct ops *ops, struct model *m, const struct options *opt, uint32_t step,
		   uint32_t *tokens)
{
	uint32_t n = opt->shape.batch * opt->shape.sequence;
	struct adamw a = optimizer(opt);
	char iteration[32];

	if (opt->load)
		take_time(opt->load);
	text_batch(opt->seed, step, opt->shape.batch, opt->shape.sequence, tokens, tokens + n);
	model_load(m, tokens, tokens + n);
	mark(m, opt, "dataloader_step_done");
	if (opt->trace) { /* both at once: there is no time between them that the host would know */
		ops_trace_replay(ops);
	} else {
		model_forward(m);
		mark(m, opt, "forward_pass_done");
		model_backward(m);
	}
	mark(m, opt, "backward_pass_done");
	mark(m, opt, "gradient_sync_done"); /* one device: there is nothing to be done */
	model_optimize(m, &a, step);
	mark(m, opt, "optimizer_step_done");
	snprintf(iteration, sizeof(iteration), "iteration_%u", step);
	if (opt->markers)
		model_marker(m, iteration, must_read(ops));
	else if (must_read(ops))
		must(ttp_dev_read_profiler(ops_device(ops)));
	return model_loss(m);
}

static int report_check(void)
{
	uint32_t compared, wrong;
	float largest;

	ops_checked(&compared, &wrong, &largest);
	printf("check: %u results compared with the host, %u wrong, largest error %.2f of what bf16 allows\n",
	       compared, wrong, (double)largest);
	return wrong || !compared;
}

int main(int argc, char **argv)
{
	struct options opt = { .shape = { 4, 2, 128, 4, 64, TEXT_VOCABULARY },
			       .steps = 5,
			       .seed = 1,
			       .rate = 0.003f,
			       .markers = true };
	struct ttp_dev *dev;
	struct ops *ops;
	struct model *model;
	uint32_t *tokens, done = 0;
	int rc = 0;

	parse(argc, argv, &opt);
	tokens = calloc((size_t)opt.shape.batch * opt.shape.sequence * 2, sizeof(*tokens));
	if (!tokens)
		fail("out of memory");
	dev = ttp_dev_open(0, NULL);
	must(!dev);
	opt.markers &= profiled(dev);
	ops = ops_new(dev);
	model = model_new(ops, &opt.shape, opt.seed);
	printf("nano_gpt: %u layers of width %u, %u heads, %llu parameters; %u x %u tokens a step\n",
	       opt.shape.layers, opt.shape.width, opt.shape.heads,
	       (unsigned long long)model_values(model), opt.shape.batch, opt.shape.sequence);
	if (opt.checkpoint &&
	    checkpoint_load(opt.checkpoint, &opt.shape, opt.seed, model_parameters(model), &done))
		printf("going on after step %u of %s\n", done, opt.checkpoint);
	compile(ops, model, &opt);
	for (uint32_t i = 1; i <= opt.steps; i++) {
		uint64_t cycles_before = cycles(dev), ops_before = ops_run(ops);
		double cpu_before = cpu_seconds();
		float loss;

		ops_check(opt.check && i == 1);
		loss = train(ops, model, &opt, done + i, tokens);
		printf("step %u  loss %.6f  %llu ops  %.3f M cycles  %.2f s of CPU\n", done + i,
		       (double)loss, (unsigned long long)(ops_run(ops) - ops_before),
		       (double)(cycles(dev) - cycles_before) / 1e6, cpu_seconds() - cpu_before);
		fflush(stdout);
		ttp_frame(NULL); /* what `ttprof run --warmup` counts */
	}
	done += opt.steps;
	if (opt.check)
		rc = report_check();
	if (opt.checkpoint)
		checkpoint_save(opt.checkpoint, &opt.shape, opt.seed, model_parameters(model),
				done);
	model_free(model);
	ops_free(ops);
	must(ttp_dev_close(dev));
	free(tokens);
	return rc;
}
