// SPDX-License-Identifier: Apache-2.0
#include "host/logs/log_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ttp/kernel/layout.h>

#define LOG_AREA "device"
#include "base/exhausted.h"
#include "base/log.h"
#include "base/paths.h"
#include "host/host_device.h"
#include "host/ops/op.h"
#include "wire/device_log_columns.h"
#include "wire/run_names.h"

enum {
	CELL_MAX = 8192,
	ROW_MAX = 1024, /* of a row's numbers and the texts that are kept */
};

static pthread_mutex_t begun_lock = PTHREAD_MUTEX_INITIALIZER; /* of begun_folder */
static char begun_folder[1100];
/*
 * Who holds a writer: rows of two devices must not mix; nor of two processes, so the log itself is locked, too.
 * Of one device there may be two logs at a time.
 */
static pthread_mutex_t writer_lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

enum ttp_rc log_writer_folder(const char *folder, struct ttp_err *e)
{
	char at[1100];
	int n = snprintf(at, sizeof(at), "%s", folder);

	for (int i = 1; i <= n; i++) {
		char c = at[i];

		if (c != '/' && c)
			continue;
		at[i] = 0;
		if (mkdir(at, c ? 0777 : 0700) && errno != EEXIST)
			return ttp_fail_errno(e, "can't make the folder %s for the device log", at);
		at[i] = c;
	}
	return TTP_OK;
}

enum ttp_rc log_writer_begin(const char *folder, struct ttp_err *e)
{
	/* What a run begins anew. */
	static const char *const logs[] = { RUN_LOGS_OF_DEVICES };
	char path[1200];
	enum ttp_rc rc = TTP_OK;
	int held = -1;

	held_lock(&begun_lock);
	if (strcmp(begun_folder, folder) != 0) {
		rc = log_writer_folder(folder, e);
		/* what another process of the run has written there stays */
		bool fresh = !rc && session_begins(folder, &held);

		for (size_t i = 0; fresh && !rc && i < sizeof(logs) / sizeof(*logs); i++) {
			snprintf(path, sizeof(path), "%s/%s", folder, logs[i]);
			if (unlink(path) && errno != ENOENT)
				rc = ttp_fail_errno(e, "can't remove the old log %s", path);
		}
		session_begun(held);
		if (!rc)
			snprintf(begun_folder, sizeof(begun_folder), "%s", folder);
	}
	held_unlock(&begun_lock);
	return rc;
}

static void write_head(struct log_writer *w, const char *arch, double mhz, int cores)
{
	static const char *const names[][3] = {
#define X(id, of_15, of_12, of_6) { of_15, of_12, of_6 },
		DEVICE_LOG_COLUMNS(X)
#undef X
	};

	out_printf(&w->file.out, "ARCH: %s, CHIP_FREQ[MHz]: %d", arch, (int)(mhz + 0.5));
	if (w->columns > 6)
		out_printf(&w->file.out, ", Max Compute Cores: %d", cores);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *name = names[i][w->columns == 15 ? 0 : w->columns == 12 ? 1 : 2];

		if (name)
			out_printf(&w->file.out, "%s%s", i ? ", " : "\n", name);
	}
	out_char(&w->file.out, '\n');
}

/* The first row, so that a reader sees which log it is about; empty where there is none yet.  False: the log can't be read. */
static bool first_row(const char *path, char *row, size_t size)
{
	enum { HEAD_BYTES = 4096, HEAD_LINES = 2 };
	char head[HEAD_BYTES], *at = head;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, head, sizeof(head) - 1);

	row[0] = 0;
	fd_release(&fd);
	if (n < 0)
		return false;
	head[n] = 0;
	for (int i = 0; at && i < HEAD_LINES; i++) {
		at = strchr(at, '\n');
		at += at != NULL;
	}
	if (at)
		snprintf(row, size, "%.*s", (int)strcspn(at, "\n"), at);
	return true;
}

/*
 * The log is whole now, and has so many bytes: whoever reads it after we were killed in the middle of a later part knows
 * which part that is.  One that can't be written is removed: an old one would take good rows for a part that was cut.
 */
static void write_state(const struct log_writer *w, const struct stat *st)
{
	SCOPED(buf) struct buf path = { 0 }, fresh = { 0 }, text = { 0 };
	struct ttp_err e;
	char row[512] = "";
	bool written = false;
	int fd = -1;

	buf_printf(&path, "%s" RUN_STATE_SUFFIX, w->file.path.at);
	buf_printf(&fresh, "%s.new", path.at);
	buf_printf(&text, DEVICE_LOG_STATE_BYTES "%llu\n" DEVICE_LOG_STATE_HOST "%s\n",
		   (unsigned long long)st->st_size,
		   op_recorded() ? "recorded" : DEVICE_LOG_HOST_NONE);
	bool readable = !st->st_size || first_row(w->file.path.at, row, sizeof(row));

	if (!st->st_size)
		buf_printf(&text, DEVICE_LOG_STATE_INODE "%llu\n", (unsigned long long)st->st_ino);
	else
		buf_printf(&text, DEVICE_LOG_STATE_ROW "%s\n", row);
	if (readable)
		fd = out_open(fresh.at, O_WRONLY | O_TRUNC, 0666);
	if (fd >= 0)
		written = !out_all(fd, fresh.at, buf_view(&text), &e) && !rename(fresh.at, path.at);
	if (written)
		return;
	(void)unlink(fresh.at);
	(void)unlink(path.at);
	log_warn("%s can't be written: a reader can't tell whether the log was cut", path.at);
}

enum ttp_rc log_writer_open(struct log_writer *w, const char *folder, int columns, int chip,
			    const char *arch, double mhz, int cores, struct ttp_err *e)
{
	struct stat st = { 0 };
	enum ttp_rc rc;

	memset(w, 0, sizeof(*w));
	w->columns = columns;
	w->chip = chip;
	w->risc = -1;
	held_lock(&writer_lock);
	rc = out_append_open(&w->file, e, "%s/" RUN_DEVICE_LOG, folder);
	if (rc) {
		held_unlock(&writer_lock);
		return rc;
	}
	(void)fstat(w->file.out.fd, &st);
	if (w->file.fresh) {
		write_state(w, &st);
		write_head(w, arch, mhz, cores);
	}
	w->bytes = st.st_size;
	return TTP_OK;
}

enum ttp_rc log_writer_close(struct log_writer *w, struct ttp_err *e)
{
	enum ttp_rc rc;
	struct stat st;

	out_flush(&w->file.out);
	if (out_ok(&w->file.out) && !fstat(w->file.out.fd, &st) && st.st_size != w->bytes)
		write_state(w, &st);
	rc = out_append_close(&w->file, e);
	held_unlock(&writer_lock);
	return rc;
}

void log_writer_cell(struct buf *b, struct str text)
{
	bool quoted = false;

	text = str_head(text, CELL_MAX);
	for (size_t i = 0; i < text.len; i++)
		quoted |= text.at[i] == ',' || text.at[i] == '"';
	if (quoted)
		buf_char(b, '"');
	for (size_t i = 0; i < text.len; i++) {
		char c = text.at[i];

		if (c == '"')
			buf_text(b, "\"\"");
		else if (c == '\n')
			buf_text(b, "\\n");
		else if (c == '\r')
			buf_text(b, "\\r");
		else
			buf_char(b, c);
	}
	if (quoted)
		buf_char(b, '"');
}

static const char pairs[] = "00010203040506070809101112131415161718192021222324"
			    "25262728293031323334353637383940414243444546474849"
			    "50515253545556575859606162636465666768697071727374"
			    "75767778798081828384858687888990919293949596979899";

/* Two digits at a time: half of a row is numbers. */
static char *put_number(char *to, uint64_t v)
{
	char digits[20], *p = digits + sizeof(digits);

	while (v >= 100) {
		p -= 2;
		memcpy(p, pairs + v % 100 * 2, 2);
		v /= 100;
	}
	if (v >= 10) {
		p -= 2;
		memcpy(p, pairs + v * 2, 2);
	} else {
		*--p = (char)('0' + v);
	}
	memcpy(to, p, (size_t)(digits + sizeof(digits) - p));
	return to + (digits + sizeof(digits) - p);
}

static char *put_four(char *to, uint32_t v)
{
	memcpy(to, pairs + v / 100 * 2, 2);
	memcpy(to + 2, pairs + v % 100 * 2, 2);
	return to + 4;
}

static char *put_str(char *to, struct str text)
{
	if (text.len)
		memcpy(to, text.at, text.len);
	return to + text.len;
}

/* A core's times differ in their last digits. */
static char *put_cycles(struct log_writer *w, char *to, uint64_t v)
{
	uint64_t high = v / 100000000;
	uint32_t low = (uint32_t)(v % 100000000);

	if (!high)
		return put_number(to, v);
	if (high != w->high) {
		w->high = high;
		w->high_len = (size_t)(put_number(w->high_text, high) - w->high_text);
	}
	/* all of it, because a copy of a known size is two instructions; what is too much is overwritten */
	memcpy(to, w->high_text, sizeof(w->high_text));
	to = put_four(to + w->high_len, low / 10000);
	return put_four(to, low % 10000);
}

/* A cell may stand as it is; nearly every one may. */
static bool is_plain(struct str text)
{
	bool plain = text.len <= CELL_MAX;

	for (size_t i = 0; plain && i < text.len; i++)
		plain = text.at[i] != ',' && text.at[i] != '"' && text.at[i] != '\n' &&
			text.at[i] != '\r';
	return plain;
}

static void find_where(struct log_writer *w, const struct device_marker *m)
{
	const char *between = w->columns == 6 ? ", " : ",";

	if (w->risc == m->risc && w->tile.x == m->tile.x && w->tile.y == m->tile.y)
		return;
	w->tile = m->tile;
	w->risc = m->risc;
	w->where_len = (size_t)snprintf(w->where, sizeof(w->where), "%d%s%d%s%d%s%s%s", w->chip,
					between, m->tile.x, between, m->tile.y, between,
					risc_label(m->risc), between);
}

static void find_launch(struct log_writer *w, const struct log_row *row)
{
	char *p = w->launch;

	if (w->launch_len && w->run == row->run && w->trace == row->trace &&
	    w->replay == row->replay)
		return;
	w->run = row->run;
	w->trace = row->trace;
	w->replay = row->replay;
	*p++ = ',';
	p = put_number(p, row->run);
	*p++ = ',';
	if (w->columns == 15) {
		if (row->trace != UINT32_MAX)
			p = put_number(p, row->trace);
		*p++ = ',';
		if (row->trace != UINT32_MAX)
			p = put_number(p, row->replay);
		*p++ = ',';
	}
	w->launch_len = (size_t)(p - w->launch);
}

/* The four marks of 2023, and events by their numbers; it had no zones of one's own. */
static void write_six(struct log_writer *w, const struct log_row *row)
{
	const struct device_marker *m = row->marker;
	bool start = m->type == MARKER_ZONE_START, zone = start || m->type == MARKER_ZONE_END;
	char line[96], *p = line;
	uint32_t mark = m->id;

	if (zone && str_ends(row->name, STR("-FW")))
		mark = start ? 1 : 4;
	else if (zone && str_ends(row->name, STR("-KERNEL")))
		mark = start ? 2 : 3;
	else if (m->type != MARKER_EVENT)
		return;
	find_where(w, m);
	out_add(&w->file.out, w->where, w->where_len);
	p = put_number(p, mark);
	p = put_str(p, STR(", "));
	p = put_number(p, m->cycles);
	*p++ = '\n';
	out_add(&w->file.out, line, (size_t)(p - line));
}

static const char *type_label(const struct log_writer *w, enum marker_type type)
{
	if (type == MARKER_DATA_16B)
		type = MARKER_DATA;
	if (w->columns == 12 && type == MARKER_ZONE_START)
		return "begin";
	if (w->columns == 12 && type == MARKER_ZONE_END)
		return "end";
	return marker_type_name(type);
}

/* The timer_id and what follows it. */
static char *put_id(char *to, const struct device_marker *m)
{
	/* tt-metal writes the id of counters without their type. */
	to = put_number(to, m->type == MARKER_DATA_16B && m->id == TTP_ID_PERF_COUNTER
				    ? m->id
				    : m->id | (uint32_t)m->type << 16);
	*to++ = ',';
	return to;
}

/* Into the shelf, if it fits there as it is. */
static bool keep_source(struct log_writer *w, struct log_source *at, const struct log_row *row)
{
	const struct device_marker *m = row->marker;
	char *p = at->text;

	at->known = false;
	/* 40: the type, the line and what stands between them */
	if (row->name.len + row->file.len > sizeof(at->text) - 40 || !is_plain(row->name) ||
	    !is_plain(row->file))
		return false;
	*at = (struct log_source){ .known = true,
				   .type = m->type,
				   .id = m->id,
				   .line = row->line,
				   .name_len = row->name.len,
				   .file_len = row->file.len };
	at->id_len = (uint8_t)(put_id(at->id_text, m) - at->id_text);
	p = put_str(p, row->name);
	*p++ = ',';
	p = put_str(p, str_of(type_label(w, (enum marker_type)m->type)));
	*p++ = ',';
	p = put_number(p, row->line);
	*p++ = ',';
	p = put_str(p, row->file);
	at->text_len = (uint16_t)(p - at->text);
	return true;
}

static bool is_source(const struct log_source *at, const struct log_row *row)
{
	const struct device_marker *m = row->marker;

	return at->known && at->id == m->id && at->type == m->type && at->line == row->line &&
	       str_eq(row->name, str_n(at->text, at->name_len)) &&
	       str_eq(row->file, str_n(at->text + at->text_len - at->file_len, at->file_len));
}

/* A row whose texts are long, or must be in quotes. */
static void write_long_row(struct log_writer *w, const struct log_row *row)
{
	const struct device_marker *m = row->marker;
	SCOPED(buf) struct buf b = { 0 };

	log_writer_cell(&b, row->name);
	buf_printf(&b, ",%s,%u,", type_label(w, (enum marker_type)m->type), (unsigned)row->line);
	log_writer_cell(&b, row->file);
	if (w->columns == 15) {
		buf_char(&b, ',');
		buf_str(&b, row->meta);
	}
	buf_char(&b, '\n');
	out_str(&w->file.out, buf_view(&b));
}

void log_writer_row(struct log_writer *w, const struct log_row *row)
{
	const struct device_marker *m = row->marker;
	struct log_source *at = &w->sources[(m->id * 2u + m->type) % LOG_SOURCES];
	bool zone = m->type == MARKER_ZONE_START || m->type == MARKER_ZONE_END, kept;
	char *line, *p;

	if (w->columns == 6) {
		write_six(w, row);
		return;
	}
	find_where(w, m);
	find_launch(w, row);
	kept = is_source(at, row) || keep_source(w, at, row);
	/* Copies of whole arrays: their sizes are known, so they are a few instructions. */
	line = p = out_room(&w->file.out, ROW_MAX);
	memcpy(p, w->where, sizeof(w->where));
	p += w->where_len;
	if (kept) {
		memcpy(p, at->id_text, sizeof(at->id_text));
		p += at->id_len;
	} else {
		p = put_id(p, m);
	}
	p = put_cycles(w, p, m->cycles);
	*p++ = ',';
	if (zone)
		*p++ = '0';
	else
		p = put_number(p, m->data[0]);
	memcpy(p, w->launch, sizeof(w->launch));
	p += w->launch_len;
	if (!kept) {
		out_took(&w->file.out, (size_t)(p - line));
		write_long_row(w, row);
		return;
	}
	memcpy(p, at->text, at->text_len <= 128 ? 128 : sizeof(at->text));
	p += at->text_len;
	if (w->columns == 15)
		*p++ = ',';
	if (w->columns == 15 && row->meta.len) {
		out_took(&w->file.out, (size_t)(p - line));
		out_str(&w->file.out, row->meta);
		out_char(&w->file.out, '\n');
		return;
	}
	*p++ = '\n';
	out_took(&w->file.out, (size_t)(p - line));
}
