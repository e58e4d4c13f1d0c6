// SPDX-License-Identifier: Apache-2.0
/*
 * Compressed input.  The first byte says how the rest becomes a file:
 *
 *	bits 0-1	0 as it is, 1 gzip, 2 zstd, 3 gzip in two members
 *	bit 2		cut: without the part that the second byte names
 *	bit 3		one bit is flipped, which the second byte names
 *	bit 4		junk behind it
 *	bit 5		the text 64 times
 *	bits 6-7	who reads it: bytes, an ops report, a device log, a run
 *
 * What was not damaged is unpacked as it was; what was cut is a start of it, and is said to be cut.
 */
#include <stdint.h>
#include <zlib.h>
#include <zstd.h>

#include "base/input.h"
#include "markers/log/device_log.h"
#include "memory_file.h"
#include "ops/table/ops_table.h"
#include "runs/run.h"

enum {
	CUT = 1 << 2,
	FLIP = 1 << 3,
	JUNK = 1 << 4,
	MANY = 1 << 5,
	COPIES = 64,
	MAGIC_BYTES = 4,
	PIPE_BYTES = 60000
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool truth)
{
	if (!truth)
		abort();
}

static void add_gzip(struct buf *to, struct str text)
{
	z_stream z = { 0 };
	unsigned most;
	char *packed;

	must(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, 0) == Z_OK);
	most = (unsigned)deflateBound(&z, text.len);
	packed = malloc(most);
	must(packed);
	z.next_in = (unsigned char *)(uintptr_t)text.at;
	z.avail_in = (unsigned)text.len;
	z.next_out = (unsigned char *)packed;
	z.avail_out = most;
	must(deflate(&z, Z_FINISH) == Z_STREAM_END);
	buf_add(to, packed, z.total_out);
	deflateEnd(&z);
	free(packed);
}

static void add_zstd(struct buf *to, struct str text)
{
	size_t most = ZSTD_compressBound(text.len), n;
	char *packed = malloc(most);

	must(packed);
	n = ZSTD_compress(packed, most, text.at, text.len, 3);
	must(!ZSTD_isError(n));
	buf_add(to, packed, n);
	free(packed);
}

static void pack(struct buf *file, struct str text, uint8_t how)
{
	if ((how & 3) == 0)
		buf_str(file, text);
	else if ((how & 3) == 2)
		add_zstd(file, text);
	else if ((how & 3) == 1)
		add_gzip(file, text);
	if ((how & 3) == 3) {
		add_gzip(file, str_head(text, text.len / 2));
		add_gzip(file, str_from(text, text.len / 2));
	}
}

/* Through a pipe comes what the file has; who expects a table gets all of it, or a start. */
static void check_pipe(struct str packed, const struct input *file)
{
	struct input in;
	char path[32];
	int fds[2];

	if (packed.len > PIPE_BYTES)
		return;
	for (int i = 0; i < 2; i++) {
		must(!pipe(fds) && write(fds[1], packed.at, packed.len) == (ssize_t)packed.len);
		close(fds[1]);
		(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fds[0]);
		if (i ? input_open_if(&in, path, input_is_table, NULL)
		      : input_open(&in, path, NULL))
			abort();
		must(i ? str_starts(file->data, in.data) : str_eq(file->data, in.data));
		must(i || in.cut_short == file->cut_short);
		input_close(&in);
		close(fds[0]);
	}
}

static void check_bytes(const char *path, struct str packed, struct str text, uint8_t how)
{
	bool damaged = how & (CUT | FLIP | JUNK);
	struct ttp_err e;
	struct input in;

	if (input_open(&in, path, &e)) {
		must(e.msg[0]);
		return;
	}
	/* text that is no compressed data is as it is, unless it begins like some; so is what is left of less than a magic */
	if (!damaged && how & 3) {
		must(!in.cut_short && str_eq(in.data, text));
	} else if (how & 3 && (how & (CUT | FLIP | JUNK)) == CUT && packed.len >= MAGIC_BYTES) {
		must(str_starts(text, in.data));
		/* between two members nothing is missing */
		must(in.cut_short || (how & 3) == 3);
	}
	check_pipe(packed, &in);
	input_close(&in);
}

static void read_ops(const char *path)
{
	static const enum ops_col cols[] = { OPS_OP_CODE, OPS_GLOBAL_CALL_COUNT, OPS_DURATION };
	static const struct ops_want want = { cols, sizeof(cols) / sizeof(cols[0]), 1, 1 };
	struct ops_table t;

	if (!ops_table_read(&t, &path, 1, &want, &ops_rules, NULL))
		ops_table_release(&t);
}

static void read_log(const char *path)
{
	struct device_log log;

	if (device_log_open(&log, path, NULL))
		return;
	device_log_close(&log);
}

static void read_run(const char *path)
{
	static const enum ops_col cols[] = { OPS_OP_CODE, OPS_DURATION };
	static const struct ops_want want = { cols, sizeof(cols) / sizeof(cols[0]), 1, 1 };
	struct ttp_err e;
	struct run r;

	if (!run_open(&r, path, &e)) {
		(void)run_ops(&r, &want, &e);
		(void)run_log(&r, &e);
		(void)run_account(&r);
	}
	run_close(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf text = { 0 }, file = { 0 };
	struct memory_file f;
	uint8_t how, which;

	if (size < 2 || size > 50000)
		return 0;
	how = data[0];
	which = data[1];
	for (int i = 0; i < (how & MANY ? COPIES : 1); i++)
		buf_add(&text, (const char *)data + 2, size - 2);
	pack(&file, buf_view(&text), how);
	if (how & FLIP && file.len)
		file.at[which * file.len / 256] ^= (char)(1 << which % 8);
	if (how & CUT)
		file.len = which * file.len / 256;
	if (how & JUNK)
		buf_text(&file, "junk");
	memory_file_open(&f, buf_view(&file));
	switch (how >> 6) {
	case 0:
		check_bytes(f.path, buf_view(&file), buf_view(&text), how);
		break;
	case 1:
		read_ops(f.path);
		break;
	case 2:
		read_log(f.path);
		break;
	default:
		read_run(f.path);
	}
	memory_file_close(&f);
	buf_release(&text);
	buf_release(&file);
	return 0;
}
