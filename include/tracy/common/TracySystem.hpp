// SPDX-License-Identifier: Apache-2.0
/* Where Tracy has tracy::SetThreadName; ours comes with the rest. */
#include "../Tracy.hpp"
