// SPDX-License-Identifier: Apache-2.0
#include "base/account.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Bits of the index key: what 8, device 24, core 12 + 12, RISC 8; numbers are stored one up. */
enum { DEVICE_MAX = (1 << 24) - 2, CORE_MAX = (1 << 12) - 2, RISC_MAX = (1 << 8) - 2 };
_Static_assert(ACCOUNT_WHATS <= 256, "fits the key");

static const struct {
	enum account_total total;
	const char *name, *one, *many, *hint;
} list[] = {
#define X(name, total, one, many, hint) \
	[ACCOUNT_##name] = { ACCOUNT_TOTAL_##total, #name, one, many, hint },
	ACCOUNT_LIST(X)
#undef X
};

void account_release(struct account *a)
{
	vec_release(&a->entries);
	u64map_release(&a->index);
	intern_release(&a->riscs);
	*a = (struct account){ 0 };
}

static int known(int v, int max)
{
	return v >= 0 && v <= max ? v : -1;
}

/* 1 and up, and the text becomes our own; 0: there is none, or a broken file has more than any chip. */
static uint64_t risc_number(struct account *a, const char **risc)
{
	struct str name = str_of(*risc);
	uint32_t id;

	if (!*risc)
		return 0;
	id = intern_count(&a->riscs) < RISC_MAX ? intern_copy(&a->riscs, name)
						: intern_find(&a->riscs, name);
	*risc = id == INTERN_NONE ? NULL : intern_get(&a->riscs, id).at;
	return id + 1u;
}

/* Numbers that no device has, from a broken file, count as unknown. */
static uint64_t key_of(struct account *a, enum account_what what, struct account_place *at)
{
	uint64_t risc = risc_number(a, &at->risc);

	at->device = known(at->device, DEVICE_MAX);
	at->core_x = known(at->core_x, CORE_MAX);
	at->core_y = known(at->core_y, CORE_MAX);
	return (uint64_t)what << 56 | (uint64_t)(at->device + 1) << 32 |
	       (uint64_t)(at->core_x + 1) << 20 | (uint64_t)(at->core_y + 1) << 8 | risc;
}

/* Counts come from files, too: what is too large for a number stays the largest. */
static void add_count(uint64_t *to, uint64_t count)
{
	if (__builtin_add_overflow(*to, count, to))
		*to = UINT64_MAX;
}

void account_add(struct account *a, enum account_what what, struct account_place at, uint64_t count)
{
	uint64_t key = key_of(a, what, &at);
	bool added;
	uint32_t i;

	assert((unsigned)what < ACCOUNT_WHATS);
	if (!count)
		return;
	i = u64map_get_or_put(&a->index, key, (uint32_t)a->entries.len, &added);
	if (added)
		*vec_push(&a->entries) = (struct account_entry){ what, at, 0 };
	add_count(&a->entries.at[i].count, count);
	add_count(&a->by_what[what], count);
	add_count(&a->total[list[what].total], count);
}

/* Keeps the smallest, so that the order in which shards are merged does not matter. */
static void keep_row(struct account_rows *r, uint64_t row)
{
	unsigned i = 0;

	while (i < r->kept && r->row[i] < row)
		i++;
	if (i == ACCOUNT_ROWS_KEPT || (i < r->kept && r->row[i] == row))
		return;
	if (r->kept < ACCOUNT_ROWS_KEPT)
		r->kept++;
	memmove(&r->row[i + 1], &r->row[i], (r->kept - 1 - i) * sizeof(r->row[0]));
	r->row[i] = row;
}

void account_add_row(struct account *a, enum account_what what, struct account_place at,
		     uint64_t row)
{
	account_add(a, what, at, 1);
	keep_row(&a->rows[what], row);
}

void account_merge(struct account *into, const struct account *from)
{
	vec_each (e, &from->entries)
		account_add(into, e->what, e->place, e->count);
	for (int what = 0; what < ACCOUNT_WHATS; what++)
		for (unsigned i = 0; i < from->rows[what].kept; i++)
			keep_row(&into->rows[what], from->rows[what].row[i]);
}

uint64_t account_total(const struct account *a, enum account_total total)
{
	return a->total[total];
}

uint64_t account_count(const struct account *a, enum account_what what)
{
	return a->by_what[what];
}

bool account_is_whole(const struct account *a)
{
	for (int i = ACCOUNT_FIRST_CAUSE; i < ACCOUNT_WHATS; i++)
		if (account_count(a, (enum account_what)i))
			return false;
	return true;
}

const struct account_rows *account_rows(const struct account *a, enum account_what what)
{
	return &a->rows[what];
}

const char *account_text(enum account_what what, uint64_t count)
{
	return count == 1 ? list[what].one : list[what].many;
}

const char *account_hint(enum account_what what)
{
	return list[what].hint;
}

const char *account_name(enum account_what what)
{
	return list[what].name;
}

bool account_is_of_ops(enum account_what what)
{
	return list[what].total != ACCOUNT_TOTAL_NONE;
}

bool account_is_dropped(enum account_what what)
{
	return list[what].total == ACCOUNT_TOTAL_DROPPED;
}

static int compare(const void *x, const void *y)
{
	const struct account_entry *a = x, *b = y;
	const int one[] = { (int)a->what, a->place.device, a->place.core_x, a->place.core_y };
	const int two[] = { (int)b->what, b->place.device, b->place.core_x, b->place.core_y };

	for (size_t i = 0; i < sizeof(one) / sizeof(one[0]); i++)
		if (one[i] != two[i])
			return one[i] < two[i] ? -1 : 1;
	return str_cmp(str_of(a->place.risc), str_of(b->place.risc));
}

const struct account_entry *account_sorted(struct account *a, size_t *n)
{
	*n = a->entries.len;
	if (!*n)
		return NULL;
	vec_sort(&a->entries, compare);
	for (size_t i = 0; i < a->entries.len; i++) {
		struct account_entry *e = &a->entries.at[i];

		u64map_put(&a->index, key_of(a, e->what, &e->place), (uint32_t)i);
	}
	return a->entries.at;
}

void account_summary(const struct account *a, struct str unit, struct buf *to)
{
	buf_printf(to, "%" PRIu64 " of %" PRIu64 " %.*s timed", a->total[ACCOUNT_TOTAL_TIMED],
		   a->total[ACCOUNT_TOTAL_SEEN], STR_ARG(unit));
	if (a->total[ACCOUNT_TOTAL_PARTIAL])
		buf_printf(to, ", %" PRIu64 " partial", a->total[ACCOUNT_TOTAL_PARTIAL]);
	buf_printf(to, ", %" PRIu64 " dropped", a->total[ACCOUNT_TOTAL_DROPPED]);
}

/* What can't be read has no number as a row; its line in the file is reported instead. */
static bool told_by_line(enum account_what what)
{
	return what == ACCOUNT_MALFORMED_ROW || what == ACCOUNT_SHORT_ROW ||
	       what == ACCOUNT_CUT_ROW || what == ACCOUNT_HEADER_AGAIN ||
	       what == ACCOUNT_NOT_UTF8 || what == ACCOUNT_UNCLOSED_QUOTE;
}

static void tell_rows(const struct account *a, enum account_what what, struct buf *to)
{
	const struct account_rows *r = &a->rows[what];
	uint64_t count = a->by_what[what];

	if (!r->kept)
		return;
	buf_printf(to, " (%s%s ", told_by_line(what) ? "line" : "row", count == 1 ? "" : "s");
	for (unsigned i = 0; i < r->kept; i++) {
		buf_text(to, i ? ", " : "");
		buf_add_u64(to, r->row[i]);
	}
	buf_text(to, r->kept == ACCOUNT_ROWS_KEPT && count > r->kept ? ", ...)" : ")");
}

static bool somewhere(const struct account_place *p)
{
	return p->device >= 0 || p->core_x >= 0 || p->core_y >= 0 || p->risc;
}

static void tell_place(const struct account_entry *e, struct buf *to)
{
	const struct account_place *p = &e->place;
	const char *between = "";

	buf_text(to, "  ");
	if (p->device >= 0) {
		buf_printf(to, "device %d", p->device);
		between = " ";
	}
	if (p->core_x >= 0 && p->core_y >= 0) {
		buf_printf(to, "%score %d,%d", between, p->core_x, p->core_y);
		between = " ";
	}
	if (p->risc)
		buf_printf(to, "%s%s", between, p->risc);
	else if (!somewhere(p))
		buf_text(to, "elsewhere");
	buf_printf(to, ": %" PRIu64 "\n", e->count);
}

/* `e` is the first of `n` entries of one cause.  One entry without core or device adds nothing. */
static void tell_places(const struct account_entry *e, size_t n, struct buf *to)
{
	if (n == 1 && !somewhere(&e->place))
		return;
	for (size_t i = 0; i < n && i < ACCOUNT_PLACES_TOLD; i++)
		tell_place(&e[i], to);
	if (n > ACCOUNT_PLACES_TOLD)
		buf_printf(to, "  and %zu more places\n", n - ACCOUNT_PLACES_TOLD);
}

void account_details(struct account *a, struct buf *to)
{
	size_t n, i = 0;
	const struct account_entry *e = account_sorted(a, &n);

	while (i < n) {
		enum account_what what = e[i].what;
		uint64_t count = a->by_what[what];
		size_t from = i;

		while (i < n && e[i].what == what)
			i++;
		if (what < ACCOUNT_FIRST_CAUSE)
			continue;
		buf_printf(to, "%" PRIu64 " %s", count, account_text(what, count));
		tell_rows(a, what, to);
		buf_char(to, '\n');
		tell_places(&e[from], i - from, to);
		buf_printf(to, "  hint: %s\n", account_hint(what));
	}
}
