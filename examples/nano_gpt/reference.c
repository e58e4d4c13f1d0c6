// SPDX-License-Identifier: Apache-2.0
#include "reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static struct {
	bool on;
	uint32_t compared, wrong;
	float largest; /* error, in units of what was allowed */
} check;

void ops_check(bool on)
{
	check.on = on;
}

void ops_checked(uint32_t *compared, uint32_t *wrong, float *largest_error)
{
	*compared = check.compared;
	*wrong = check.wrong;
	*largest_error = check.largest;
}

static size_t values_of(const struct tensor *t)
{
	return (size_t)t->rows * t->columns;
}

static double *room_for(const struct tensor *t)
{
	double *v = calloc(values_of(t), sizeof(*v));

	if (!v)
		fail("out of memory");
	return v;
}

/* Half a unit in bf16's last digit is up to 1/256 of a value; what is between is fp32. */
static void compare(const char *op, struct tensor *t, double *want, const bool *skip)
{
	float *got = tensor_read(t);
	size_t n = values_of(t), worst = 0;
	double squares = 0, most = 0, root;

	for (size_t i = 0; i < n; i++)
		squares += want[i] * want[i];
	root = sqrt(squares / (double)n);
	for (size_t i = 0; i < n; i++) {
		double allowed = fabs(want[i]) / 256 + root / 500 + 1e-30;
		double error = fabs((double)got[i] - want[i]) / allowed;

		if ((!skip || !skip[i]) && !(error <= most)) {
			most = error;
			worst = i;
		}
	}
	check.compared++;
	if (!(most <= check.largest))
		check.largest = (float)most;
	if (!(most <= 1)) {
		if (check.wrong++ < 10)
			fprintf(stderr, "check: %s: %s[%zu][%zu] is %g, should be %g\n", op,
				t->name, worst / t->columns, worst % t->columns, (double)got[worst],
				want[worst]);
	}
	free(got);
	free(want);
}

static uint32_t *read_tokens(const struct tensor *t)
{
	uint32_t *tokens = calloc(t->rows, 4);

	if (!tokens)
		fail("out of memory");
	must(ttp_buffer_read(t->buffer, 0, tokens, (size_t)t->rows * 4));
	return tokens;
}

/* Where a matrix of a batch begins among a tensor's values. */
static size_t part_at(const struct part *p, uint32_t batch, uint32_t inner)
{
	uint32_t tile = p->first + batch / inner * p->outer_step + batch % inner * p->inner_step;

	return (size_t)(tile / p->tensor->wide) * TILE * p->tensor->columns +
	       (size_t)(tile % p->tensor->wide) * TILE;
}

void reference_matmul(const struct matmul *m)
{
	float *a, *b;
	double *want;
	bool *skip;
	uint32_t steps = (m->a_turned ? m->a.high : m->a.wide) * TILE;

	if (!check.on)
		return;
	a = tensor_read(m->a.tensor);
	b = tensor_read(m->b.tensor);
	want = room_for(m->to.tensor);
	skip = malloc(values_of(m->to.tensor));
	if (!skip)
		fail("out of memory");
	for (size_t i = 0; i < values_of(m->to.tensor); i++)
		skip[i] = true; /* parts that this matmul does not write */
	for (uint32_t n = 0; n < m->batch; n++) {
		const float *pa = a + part_at(&m->a, n, m->inner);
		const float *pb = b + part_at(&m->b, n, m->inner);
		size_t to = part_at(&m->to, n, m->inner);

		for (uint32_t r = 0; r < m->to.high * TILE; r++)
			for (uint32_t c = 0; c < m->to.wide * TILE; c++) {
				double sum = 0;
				size_t at = to + (size_t)r * m->to.tensor->columns + c;

				for (uint32_t k = 0; k < steps; k++)
					sum += (double)pa
						       [m->a_turned
								? (size_t)k * m->a.tensor->columns +
									  r
								: (size_t)r * m->a.tensor->columns +
									  k] *
					       (double)pb
						       [m->b_turned
								? (size_t)c * m->b.tensor->columns +
									  k
								: (size_t)k * m->b.tensor->columns +
									  c];
				want[at] = sum;
				skip[at] = false;
			}
	}
	compare(m->code ? m->code : "matmul", m->to.tensor, want, skip);
	free(skip);
	free(a);
	free(b);
}

void reference_embedding(struct tensor *tokens, struct tensor *table, struct tensor *places,
			 struct tensor *to)
{
	uint32_t *ids;
	float *t, *p;
	double *want;

	if (!check.on)
		return;
	ids = read_tokens(tokens);
	t = tensor_read(table);
	p = tensor_read(places);
	want = room_for(to);
	for (size_t r = 0; r < to->rows; r++)
		for (size_t c = 0; c < to->columns; c++)
			want[r * to->columns + c] = (double)t[ids[r] * to->columns + c] +
						    (double)p[r % places->rows * to->columns + c];
	compare("embedding", to, want, NULL);
	free(ids);
	free(t);
	free(p);
}

void reference_one_hot(struct tensor *tokens, struct tensor *to)
{
	uint32_t *ids;
	double *want;

	if (!check.on)
		return;
	ids = read_tokens(tokens);
	want = room_for(to);
	for (size_t r = 0; r < to->rows; r++)
		want[r * to->columns + ids[r]] = 1;
	compare("one hot", to, want, NULL);
	free(ids);
}

void reference_sum_batches(struct tensor *behind, struct tensor *to)
{
	float *b;
	double *want;

	if (!check.on)
		return;
	b = tensor_read(behind);
	want = room_for(to);
	for (size_t i = 0; i < values_of(behind); i++)
		want[i % values_of(to)] += (double)b[i];
	compare("sum of batches", to, want, NULL);
	free(b);
}

static double gelu_of(double x)
{
	return 0.5 * x * (1 + erf(x * M_SQRT1_2));
}

static double gelu_slope(double x)
{
	return 0.5 * (1 + erf(x * M_SQRT1_2)) + x * exp(-0.5 * x * x) / sqrt(2 * M_PI);
}

static double add_two(double a, double b)
{
	return a + b;
}

static double gelu_of_first(double x, double unused)
{
	(void)unused;
	return gelu_of(x);
}

static double times_slope(double behind, double x)
{
	return behind * gelu_slope(x);
}

static void each(const char *op, double (*f)(double, double), struct tensor *a, struct tensor *b,
		 struct tensor *to)
{
	float *va, *vb;
	double *want;

	if (!check.on)
		return;
	va = tensor_read(a);
	vb = tensor_read(b);
	want = room_for(to);
	for (size_t i = 0; i < values_of(to); i++)
		want[i] = f((double)va[i], (double)vb[i]);
	compare(op, to, want, NULL);
	free(va);
	free(vb);
}

void reference_add(struct tensor *a, struct tensor *b, struct tensor *to)
{
	each("add", add_two, a, b, to);
}

void reference_gelu(struct tensor *x, struct tensor *to)
{
	each("gelu", gelu_of_first, x, x, to);
}

void reference_gelu_backward(struct tensor *behind, struct tensor *x, struct tensor *to)
{
	each("gelu backward", times_slope, behind, x, to);
}

void reference_layernorm(struct tensor *x, struct tensor *gamma, struct tensor *beta,
			 struct tensor *to, struct tensor *normal, struct tensor *inverse)
{
	float *v, *g, *b;
	double *y, *n, *d;
	size_t wide = x->columns;

	if (!check.on)
		return;
	v = tensor_read(x);
	g = tensor_read(gamma);
	b = tensor_read(beta);
	y = room_for(to);
	n = room_for(normal);
	d = room_for(inverse);
	for (size_t r = 0; r < x->rows; r++) {
		double mean = 0, squares = 0;

		for (size_t c = 0; c < wide; c++)
			mean += (double)v[r * wide + c] / (double)wide;
		for (size_t c = 0; c < wide; c++)
			squares += pow((double)v[r * wide + c] - mean, 2) / (double)wide;
		d[r] = 1 / sqrt(squares + (double)LAYERNORM_EPSILON);
		for (size_t c = 0; c < wide; c++) {
			n[r * wide + c] = ((double)v[r * wide + c] - mean) * d[r];
			y[r * wide + c] = n[r * wide + c] * (double)g[c] + (double)b[c];
		}
	}
	compare("layernorm", to, y, NULL);
	compare("layernorm", normal, n, NULL);
	compare("layernorm", inverse, d, NULL);
	free(v);
	free(g);
	free(b);
}

void reference_layernorm_backward(struct tensor *behind, struct tensor *normal,
				  struct tensor *inverse, struct tensor *gamma, struct tensor *to,
				  struct tensor *gamma_gradient, struct tensor *beta_gradient)
{
	float *dy, *n, *d, *g;
	double *dx, *dgamma, *dbeta;
	size_t wide = to->columns;

	if (!check.on)
		return;
	dy = tensor_read(behind);
	n = tensor_read(normal);
	d = tensor_read(inverse);
	g = tensor_read(gamma);
	dx = room_for(to);
	dgamma = room_for(gamma_gradient);
	dbeta = room_for(beta_gradient);
	for (size_t r = 0; r < to->rows; r++) {
		double mean = 0, share = 0;

		for (size_t c = 0; c < wide; c++) {
			double v = (double)dy[r * wide + c], x = (double)n[r * wide + c];

			mean += v * (double)g[c] / (double)wide;
			share += v * (double)g[c] * x / (double)wide;
			dgamma[c] += v * x;
			dbeta[c] += v;
		}
		for (size_t c = 0; c < wide; c++)
			dx[r * wide + c] = ((double)dy[r * wide + c] * (double)g[c] - mean -
					    (double)n[r * wide + c] * share) *
					   (double)d[r];
	}
	compare("layernorm backward", to, dx, NULL);
	compare("layernorm backward", gamma_gradient, dgamma, NULL);
	compare("layernorm backward", beta_gradient, dbeta, NULL);
	free(dy);
	free(n);
	free(d);
	free(g);
}

/* Of n values into `to`; returns the log of the sum of powers. */
static double softmax_row(const float *from, size_t n, double factor, double *to)
{
	double most = -HUGE_VAL, sum = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, factor * (double)from[i]);
	for (size_t i = 0; i < n; i++)
		sum += to[i] = exp(factor * (double)from[i] - most);
	for (size_t i = 0; i < n; i++)
		to[i] /= sum;
	return log(sum) + most;
}

void reference_softmax_causal(struct tensor *scores, float factor, struct tensor *to)
{
	float *v;
	double *want;
	size_t wide = to->columns;

	if (!check.on)
		return;
	v = tensor_read(scores);
	want = room_for(to);
	for (size_t r = 0; r < to->rows; r++)
		softmax_row(v + r * wide, r % wide + 1, (double)factor, want + r * wide);
	compare("softmax", to, want, NULL);
	free(v);
}

void reference_softmax_backward(struct tensor *softmax, struct tensor *behind, float factor,
				struct tensor *to)
{
	float *p, *dp;
	double *want;
	size_t wide = to->columns;

	if (!check.on)
		return;
	p = tensor_read(softmax);
	dp = tensor_read(behind);
	want = room_for(to);
	for (size_t r = 0; r < to->rows; r++) {
		double sum = 0;

		for (size_t c = r * wide; c < (r + 1) * wide; c++)
			sum += (double)p[c] * (double)dp[c];
		for (size_t c = r * wide; c < (r + 1) * wide; c++)
			want[c] = (double)p[c] * ((double)dp[c] - sum) * (double)factor;
	}
	compare("softmax backward", to, want, NULL);
	free(p);
	free(dp);
}

static void cross_entropy_either(struct tensor *logits, struct tensor *right, bool backward,
				 double factor, struct tensor *to)
{
	float *v, *ones;
	double *want, *row;
	size_t wide = logits->columns;

	if (!check.on)
		return;
	v = tensor_read(logits);
	ones = tensor_read(right);
	want = room_for(to);
	row = room_for(logits);
	for (size_t r = 0; r < logits->rows; r++) {
		double sum = softmax_row(v + r * wide, wide, 1, row);

		for (size_t c = 0; c < wide; c++) {
			double one = (double)ones[r * wide + c];

			if (backward)
				want[r * wide + c] = (row[c] - one) * factor;
			else if (one > 0)
				want[r] = sum - (double)v[r * wide + c];
		}
	}
	compare(backward ? "cross entropy backward" : "cross entropy", to, want, NULL);
	free(v);
	free(ones);
	free(row);
}

void reference_cross_entropy(struct tensor *logits, struct tensor *right, struct tensor *to)
{
	cross_entropy_either(logits, right, false, 1, to);
}

void reference_cross_entropy_backward(struct tensor *logits, struct tensor *right, float factor,
				      struct tensor *to)
{
	cross_entropy_either(logits, right, true, (double)factor, to);
}

static float *before[4];

void reference_adamw_before(struct tensor *weight, struct tensor *first, struct tensor *second,
			    struct tensor *gradient)
{
	if (!check.on)
		return;
	before[0] = tensor_read(weight);
	before[1] = tensor_read(first);
	before[2] = tensor_read(second);
	before[3] = tensor_read(gradient);
}

void reference_adamw_after(const struct adamw *a, uint32_t step, struct tensor *weight,
			   struct tensor *first, struct tensor *second, struct tensor *weight_bf16)
{
	double *w, *m, *v, *half;

	if (!check.on)
		return;
	w = room_for(weight);
	m = room_for(first);
	v = room_for(second);
	half = room_for(weight_bf16);
	for (size_t i = 0; i < values_of(weight); i++) {
		double g = (double)before[3][i], b1 = (double)a->beta1, b2 = (double)a->beta2;

		m[i] = b1 * (double)before[1][i] + (1 - b1) * g;
		v[i] = b2 * (double)before[2][i] + (1 - b2) * g * g;
		w[i] = (double)before[0][i] * (1 - (double)a->rate * (double)a->decay) -
		       (double)a->rate * (m[i] / (1 - pow(b1, step))) /
			       (sqrt(v[i] / (1 - pow(b2, step))) + (double)a->epsilon);
		half[i] = w[i];
	}
	compare("adamw", weight, w, NULL);
	compare("adamw", first, m, NULL);
	compare("adamw", second, v, NULL);
	compare("adamw", weight_bf16, half, NULL);
	for (int i = 0; i < 4; i++)
		free(before[i]);
}
