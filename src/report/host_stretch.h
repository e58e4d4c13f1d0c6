// SPDX-License-Identifier: Apache-2.0
/* The time of the host that belongs to the gap before a call: from where its part of the call before ended to where its part of this one did. */
#ifndef TTP_REPORT_HOST_STRETCH_H
#define TTP_REPORT_HOST_STRETCH_H

#include "report/calls.h"

/* On the clock of HOST START TS.  False: the report doesn't say. */
bool call_host_stretch(const struct calls *c, uint32_t call, double *from_ns, double *to_ns);

#endif /* TTP_REPORT_HOST_STRETCH_H */
