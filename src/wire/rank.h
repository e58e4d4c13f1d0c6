// SPDX-License-Identifier: Apache-2.0
#ifndef TTP_WIRE_RANK_H
#define TTP_WIRE_RANK_H

/* The rank that a launcher (MPI, SLURM, torchrun) gave to this process; NULL: none. */
const char *run_rank(void);

#endif /* TTP_WIRE_RANK_H */
