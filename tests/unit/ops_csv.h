// SPDX-License-Identifier: Apache-2.0
/*
 * Ops reports for tests, from short rows:
 *
 *	ops_run_of(&run, OPS({ .code = "Matmul", .ns = "1000", .in0 = "1x1x32x64 BFLOAT16 DRAM" }));
 *
 * What a row doesn't say is that of a device op of a Wormhole: "" makes a cell empty.  A tensor is
 * WxZxYxX, data type and memory; DRAM alone stands for DEV_0_DRAM_INTERLEAVED.
 */
#ifndef TTP_TESTS_OPS_CSV_H
#define TTP_TESTS_OPS_CSV_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ops/table/ops_table.h"
#include "report/calls.h"

enum { OPS_CSV_INPUTS = 4, OPS_CSV_OUTPUTS = 2, OPS_CSV_FILES = 3 };

struct op_row {
	const char *code, *type, *call, *device, *arch, *attributes, *fidelity, *cores, *workers;
	const char *start, *host_ns, *gap, *fw, *ns, *trace, *session, *hit, *hash;
	const char *in0, *in1, *in2, *in3, *out0, *out1;
};

struct op_rows {
	const struct op_row *at;
	size_t n;
};

#define OPS(...)                                                            \
	((struct op_rows){ (const struct op_row[]){ __VA_ARGS__ },          \
			   sizeof((const struct op_row[]){ __VA_ARGS__ }) / \
				   sizeof(struct op_row) })

static const char *or_else(const char *text, const char *usual)
{
	return text ? text : usual;
}

static void csv_cell(FILE *f, const char *text)
{
	fprintf(f, "\"%s\",", text);
}

/* "1x1x32x64 BFLOAT16 DRAM" as seven cells; "32[30]" is a padded size. */
static void csv_tensor(FILE *f, const char *text)
{
	char w[32], z[32], y[32], x[32], type[32], memory[64];

	if (!text) {
		fputs(",,,,,,,", f);
		return;
	}
	assert_int_equal(
		sscanf(text, "%31[^x]x%31[^x]x%31[^x]x%31s %31s %63s", w, z, y, x, type, memory),
		6);
	fprintf(f, "%s,%s,%s,%s,TILE,%s,DEV_0_%s%s,", w, z, y, x, type, memory,
		strcmp(memory, "DRAM") && strcmp(memory, "L1") ? "" : "_INTERLEAVED");
}

static void csv_head(FILE *f)
{
	fputs("OP CODE,OP TYPE,GLOBAL CALL COUNT,DEVICE ID,DEVICE ARCH,ATTRIBUTES,MATH FIDELITY,CORE COUNT,"
	      "AVAILABLE WORKER CORE COUNT,HOST START TS,HOST DURATION [ns],OP TO OP LATENCY [ns],"
	      "DEVICE FW DURATION [ns],DEVICE KERNEL DURATION [ns],METAL TRACE ID,"
	      "METAL TRACE REPLAY SESSION ID,PROGRAM CACHE HIT,PROGRAM HASH,",
	      f);
	for (int i = 0; i < OPS_CSV_INPUTS + OPS_CSV_OUTPUTS; i++) {
		static const char *const parts[] = { "W_PAD[LOGICAL]", "Z_PAD[LOGICAL]",
						     "Y_PAD[LOGICAL]", "X_PAD[LOGICAL]",
						     "LAYOUT",         "DATATYPE",
						     "MEMORY" };
		bool in = i < OPS_CSV_INPUTS;

		for (int p = 0; p < TENSOR_PARTS; p++)
			fprintf(f, "%s_%d_%s,", in ? "INPUT" : "OUTPUT",
				in ? i : i - OPS_CSV_INPUTS, parts[p]);
	}
	fputs("END\n", f);
}

static void csv_row(FILE *f, const struct op_row *r)
{
	csv_cell(f, or_else(r->code, "SomeDeviceOperation"));
	csv_cell(f, or_else(r->type, "tt_dnn_device"));
	csv_cell(f, or_else(r->call, ""));
	csv_cell(f, or_else(r->device, "0"));
	csv_cell(f, or_else(r->arch, "wormhole_b0"));
	csv_cell(f, or_else(r->attributes, ""));
	csv_cell(f, or_else(r->fidelity, ""));
	csv_cell(f, or_else(r->cores, "64"));
	csv_cell(f, or_else(r->workers, "64"));
	csv_cell(f, or_else(r->start, ""));
	csv_cell(f, or_else(r->host_ns, ""));
	csv_cell(f, or_else(r->gap, ""));
	csv_cell(f, or_else(r->fw, ""));
	csv_cell(f, or_else(r->ns, ""));
	csv_cell(f, or_else(r->trace, ""));
	csv_cell(f, or_else(r->session, ""));
	csv_cell(f, or_else(r->hit, ""));
	csv_cell(f, or_else(r->hash, ""));
	csv_tensor(f, r->in0);
	csv_tensor(f, r->in1);
	csv_tensor(f, r->in2);
	csv_tensor(f, r->in3);
	csv_tensor(f, r->out0);
	csv_tensor(f, r->out1);
	fputs("\n", f);
}

struct ops_run {
	struct ops_table table;
	char path[OPS_CSV_FILES][64];
};

static FILE *csv_open(char path[64])
{
	int fd;

	snprintf(path, 64, "/tmp/ttprof-ops-csv.XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	return fdopen(fd, "w");
}

/* The path must outlive the table; the file need not. */
static void read_table(struct ops_run *run, size_t files)
{
	const char *paths[OPS_CSV_FILES] = { 0 };
	struct ttp_err e = { 0 };

	for (size_t i = 0; i < files; i++)
		paths[i] = run->path[i];
	assert_int_equal(ops_table_read(&run->table, paths, files, &calls_want, &ops_rules, &e),
			 TTP_OK);
	for (size_t i = 0; i < files; i++)
		unlink(paths[i]);
}

/* One file per element: several hosts. */
static void ops_run_of_files(struct ops_run *run, const struct op_rows *rows, size_t files)
{
	assert_true(files <= OPS_CSV_FILES);
	for (size_t i = 0; i < files; i++) {
		FILE *f = csv_open(run->path[i]);

		csv_head(f);
		for (size_t k = 0; k < rows[i].n; k++)
			csv_row(f, &rows[i].at[k]);
		assert_int_equal(fclose(f), 0);
	}
	read_table(run, files);
}

static inline void ops_run_of(struct ops_run *run, struct op_rows rows)
{
	ops_run_of_files(run, &rows, 1);
}

/* A CSV as it stands. */
static inline void ops_run_of_text(struct ops_run *run, const char *text)
{
	FILE *f = csv_open(run->path[0]);

	fputs(text, f);
	assert_int_equal(fclose(f), 0);
	read_table(run, 1);
}

static inline void ops_run_release(struct ops_run *run)
{
	ops_table_release(&run->table);
}

/* Equal but for rounding in the last digits. */
#define assert_near(a, b)                                                       \
	do {                                                                    \
		double near_a = (a), near_b = (b), near_d = near_a - near_b;    \
                                                                                \
		if (near_d < 0)                                                 \
			near_d = -near_d;                                       \
		if (near_d > 1e-6 * (near_b < 0 ? -near_b : near_b) + 1e-9)     \
			fail_msg("%s is %.17g, not %.17g", #a, near_a, near_b); \
	} while (0)

#endif /* TTP_TESTS_OPS_CSV_H */
