// SPDX-License-Identifier: Apache-2.0
/* Texts of cells, and what the rest wants to know of them. */
#include "base/keyed.h"
#include "base/number.h"
#include "compat/tt_perf_report/py.h"
#include "compat/tt_perf_report/stacked.h"
#include "compat/tt_perf_report/steps_of_run.h"

enum { WARNED_CHARS = 80 };

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
	{ STR_INIT("SparseMatmul"), TEXT_SPARSE },
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

enum category compat_category(const struct compat_version *v, struct str text, struct str word)
{
	static const struct {
		struct str name;
		enum category category[RELEASES];
	} known[] = {
#define CATEGORY(c_1_2_4, c_1_3, op) { STR_INIT(op), { CATEGORY_##c_1_2_4, CATEGORY_##c_1_3 } },
#include "compat/tt_perf_report/categories.def"
#undef CATEGORY
	};
	const struct str tail = STR("DeviceOperation");

	if (v->host_anywhere && str_has(text, STR("(torch)")))
		return CATEGORY_HOST;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct str n = known[i].name;

		if (str_eq(word, n) ||
		    (word.len == n.len + tail.len && str_starts(word, n) && str_ends(word, tail)))
			return known[i].category[v->release];
	}
	return CATEGORY_OTHER;
}

/* How a cell shows the text: in two pieces, as a number if it is one, else as it is. */
static void show(struct texts *x, struct text *t)
{
	struct str text = t->text;
	double number;

	if (x->v->drops_controls) {
		SCOPED(buf) struct buf b = { 0 };

		compat_clean(&b, text);
		if (b.len < text.len)
			text = str_n(arena_dup(&x->shown, b.at, b.len), b.len);
	}
	for (size_t i = 0; i < sizeof(split_ops) / sizeof(split_ops[0]); i++)
		if (str_has(text, split_ops[i])) {
			t->flags |= TEXT_SPLIT;
			t->name = py_word(text, &t->rest);
			t->width = (uint32_t)(py_len(t->name) + 1 + py_len(t->rest));
			return;
		}
	t->name = text;
	if (py_float(text, &number)) {
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
	t->category = (uint8_t)compat_category(x->v, t->text, t->first_word);
	show(x, t);
	return id;
}

/* The first `n` characters. */
static struct str first_chars(struct str s, size_t n)
{
	size_t end = 0;

	for (size_t chars = 0; end < s.len; end++)
		if (((unsigned char)s.at[end] & 0xC0) != 0x80 && chars++ == n)
			break;
	return str_head(s, end);
}

void compat_warn_unclassified(struct compat_run *r, struct u64map *warned, const struct op *op)
{
	const struct text *name = op_name(r, op);
	struct str word = name->first_word;
	bool cut = false;

	if (name->category != CATEGORY_OTHER || (r->v->careful && !word.len))
		return;
	if (r->v->careful) {
		cut = py_len(word) > WARNED_CHARS;
		word = first_chars(word, WARNED_CHARS);
	}
	if (keyed_is_new(warned, texts_add(&r->texts, word)))
		compat_say(
			r, COLOUR_YELLOW,
			"Warning: Unclassified operation '%.*s%s' found. Please add to OPERATION_CATEGORIES for proper classification.",
			STR_ARG(word), cut ? "\xE2\x80\xA6" : "");
}

void texts_release(struct texts *x)
{
	intern_release(&x->ids);
	vec_release(&x->all);
	arena_release(&x->shown);
}
