// SPDX-License-Identifier: Apache-2.0
#include "device_probe.h"
const struct scenario scenarios_hostile[] = { { NULL, false, NULL } };
