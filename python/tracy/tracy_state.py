# SPDX-License-Identifier: Apache-2.0
"""How this process is profiled; programs read `doPartial` and `doLine`."""
from ttprof.profiler import mode as _mode

doPartial = _mode() in ("part", "lines")
doLine = _mode() == "lines"
