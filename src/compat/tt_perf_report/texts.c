// SPDX-License-Identifier: Apache-2.0
/* Texts of cells, and what the rest wants to know of them. */
#include "base/number.h"
#include "compat/tt_perf_report/py.h"
#include "compat/tt_perf_report/stacked.h"
#include "compat/tt_perf_report/steps_of_run.h"

/* The colour of an OP Code is that of the first of these that it holds. */
static const struct {
	struct str part;
	enum colour colour;
} op_colours[] = {
	{ STR_INIT("(torch)"), COLOUR_RED },
	{ STR_INIT("Matmul"), COLOUR_MAGENTA },
	{ STR_INIT("OptimizedConvNew"), COLOUR_ORANGE },
	{ STR_INIT("Conv2d"), COLOUR_ORANGE },
	{ STR_INIT("LayerNorm"), COLOUR_CYAN },
	{ STR_INIT("AllGather"), COLOUR_CYAN },
	{ STR_INIT("AllReduce"), COLOUR_CYAN },
	{ STR_INIT("ScaledDotProductAttentionDecode"), COLOUR_BLUE },
	{ STR_INIT("ScaledDotProductAttentionGQADecode"), COLOUR_BLUE },
	{ STR_INIT("NlpCreateHeadsDeviceOperation"), COLOUR_BLUE },
	{ STR_INIT("NLPConcatHeadsDecodeDeviceOperation"), COLOUR_BLUE },
	{ STR_INIT("UpdateCache"), COLOUR_BLUE },
};

static const struct {
	struct str part;
	enum text_flag flag;
} text_flags[] = {
	{ STR_INIT("Matmul"), TEXT_MATMUL },
	{ STR_INIT("OptimizedConvNew"), TEXT_CONV_NEW },
	{ STR_INIT("(torch)"), TEXT_TORCH },
	{ STR_INIT("signpost"), TEXT_SIGNPOST },
	{ STR_INIT("(signpost)"), TEXT_SIGNPOST_MARK },
};

static const struct str split_ops[] = {
	STR_INIT("Matmul"),
	STR_INIT("OptimizedConvNew"),
	STR_INIT("Conv2dDeviceOperation"),
	STR_INIT("HaloDeviceOperation"),
};

enum colour compat_op_colour(struct str s)
{
	for (size_t i = 0; i < sizeof(op_colours) / sizeof(op_colours[0]); i++)
		if (str_has(s, op_colours[i].part))
			return op_colours[i].colour;
	return COLOUR_WHITE;
}

enum category compat_category(struct str word)
{
	static const struct {
		struct str name;
		enum category category;
	} known[] = {
#define CATEGORY(c, op) { STR_INIT(op), CATEGORY_##c },
#include "compat/tt_perf_report/categories.def"
#undef CATEGORY
	};
	const struct str tail = STR("DeviceOperation");

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct str n = known[i].name;

		if (str_eq(word, n) ||
		    (word.len == n.len + tail.len && str_starts(word, n) && str_ends(word, tail)))
			return known[i].category;
	}
	return CATEGORY_OTHER;
}

/* How a cell shows the text: in two pieces, as a number if it is one, else as it is. */
static void show(struct texts *x, struct text *t)
{
	double number;

	for (size_t i = 0; i < sizeof(split_ops) / sizeof(split_ops[0]); i++)
		if (str_has(t->text, split_ops[i])) {
			t->flags |= TEXT_SPLIT;
			t->name = py_word(t->text, &t->rest);
			t->width = (uint32_t)(py_len(t->name) + 1 + py_len(t->rest));
			return;
		}
	t->name = t->text;
	if (py_float(t->text, &number)) {
		SCOPED(buf) struct buf b = { 0 };

		number_fixed(&b, number, 0, ',');
		t->name = str_n(arena_dup(&x->shown, b.at, b.len), b.len);
	}
	t->width = (uint32_t)py_len(t->name);
}

uint32_t texts_add(struct texts *x, struct str s)
{
	uint32_t id = intern_copy(&x->ids, s);
	struct text *t;
	struct str rest;

	if (id < x->all.len)
		return id;
	t = vec_push(&x->all);
	*t = (struct text){ .text = intern_get(&x->ids, id) };
	for (size_t i = 0; i < sizeof(text_flags) / sizeof(text_flags[0]); i++)
		if (str_has(t->text, text_flags[i].part))
			t->flags |= (uint8_t)text_flags[i].flag;
	t->colour = (uint8_t)compat_op_colour(t->text);
	t->first_word = py_word(t->text, &rest);
	t->category = (uint8_t)compat_category(t->first_word);
	show(x, t);
	return id;
}

void texts_release(struct texts *x)
{
	intern_release(&x->ids);
	vec_release(&x->all);
	arena_release(&x->shown);
}
