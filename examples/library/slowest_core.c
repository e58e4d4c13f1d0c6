// SPDX-License-Identifier: Apache-2.0
/* slowest_core RUN: of each op the core whose kernels took longest, and how much longer than on the mean core. */
#include <stdio.h>
#include <stdlib.h>

#include <ttp/run.h>

struct slowest {
	const struct ttprof_core *core;
	double sum_ns;
	unsigned cores;
};

static double took_ns(const struct ttprof_core *c)
{
	return c->end_ns - c->start_ns;
}

int main(int argc, char **argv)
{
	struct ttprof_error why = { 0 };
	struct ttprof_run *run;
	const struct ttprof_core *cores;
	struct slowest *of;
	size_t ops, n = 0;
	int code;

	if (argc != 2) {
		fprintf(stderr, "usage: slowest_core RUN\n");
		return 2;
	}
	run = ttprof_run_open(argv[1], &why);
	ops = ttprof_run_ops(run, &why);
	cores = why.code ? NULL : ttprof_run_cores(run, &n, &why);
	if (why.code || !n) {
		fprintf(stderr, "slowest_core: %s\n",
			why.code ? why.text : "the run has no device log");
		ttprof_run_close(run);
		return 1;
	}
	of = calloc(ops + 1, sizeof(*of));
	for (size_t i = 0; of && i < n; i++) {
		struct slowest *s = &of[cores[i].op < 0 ? (int64_t)ops : cores[i].op];

		if (!s->core || took_ns(&cores[i]) > took_ns(s->core))
			s->core = &cores[i];
		s->sum_ns += took_ns(&cores[i]);
		s->cores++;
	}
	code = ttprof_run_column(run, "OP CODE");
	for (size_t op = 0; of && op < ops; op++)
		if (of[op].core)
			printf("%-40s core %u,%u of %u: %10.0f ns, mean %10.0f ns\n",
			       ttprof_run_text(run, code, op), of[op].core->x, of[op].core->y,
			       of[op].cores, took_ns(of[op].core), of[op].sum_ns / of[op].cores);
	free(of);
	ttprof_run_close(run);
	return 0;
}
