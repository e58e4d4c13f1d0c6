// SPDX-License-Identifier: Apache-2.0
/* Findings of gaps in which the device waits for the host, by the zone that covers them or by where they lie, and of pauses. */
#ifndef TTP_REPORT_GAP_FINDINGS_H
#define TTP_REPORT_GAP_FINDINGS_H

#include "report/findings.h"

/*
 * Where long gaps lie.  Inside of a replay the device's own dispatcher sends one op after the other, whatever the host does; before its
 * first op it waits for the host.
 */
enum gap_where { GAP_PLAIN, GAP_IN_REPLAY, GAP_BEFORE_REPLAY, GAP_WHERES };

static inline enum gap_where gap_where(const struct call *call)
{
	if (!(call->flags & CALL_REPLAY))
		return GAP_PLAIN;
	return call->flags & CALL_STARTS_REPLAY ? GAP_BEFORE_REPLAY : GAP_IN_REPLAY;
}

void gap_findings_add(struct findings *f, const struct calls *c);

#endif /* TTP_REPORT_GAP_FINDINGS_H */
