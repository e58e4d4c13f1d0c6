// SPDX-License-Identifier: Apache-2.0
/* The verdict on a run without ops, for a terminal. */
#ifndef TTP_DRAW_HOST_VERDICT_TEXT_H
#define TTP_DRAW_HOST_VERDICT_TEXT_H

#include "base/out.h"
#include "base/term.h"
#include "runs/host_verdict.h"

void host_verdict_text(const struct host_verdict *v, struct term term, struct out *to);

#endif /* TTP_DRAW_HOST_VERDICT_TEXT_H */
