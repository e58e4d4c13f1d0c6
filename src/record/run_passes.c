// SPDX-License-Identifier: Apache-2.0
/*
 * Counters in several runs.  Firmware has room for a few groups, and the banks of L1 share one multiplexer, so a program is run once for each
 * set that goes together.  The counters of all runs then stand in the device log of the last one, by core, op and replay.
 */
#include <stdio.h>
#include <unistd.h>

#include "base/input.h"
#include "base/keyed.h"
#include "base/number.h"
#include "base/out.h"
#include "record/run_job.h"
#include "wire/device_log_columns.h"
#include "wire/run_names.h"

enum {
	GROUPS_OF_PASS = 3, /* as tt-metal's own schedule has it */
	GROUPS_MOST = 16,
	TIMER_COLUMN = 4,
	TIME_COLUMN = 5,
	COLUMNS_NEEDED = 10
};
#define COUNTER_TIMER STR("9090")

size_t run_passes(unsigned bits, unsigned *passes)
{
	unsigned banks = bits & RUN_L1_GROUPS, others = bits & ~(unsigned)RUN_L1_GROUPS;
	size_t groups = (size_t)__builtin_popcount(bits), n = (size_t)__builtin_popcount(banks);

	if (n * GROUPS_OF_PASS < groups)
		n = (groups + GROUPS_OF_PASS - 1) / GROUPS_OF_PASS;
	for (size_t i = 0; i < n; i++) {
		passes[i] = banks & -banks;
		banks &= banks - 1;
	}
	for (; others; others &= others - 1) {
		size_t least = 0;

		for (size_t i = 1; i < n; i++)
			if (__builtin_popcount(passes[i]) < __builtin_popcount(passes[least]))
				least = i;
		passes[least] |= others & -others;
	}
	return n;
}

static void pass_log(const char *folder, size_t pass, struct buf *path)
{
	buf_set(path, "%s/" RUN_LOGS_FOLDER "/profile_log_device.pass%zu.csv", folder, pass + 1);
}

/* Cells of a row up to the replay, trimmed; false: it is short. */
static bool cells_of(struct str line, struct str *cells)
{
	for (int i = 0; i < COLUMNS_NEEDED; i++) {
		if (!str_split(&line, ',', &cells[i]))
			return false;
		cells[i] = str_trim(cells[i]);
	}
	return true;
}

/* Device, core, RISC, op, trace, replay. */
static void add_key(struct buf *to, const struct str *cells)
{
	static const int columns[] = { 0, 1, 2, 3, 7, 8, 9 };

	buf_clear(to);
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++) {
		buf_str(to, cells[columns[i]]);
		buf_char(to, ',');
	}
}

/* Where the last run's counters of a core and an op were first read. */
struct reading {
	struct str time, row;
	struct buf more; /* rows of other runs, which follow it */
};

struct merge {
	struct intern keys;
	VEC(struct reading) readings; /* by key */
	struct buf key;
	uint64_t added, unknown, bytes;
};

static bool counter_cells(struct str line, struct str *cells)
{
	return cells_of(line, cells) && str_eq(cells[TIMER_COLUMN], COUNTER_TIMER);
}

static void take_readings(struct merge *m, struct str text)
{
	struct str line, cells[COLUMNS_NEEDED];

	while (str_split(&text, '\n', &line)) {
		if (!counter_cells(line, cells))
			continue;
		add_key(&m->key, cells);
		if (intern_copy(&m->keys, buf_view(&m->key)) == m->readings.len)
			*vec_push(&m->readings) =
				(struct reading){ .time = cells[TIME_COLUMN], .row = line };
	}
}

/* Readings of another run, as if they had been made in the last one. */
static void take_rows(struct merge *m, struct str text)
{
	struct str line, cells[COLUMNS_NEEDED];

	while (str_split(&text, '\n', &line)) {
		struct reading *r;
		uint32_t at;

		if (!counter_cells(line, cells))
			continue;
		add_key(&m->key, cells);
		at = intern_find(&m->keys, buf_view(&m->key));
		if (at >= m->readings.len) {
			m->unknown++;
			continue;
		}
		r = &m->readings.at[at];
		buf_add(&r->more, line.at, (size_t)(cells[TIME_COLUMN].at - line.at));
		buf_str(&r->more, r->time);
		buf_str(&r->more, str_from(line, (size_t)(cells[TIME_COLUMN].at +
							  cells[TIME_COLUMN].len - line.at)));
		buf_char(&r->more, '\n');
		m->added++;
	}
}

/* The log, with the rows of other runs where their like are. */
static void write_merged(struct merge *m, struct str text, struct out *to)
{
	const char *from = text.at;

	vec_each (r, &m->readings) {
		const char *end = r->row.at + r->row.len;

		out_add(to, from, (size_t)(end - from));
		out_add(to, "\n", 1);
		m->bytes += r->more.len;
		out_buf(to, &r->more);
		from = end < text.at + text.len ? end + 1 : end;
	}
	out_add(to, from, (size_t)(text.at + text.len - from));
}

/* What lies beside the log says how long it is: by so much it has grown.  Without it, nobody asks. */
static void grow_state(const char *log, uint64_t by)
{
	SCOPED(buf) struct buf path = { 0 }, text = { 0 };
	struct str rest, line;
	struct out_file f;
	struct ttp_err e;
	struct input in;

	buf_printf(&path, "%s" RUN_STATE_SUFFIX, log);
	if (input_open(&in, path.at, &e))
		return;
	rest = in.data;
	while (str_split(&rest, '\n', &line)) {
		struct str word = STR(DEVICE_LOG_STATE_BYTES);
		uint64_t bytes;

		if (str_starts(line, word) && number_u64(str_from(line, word.len), &bytes))
			buf_printf(&text, "%s%llu\n", DEVICE_LOG_STATE_BYTES,
				   (unsigned long long)(bytes + by));
		else if (line.len && !str_starts(line, STR(DEVICE_LOG_STATE_INODE)))
			buf_printf(&text, "%.*s\n", STR_ARG(line));
	}
	input_close(&in);
	if (!out_file_open(&f, path.at, &e)) {
		out_buf(&f.out, &text);
		if (out_file_commit(&f, &e))
			return;
	}
}

static enum ttp_rc merge_into(struct merge *m, const char *folder, size_t passes, struct ttp_err *e)
{
	SCOPED(buf) struct buf path = { 0 }, other = { 0 };
	struct out_file f;
	struct input in;
	enum ttp_rc rc = TTP_OK;

	buf_printf(&path, "%s/" RUN_LOGS_FOLDER "/" RUN_DEVICE_LOG, folder);
	TTP_TRY(input_open(&in, path.at, e));
	take_readings(m, in.data);
	for (size_t i = 0; !rc && i + 1 < passes; i++) {
		struct input of_pass;

		pass_log(folder, i, &other);
		rc = input_open(&of_pass, other.at, e);
		if (!rc) {
			take_rows(m, of_pass.data);
			input_close(&of_pass);
		}
	}
	if (!rc)
		rc = out_file_open(&f, path.at, e);
	if (!rc) {
		write_merged(m, in.data, &f.out);
		rc = out_file_commit(&f, e);
	}
	if (!rc)
		grow_state(path.at, m->bytes);
	input_close(&in);
	return rc;
}

void run_merge_passes(const struct job *j)
{
	const struct console *c = j->q->console;
	struct merge m = { 0 };
	struct ttp_err e;

	if (merge_into(&m, j->folder.at, j->q->passes, &e))
		console_warn(
			c,
			"--perf-counter-multipass: %s: the report has the counters of the last run alone",
			e.msg);
	else if (m.unknown)
		console_warn(
			c,
			"--perf-counter-multipass: %llu of %llu readings of counters are of ops or cores that the last "
			"run did not have, and are not in the report: the runs did not do the same",
			(unsigned long long)m.unknown, (unsigned long long)(m.unknown + m.added));
	intern_release(&m.keys);
	vec_each (r, &m.readings)
		buf_release(&r->more);
	vec_release(&m.readings);
	buf_release(&m.key);
}

int run_in_passes(const struct run_request *q, unsigned bits, const char *folder,
		  struct buf *report, struct run_ended *ended)
{
	struct run_request one = *q;
	unsigned passes[GROUPS_MOST];
	SCOPED(buf) struct buf log = { 0 }, kept = { 0 }, b = { 0 };
	int status;

	one.passes = run_passes(bits, passes);
	for (size_t i = 0; i < one.passes; i++) {
		bool last = i + 1 == one.passes;

		one.counter_bits = passes[i];
		if (!q->quiet) {
			buf_clear(&b);
			buf_printf(&b, "%s: run %zu of %zu, with counters of ", q->console->prog,
				   i + 1, one.passes);
			run_counter_names(passes[i], &b);
			buf_char(&b, '\n');
			q->console->print(&b);
		}
		status = run_once(&one, folder, last ? RUN_ONLY : RUN_PASS, NULL,
				  last ? report : NULL, ended);
		if (last || status) {
			if (!last)
				console_warn(q->console,
					     "run %zu of %zu failed, so there are no others", i + 1,
					     one.passes);
			return status;
		}
		buf_set(&log, "%s/" RUN_LOGS_FOLDER "/" RUN_DEVICE_LOG, folder);
		pass_log(folder, i, &kept);
		(void)rename(log.at, kept.at);
	}
	return 0;
}
