// SPDX-License-Identifier: Apache-2.0
/*
 * What the host says about an op: the JSON of its message, as cells of the report.  Ops that share a
 * cached program share a record.
 */
#ifndef TTP_OPS_HOST_OP_RECORD_H
#define TTP_OPS_HOST_OP_RECORD_H

#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "base/vec.h"
#include "ops/table/ops_table.h"
#include "ops/table/ops_tensor.h"

struct record_cell {
	uint16_t column; /* enum ops_col */
	struct str text;
};

/* "TENSIX DM 0 MAX KERNEL SIZE [B]", a column that files bring along. */
struct record_size {
	uint32_t name; /* of the caller's dictionary */
	struct str text;
};

struct record_tensor {
	struct str part[TENSOR_PARTS];
};

struct op_record {
	VEC(struct record_cell) cells; /* a column may come twice: the last one counts */
	VEC(struct record_tensor) inputs, outputs;
	VEC(struct record_size) sizes;
	double pm_compute;     /* NAN when there is none */
	struct str fidelities; /* of all compute kernels, when they differ; else empty */
	bool broken;           /* the JSON ended early or is none: what came before is kept */
	uint8_t tensor_faults; /* tensors that lack a part */
};

/* What op_record_peek() finds without making cells. */
struct op_identity {
	bool has_id, has_device, has_hash;
	uint64_t id, hash;
	int64_t device;
	bool broken;
};

/* Only what tells ops apart. */
void op_record_peek(struct str json, struct op_identity *out);
/*
 * Reads all of it.  Texts live in `texts`; commas in them have become semicolons, as the report wants.
 * Never fails: a record that is broken has what could be read.
 */
void op_record_read(struct op_record *r, struct str json, struct arena *texts,
		    struct intern *size_names);
void op_record_release(struct op_record *r);
/* The last text of a column; .at NULL without one. */
struct str op_record_cell(const struct op_record *r, enum ops_col column);

#endif /* TTP_OPS_HOST_OP_RECORD_H */
