# SPDX-License-Identifier: Apache-2.0
"""tracy.device_post_proc_config by the path that it had in tt-metal until 2025."""
import sys

from tracy import device_post_proc_config

sys.modules[__name__] = device_post_proc_config
