// SPDX-License-Identifier: Apache-2.0
/* What a server shows about program and machine. */
#ifndef TTP_CLIENT_SEND_HOST_FACTS_H
#define TTP_CLIENT_SEND_HOST_FACTS_H

#include "wire/welcome.h"

/* Everything but the times and flags. */
void host_describe(struct wire_welcome *w);
/* 36 characters and NUL; empty where it is not known. */
void host_boot_id(char out[37]);
/* The process's, and its main thread's; 1 with a scripted clock. */
uint32_t host_pid(void);

#endif /* TTP_CLIENT_SEND_HOST_FACTS_H */
