# SPDX-License-Identifier: Apache-2.0
"""python -m ttprof.child (SCRIPT | -m MODULE) ARGS...: runs a Python program as the interpreter would, with its calls profiled.

`ttprof run` starts it.  What it sees of itself (argv, __main__, path, exit status) is what it would see without us.
"""
import importlib.util
import os
import runpy
import sys

from . import profiler


def _there(module):
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def main():
    words = sys.argv[1:]
    if not words or words[0] == "-m" and len(words) < 2:
        print("usage: python -m ttprof.child (SCRIPT | -m MODULE) ARGS...", file=sys.stderr)
        return 2
    # -m put the current folder in front; a script has its own folder there.
    if words[0] == "-m":
        module, sys.argv = words[1], words[1:]
        if not _there(module):
            print(f"{sys.executable}: No module named {module}", file=sys.stderr)
            return 1
        run = lambda: runpy.run_module(module, run_name="__main__", alter_sys=True)  # noqa: E731
    else:
        script, sys.argv = words[0], words
        if not os.path.exists(script):
            print(f"{sys.executable}: can't open file '{script}': no such file", file=sys.stderr)
            return 2
        sys.path[0] = os.path.dirname(os.path.realpath(script))
        run = lambda: runpy.run_path(script, run_name="__main__")  # noqa: E731
    if profiler.mode() == "all":
        profiler.start()
    try:
        run()
    finally:
        profiler.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
