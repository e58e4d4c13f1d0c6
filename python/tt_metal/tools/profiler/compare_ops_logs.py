# SPDX-License-Identifier: Apache-2.0
"""tracy.compare_ops_logs by the path that it had in tt-metal until 2025."""
import sys

from tracy import compare_ops_logs

sys.modules[__name__] = compare_ops_logs
