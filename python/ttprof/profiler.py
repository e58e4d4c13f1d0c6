# SPDX-License-Identifier: Apache-2.0
"""Zones of Python's own calls and lines.

TTPROF_PYTHON, which `ttprof run` and `python -m tracy` set, says how: "all" (the whole program), "part" (only where a
Profiler is enabled, -p), "lines" (the same, line by line, -p -l).
"""
import functools
import gc
import inspect
import os
import sys
import threading
import warnings

try:
    from . import _client
except ImportError:
    from . import nothing as _client

# Zones of our own functions would lie between those of the program.  What the stand-in for ttnn computes with is seen.
_PACKAGES = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_client.hide(tuple(os.path.join(_PACKAGES, name) for name in ("ttprof/", "tracy/", "ttprof_standin/", "ttprof_children.py", "sitecustomize.py")),
             (os.path.join(_PACKAGES, "ttprof_standin", "ttnn", "ops.py"),))

_LOCK = threading.RLock()
_ENABLED = 0  # how many times; profilers may be nested


def mode():
    """What was asked for: "", "all", "part" or "lines"."""
    asked = os.environ.get("TTPROF_PYTHON", "")
    if asked not in ("", "all", "part", "lines"):
        warnings.warn(f"TTPROF_PYTHON={asked}: all, part or lines is wanted; nothing is profiled", stacklevel=2)
        return ""
    return asked


# Before 3.12 a thread has one callback for calls and one for lines, and who sets it takes it from the other.
_ONE_CALLBACK = sys.version_info < (3, 12)
_DROPPED = 0  # zones, as far as they were told


def _say(text):
    warnings.warn("ttprof: " + text, stacklevel=4)
    _client.message("ttprof: " + text, 0xFF8000)


def _collects(phase, info):
    """What looks like a slow function is the collector, if it runs then.  It visits new objects all the time, which costs nothing."""
    if not info.get("generation"):
        return
    if phase == "start":
        _client.zone_begin("Python garbage collection", "collect", "gc", 1, 0)
        _client.zone_value(info["generation"])
    else:
        _client.zone_end()


def start(lines=False):
    """Begins; False if it can't be, with a warning that says why."""
    global _ENABLED  # pylint: disable=global-statement
    with _LOCK:
        if not _ENABLED:
            if _ONE_CALLBACK and lines and sys.gettrace() is not None:
                _say("another tool (debugger, coverage) traces this program: zones of calls, but none of lines")
                lines = False
            if _ONE_CALLBACK and not lines and sys.getprofile() is not None:
                _say("another profiler (sys.setprofile) is at work: no Python zones")
                return False
            if _ONE_CALLBACK:
                (threading.settrace if lines else threading.setprofile)(_client.thread_hook)
            _client.enable(lines)
            gc.callbacks.append(_collects)
        _ENABLED += 1
        return True


def stop():
    global _ENABLED, _DROPPED  # pylint: disable=global-statement
    with _LOCK:
        if not _ENABLED:
            return
        _ENABLED -= 1
        if _ENABLED:
            return
        if _collects in gc.callbacks:
            gc.callbacks.remove(_collects)
        if _client.disable() is False:
            _say("the program, or a tool in it, called sys.setprofile or sys.settrace itself: Python zones end there "
                 "(from Python 3.12 on both work at a time)")
        if _ONE_CALLBACK:
            threading.setprofile(None)
            threading.settrace(None)
        dropped = (_client.stats() or {}).get("zones_dropped", 0)
        if dropped > _DROPPED:
            _say(f"{dropped - _DROPPED} zones were not recorded: they were nested deeper than about 5,000, or more were open than "
                 "TTP_BUFFER has room for; what is around them is all there")
            _DROPPED = dropped


class Profiler:
    """Profiles what lies between enable() and disable() in a program that was started with -p.

    Call them around a function rather than inside of it.  It may also be used by `with`, and as a decorator.
    """

    def __init__(self):
        self._on = False

    def enable(self):
        asked = mode()
        if asked in ("part", "lines") and not self._on:
            self._on = start(asked == "lines")

    def disable(self):
        if self._on:
            self._on = False
            stop()

    def __enter__(self):
        self.enable()
        return self

    def __exit__(self, *exception):
        self.disable()
        return False

    def __call__(self, function):
        if isinstance(function, (classmethod, staticmethod)):
            return type(function)(self(function.__func__))
        if inspect.iscoroutinefunction(function):
            @functools.wraps(function)
            async def inside(*args, **more):
                with type(self)():
                    return await function(*args, **more)
        else:
            @functools.wraps(function)
            def inside(*args, **more):
                with type(self)():
                    return function(*args, **more)

        return inside


class profile:  # pylint: disable=invalid-name
    """`with profile():` every call in here, however the program was started; `lines=True`: every line."""

    def __init__(self, lines=False):
        self._lines, self._on = lines, False

    def __enter__(self):
        self._on = start(self._lines)
        return self

    def __exit__(self, *exception):
        if self._on:
            stop()
        return False
