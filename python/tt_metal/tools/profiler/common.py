# SPDX-License-Identifier: Apache-2.0
"""tracy.common by the path that it had in tt-metal until 2025."""
import sys

from tracy import common

sys.modules[__name__] = common
