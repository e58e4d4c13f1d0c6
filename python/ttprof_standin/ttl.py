# SPDX-License-Identifier: Apache-2.0
"""As documents call it for short."""
from tt_lib import TTPROF_STANDS_IN, profiler
