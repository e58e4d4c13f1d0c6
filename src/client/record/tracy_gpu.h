// SPDX-License-Identifier: Apache-2.0
/*
 * Tracy's C functions for devices of graphics interfaces.  They tell a zone's begin and end first, by a number, and
 * their times later; ours are recorded when the time is known, in the order in which they came.
 */
#ifndef TTP_CLIENT_RECORD_TRACY_GPU_H
#define TTP_CLIENT_RECORD_TRACY_GPU_H

/* Around fork. */
void gpu_lock(void);
void gpu_unlock(void);

#endif /* TTP_CLIENT_RECORD_TRACY_GPU_H */
