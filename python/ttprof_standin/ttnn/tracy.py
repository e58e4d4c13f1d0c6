# SPDX-License-Identifier: Apache-2.0
"""ttnn's functions for Tracy: messages, zones made by hand, frames."""
import sys
import threading

from ttprof import backend
from ttprof.backend import _client

_ZONES = threading.local()


def tracy_message(source, color=0xF0F8FF):
    """What happened at a moment."""
    backend.message(source, color)


def start_tracy_zone(source, functName, lineNum=None, color=0, *, line_number=None):  # pylint: disable=invalid-name
    """Begins a zone; `line_number` is what documents call the third one."""
    if lineNum is None:
        lineNum = line_number if line_number is not None else sys._getframe(1).f_lineno
    _ZONES.open = getattr(_ZONES, "open", 0) + 1
    backend.zone_begin(str(functName), str(functName), str(source), int(lineNum), color)


def stop_tracy_zone(name="", color=0):
    """Ends the zone of this thread that began last, which may get another name and a colour now; True if there is none."""
    if not getattr(_ZONES, "open", 0):
        return True
    _ZONES.open -= 1
    if name:
        _client.zone_name(backend.clean(name))
    if color:
        _client.zone_color(color & 0xFFFFFF)
    _client.zone_end()
    return not _ZONES.open


def tracy_frame():
    """The end of a frame."""
    backend.frame()
