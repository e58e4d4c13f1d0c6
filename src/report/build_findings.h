// SPDX-License-Identifier: Apache-2.0
/* Findings of programs that were built: the first time, for new shapes, or once more. */
#ifndef TTP_REPORT_BUILD_FINDINGS_H
#define TTP_REPORT_BUILD_FINDINGS_H

#include "report/findings.h"

void build_findings_add(struct findings *f, const struct calls *c);

#endif /* TTP_REPORT_BUILD_FINDINGS_H */
