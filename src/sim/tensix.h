// SPDX-License-Identifier: Apache-2.0
/* The registers of compute, which kernels and this chip have in common. */
#ifndef TTP_SIM_TENSIX_H
#define TTP_SIM_TENSIX_H

#include "ttp/tensix_macros.h"

#endif /* TTP_SIM_TENSIX_H */
