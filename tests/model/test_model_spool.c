// SPDX-License-Identifier: Apache-2.0
/*
 * Every prefix of the writes of a spool is a spool from which all whole records are read.
 *
 * Random recordings go through the real writer (capture/spool_file.c), whose system calls are recorded here: cut, interrupted,
 * in order.  Then the file is rebuilt as it was after each byte of them, and read by the real reader.  A loss of power may also
 * leave the tail that was not synced as zeros or as garbage: what is before it must be read all the same.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/str.h"
#include "base/vec.h"
#include "capture/capture_session.h"
#include "wire/spool.h"

enum { STREAMS = 3, RECORDS_MAX = 12, PAYLOAD_MAX = 48, RECORDINGS = 10000, TAILS = 4 };

struct expected {
	enum spool_type type;
	uint16_t stream;
	size_t end; /* in the file */
	size_t at, len;
};

static uint64_t seed;

static uint32_t dice(uint32_t sides)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % sides;
}

/* ---- the system call of the writer ---- */

static VEC(struct expected) writes; /* .at: offset, .len */
static bool awkward;                /* calls are cut and interrupted */

ssize_t pwritev(int fd, const struct iovec *v, int n, off_t offset)
{
	struct iovec one = v[0];
	ssize_t done;

	if (awkward && !dice(4)) {
		errno = EINTR;
		return -1;
	}
	if (awkward && !dice(3)) {
		n = 1;
		one.iov_len = one.iov_len > 1 ? 1 + dice((uint32_t)one.iov_len - 1) : one.iov_len;
		v = &one;
	}
	done = syscall(SYS_pwritev, fd, v, n, (long)offset, 0L);
	if (done > 0)
		*vec_push(&writes) = (struct expected){ .at = (size_t)offset, .len = (size_t)done };
	return done;
}

/* ---- a recording ---- */

struct recording {
	VEC(struct expected) records;
	struct buf file;
	char payload[RECORDS_MAX][PAYLOAD_MAX];
};

static void record(struct recording *r)
{
	size_t n = 1 + dice(RECORDS_MAX);
	int fd = memfd_create("spool", MFD_CLOEXEC);
	struct spool_file f;

	*r = (struct recording){ 0 };
	vec_clear(&writes);
	assert_true(fd >= 0);
	spool_file_begin(&f, fd);
	for (size_t i = 0; i < n; i++) {
		enum spool_type type = i ? 1 + dice(4) : SPOOL_SESSION;
		uint16_t stream = (uint16_t)dice(STREAMS);
		size_t len = dice(PAYLOAD_MAX);

		for (size_t k = 0; k < len; k++)
			r->payload[i][k] = (char)dice(256);
		spool_file_add(&f, type, 0, stream, r->payload[i], len);
		assert_false(f.failed);
		*vec_push(&r->records) = (struct expected){ type, stream, f.bytes, i, len };
	}
	buf_fill(&r->file, 0, f.bytes);
	assert_int_equal(pread(fd, r->file.at, f.bytes, 0), f.bytes);
	close(fd);
}

static void release(struct recording *r)
{
	vec_release(&r->records);
	buf_release(&r->file);
}

/* Reads what a file of `len` bytes has; every record that ends before `whole` must be there, as it was written. */
static void recovers(const struct recording *r, const char *bytes, size_t len, size_t whole)
{
	struct spool_reader in;
	struct spool_record rec;
	bool more = false;
	size_t n = 0;

	if (spool_open(&in, bytes, len, NULL)) {
		assert_true(len < SPOOL_MAGIC_BYTES || whole < SPOOL_MAGIC_BYTES);
		return;
	}
	while (!spool_next(&in, &rec, &more, NULL) && more) {
		const struct expected *x = &r->records.at[n];

		if (n == r->records.len || x->end > len)
			break;
		/* behind what is whole anything may be, but not another record */
		if (rec.type != x->type || rec.len != x->len)
			break;
		assert_int_equal(rec.stream, x->stream);
		assert_memory_equal(rec.payload, r->payload[x->at], rec.len);
		n++;
	}
	assert_true(n == r->records.len || r->records.at[n].end > whole);
}

static void every_prefix_of_the_writes_recovers_all_whole_records(void **state)
{
	(void)state;
	for (size_t i = 0; i < RECORDINGS; i++) {
		struct recording r;

		seed = i;
		record(&r);
		for (size_t len = 0; len <= r.file.len; len++)
			recovers(&r, r.file.at, len, len);
		release(&r);
	}
}

static void writes_only_append_also_when_they_are_cut_and_interrupted(void **state)
{
	(void)state;
	awkward = true;
	for (size_t i = 0; i < RECORDINGS; i++) {
		struct recording r;
		size_t end = 0;

		seed = 1000000 + i;
		record(&r);
		vec_each (w, &writes) {
			assert_int_equal(w->at, end);
			end += w->len;
		}
		assert_int_equal(end, r.file.len);
		recovers(&r, r.file.at, r.file.len, r.file.len);
		release(&r);
	}
	awkward = false;
}

/* Of what was not synced, sectors may be there or not, in any order. */
static void a_tail_of_zeros_or_garbage_costs_nothing_before_it(void **state)
{
	(void)state;
	for (size_t i = 0; i < RECORDINGS; i++) {
		struct recording r;
		char bytes[SPOOL_MAGIC_BYTES + RECORDS_MAX * (SPOOL_HEADER_BYTES + PAYLOAD_MAX)];

		seed = 2000000 + i;
		record(&r);
		vec_each (synced, &r.records)
			for (unsigned how = 0; how < TAILS; how++) {
				memcpy(bytes, r.file.at, r.file.len);
				for (size_t at = synced->end; at < r.file.len; at += 16)
					for (size_t k = at; k < at + 16 && k < r.file.len; k++)
						bytes[k] = how == 0   ? 0
							   : how == 1 ? (char)dice(256)
							   : dice(2)  ? bytes[k]
								      : 0;
				recovers(&r, bytes, r.file.len, synced->end);
			}
		release(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_prefix_of_the_writes_recovers_all_whole_records),
		cmocka_unit_test(writes_only_append_also_when_they_are_cut_and_interrupted),
		cmocka_unit_test(a_tail_of_zeros_or_garbage_costs_nothing_before_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
