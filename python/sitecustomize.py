# SPDX-License-Identifier: Apache-2.0
"""Python runs this when it starts, because `ttprof run` puts its folder into PYTHONPATH.

It makes the stand-in for ttnn known, then does what the sitecustomize of the installation would have done.
"""
import os
import sys


def _others():
    """The sitecustomize that this one hides."""
    from importlib.machinery import PathFinder
    from importlib.util import module_from_spec

    here = os.path.dirname(os.path.abspath(__file__))
    path = [p for p in sys.path if os.path.abspath(p or os.curdir) != here]
    spec = PathFinder.find_spec("sitecustomize", path)
    if spec is not None and spec.loader is not None:
        module = module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


try:
    import ttprof_standin

    ttprof_standin.install()
except ImportError:
    pass
_others()
