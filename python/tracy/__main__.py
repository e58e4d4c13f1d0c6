# SPDX-License-Identifier: Apache-2.0
"""python -m tracy OPTIONS (SCRIPT | -m MODULE) ARGS...: `ttprof run`, with this interpreter."""
import os
import shutil
import sys


def find():
    """The program: named by TTPROF, of the build or installation that this package is of, or in the PATH."""
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for path in (os.environ.get("TTPROF"), os.path.join(os.path.dirname(here), "ttprof"),
                 os.path.join(here, "..", "..", "..", "bin", "ttprof"), shutil.which("ttprof")):
        if path and os.access(path, os.X_OK) and not os.path.isdir(path):
            return os.path.abspath(path)
    return None


def main():
    program = find()
    if program is None:
        print("tracy: ttprof was not found: put it into the PATH, or name it by TTPROF=/path/ttprof", file=sys.stderr)
        return 1
    words = sys.argv[1:]
    if words in ([], ["-h"], ["--help"]):
        words = ["--help"]
    os.execv(program, ["ttprof", "run", "--python", sys.executable, *words])
    return 1


if __name__ == "__main__":
    sys.exit(main())
