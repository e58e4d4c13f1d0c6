# SPDX-License-Identifier: Apache-2.0
"""What was ttnn in 2023, as far as its profiler: `import tt_lib as ttl; ttl.profiler.append_meta_data("...")`."""
from . import profiler

TTPROF_STANDS_IN = True
