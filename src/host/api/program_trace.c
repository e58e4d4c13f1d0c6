// SPDX-License-Identifier: Apache-2.0
/* Traces: programs that are kept as they are, and run again and again. */
#include <stdio.h>
#include <stdlib.h>

#include "host/api/guarded_calls.h"
#include "host/api/variables.h"
#include "host/host_device.h"
#include "host/ops/op.h"
#include "wire/tt_message.h"

void trace_free(struct ttp_trace *t)
{
	struct ttp_dev *d = t->dev;

	for (size_t i = 0; i < d->traces.len; i++)
		if (d->traces.at[i] == t) {
			d->traces.at[i] = d->traces.at[--d->traces.len];
			break;
		}
	if (d->capturing == t)
		d->capturing = NULL;
	vec_each (s, &t->steps)
		built_drop(s->built);
	vec_release(&t->steps);
	free(t);
}

/* As tt-metal tells of traces: `TT_METAL_TRACE_BEGIN: device, trace`; an op between BEGIN and END belongs to the trace. */
static void tell(const struct ttp_trace *t, const char *what, const char *more)
{
	char text[80];
	int n;

	if (!op_recorded())
		return;
	n = snprintf(text, sizeof(text), "`" TT_TRACE "%s: %d, %u%s`", what, t->dev->id, t->id,
		     more);
	/* Captured in the warm-up, replayed in what is recorded; and replays are counted from the first. */
	ttp_message_always(text, (size_t)n);
}

void trace_enqueued(const struct ttp_trace *t, uint32_t id)
{
	char what[32];

	if (variable_on("TT_METAL_PROFILER_TRACE_TRACKING")) {
		(void)snprintf(what, sizeof(what), ", %u", id & PROGRAM_ID_MAX);
		tell(t, TT_TRACE_ENQUEUE, what);
	}
}

struct ttp_trace *call_trace_begin(struct ttp_dev *d)
{
	struct ttp_trace *t;

	if (!d)
		return HOST_NO("device");
	if (d->capturing)
		return HOST_NONE("trace %u is being captured: end it first", d->capturing->id);
	t = mem_zero(1, sizeof(*t));
	t->dev = d;
	t->id = d->next_trace++;
	*vec_push(&d->traces) = t;
	d->capturing = t;
	tell(t, TT_TRACE_BEGIN, "");
	return t;
}

int call_trace_end(struct ttp_trace *t)
{
	if (!t)
		return host_no("trace");
	if (t->dev->capturing != t)
		return host_failed("trace %u is not being captured", t->id);
	t->dev->capturing = NULL;
	t->ended = true;
	tell(t, TT_TRACE_END, "");
	return 0;
}

int call_trace_replay(struct ttp_trace *t)
{
	struct ttp_dev *d;
	struct ttp_err e;
	uint8_t *counted;
	enum ttp_rc rc = TTP_OK;

	if (!t)
		return host_no("trace");
	d = t->dev;
	if (!t->ended || d->capturing)
		return host_failed("trace %u: end the capture before a replay",
				   t->ended ? d->capturing->id : t->id);
	t->replays++;
	d->replaying = ++d->replays;
	tell(t, TT_TRACE_REPLAY, "");
	pace_device(d);
	counted = mem_zero(PORT_GRID_MAX, PORT_GRID_MAX);
	vec_each (s, &t->steps) {
		rc = queue_launch(d, s->built, s->id, t, counted, &e);
		if (rc)
			break;
		for (size_t i = 0; i < s->built->work_n; i++) {
			struct tile at = s->built->work[i].tile;

			counted[at.y * PORT_GRID_MAX + at.x] = 1;
		}
	}
	free(counted);
	d->replaying = 0;
	return rc ? host_fail(&e) : 0;
}

void ttp_trace_release(struct ttp_trace *t)
{
	if (!t)
		return;
	tell(t, "RELEASE", "");
	trace_free(t);
}

uint32_t ttp_trace_id(const struct ttp_trace *t)
{
	return t ? t->id : 0;
}
