// SPDX-License-Identifier: Apache-2.0
#include "host/api/core_choice.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "host/api/variables.h"

/* A number, then what must follow it; false if it is something else. */
static bool take_number(struct str *s, uint32_t *n)
{
	size_t i = 0;

	*n = 0;
	while (i < s->len && s->at[i] >= '0' && s->at[i] <= '9' && i < 4)
		*n = *n * 10 + (uint32_t)(s->at[i++] - '0');
	*s = str_from(*s, i);
	return i > 0;
}

static bool take_char(struct str *s, char c)
{
	if (!s->len || s->at[0] != c)
		return false;
	*s = str_from(*s, 1);
	return true;
}

static bool take_core(struct str *s, uint32_t *x, uint32_t *y)
{
	bool round = take_char(s, '(');

	return take_number(s, x) && take_char(s, ',') && take_number(s, y) &&
	       (!round || take_char(s, ')'));
}

static bool is_all(struct str s)
{
	return str_eq(s, STR("all")) || str_eq(s, STR("worker"));
}

/* One rectangle after the other; *more is false behind the last. */
static bool take_cores(struct str *s, uint32_t *x0, uint32_t *y0, uint32_t *x1, uint32_t *y1,
		       bool *more)
{
	if (!take_core(s, x0, y0))
		return false;
	*x1 = *x0;
	*y1 = *y0;
	if (take_char(s, '-') && !take_core(s, x1, y1))
		return false;
	*more = take_char(s, ',');
	return (*more || !s->len) && *x0 <= *x1 && *y0 <= *y1;
}

static enum ttp_rc wrong_cores(const char *variable, const char *text, struct ttp_err *e)
{
	return ttp_fail(e, TTP_USAGE, "%s=%.100s: all, x,y or (x,y)-(x,y),... is wanted", variable,
			text);
}

enum ttp_rc choice_cores(const struct choice *c, int chip, const struct coord *coord,
			 bool (*on)[PORT_GRID_MAX], struct ttp_err *e)
{
	struct str s = str_of(c->cores);
	bool all = is_all(s), more = true;

	for (int y = 0; y < coord->rows; y++)
		for (int x = 0; x < coord->columns; x++)
			on[y][x] = all && choice_has_chip(c, chip);
	if (all || !c->any || !choice_has_chip(c, chip))
		return TTP_OK;
	while (more) {
		uint32_t x0, y0, x1, y1;

		if (!take_cores(&s, &x0, &y0, &x1, &y1, &more))
			return wrong_cores(c->variable, c->cores, e);
		if (x1 >= (uint32_t)coord->columns || y1 >= (uint32_t)coord->rows)
			return ttp_fail(e, TTP_USAGE, "%s=%.100s: the grid is %dx%d", c->variable,
					c->cores, coord->columns, coord->rows);
		for (uint32_t y = y0; y <= y1; y++)
			for (uint32_t x = x0; x <= x1; x++)
				on[y][x] = true;
	}
	return TTP_OK;
}

bool choice_has_chip(const struct choice *c, int chip)
{
	return c->any && (c->all_chips || (chip >= 0 && chip < CHOICE_CHIPS_MAX &&
					   c->chips[chip / 8] >> chip % 8 & 1));
}

static enum ttp_rc read_chips(struct choice *c, const char *variable, const char *text,
			      struct ttp_err *e)
{
	struct str rest = str_of(text), piece;
	uint64_t n;

	c->all_chips = !text || !strcmp(text, "all");
	while (!c->all_chips && rest.len && str_split(&rest, ',', &piece)) {
		if (!number_u64(str_trim(piece), &n) || n >= CHOICE_CHIPS_MAX)
			return ttp_fail(e, TTP_USAGE, "%s=%.100s: all, or numbers from 0 to %d",
					variable, text, CHOICE_CHIPS_MAX - 1);
		c->chips[n / 8] |= (uint8_t)(1 << n % 8);
	}
	return TTP_OK;
}

struct named_bits {
	struct str name;
	uint32_t bits;
};

/* Names with commas between them; false if one is unknown. */
static bool read_names(struct str text, const struct named_bits *names, size_t n, uint32_t *bits)
{
	struct str piece;

	while (text.len && str_split(&text, ',', &piece)) {
		uint32_t found = 0;

		for (size_t i = 0; i < n; i++)
			if (str_eq(str_trim(piece), names[i].name))
				found = names[i].bits;
		if (!found)
			return false;
		*bits |= found;
	}
	return true;
}

static enum ttp_rc choice_riscs(const char *variable, const char *text, uint8_t *riscs, struct ttp_err *e)
{
	static const struct named_bits names[] = {
		{ STR_INIT("BR"), 1 },   { STR_INIT("NC"), 2 },     { STR_INIT("TR0"), 4 },
		{ STR_INIT("TR1"), 8 },  { STR_INIT("TR2"), 16 },   { STR_INIT("B"), 1 },
		{ STR_INIT("R"), 0x1E }, { STR_INIT("all"), 0x1F },
	};
	uint32_t bits = text && *text ? 0 : 0x1F;

	if (!read_names(str_of(text), names, sizeof(names) / sizeof(*names), &bits))
		return ttp_fail(
			e, TTP_USAGE,
			"%s=%.100s: BR, NC, TR0, TR1, TR2 are wanted, with commas; B is BR, R "
			"the others, nothing all",
			variable, text);
	*riscs = (uint8_t)bits;
	return TTP_OK;
}

enum ttp_rc choice_read(struct choice *c, const char *prefix, const char *without,
			struct ttp_err *e)
{
	char name[64];
	const char *cores, *riscs;
	bool more = true;
	struct str s;

	memset(c, 0, sizeof(*c));
	snprintf(c->variable, sizeof(c->variable), "%s_CORES", prefix);
	cores = variable_text(c->variable);
	cores = cores ? cores : without;
	c->any = cores != NULL;
	if (cores && strlen(cores) >= sizeof(c->cores))
		return ttp_fail(e, TTP_LIMIT, "%s: longer than %zu bytes", c->variable,
				sizeof(c->cores) - 1);
	if (cores)
		memcpy(c->cores, cores, strlen(cores) + 1);
	s = str_of(c->cores);
	while (c->any && !is_all(s) && more) {
		uint32_t corner[4];

		if (!take_cores(&s, &corner[0], &corner[1], &corner[2], &corner[3], &more))
			return wrong_cores(c->variable, c->cores, e);
	}
	snprintf(name, sizeof(name), "%s_CHIPS", prefix);
	TTP_TRY(read_chips(c, name, variable_text(name), e));
	snprintf(name, sizeof(name), "%s_RISCVS", prefix);
	riscs = variable_text(name);
	return choice_riscs(name, riscs ? riscs : "", &c->riscs, e);
}

enum ttp_rc delay_read(const char *variable, const char *text, uint64_t *cycles, uint64_t *ms,
		       struct ttp_err *e)
{
	struct str s = str_of(text);
	bool in_ms = str_ends(s, STR("ms"));
	uint64_t n = 0;

	*cycles = *ms = 0;
	if (!s.len)
		return TTP_OK;
	if (!number_u64(in_ms ? str_head(s, s.len - 2) : s, &n) || n > UINT32_MAX)
		return ttp_fail(e, TTP_USAGE,
				"%s=%.40s: a number of cycles, or of ms as in 2ms, is wanted",
				variable, text);
	*(in_ms ? ms : cycles) = n;
	return TTP_OK;
}

enum ttp_rc counters_read(const char *variable, const char *text, uint32_t *groups,
			  struct ttp_err *e)
{
	static const struct named_bits names[] = {
		{ STR_INIT("fpu"), COUNTERS_FPU },       { STR_INIT("pack"), COUNTERS_PACK },
		{ STR_INIT("unpack"), COUNTERS_UNPACK }, { STR_INIT("l1"), COUNTERS_L1_0 },
		{ STR_INIT("l1_0"), COUNTERS_L1_0 },     { STR_INIT("l1_1"), COUNTERS_L1_1 },
		{ STR_INIT("instrn"), COUNTERS_INSTRN }, { STR_INIT("l1_2"), COUNTERS_L1_2 },
		{ STR_INIT("l1_3"), COUNTERS_L1_3 },     { STR_INIT("l1_4"), COUNTERS_L1_4 },
		{ STR_INIT("l1_5"), COUNTERS_L1_5 },     { STR_INIT("all"), COUNTERS_ALL },
	};
	const uint32_t later = COUNTERS_L1_2 | COUNTERS_L1_3 | COUNTERS_L1_4 | COUNTERS_L1_5;
	uint64_t mask;
	uint32_t l1;

	*groups = 0;
	if (number_u64(str_of(text), &mask) && mask < 2 * COUNTERS_L1_5)
		*groups = (uint32_t)mask;
	else if (!read_names(str_of(text), names, sizeof(names) / sizeof(*names), groups))
		return ttp_fail(e, TTP_USAGE,
				"%s=%.100s: fpu, pack, unpack, l1 (l1_0 ... l1_5), instrn, all "
				"are wanted, with commas, or their mask",
				variable, text);
	if (*groups & later)
		return ttp_fail(e, TTP_USAGE,
				"%s=%.100s: l1_2 to l1_5 are Blackhole's; Wormhole has "
				"l1_0 and l1_1",
				variable, text);
	l1 = *groups & (COUNTERS_L1_0 | COUNTERS_L1_1);
	if (l1 & (l1 - 1))
		return ttp_fail(e, TTP_USAGE,
				"%s=%.100s: one L1 bank per run, they share a counter", variable,
				text);
	return TTP_OK;
}
