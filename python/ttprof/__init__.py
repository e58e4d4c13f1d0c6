# SPDX-License-Identifier: Apache-2.0
"""Record what a Python program does, for ttprof and every Tracy server.

    import ttprof

    ttprof.signpost("warm")                 # a row of its own in the ops report
    with ttprof.zone("step", value=n):      # until the end of the block
        ...
    with ttprof.profile():                  # every call in here
        run()

and read what was recorded (ttprof.reader):

    ops = pandas.DataFrame(ttprof.open("generated/profiler").columns)

`ttprof run script.py` records all of it; alone, a program waits for a server on TRACY_PORT, or writes the file that
TTP_FILE names.  Where the real ttnn is loaded, events go through its client, so that they stand in its trace.
"""
import sys

from . import backend
from .around import around
from .profiler import Profiler, profile

__all__ = ["Profiler", "frame", "message", "open", "pause", "paused", "plot", "profile", "read_device_profiler", "recording", "resume",
           "signpost", "zone"]
__version__ = "0.2.0"

message = backend.message
frame = backend.frame
plot = backend.plot
pause, resume, recording, paused = backend.pause, backend.resume, backend.recording, backend.paused


def signpost(header, message=None):  # pylint: disable=redefined-outer-name
    """A mark that the ops report shows as a row of its own."""
    backend.signpost(str(header), None if message is None else str(message))


class zone:  # pylint: disable=invalid-name
    """A zone: `with zone("name"):`, or `@zone` and `@zone("name")` on a function.

    A generator or coroutine is a zone each time that it runs: while it waits, others do.
    """

    def __new__(cls, name=None, **more):
        if callable(name) or isinstance(name, (classmethod, staticmethod)):
            return cls()(name)
        return super().__new__(cls)

    def __init__(self, name=None, text=None, color=0, value=None):
        self.name, self.text, self.color, self.value = name, text, color, value

    def _begin(self, function, file, line):
        backend.zone_begin(self.name or function, function, file, line, self.color)
        if self.text is not None:
            backend.zone_text(str(self.text))
        if self.value is not None:
            backend.zone_value(int(self.value))

    def __enter__(self):
        caller = sys._getframe(1)
        self._begin(caller.f_code.co_name, caller.f_code.co_filename, caller.f_lineno)
        return self

    def __exit__(self, *exception):
        backend.zone_end()
        return False

    def __call__(self, function):
        if isinstance(function, type):
            raise TypeError(f"ttprof.zone: {function.__name__} is a class; it goes on functions and methods")
        return around(function, self._begin, backend.zone_end)


def read_device_profiler(device=None):
    """Reads what devices recorded so far: `device`, or all that are open."""
    return backend.read_device_profiler(device)


def open(path):  # pylint: disable=redefined-builtin
    """Opens a run that was recorded: its ops as rows and columns, cores, account and findings (ttprof.reader)."""
    from . import reader  # pylint: disable=import-outside-toplevel
    return reader.open(path)
