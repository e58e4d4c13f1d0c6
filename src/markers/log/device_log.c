// SPDX-License-Identifier: Apache-2.0
/*
 * Rows of one RISC follow each other, and a zone's name, type, line and file are the same whenever its
 * timer id is.  So the common row is read by comparing: its first four columns with the row before, its
 * columns from the zone's name on with the last row of the same timer id.  Numbers are read in between.
 * Anything else takes the slow way, which splits the row into columns.
 */
#include "markers/log/device_log.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/vec.h"
#include "wire/device_log_columns.h"
#include "wire/run_processes.h"

enum { CACHE_SLOTS = 4096, TAIL_MAX = 512 };

/* What a timer id stood for when it was last seen. */
struct tail {
	const char *at; /* from the zone's name to the comma before the meta data, in the file */
	uint32_t len, timer_id, file, line;
	uint16_t zone;
	uint8_t type;
};

struct device_log_cache {
	const char *head; /* of the row before: "0,1,1,BRISC," in the file */
	size_t head_len;
	uint32_t device;
	uint16_t x, y, risc;
	struct tail tail[CACHE_SLOTS];
};

enum log_field {
#define X(id, today, of_12, of_6) LOG_##id,
	DEVICE_LOG_COLUMNS(X)
#undef X
		LOG_FIELDS
};

/* Names in the forms of 15 and 12 columns. */
static const char *const field_names[][2] = {
#define X(id, today, of_12, of_6) { today, of_12 },
	DEVICE_LOG_COLUMNS(X)
#undef X
};

/* Other tools' names of the same. */
static const struct {
	const char *name;
	enum log_field field;
} other_names[] = {
	{ "chip", LOG_DEVICE }, { "device id", LOG_DEVICE }, { "chip_id", LOG_DEVICE },
	{ "RISC", LOG_RISC },   { "run ID", LOG_RUN_ID },
};

static enum marker_type marker_type_of(struct str s)
{
	for (enum marker_type t = 0; t < MARKER_DATA_16B; t++)
		if (str_eq(s, str_of(marker_type_name(t))))
			return t;
	if (str_eq_nocase(s, STR("begin")) || str_eq_nocase(s, STR("start")))
		return MARKER_ZONE_START;
	if (str_eq_nocase(s, STR("end")))
		return MARKER_ZONE_END;
	return MARKER_NONE;
}

static struct str next_line(struct device_log *log)
{
	struct str rest = str_from(log->in.data, log->at);
	size_t end = str_find_char(rest, '\n');
	struct str line = str_head(rest, end);

	log->at += end == STR_NONE ? rest.len : end + 1;
	log->line++;
	if (line.len && line.at[line.len - 1] == '\r')
		line.len--;
	return line;
}

/* "ARCH: x, CHIP_FREQ[MHz]: 1000, Max Compute Cores: 64"; false when the line is something else. */
static bool read_preamble(struct device_log *log, struct str line)
{
	struct str part, rest = line;

	if (str_has(line, STR("Chip clock is at "))) {
		log->arch = STR("grayskull");
		log->freq_mhz = 1200;
		return true;
	}
	if (!str_has(line, STR("ARCH")))
		return false;
	for (int i = 0; str_split(&rest, ',', &part); i++) {
		size_t colon = str_rfind_char(part, ':');
		struct str value = colon == STR_NONE ? part : str_from(part, colon + 1);
		int64_t n;

		value = str_trim(value);
		if (i == 0)
			log->arch = value;
		else if (i <= 2 && number_i64(value, &n) && n > 0)
			*(i == 1 ? &log->freq_mhz : &log->compute_cores) = n;
	}
	return true;
}

static int field_of_name(struct str name)
{
	for (int f = 0; f < LOG_FIELDS; f++)
		if (str_eq(name, str_of(field_names[f][0])) ||
		    str_eq(name, str_of(field_names[f][1])))
			return f;
	for (size_t i = 0; i < sizeof(other_names) / sizeof(*other_names); i++)
		if (str_eq(name, str_of(other_names[i].name)))
			return (int)other_names[i].field;
	return -1;
}

/* Columns by their number, for rows without names; false when the number is none that we know. */
static bool columns_by_number(struct device_log *log, size_t n)
{
	static const int8_t twelve[] = { 0,        1,        2,        3,
					 4,        5,        LOG_DATA, LOG_RUN_ID,
					 LOG_ZONE, LOG_TYPE, LOG_LINE, LOG_FILE };

	if (n != 6 && n != 12 && n != LOG_FIELDS)
		return false;
	for (size_t i = 0; i < n; i++)
		log->field_at[i] = n == 12 ? twelve[i] : (int8_t)i;
	log->columns = n;
	return true;
}

static size_t count_columns(struct str line)
{
	size_t n = 1;

	for (size_t i = 0; i < line.len; i++)
		n += line.at[i] == ',';
	return n;
}

/* Columns by the names of a header line; false when it is none. */
static bool columns_by_name(struct device_log *log, struct str line)
{
	struct str rest = line, name;
	size_t n = 0;
	unsigned found = 0;

	while (n < LOG_COLUMNS_MAX && str_split(&rest, ',', &name)) {
		int f = field_of_name(str_trim(name));

		log->field_at[n++] = (int8_t)f;
		if (f >= 0)
			found |= 1u << f;
	}
	log->columns = n;
	return (found & (1u << LOG_TIME)) && (found & (1u << LOG_TIMER_ID));
}

static bool looks_like_data(struct str line)
{
	struct str first, rest = line;
	uint64_t n;

	return str_split(&rest, ',', &first) && number_u64(str_trim(first), &n);
}

bool device_log_is_row(struct str line)
{
	static const char *const riscs[] = {
#define X(id, name) name,
		RISC_LIST(X)
#undef X
	};
	struct str cell = { 0 }, rest = line;

	if (!looks_like_data(line))
		return false;
	for (int i = 0; i < 4; i++)
		if (!str_split(&rest, ',', &cell))
			return false;
	for (size_t i = 0; i < sizeof(riscs) / sizeof(*riscs); i++)
		if (str_eq(str_trim(cell), str_of(riscs[i])))
			return true;
	return false;
}

/* What it is instead, in characters that a terminal can bear. */
static enum ttp_rc no_device_log(const char *path, struct str line, struct ttp_err *e)
{
	char start[61];
	size_t n = 0;

	for (; n < line.len && n < sizeof(start) - 1; n++)
		start[n] = line.at[n] >= ' ' && line.at[n] < 0x7f ? line.at[n] : '?';
	start[n] = 0;
	return ttp_fail(e, TTP_FORMAT, "%s: not a device log: it starts with \"%s\"", path, start);
}

static enum ttp_rc read_header(struct device_log *log, const char *path, struct ttp_err *e)
{
	struct str line = next_line(log);
	size_t before = 0;

	log->has_preamble = read_preamble(log, line);
	if (log->has_preamble) {
		before = log->at;
		line = next_line(log);
	}
	memset(log->field_at, -1, sizeof(log->field_at));
	if (looks_like_data(line)) {
		log->at = before;
		log->line--;
		if (!columns_by_number(log, count_columns(line)))
			return ttp_fail(
				e, TTP_FORMAT,
				"%s: not a device log: rows have %zu columns, not 6, 12 or 15",
				path, count_columns(line));
	} else if (!columns_by_name(log, line)) {
		if (log->has_preamble && !line.len)
			return columns_by_number(log, LOG_FIELDS) ? TTP_OK : TTP_FORMAT;
		/* names that nobody knows: trust the number of columns */
		if (!log->has_preamble || !columns_by_number(log, count_columns(line)))
			return no_device_log(path, line, e);
	}
	return TTP_OK;
}

enum ttp_rc device_log_open_input(struct device_log *log, struct input in, struct ttp_err *e)
{
	const char *path = in.name;
	enum ttp_rc rc;

	*log = (struct device_log){ .in = in };
	if (!log->in.data.len) {
		input_close(&log->in);
		return ttp_fail(e, TTP_FORMAT, "%s: the file is empty", path);
	}
	rc = read_header(log, path, e);
	if (rc) {
		input_close(&log->in);
		return rc;
	}
	for (size_t i = 0; i < log->columns; i++)
		log->has_sessions |= log->field_at[i] == LOG_SESSION;
	log->numbered_marks = log->columns == 6;
	log->first_row = log->at;
#define X(id, name) intern_add(&log->names.riscs, STR(name));
	RISC_LIST(X)
#undef X
	intern_add(&log->names.zones, STR(""));
	log->cache = mem_zero(1, sizeof(*log->cache));
	return TTP_OK;
}

enum ttp_rc device_log_open(struct device_log *log, const char *path, struct ttp_err *e)
{
	struct input in;
	enum ttp_rc rc;

	*log = (struct device_log){ 0 };
	rc = input_open_if(&in, path, input_is_table, e);
	return rc ? rc : device_log_open_input(log, in, e);
}

enum ttp_rc device_log_open_found(struct device_log *log, const char *path, struct ttp_err *e)
{
	struct input in;
	enum ttp_rc rc;

	*log = (struct device_log){ 0 };
	rc = input_open_file(&in, path, e);
	return rc ? rc : device_log_open_input(log, in, e);
}

void device_log_rewind(struct device_log *log)
{
	log->at = log->first_row;
	log->owner = 0;
	log->rows = log->bad_rows = 0;
	log->line = log->has_preamble ? 2 : 1;
	log->cache->head_len = 0;
}

void device_log_close(struct device_log *log)
{
	if (log->cache)
		input_close(&log->in);
	free(log->cache);
	launches_free(log->launches);
	RELEASE(intern, &log->names.riscs, &log->names.zones, &log->names.files);
	*log = (struct device_log){ 0 };
}

static void bad_row(struct device_log *log)
{
	if (log->bad_rows < LOG_ROWS_TOLD)
		log->bad_line[log->bad_rows] = log->line;
	log->bad_rows++;
}

/* Where the quoted field that begins at `at` ends: its closing quote, which a comma or nothing follows. */
static size_t closing_quote(struct str line, size_t at, bool *doubled)
{
	size_t i = at + 1;

	*doubled = false;
	for (; i < line.len; i++) {
		if (line.at[i] != '"')
			continue;
		if (i + 1 == line.len || line.at[i + 1] == ',')
			return i;
		if (line.at[i + 1] != '"')
			break;
		*doubled = true;
		i++;
	}
	return STR_NONE;
}

/* Splits a line at commas; a field in double quotes may hold some, and quotes, which are doubled. */
static size_t split_row(struct str line, struct str *field, size_t max, uint32_t *doubled)
{
	size_t n = 0, at = 0;

	*doubled = 0;
	while (n < max) {
		size_t from = at;
		bool twice;

		if (at < line.len && line.at[at] == '"') {
			size_t close = closing_quote(line, at, &twice);

			if (close != STR_NONE) {
				*doubled |= (uint32_t)twice << n;
				field[n++] = str_n(line.at + at + 1, close - at - 1);
				at = close + 1;
				if (at >= line.len)
					break;
				at++;
				continue;
			}
		}
		while (at < line.len && line.at[at] != ',')
			at++;
		field[n++] = str_n(line.at + from, at - from);
		if (at >= line.len)
			break;
		at++;
	}
	return n;
}

/* Text whose quotes are doubled, with single ones; it belongs to the log's names. */
static struct str undoubled(struct device_log *log, struct str s)
{
	SCOPED(buf) struct buf b = { 0 };
	uint32_t id;

	for (size_t i = 0; i < s.len; i++) {
		buf_char(&b, s.at[i]);
		i += s.at[i] == '"' && i + 1 < s.len && s.at[i + 1] == '"';
	}
	id = intern_copy(&log->names.files, buf_view(&b));
	return intern_get(&log->names.files, id);
}

/* Whole numbers, and those that a table program rewrote as 1024.0; -1 for an empty field. */
static bool read_id(struct str s, int64_t *out)
{
	double d;

	s = str_trim(s);
	if (!s.len || number_i64(s, out))
		return s.len > 0;
	if (!number_double(s, &d) || d < -9e15 || d > 9e15 || d != (double)(int64_t)d)
		return false;
	*out = (int64_t)d;
	return true;
}

static bool read_unsigned(struct str s, uint64_t *out)
{
	int64_t n;

	s = str_trim(s);
	if (number_u64(s, out))
		return true;
	if (!read_id(s, &n))
		return false;
	*out = (uint64_t)n; /* payloads are bits */
	return true;
}

/* The zone and type that marks 1 to 4 stand for; others are marks by their number. */
static void name_numbered_mark(struct device_log *log, struct marker *m)
{
	struct str risc = intern_get(&log->names.riscs, m->risc);
	char text[64];
	int n;

	if (str_starts(risc, STR("TRISC")))
		risc = STR("TRISC");
	if (m->timer_id >= 1 && m->timer_id <= 4) {
		bool firmware = m->timer_id == 1 || m->timer_id == 4;

		n = snprintf(text, sizeof(text), "%.*s-%s", STR_ARG(str_head(risc, 40)),
			     firmware ? "FW" : "KERNEL");
		m->type = m->timer_id <= 2 ? MARKER_ZONE_START : MARKER_ZONE_END;
	} else {
		n = snprintf(text, sizeof(text), "%u", m->timer_id);
		m->type = MARKER_EVENT;
	}
	m->zone = (uint16_t)intern_copy(&log->names.zones, str_n(text, (size_t)n));
}

static uint32_t add_name(struct intern *in, struct str s, uint32_t max)
{
	uint32_t id = intern_find(in, s);

	if (id != INTERN_NONE)
		return id;
	return intern_count(in) < max ? intern_add(in, s) : INTERN_NONE;
}

/* 30 years at 1 GHz: a time behind it is damage, and the quick way reads none of so many digits. */
static const uint64_t LATEST_CYCLES = 1000000000000000000u;

/* One row, column by column; false when it is no marker. */
static bool read_row(struct device_log *log, struct str line, struct marker *m)
{
	struct str field[LOG_COLUMNS_MAX], in[LOG_FIELDS];
	uint32_t doubled;
	size_t n = split_row(line, field, LOG_COLUMNS_MAX, &doubled);
	uint64_t device, x, y, timer = 0, src_line = 0;
	uint32_t id;
	unsigned have = 0;

	/* a last empty column may have been cut with the file's blanks */
	if (n > log->columns || n + 1 < log->columns)
		return false;
	for (int f = 0; f < LOG_FIELDS; f++)
		in[f] = STR("");
	for (size_t i = 0; i < n; i++)
		if (log->field_at[i] >= 0) {
			in[log->field_at[i]] =
				str_trim(doubled >> i & 1 ? undoubled(log, field[i]) : field[i]);
			have |= 1u << log->field_at[i];
		}
	*m = (struct marker){ .trace_id = -1,
			      .session = -1,
			      .file = UINT32_MAX,
			      .type = MARKER_NONE,
			      .meta = in[LOG_META] };
	if (!read_unsigned(in[LOG_DEVICE], &device) || !read_unsigned(in[LOG_CORE_X], &x) ||
	    !read_unsigned(in[LOG_CORE_Y], &y) || !read_unsigned(in[LOG_TIME], &m->time_cycles) ||
	    !read_unsigned(in[LOG_TIMER_ID], &timer) || device > UINT32_MAX || x > UINT16_MAX ||
	    y > UINT16_MAX || timer > UINT32_MAX ||
	    (m->time_cycles >= LATEST_CYCLES && !log->trusts_end))
		return false;
	m->device = (uint32_t)device;
	m->x = (uint16_t)x;
	m->y = (uint16_t)y;
	m->timer_id = (uint32_t)timer;
	if (in[LOG_DATA].len && !read_unsigned(in[LOG_DATA], &m->data))
		return false;
	if (in[LOG_RUN_ID].len && !read_unsigned(in[LOG_RUN_ID], &m->run_id))
		return false;
	if (!read_id(in[LOG_TRACE_ID], &m->trace_id))
		m->trace_id = -1;
	if (!read_id(in[LOG_SESSION], &m->session))
		m->session = -1;
	if (read_unsigned(in[LOG_LINE], &src_line) && src_line <= UINT32_MAX)
		m->line = (uint32_t)src_line;
	id = add_name(&log->names.riscs, in[LOG_RISC], MARKER_RISCS_MAX);
	if (id == INTERN_NONE)
		return false;
	m->risc = (uint16_t)id;
	if (have & (1u << LOG_FILE))
		m->file = intern_add(&log->names.files, in[LOG_FILE]);
	if (log->numbered_marks) {
		name_numbered_mark(log, m);
		if (log->launches)
			m->run_id = launch_at(log->launches, m->device, m->time_cycles);
		return true;
	}
	id = add_name(&log->names.zones, in[LOG_ZONE], MARKER_ZONES_MAX);
	if (id == INTERN_NONE)
		return false;
	m->zone = (uint16_t)id;
	m->type = (uint8_t)marker_type_of(in[LOG_TYPE]);
	return true;
}

/* The start and the end of a zone differ in bit 16 only. */
static inline size_t slot_of(uint64_t timer_id)
{
	return (timer_id ^ timer_id >> 13) % CACHE_SLOTS;
}

/* Remembers a row of 15 columns that was read the slow way, for the next ones that are like it. */
static void remember_row(struct device_log *log, struct str line, const struct marker *m)
{
	struct device_log_cache *c = log->cache;
	const char *p = line.at, *end = line.at + line.len, *zone, *tail_end;
	struct tail *t = &c->tail[slot_of(m->timer_id)];
	int comma = 0;

	c->head_len = 0;
	if (log->columns != LOG_FIELDS || memchr(line.at, '"', line.len - m->meta.len))
		return;
	for (int i = 0; i < LOG_FIELDS; i++)
		if (log->field_at[i] != i)
			return;
	zone = tail_end = NULL;
	for (; p < end; p++) {
		if (*p != ',')
			continue;
		comma++;
		if (comma == LOG_TIMER_ID) {
			c->head = line.at;
			c->head_len = (size_t)(p + 1 - line.at);
		} else if (comma == LOG_ZONE) {
			zone = p + 1;
		} else if (comma == LOG_META) {
			tail_end = p + 1;
		}
	}
	c->device = m->device;
	c->x = m->x;
	c->y = m->y;
	c->risc = m->risc;
	if (zone && tail_end && tail_end - zone <= TAIL_MAX)
		*t = (struct tail){ zone,        (uint32_t)(tail_end - zone),
				    m->timer_id, m->file,
				    m->line,     m->zone,
				    m->type };
}

/* Digits up to a comma; NULL when there are none, or too many to be sure of 64 bits. */
static inline const char *digits(const char *p, uint64_t *out)
{
	const char *from = p;
	uint64_t v = 0;

	while ((unsigned char)(*p - '0') < 10 && p - from < 19)
		v = v * 10 + (uint64_t)(*p++ - '0');
	*out = v;
	return p > from && p - from <= 18 && *p == ',' ? p + 1 : NULL;
}

/* As digits(), and nothing between two commas is -1. */
static inline const char *digits_or_none(const char *p, int64_t *out)
{
	uint64_t v;

	if (*p == ',') {
		*out = -1;
		return p + 1;
	}
	p = digits(p, &v);
	*out = (int64_t)v;
	return p;
}

/* The quick way for a row like the ones before; false leaves everything to the slow way. */
static inline bool read_known_row(struct device_log *log, struct marker *m)
{
	struct device_log_cache *c = log->cache;
	const char *start = log->in.data.at, *p = start + log->at, *end = start + log->in.data.len;
	const char *eol;
	const struct tail *t;
	uint64_t timer;

	/* the numbers have at most 18 digits each, and a tail is checked for its length below */
	if (!c->head_len || (size_t)(end - p) < c->head_len + 160 + TAIL_MAX ||
	    memcmp(p, c->head, c->head_len))
		return false;
	p = digits(p + c->head_len, &timer);
	if (!p || timer > UINT32_MAX)
		return false;
	t = &c->tail[slot_of(timer)];
	if (!t->len || t->timer_id != timer)
		return false;
	p = digits(p, &m->time_cycles);
	p = p ? digits(p, &m->data) : NULL;
	p = p ? digits(p, &m->run_id) : NULL;
	p = p ? digits_or_none(p, &m->trace_id) : NULL;
	p = p ? digits_or_none(p, &m->session) : NULL;
	if (!p || memcmp(p, t->at, t->len))
		return false;
	p += t->len;
	if (*p == '\n') {
		eol = p;
	} else {
		eol = memchr(p, '\n', (size_t)(end - p));
		if (!eol || memchr(p, ',', (size_t)(eol - p)))
			return false;
	}
	m->meta = str_n(p, (size_t)(eol - p));
	if (m->meta.len && eol[-1] == '\r')
		m->meta.len--;
	c->head = start + log->at; /* stays warm */
	m->timer_id = (uint32_t)timer;
	m->device = c->device;
	m->x = c->x;
	m->y = c->y;
	m->risc = c->risc;
	m->zone = t->zone;
	m->type = t->type;
	m->file = t->file;
	m->line = t->line;
	log->at = (size_t)(eol + 1 - start);
	log->line++;
	return true;
}

/* The end of a cut file: half a number looks like a whole one. */
static bool is_half_row(const struct device_log *log, struct str line)
{
	return log->at == log->in.data.len && log->in.data.at[log->at - 1] != '\n' &&
	       !log->trusts_end &&
	       (log->columns < LOG_FIELDS || count_columns(line) < log->columns);
}

static void number_chips(struct device_log *log, struct marker *m, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (m[i].run_id)
			log->owner = m[i].run_id;
		m[i].device = run_chip(log->processes, log->owner, m[i].device);
	}
}

size_t device_log_next(struct device_log *log, struct marker *out, size_t max)
{
	size_t n = 0;

	while (n < max && log->at < log->in.data.len) {
		struct str line;

		if (read_known_row(log, &out[n])) {
			n++;
			continue;
		}
		line = next_line(log);
		if (!str_trim(line).len)
			continue;
		if (is_half_row(log, line)) {
			log->half_row = true;
			continue;
		}
		if (read_row(log, line, &out[n])) {
			remember_row(log, line, &out[n]);
			n++;
		} else if (!str_has(line, STR("time[cycles since reset]")) &&
			   !str_starts(line, STR("ARCH"))) {
			bad_row(log); /* the head of a second dump is no fault */
		}
	}
	log->rows += n;
	if (log->processes && log->processes->stride)
		number_chips(log, out, n);
	return n;
}
