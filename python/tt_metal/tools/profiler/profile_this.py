# SPDX-License-Identifier: Apache-2.0
"""tracy.profile_this by the path that it had in tt-metal until 2025."""
import sys

from tracy import profile_this

if __name__ == "__main__":
    sys.exit(profile_this.main())
sys.modules[__name__] = profile_this
