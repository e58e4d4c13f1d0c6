// SPDX-License-Identifier: Apache-2.0
/* Traces: programs that are kept as they are, and run again and again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/op.h"

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
	tracking_trace(d, "RELEASE", t->id);
	vec_each (s, &t->steps)
		built_drop(s->built);
	vec_release(&t->steps);
	free(t);
}

struct ttp_trace *ttp_trace_begin(struct ttp_dev *d)
{
	struct ttp_trace *t;

	if (!d)
		return NULL;
	if (d->capturing) {
		host_failed(TTP_USAGE, "trace %u is being captured: end it first",
			    d->capturing->id);
		return NULL;
	}
	t = mem_zero(1, sizeof(*t));
	t->dev = d;
	t->id = d->next_trace++;
	*vec_push(&d->traces) = t;
	d->capturing = t;
	tracking_trace(d, "BEGIN", t->id);
	return t;
}

int ttp_trace_end(struct ttp_trace *t)
{
	if (!t)
		return -1;
	if (t->dev->capturing != t)
		return host_failed(TTP_USAGE, "trace %u is not being captured", t->id);
	t->dev->capturing = NULL;
	t->ended = true;
	tracking_trace(t->dev, "END", t->id);
	return 0;
}

int ttp_trace_replay(struct ttp_trace *t)
{
	struct ttp_dev *d;
	struct ttp_err e;
	uint8_t *counted;
	enum ttp_rc rc = TTP_OK;

	if (!t)
		return -1;
	d = t->dev;
	if (!t->ended || d->capturing)
		return host_failed(TTP_USAGE, "trace %u: end the capture before a replay",
				   t->ended ? d->capturing->id : t->id);
	t->replays++;
	d->replaying = ++d->replays;
	tracking_trace(d, "REPLAY", t->id);
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
	trace_free(t);
}

uint32_t ttp_trace_id(const struct ttp_trace *t)
{
	return t ? t->id : 0;
}
