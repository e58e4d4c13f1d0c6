// SPDX-License-Identifier: Apache-2.0
#include "model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

struct norm {
	struct parameter *gamma, *beta;
	struct tensor *out, *normal, *inverse;
};

struct layer {
	struct norm before_attention, before_mlp;
	struct parameter *qkv, *projection, *up, *down;
	struct tensor *qkv_out, *scores, *softmax, *attention, *projected, *middle;
	struct tensor *up_out, *active, *down_out, *out;
};

struct model {
	struct ops *o;
	struct ttp_dev *dev;
	struct shape s;
	struct tensor *tensors; /* all of them */
	struct parameter *parameters, **last;
	struct random random;
	struct parameter *table, *places, *head;
	struct tensor *tokens, *right, *tokens_hot, *right_hot, *mask, *one;
	struct tensor *embedded, *logits, *losses;
	struct layer layer[MODEL_LAYERS];
	struct norm final;
	/* gradients: of the residual (two, taken in turn) and of what is beside it */
	struct tensor *d_residual[2], *d_narrow, *d_beside, *d_logits, *d_qkv, *d_softmax,
		*d_scores, *d_active, *d_up;
};

const char *shape_error(const struct shape *s)
{
	if (!s->batch || !s->layers || !s->width || !s->heads || !s->sequence)
		return "batch, layers, width, heads and seq are at least 1";
	if (s->layers > MODEL_LAYERS)
		return "at most 64 layers";
	if (s->sequence % TILE)
		return "seq must be a multiple of 32";
	if (s->width % (s->heads * TILE))
		return "width must be a multiple of 32 x heads";
	if (s->width > 1024 || s->sequence > 1024 || (uint64_t)s->batch * s->sequence > 4096)
		return "at most width 1024, seq 1024, and 4096 tokens in a batch";
	return NULL;
}

static struct tensor *make_of(struct model *m, const char *name, uint32_t rows, uint32_t columns,
			      enum tensor_type type)
{
	struct tensor *t = tensor_new(m->dev, name, rows, columns, type);

	t->next = m->tensors;
	m->tensors = t;
	return t;
}

static struct tensor *make(struct model *m, const char *name, uint32_t rows, uint32_t columns)
{
	return make_of(m, name, rows, columns, BF16);
}

static struct parameter *add_parameter(struct model *m, const char *name, int layer, uint32_t rows,
				       uint32_t columns, float first, float spread)
{
	struct parameter *p = calloc(1, sizeof(*p));
	size_t n = (size_t)rows * columns;
	float *values = calloc(n, sizeof(*values));

	if (!p || !values)
		fail("out of memory");
	if (layer < 0)
		snprintf(p->name, sizeof(p->name), "%s", name);
	else
		snprintf(p->name, sizeof(p->name), "layer%d.%s", layer, name);
	p->value = make(m, p->name, rows, columns);
	p->gradient = make(m, "gradient", rows, columns);
	p->master = make_of(m, "master", rows, columns, FP32);
	p->first = make_of(m, "first moment", rows, columns, FP32);
	p->second = make_of(m, "second moment", rows, columns, FP32);
	p->decays = rows > 1;
	tensor_write(p->first, values); /* 0 */
	tensor_write(p->second, values);
	for (size_t i = 0; i < n; i++)
		values[i] = first + (spread > 0 ? spread * random_normal(&m->random) : 0);
	tensor_write(p->master, values);
	tensor_write(p->value, values);
	free(values);
	*m->last = p;
	m->last = &p->next;
	return p;
}

static void make_norm(struct model *m, struct norm *n, const char *gamma, const char *beta,
		      int layer)
{
	uint32_t rows = m->s.batch * m->s.sequence;

	n->gamma = add_parameter(m, gamma, layer, 1, m->s.width, 1, 0);
	n->beta = add_parameter(m, beta, layer, 1, m->s.width, 0, 0);
	n->out = make(m, "norm", rows, m->s.width);
	n->normal = make(m, "normal", rows, m->s.width);
	n->inverse = make_of(m, "inverse deviation", rows, 1, FP32);
}

static void make_layer(struct model *m, int i)
{
	struct layer *l = &m->layer[i];
	const struct shape *s = &m->s;
	uint32_t rows = s->batch * s->sequence;
	float spread = 0.02f, residual = 0.02f / sqrtf(2 * (float)s->layers);

	make_norm(m, &l->before_attention, "norm1.gamma", "norm1.beta", i);
	l->qkv = add_parameter(m, "qkv", i, s->width, 3 * s->width, 0, spread);
	l->projection = add_parameter(m, "projection", i, s->width, s->width, 0, residual);
	make_norm(m, &l->before_mlp, "norm2.gamma", "norm2.beta", i);
	l->up = add_parameter(m, "up", i, s->width, 4 * s->width, 0, spread);
	l->down = add_parameter(m, "down", i, 4 * s->width, s->width, 0, residual);
	l->qkv_out = make(m, "qkv", rows, 3 * s->width);
	l->scores = make(m, "scores", rows * s->heads, s->sequence);
	l->softmax = make(m, "softmax", rows * s->heads, s->sequence);
	l->attention = make(m, "attention", rows, s->width);
	l->projected = make(m, "projected", rows, s->width);
	l->middle = make(m, "middle", rows, s->width);
	l->up_out = make(m, "up", rows, 4 * s->width);
	l->active = make(m, "active", rows, 4 * s->width);
	l->down_out = make(m, "down", rows, s->width);
	l->out = make(m, "out", rows, s->width);
}

static void make_gradients(struct model *m)
{
	const struct shape *s = &m->s;
	uint32_t rows = s->batch * s->sequence;

	for (int i = 0; i < 2; i++)
		m->d_residual[i] = make(m, "d residual", rows, s->width);
	m->d_narrow = make(m, "d narrow", rows, s->width);
	m->d_beside = make(m, "d beside", rows, s->width);
	m->d_logits = make(m, "d logits", rows, s->vocabulary);
	m->d_qkv = make(m, "d qkv", rows, 3 * s->width);
	m->d_softmax = make(m, "d softmax", rows * s->heads, s->sequence);
	m->d_scores = make(m, "d scores", rows * s->heads, s->sequence);
	m->d_active = make(m, "d active", rows, 4 * s->width);
	m->d_up = make(m, "d up", rows, 4 * s->width);
}

struct model *model_new(struct ops *o, const struct shape *s, uint64_t seed)
{
	struct model *m = calloc(1, sizeof(*m));
	uint32_t rows = s->batch * s->sequence;
	float mask[TILE_VALUES] = { 0 };

	if (!m)
		fail("out of memory");
	m->o = o;
	m->dev = ops_device(o);
	m->s = *s;
	m->last = &m->parameters;
	random_init(&m->random, seed);
	m->table = add_parameter(m, "table", -1, s->vocabulary, s->width, 0, 0.02f);
	m->places = add_parameter(m, "places", -1, s->sequence, s->width, 0, 0.02f);
	for (uint32_t i = 0; i < s->layers; i++)
		make_layer(m, (int)i);
	make_norm(m, &m->final, "norm.gamma", "norm.beta", -1);
	m->head = add_parameter(m, "head", -1, s->width, s->vocabulary, 0, 0.02f);
	m->tokens = make_of(m, "tokens", rows, 1, TOKENS);
	m->right = make_of(m, "right", rows, 1, TOKENS);
	m->tokens_hot = make(m, "tokens", rows, s->vocabulary);
	m->right_hot = make(m, "right", rows, s->vocabulary);
	m->embedded = make(m, "embedded", rows, s->width);
	m->logits = make(m, "logits", rows, s->vocabulary);
	m->losses = make_of(m, "losses", rows, 1, FP32);
	make_gradients(m);
	m->mask = make(m, "mask", TILE, TILE);
	for (int r = 0; r < TILE; r++)
		for (int c = r + 1; c < TILE; c++)
			mask[r * TILE + c] = -1e9f;
	tensor_write(m->mask, mask);
	m->one = make(m, "one", 1, 1);
	return m;
}

void model_free(struct model *m)
{
	while (m->tensors) {
		struct tensor *t = m->tensors;

		m->tensors = t->next;
		tensor_free(t);
	}
	while (m->parameters) {
		struct parameter *p = m->parameters;

		m->parameters = p->next;
		free(p);
	}
	free(m);
}

struct parameter *model_parameters(struct model *m)
{
	return m->parameters;
}

uint64_t model_values(const struct model *m)
{
	uint64_t n = 0;

	for (const struct parameter *p = m->parameters; p; p = p->next)
		n += (uint64_t)p->value->rows * p->value->columns;
	return n;
}

void model_load(struct model *m, const uint32_t *tokens, const uint32_t *right)
{
	tensor_write_tokens(m->tokens, tokens);
	tensor_write_tokens(m->right, right);
}

/* ---- attention: its matrices are parts of larger ones ---- */

/* A third of q, k, v, or all of a narrow tensor: a matrix of positions x width of a head, for each text and head. */
static struct part of_heads(const struct model *m, struct tensor *t, uint32_t third)
{
	uint32_t high = m->s.sequence / TILE, wide = m->s.width / TILE;

	return (struct part){ .tensor = t,
			      .first = third * wide,
			      .high = high,
			      .wide = wide / m->s.heads,
			      .outer_step = high * t->wide,
			      .inner_step = wide / m->s.heads };
}

/* Positions x positions, for each text and head. */
static struct part of_scores(const struct model *m, struct tensor *t)
{
	uint32_t high = m->s.sequence / TILE;

	return (struct part){ .tensor = t,
			      .high = high,
			      .wide = high,
			      .outer_step = m->s.heads * high * high,
			      .inner_step = high * high };
}

static void for_heads(struct model *m, struct part a, bool a_turned, struct part b, bool b_turned,
		      struct part to)
{
	struct matmul mm = { .a = a,
			     .b = b,
			     .to = to,
			     .batch = m->s.batch * m->s.heads,
			     .inner = m->s.heads,
			     .a_turned = a_turned,
			     .b_turned = b_turned };

	matmul_run(m->o, &mm);
}

static float score_factor(const struct model *m)
{
	return 1 / sqrtf((float)m->s.width / (float)m->s.heads);
}

enum { Q, K, V };

static void attention(struct model *m, struct layer *l)
{
	for_heads(m, of_heads(m, l->qkv_out, Q), false, of_heads(m, l->qkv_out, K), true,
		  of_scores(m, l->scores));
	softmax_causal(m->o, l->scores, m->mask, score_factor(m), l->softmax);
	for_heads(m, of_scores(m, l->softmax), false, of_heads(m, l->qkv_out, V), false,
		  of_heads(m, l->attention, 0));
}

static void attention_backward(struct model *m, struct layer *l, struct tensor *behind)
{
	for_heads(m, of_heads(m, behind, 0), false, of_heads(m, l->qkv_out, V), true,
		  of_scores(m, m->d_softmax));
	for_heads(m, of_scores(m, l->softmax), true, of_heads(m, behind, 0), false,
		  of_heads(m, m->d_qkv, V));
	softmax_backward(m->o, l->softmax, m->d_softmax, score_factor(m), m->d_scores);
	for_heads(m, of_scores(m, m->d_scores), false, of_heads(m, l->qkv_out, K), false,
		  of_heads(m, m->d_qkv, Q));
	for_heads(m, of_scores(m, m->d_scores), true, of_heads(m, l->qkv_out, Q), false,
		  of_heads(m, m->d_qkv, K));
}

/* ---- forward and backward ---- */

static void norm(struct model *m, struct norm *n, struct tensor *x)
{
	layernorm(m->o, x, n->gamma->value, n->beta->value, n->out, n->normal, n->inverse);
}

static void norm_backward(struct model *m, struct norm *n, struct tensor *behind, struct tensor *to)
{
	layernorm_backward(m->o, behind, n->normal, n->inverse, n->gamma->value, to,
			   n->gamma->gradient, n->beta->gradient);
}

void model_forward(struct model *m)
{
	struct tensor *x = m->embedded;

	one_hot(m->o, m->tokens, m->tokens_hot);
	one_hot(m->o, m->right, m->right_hot);
	embedding(m->o, m->tokens, m->table->value, m->places->value, x);
	for (uint32_t i = 0; i < m->s.layers; i++) {
		struct layer *l = &m->layer[i];

		norm(m, &l->before_attention, x);
		matmul(m->o, l->before_attention.out, false, l->qkv->value, false, l->qkv_out);
		attention(m, l);
		matmul(m->o, l->attention, false, l->projection->value, false, l->projected);
		add(m->o, x, l->projected, l->middle);
		norm(m, &l->before_mlp, l->middle);
		matmul(m->o, l->before_mlp.out, false, l->up->value, false, l->up_out);
		gelu(m->o, l->up_out, l->active);
		matmul(m->o, l->active, false, l->down->value, false, l->down_out);
		add(m->o, l->middle, l->down_out, l->out);
		x = l->out;
	}
	norm(m, &m->final, x);
	matmul(m->o, m->final.out, false, m->head->value, false, m->logits);
	cross_entropy(m->o, m->logits, m->right_hot, m->losses);
}

float model_loss(struct model *m)
{
	float *losses = tensor_read(m->losses);
	double sum = 0;

	for (uint32_t i = 0; i < m->losses->rows; i++)
		sum += (double)losses[i];
	free(losses);
	return (float)(sum / m->losses->rows);
}

/* Gradients of y = x w: of w, and of x. */
static void linear_backward(struct model *m, struct tensor *x, struct parameter *w,
			    struct tensor *behind, struct tensor *to)
{
	matmul(m->o, x, true, behind, false, w->gradient);
	matmul(m->o, behind, false, w->value, true, to);
}

static void layer_backward(struct model *m, struct layer *l, struct tensor *behind,
			   struct tensor *middle)
{
	linear_backward(m, l->active, l->down, behind, m->d_active);
	gelu_backward(m->o, m->d_active, l->up_out, m->d_up);
	linear_backward(m, l->before_mlp.out, l->up, m->d_up, m->d_narrow);
	norm_backward(m, &l->before_mlp, m->d_narrow, m->d_beside);
	add(m->o, behind, m->d_beside, middle);
	linear_backward(m, l->attention, l->projection, middle, m->d_narrow);
	attention_backward(m, l, m->d_narrow);
	linear_backward(m, l->before_attention.out, l->qkv, m->d_qkv, m->d_narrow);
	norm_backward(m, &l->before_attention, m->d_narrow, m->d_beside);
	add(m->o, middle, m->d_beside, behind);
}

void model_backward(struct model *m)
{
	struct tensor *behind = m->d_residual[0], *middle = m->d_residual[1];

	cross_entropy_backward(m->o, m->logits, m->right_hot, 1 / (float)m->logits->rows,
			       m->d_logits);
	linear_backward(m, m->final.out, m->head, m->d_logits, m->d_narrow);
	norm_backward(m, &m->final, m->d_narrow, behind);
	for (uint32_t i = m->s.layers; i--;)
		layer_backward(m, &m->layer[i], behind, middle);
	embedding_backward(m->o, m->tokens_hot, behind, m->table->gradient);
	sum_batches(m->o, behind, m->places->gradient);
}

void model_optimize(struct model *m, const struct adamw *a, uint32_t step)
{
	for (struct parameter *p = m->parameters; p; p = p->next) {
		struct adamw own = *a;

		if (!p->decays)
			own.decay = 0;
		adamw(m->o, &own, step, p->master, p->first, p->second, p->gradient, p->value);
	}
}

void model_marker(struct model *m, const char *identifier, bool dump)
{
	marker(m->o, m->one, identifier, 5);
	if (dump)
		must(ttp_dev_read_profiler(m->dev));
	marker(m->o, m->one, identifier, 5);
}
