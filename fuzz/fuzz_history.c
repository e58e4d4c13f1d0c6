// SPDX-License-Identifier: Apache-2.0
/*
 * A history whose rows are any values, and a run.json of any bytes.  A line is a row: "R", "K" or "O" (runs, kinds, ops), then cells behind tabs: i and a whole number, r and a
 * real one, t and a text, n.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/number.h"
#include "history/history_out.h"
#include "history/run_origin.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CELLS_MAX = 31, RUNS_MAX = 40, OPS_MAX = 400 };
static struct str rows;

static struct store_value cell_of(struct str text)
{
	struct str rest = str_from(text, 1);
	int64_t whole = 0;
	double real = 0;

	switch (text.len ? text.at[0] : 'n') {
	case 'i':
		return number_i64(rest, &whole) ? store_of_whole(whole)
						: store_of_whole((int64_t)rest.len);
	case 'r':
		return number_double(rest, &real)
			       ? (struct store_value){ .kind = STORE_REAL, .real = real }
			       : store_of_real(1);
	case 't':
		return store_of_text(rest);
	default:
		return (struct store_value){ .kind = STORE_NULL };
	}
}

static enum ttp_rc run_rows(struct store *s, const char *sql, const struct store_value *values,
			    size_t n, store_row *row, void *ctx, struct ttp_err *e)
{
	char table = strstr(sql, "FROM ttprof_run")    ? 'R'
		     : strstr(sql, "FROM ttprof_kind") ? 'K'
						       : 'O';
	size_t wanted = table == 'R' ? CELLS_MAX : 5, most = table == 'O' ? OPS_MAX : RUNS_MAX,
	       rows_given = 0;
	struct str rest = rows, line, cell;

	(void)s;
	(void)values;
	(void)n;
	while (str_split(&rest, '\n', &line) && rows_given < most) {
		struct store_value cells[CELLS_MAX] = { { .kind = STORE_NULL } };
		size_t at = 0;

		if (!line.len || line.at[0] != table)
			continue;
		(void)str_split(&line, '\t', &cell);
		while (at < wanted && str_split(&line, '\t', &cell))
			cells[at++] = cell_of(cell);
		rows_given++;
		TTP_TRY(row(ctx, cells, wanted, e));
	}
	return TTP_OK;
}

static void show_all(const struct history *h)
{
	const struct trends_ask ask = { .min_percent = 1, .min_ns = 100, .last = 30 };
	const struct history_shown some = { .op = "a", .all = true }, whole = { .all = true };
	const struct term term = { .width = 80, .utf8 = true };
	struct trends t;
	struct out out;
	int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		abort();
	out_init(&out, fd, "null");
	trends_make(&t, h, &ask);
	history_list_text(h, term, &out);
	history_list_json(h, &out);
	for (int i = 0; i < 2; i++) {
		const struct history_shown *shown = i ? &some : &whole;

		history_show_text(&t, shown, term, &out);
		history_show_json(&t, shown, &out);
		history_show_svg(&t, shown, &out);
		history_regressions_text(&t, shown, term, &out);
		history_regressions_json(&t, shown, &out);
	}
	trends_release(&t);
	out_release(&out);
	(void)close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct store_driver fake = { .run = run_rows };
	SCOPED(run_origin) struct run_origin origin = { 0 };
	struct history h = { .store = { .driver = &fake } };
	struct ttp_err e;

	rows = str_n((const char *)data, size);
	run_origin_read(&origin, rows);
	buf_text(&h.store.shown, "fuzz");
	if (!history_read(&h, NULL, NULL, true, &e))
		show_all(&h);
	h.store.driver = NULL;
	history_release(&h);
	return 0;
}
