# SPDX-License-Identifier: Apache-2.0
"""Where events go: to libttp, or through the real ttnn if that is what the program uses.

A process has one Tracy client.  The real ttnn brings its own, so with it in the process ours stays silent and its
functions are called; two clients would be two traces.
"""
import ctypes
import importlib.util
import os
import sys
import threading


def _one_clock():
    """Beside a simulated device, host time is libttpdev's: libttp takes its clock from there if that is in the process first.

    The stand-in for ttnn would bring it when it is imported, which is too late: host zones would be in another time than devices'.
    """
    if os.environ.get("TT_METAL_DEVICE_PROFILER", "") in ("", "0"):
        return
    try:
        found = importlib.util.find_spec("ttnn")
    except (ImportError, ValueError):
        return
    if found is None or "ttprof_standin" not in (found.origin or ""):
        return
    package = os.path.dirname(os.path.abspath(__file__))
    for folder in (package, os.path.dirname(os.path.dirname(package))):
        path = os.path.join(folder, "libttpdev.so.0")
        if os.path.exists(path):
            try:
                ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
            except OSError:
                pass  # the stand-in says why
            return


_one_clock()
try:
    from . import _client
except ImportError:
    from . import nothing as _client


def _leave_by(leave):
    """os._exit() ends a process without the library's own end, and multiprocessing leaves its children by it."""

    def inside(status):
        _client.stop()
        leave(status)

    inside.of_ttprof = True
    return inside


if os.environ.get("TTP_SESSION") and not hasattr(os._exit, "of_ttprof"):
    os._exit = _leave_by(os._exit)


def _forked():
    """In a child of fork, unless it is about to become another program: that has SIGTERM as it was."""
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_globals.get("__name__") == "subprocess":
            return
        frame = frame.f_back
    _client.keep_at_term()


def _keep_at_term():
    """A worker of multiprocessing is ended by SIGTERM: by then, what it recorded should have been sent."""
    process = sys.modules.get("multiprocessing.process")
    if process is not None and (process.parent_process() is not None or getattr(process.current_process(), "_inheriting", False)):
        _client.keep_at_term()


if os.environ.get("TTP_SESSION") and hasattr(_client, "keep_at_term"):
    # By spawn and a forkserver, this is imported on the way to the worker.
    os.register_at_fork(after_in_child=_forked)
    _keep_at_term()


main_name = ""  # of the first thread, where it is a child of the program's; else that is called as its process


def _name_thread():
    """Called once on each thread that records: the trace calls it as Python does, and the first one of a worker as its process."""
    thread = threading.current_thread()
    if thread is not threading.main_thread():
        _client.thread_name(clean(thread.name))
        return
    process = sys.modules.get("multiprocessing.process")
    if process is not None and process.parent_process() is not None:
        _client.thread_name(clean(process.current_process().name))
    elif main_name:
        _client.thread_name(clean(main_name))


if hasattr(_client, "name_threads_by"):
    _client.name_threads_by(_name_thread)


def _ttnn():
    """The real ttnn, if it is loaded and has a client."""
    ttnn = sys.modules.get("ttnn")
    if ttnn is None or getattr(ttnn, "TTPROF_STANDS_IN", False):
        return None
    return ttnn if hasattr(ttnn, "tracy_message") else None


def clean(text):
    """A str that every reader can take: UTF-8, without NUL; what isn't is replaced."""
    return str(text).encode("utf-8", "replace").decode("utf-8").replace("\0", "\ufffd")


def message(text, color=0):
    """What happened at a moment."""
    ttnn, text = _ttnn(), str(text)
    if ttnn is None:
        try:
            _client.message(text, color)
        except UnicodeEncodeError:
            _client.message(clean(text), color)
    elif color:
        ttnn.tracy_message(clean(text), color)
    else:
        ttnn.tracy_message(clean(text))


def signpost(header, text):
    ttnn = _ttnn()
    if ttnn is None:
        try:
            _client.signpost(header, text)
        except ValueError:  # NUL, or a surrogate without its other half
            _client.signpost(clean(header), None if text is None else clean(text))
    else:
        # The form that the reports look for: back-ticks around it, as in the exported CSV.
        ttnn.tracy_message("`TT_SIGNPOST: " + clean(header) + ("\n" + clean(text) if text else "") + "`")


def zone_begin(name, function, file, line, color=0):
    ttnn = _ttnn()
    if ttnn is None:
        try:
            _client.zone_begin(name, function, file, max(line, 0), color)
        except UnicodeEncodeError:
            _client.zone_begin(clean(name), clean(function), clean(file), max(line, 0), color)
    else:
        ttnn.start_tracy_zone(clean(file), clean(name), line)


def zone_end():
    ttnn = _ttnn()
    if ttnn is None:
        _client.zone_end()
    else:
        ttnn.stop_tracy_zone()


def zone_text(text):
    if _ttnn() is None:
        _client.zone_text(clean(text))


def zone_value(number):
    if _ttnn() is None:
        _client.zone_value(number)


def frame(name=None):
    """The end of a round of something that repeats."""
    ttnn = _ttnn()
    if ttnn is None:
        _client.frame(clean(name) if isinstance(name, str) else name)
    elif hasattr(ttnn, "tracy_frame"):
        ttnn.tracy_frame()


def plot(name, value):
    """A number over time."""
    if _ttnn() is None:
        _client.plot(clean(name) if isinstance(name, str) else name, value)


def read_device_profiler(device=None):
    ttnn = sys.modules.get("ttnn")
    if ttnn is None or not hasattr(ttnn, "ReadDeviceProfiler"):
        raise RuntimeError("no device is open: read_device_profiler() needs ttnn in the program")
    return ttnn.ReadDeviceProfiler(device)


def pause():
    """Nothing is recorded from here on, of the host and of devices; zones that are open end here."""
    _client.pause()


def resume():
    """It is recorded again."""
    _client.resume()


def recording():
    """False while paused, or outside of the steps or signposts that `ttprof run` was asked for."""
    return _client.recording() is not False


class paused:  # pylint: disable=invalid-name
    """`with paused():` nothing of this is recorded."""

    def __enter__(self):
        self.was = recording()
        pause()
        return self

    def __exit__(self, *exception):
        if self.was:
            resume()
        return False
