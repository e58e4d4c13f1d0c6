// SPDX-License-Identifier: Apache-2.0
/* Devices that run what the others run, and stop before the end: their process died, or their log did. */
#ifndef TTP_REPORT_GONE_DEVICE_H
#define TTP_REPORT_GONE_DEVICE_H

#include "report/findings.h"

void gone_devices_add(struct findings *f, const struct calls *c);

#endif /* TTP_REPORT_GONE_DEVICE_H */
