/* SPDX-License-Identifier: Apache-2.0 */
/* The bell by which threads wake the one that sends. */
#ifndef TTP_CLIENT_SEND_WAKE_H
#define TTP_CLIENT_SEND_WAKE_H

void wake_open(void);
void wake_close(void);
void wake_ring(void);
/* To be waited for by poll(); -1 when there is none any more: then look by the clock. */
int wake_fd(void);
void wake_heard(void);

#endif /* TTP_CLIENT_SEND_WAKE_H */
