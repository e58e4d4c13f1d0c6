# SPDX-License-Identifier: Apache-2.0
"""tracy.process_device_log by the path that it had in tt-metal until 2025."""
import sys

from tracy import process_device_log

if __name__ == "__main__":
    sys.exit(process_device_log.main())
sys.modules[__name__] = process_device_log
