// SPDX-License-Identifier: Apache-2.0
/* What ATTRIBUTES tells.  The text is what C++ printed; it is searched, not parsed. */
#include "compat/tt_perf_report/output.h"
#include "compat/tt_perf_report/py.h"

/* What follows the first `key`; false without one. */
static bool after(struct str s, struct str key, struct str *rest)
{
	size_t at = str_find(s, key);

	if (at == STR_NONE)
		return false;
	*rest = str_from(s, at + key.len);
	return true;
}

/* The digits behind the first `key` that has some. */
static bool number_after(struct str s, struct str key, int64_t *out)
{
	while (after(s, key, &s)) {
		size_t n = 0;

		while (n < s.len && s.at[n] >= '0' && s.at[n] <= '9')
			n++;
		if (n)
			return py_int(str_head(s, n), out, NULL);
	}
	return false;
}

struct attributes compat_attributes_read(struct str s)
{
	static const struct str keys[] = {
		STR_INIT("in0_block_w="),
		STR_INIT("out_subblock_h="),
		STR_INIT("out_subblock_w="),
	};
	struct attributes a = { 0 };

	a.sharded = str_has(s, STR("MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig"));
	if (!str_has(s, STR("program_config")))
		return a;
	for (int i = BLOCK_K; i <= BLOCK_W; i++)
		if (number_after(s, keys[i], &a.block[i]))
			a.has |= (uint8_t)(1u << i);
	return a;
}

/* The first `n` pieces between `;` behind a key, with commas; "x" without the key. */
static void add_pieces(struct buf *b, struct str s, struct str key, int n)
{
	struct str rest, piece;

	if (!after(s, key, &rest)) {
		buf_char(b, 'x');
		return;
	}
	for (int i = 0; i < n && str_split(&rest, ';', &piece); i++) {
		if (i)
			buf_char(b, ',');
		buf_str(b, piece);
	}
}

void compat_attributes_halo(struct str s, struct buf *b)
{
	struct str rest, piece = STR("");
	size_t at;

	buf_text(b, " w=");
	add_pieces(b, s, STR("window_hw="), 2);
	buf_text(b, " s=");
	add_pieces(b, s, STR("stride_hw="), 2);
	buf_text(b, " p=");
	add_pieces(b, s, STR("padding="), 4);
	buf_text(b, " d=");
	add_pieces(b, s, STR("dilation_hw="), 2);
	buf_text(b, " | ");
	if (after(s, STR("memory_layout="), &rest))
		(void)str_split(&rest, ';', &piece);
	at = str_find(piece, STR("::"));
	if (at == STR_NONE) {
		buf_char(b, 'x');
		return;
	}
	piece = str_from(piece, at + 2);
	buf_str(b, str_head(piece, str_find(piece, STR("::"))));
}

static void add_tiles(struct buf *b, struct str s, struct str key)
{
	struct str rest;
	int64_t v;

	if (after(s, key, &rest)) {
		rest = str_from(rest, 1);
		if (py_int(str_head(rest, str_find_char(rest, ';')), &v, b))
			return;
	}
	buf_char(b, 'x');
}

/* A switch that counts as on unless it is there and something else than 'true'. */
static bool is_on(struct str s, struct str key)
{
	struct str rest;

	return !after(s, key, &rest) ||
	       str_eq(str_head(rest, str_find_char(rest, '\'')), STR("true"));
}

void compat_attributes_conv(struct str s, struct buf *b)
{
	buf_text(b, " [ABH=");
	add_tiles(b, s, STR("per_core_out_matrix_height_ntile"));
	buf_char(b, '|');
	add_tiles(b, s, STR("act_block_h_ntiles"));
	if (is_on(s, STR("enable_act_double_buffer': '")))
		buf_text(b, " ADB");
	if (is_on(s, STR("enable_split_reader': '")))
		buf_text(b, " SR");
	buf_char(b, ']');
}

static bool read_side(const struct compat_version *v, struct str piece, int64_t *side)
{
	double real;

	if (!v->careful)
		return py_int(piece, side, NULL);
	if (!py_float(piece, &real) || !compat_is_dim(real))
		return false;
	*side = (int64_t)real;
	return true;
}

bool compat_attributes_window(const struct compat_version *v, struct str s, int64_t window[2])
{
	struct str rest, piece;

	if (!after(s, STR("window_hw"), &rest))
		return false;
	rest = str_from(str_head(rest, str_find(rest, STR("; "))), 2);
	if (!rest.len)
		return false;
	rest.len--;
	for (int i = 0; i < 2; i++)
		if (!str_split(&rest, ';', &piece) || !read_side(v, piece, &window[i]))
			return false;
	return true;
}

/* ---- sparse matmuls ---- */

static bool is_quote(char c)
{
	return c == '\'' || c == '"';
}

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1C && c <= 0x1F);
}

static size_t skip_blanks(struct str s, size_t i)
{
	while (i < s.len && is_blank(s.at[i]))
		i++;
	return i;
}

/* The value from `i` on: up to its quote, or without quotes up to what ends it. */
static bool value_at(struct str s, size_t i, bool quoted, struct str *value)
{
	size_t end = i;

	if (quoted) {
		if (i == s.len || !is_quote(s.at[i]))
			return false;
		for (end = ++i; end < s.len && !is_quote(s.at[end]);)
			end++;
		*value = str_n(s.at + i, end - i);
		return end < s.len && end > i;
	}
	while (end < s.len && !is_blank(s.at[end]) && s.at[end] != ';' && s.at[end] != ',' &&
	       s.at[end] != '}')
		end++;
	*value = str_n(s.at + i, end - i);
	return end > i;
}

/* The value of 'name': the first that stands in quotes, else the first. */
static bool value_of(struct str s, struct str name, struct str *value)
{
	for (int quoted = 1; quoted >= 0; quoted--) {
		struct str rest = s;
		size_t at;

		while ((at = str_find(rest, name)) != STR_NONE) {
			size_t i = at + name.len;
			bool named = at && is_quote(rest.at[at - 1]) && i < rest.len &&
				     is_quote(rest.at[i]);

			i = named ? skip_blanks(rest, i + 1) : i;
			if (named && i < rest.len && rest.at[i] == ':' &&
			    value_at(rest, skip_blanks(rest, i + 1), quoted, value))
				return true;
			rest = str_from(rest, at + 1);
		}
	}
	return false;
}

static bool is_set(struct str s, struct str name, bool missing)
{
	struct str value;

	return value_of(s, name, &value) ? str_eq_nocase(value, STR("true")) : missing;
}

struct sparse compat_attributes_sparse(struct str s, const int64_t batch[2], int64_t experts)
{
	bool a = is_set(s, STR("is_input_a_sparse"), false);
	bool b = is_set(s, STR("is_input_b_sparse"), true);
	int64_t groups = batch[0];
	struct sparse x = { 0 };
	struct str nnz;

	if (a && b)
		groups = 1;
	else if (a)
		groups = batch[0] / batch[1] > 1 ? batch[0] / batch[1] : 1;
	x.dense = groups * batch[1];
	if (!a && !b)
		x.dense = batch[0] > batch[1] ? batch[0] : batch[1];
	if (value_of(s, STR("nnz"), &nnz) && py_int(nnz, &x.active, NULL)) {
		x.has_active = true;
	} else if (experts > 0) {
		x.active = experts * groups;
		x.has_active = true;
	}
	return x;
}
