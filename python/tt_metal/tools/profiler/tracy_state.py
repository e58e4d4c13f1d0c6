# SPDX-License-Identifier: Apache-2.0
"""tracy.tracy_state by the path that it had in tt-metal until 2025."""
import sys

from tracy import tracy_state

sys.modules[__name__] = tracy_state
