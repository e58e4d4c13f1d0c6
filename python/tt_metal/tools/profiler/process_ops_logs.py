# SPDX-License-Identifier: Apache-2.0
"""tracy.process_ops_logs by the path that it had in tt-metal until 2025."""
import sys

from tracy import process_ops_logs

if __name__ == "__main__":
    sys.exit(process_ops_logs.main())
sys.modules[__name__] = process_ops_logs
