// SPDX-License-Identifier: Apache-2.0
/* Where Tracy's own sources have it. */
#include "../TracyColor.hpp"
