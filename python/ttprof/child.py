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


def _who_has(module):
    """Another Python may have it: a program of its name, as /usr/bin/pytest, says in its first line whose it is."""
    import shutil

    program = shutil.which(module)
    if program is None:
        return
    try:
        with open(program, "rb") as f:
            first = f.readline(256)
    except OSError:
        return
    words = os.fsdecode(first[2:]).split() if first.startswith(b"#!") else []
    other = shutil.which(words[-1] if words[0].endswith("/env") else words[0]) if words else None
    if other and "python" in os.path.basename(other) and os.path.realpath(other) != os.path.realpath(sys.executable):
        print(f"ttprof: {program} is run by {other}, another Python: `ttprof run --python {other}` takes that one", file=sys.stderr)


def _without_us(traceback):
    """What of a traceback is the program's own: above it are these functions and runpy's."""
    while traceback is not None:
        file = traceback.tb_frame.f_code.co_filename
        if file not in (__file__, runpy.__file__, "<frozen runpy>"):
            break
        traceback = traceback.tb_next
    return traceback


def _show_without_us(error):
    """The program is over; the interpreter shows why, as it would have without us."""
    shows, rest = sys.excepthook, _without_us(error.__traceback__)

    def show(kind, value, traceback):
        if value is error:
            value.__traceback__ = traceback = rest
        shows(kind, value, traceback)

    sys.excepthook = show


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
            _who_has(module)
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
    except SystemExit:
        raise
    except BaseException as error:
        _show_without_us(error)
        raise
    finally:
        profiler.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
