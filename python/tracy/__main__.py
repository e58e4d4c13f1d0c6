# SPDX-License-Identifier: Apache-2.0
"""python -m tracy OPTIONS (SCRIPT | -m MODULE) ARGS...: `ttprof run`, with this interpreter, as tt-metal's users know it."""
import sys

from .program import become


def main():
    words = sys.argv[1:]
    return become("tracy", *(["--python", sys.executable, *words] if words else []))


if __name__ == "__main__":
    sys.exit(main())
