// SPDX-License-Identifier: Apache-2.0
/* Records of devices on their way to a session. */
#ifndef TTP_CLIENT_SEND_DRAIN_DEVICE_H
#define TTP_CLIENT_SEND_DRAIN_DEVICE_H

#include "client/record/record.h"
#include "client/send/client_session.h"

void drain_device_init(void);
/* A session begins: no zone is open in it. */
void drain_device_begin(void);
/* `s` may be NULL: calibrations are kept for later sessions, the rest is gone. */
void drain_device(struct session *s, enum record_kind kind, const uint64_t *w, int64_t ticks);

#endif /* TTP_CLIENT_SEND_DRAIN_DEVICE_H */
