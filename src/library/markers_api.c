// SPDX-License-Identifier: Apache-2.0
/* ttp/run.h: the device log, marker by marker. */
#include "library/library.h"

/* A name of a dictionary that grows while the log is read, with a NUL. */
static const char *name_of(struct ttprof_run *r, text_vec *names, const struct intern *from,
			   uint32_t id)
{
	while (names->len <= id) {
		struct str s = intern_get(from, (uint32_t)names->len);

		*vec_push(names) = arena_dup(&r->texts, s.at, s.len);
	}
	return names->at[id];
}

static bool hand_out(struct ttprof_run *r, const struct marker *m, const struct marker_names *names,
		     ttprof_marker_fn *fn, void *ctx)
{
	struct ttprof_marker out = {
		.time_cycles = m->time_cycles,
		.data = m->data,
		.run_id = m->run_id,
		.trace_id = m->trace_id,
		.replay = m->session,
		.device = m->device,
		.x = m->x,
		.y = m->y,
		.risc = name_of(r, &r->risc_names, &names->riscs, m->risc),
		.zone = name_of(r, &r->zone_names, &names->zones, m->zone),
		.type = marker_type_name((enum marker_type)m->type),
	};

	return fn(ctx, &out);
}

int ttprof_run_markers(struct ttprof_run *r, ttprof_marker_fn *fn, void *ctx,
		       struct ttprof_error *to)
{
	struct marker_batch batch = { 0 };
	const struct marker *m;
	struct device_log *log;
	struct ttp_err e = { 0 };
	bool more = true;

	if (!r || !fn)
		return 0;
	log = run_log(&r->run, &e);
	library_error(to, &e);
	if (!log)
		return e.rc ? -1 : 0;
	while (more && (m = marker_batch_next(&batch, log)))
		more = hand_out(r, m, &log->names, fn, ctx);
	library_note_damage(r, log);
	return 0;
}
