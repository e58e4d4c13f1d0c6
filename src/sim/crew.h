// SPDX-License-Identifier: Apache-2.0
/*
 * One more thread for phase A.  Tiles of a window are taken from one list by whoever is free; as they don't
 * see each other, nothing depends on who took which.
 */
#ifndef TTP_SIM_CREW_H
#define TTP_SIM_CREW_H

#include "sim/machine.h"

/* A NULL crew is the calling thread alone. */
enum ttp_rc crew_new(struct crew **out, struct ttp_err *e) TTP_CHECKED;
void crew_free(struct crew *c);
/* Runs each of the tiles to `end`. */
void crew_run(struct crew *c, struct node **nodes, int count, uint64_t end);

#endif /* TTP_SIM_CREW_H */
