// SPDX-License-Identifier: Apache-2.0
/* What came before the part that is reported, where it took longer than the part: no figure counts it, and nobody else would say so. */
#ifndef TTP_REPORT_SET_UP_H
#define TTP_REPORT_SET_UP_H

#include "report/findings.h"

void set_up_add(struct findings *f, const struct calls *c);

#endif /* TTP_REPORT_SET_UP_H */
