# SPDX-License-Identifier: Apache-2.0
"""Stands in for _client where that was not built for this interpreter: the program runs, and nothing is recorded."""
import sys
import warnings

warnings.warn(f"ttprof: its package was not built for Python {sys.version_info[0]}.{sys.version_info[1]}, so nothing of Python "
              "is recorded; `pip install ./python` in a clone of ttprof, with this interpreter, mends that", stacklevel=2)


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return lambda *args: None
