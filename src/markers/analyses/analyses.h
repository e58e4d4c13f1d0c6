// SPDX-License-Identifier: Apache-2.0
/*
 * Analyses of device markers: what starts and what ends a time.  The sets that tt-metal knows ("setups") are
 * one table; users add their own in a small file (docs/reference/formats/analyses.md):
 *
 *	[my zone]
 *	across = core            core, device, ops
 *	type = adjacent          adjacent, first_last, core_first_last, sum
 *	start = BRISC MY-ZONE ZONE_START      RISC or ANY, zone (a * at its end matches any rest), phase
 *	end = BRISC MY-ZONE ZONE_END
 *
 * or as JSON, as tt-metal's programs spell them.
 *
 * Names: tt-metal tools/tracy/device_post_proc_config.py@e4f9f0b.
 */
#ifndef TTP_MARKERS_ANALYSES_ANALYSES_H
#define TTP_MARKERS_ANALYSES_ANALYSES_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

/* How the originals spell them. */
#define ACROSS_LIST(X)      \
	X(CORE, "core")     \
	X(DEVICE, "device") \
	X(OPS, "ops")       \
	X(DISPATCH_OPS, "dispatch_ops")
#define ANALYSIS_TYPE_LIST(X)                       \
	X(ADJACENT, "adjacent")                     \
	X(SESSION_FIRST_LAST, "session_first_last") \
	X(FIRST_LAST, "op_first_last")              \
	X(CORE_FIRST_LAST, "op_core_first_last")    \
	X(SUM, "sum")                               \
	X(EVENT, "event")

enum across {
#define X(id, name) ACROSS_##id,
	ACROSS_LIST(X)
#undef X
		ACROSS_KINDS
};
enum analysis_type {
#define X(id, name) ANALYSIS_##id,
	ANALYSIS_TYPE_LIST(X)
#undef X
		ANALYSIS_TYPES
};
const char *across_name(enum across a);
const char *analysis_type_name(enum analysis_type t);

enum { ANALYSIS_ZONES_MAX = 16 };

struct analysis_side {
	bool any_core;                         /* the original says "core": "ANY" */
	const char *risc;                      /* "ANY" for all */
	const char *zones[ANALYSIS_ZONES_MAX]; /* ended by NULL */
	bool zone_list;                        /* the original has a list, also of one */
	const char *phase;                     /* "ZONE_START", "ZONE_END"; NULL: any */
	/* In series of several cores, for analyses that tt-metal's programs write (analyses_read_json()). */
	enum {
		SIDE_EVERY_CORE,
		SIDE_NO_CORE, /* it names none, and the original finds nothing then */
		SIDE_ONE_CORE
	} cores;
	uint16_t core_x, core_y;
};

struct analysis {
	const char *name;
	enum across across;
	enum analysis_type type;
	struct analysis_side start, end; /* sum and event: start's RISC and zone */
};

struct setup {
	const char *name;
	bool detect_ops;
	const struct analysis
		*own; /* ended by a name of NULL; all setups also have the default's */
};

/* By name; NULL when there is none. */
const struct setup *setup_find(struct str name);
extern const struct setup setups[]; /* ended by a name of NULL */

typedef VEC(struct analysis) analysis_vec;
/* The setup's own, then the default's. */
void setup_analyses(const struct setup *s, analysis_vec *out);
/* Those that every setup has; the last has no name. */
const struct analysis *setup_default_analyses(void);
/* Those of a user's file, added to `out`; texts live in `texts`. */
enum ttp_rc analyses_read(struct str text, const char *name, analysis_vec *out, struct arena *texts,
			  struct ttp_err *e) TTP_CHECKED;
/* The same as JSON: an object of analyses by name, each as timerAnalysis of device_post_proc_config.py spells it. */
enum ttp_rc analyses_read_json(struct str text, const char *name, analysis_vec *out,
			       struct arena *texts, struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_MARKERS_ANALYSES_ANALYSES_H */
