# SPDX-License-Identifier: Apache-2.0
"""Processes of Python that a program below `ttprof run` starts: each joins the session, its calls profiled as the program's are.

sitecustomize.py calls join() when such an interpreter starts.  Nothing in here may make a program fail.  TTPROF_CHILDREN: 0 leaves
them alone, "told" (of `ttprof run -v`) has a line on stderr for each that could not be joined.  It is no part of the package, which
is imported only where it can be used.
"""
import os
import sys

# What multiprocessing, and joblib's relative of it, start for themselves: no program of anybody's.
_SERVANTS = ("resource_tracker import main", "semaphore_tracker import main")
# One that becomes a worker, and one that forks them.
_WORKERS = ("multiprocessing.spawn import spawn_main", "multiprocessing.forkserver import main")
# They profile their program themselves, or become `ttprof run`.
_OURS = ("ttprof.child", "tracy", "tracy.__main__")


def _words():
    if hasattr(sys, "orig_argv"):
        return sys.orig_argv
    with open("/proc/self/cmdline", "rb") as f:
        return [os.fsdecode(word) for word in f.read().split(b"\0")[:-1]]


def _program(words):
    """What the interpreter was told to run: ("m", MODULE), ("c", CODE), ("", SCRIPT); SCRIPT is empty when it reads its input."""
    rest = iter(words[1:])
    for word in rest:
        if word == "-" or not word.startswith("-"):
            return "", "" if word == "-" else word
        if word.startswith("--"):
            if word == "--check-hash-based-pycs":
                next(rest, "")
            continue
        for end, letter in enumerate(word[1:], 2):
            if letter in "mc":
                return letter, word[end:] or next(rest, "")
            if letter in "WX":  # with a value, here or in the next word
                if not word[end:]:
                    next(rest, "")
                break
    return "", ""


def _is_built():
    if sys.version_info < (3, 8):
        return False
    from importlib.machinery import EXTENSION_SUFFIXES

    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ttprof")
    return any(os.path.exists(os.path.join(here, "_client" + end)) for end in EXTENSION_SUFFIXES)


def _tell_of_this_interpreter():
    """`ttprof run` says it at its end, once however many they were: the first one's note is kept."""
    note = os.path.join(os.path.dirname(os.environ["TTP_SESSION"]), "python")
    try:
        fd = os.open(note, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    except OSError:
        return
    with os.fdopen(fd, "w") as f:
        f.write(sys.executable or "python")


def _profile(name):
    """From here to the end of the process."""
    import atexit

    from ttprof import backend, profiler

    backend.main_name = name
    # The first to be registered is the last to be called: what the program does at its end is seen.
    atexit.register(profiler.stop)
    profiler.start()


def _profile_workers():
    """Those of multiprocessing are told their name, then import the program: between the two is the moment to begin."""
    from multiprocessing import spawn

    prepare = spawn.prepare

    def prepare_with_us(data):
        spawn.prepare = prepare
        _safely(_profile, data.get("name", ""))
        prepare(data)

    spawn.prepare = prepare_with_us


def _join():
    kind, what = _program(_words())
    if kind == "m" and what in _OURS or kind == "c" and any(s in what for s in _SERVANTS):
        return
    if not _is_built():
        _tell_of_this_interpreter()
    elif kind == "c" and any(w in what for w in _WORKERS):
        _profile_workers()
    elif kind:
        _profile("-m " + what if kind == "m" else "-c")
    else:
        _profile(os.path.basename(what))


def _safely(function, *args):
    try:
        function(*args)
    except Exception as error:  # pylint: disable=broad-except
        if os.environ.get("TTPROF_CHILDREN") == "told" and sys.stderr is not None:
            sys.stderr.write("ttprof: process %d of Python is not profiled: %s: %s\n" % (os.getpid(), type(error).__name__, error))


def join():
    _safely(_join)
