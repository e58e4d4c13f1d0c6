# SPDX-License-Identifier: Apache-2.0
"""ttprof under the name that tt-metal's users know: `from tracy import signpost, Profiler`, `python -m tracy`."""
from ttprof import Profiler, message, plot, read_device_profiler, signpost, zone
from ttprof.backend import frame

__all__ = ["Profiler", "frame", "message", "plot", "read_device_profiler", "signpost", "tracy_state", "zone"]


class tracy_state:  # pylint: disable=invalid-name
    """What upstream's module keeps here; programs read `doPartial` and `doLine`."""

    from ttprof.profiler import mode as _mode

    doPartial = _mode() in ("part", "lines")
    doLine = _mode() == "lines"
    del _mode
