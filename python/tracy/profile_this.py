# SPDX-License-Identifier: Apache-2.0
"""python -m tracy.profile_this -c "COMMAND": the command under the profiler, as tt-metal's script of that name."""
import os
import sys

if __name__ == "__main__" and not __package__:  # called as a file
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    __package__ = "tracy"

from .program import become as _become


def main():
    return _become("profile_this", *sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
