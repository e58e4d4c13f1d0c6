# SPDX-License-Identifier: Apache-2.0
"""tracy.process_model_log by the path that it had in tt-metal until 2025."""
import sys

from tracy import process_model_log

sys.modules[__name__] = process_model_log
