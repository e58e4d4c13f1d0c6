# SPDX-License-Identifier: Apache-2.0
"""Python runs this when it starts, because `ttprof run` puts its folder into PYTHONPATH.

It makes the stand-in for ttnn known, does what the sitecustomize of the installation would have done, and then has this process
profiled if it belongs to a `ttprof run -r` of all of a program.
"""
import os
import sys


def _others():
    """The sitecustomize that this one hides."""
    here = os.path.dirname(os.path.abspath(__file__))
    path = [p for p in sys.path if os.path.abspath(p or os.curdir) != here]
    if sys.version_info < (3, 5):
        import imp  # pylint: disable=deprecated-module,import-error

        imp.load_module("sitecustomize", *imp.find_module("sitecustomize", path))
        return
    from importlib.machinery import PathFinder
    from importlib.util import module_from_spec

    spec = PathFinder.find_spec("sitecustomize", path)
    if spec is not None and spec.loader is not None:
        module = module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


if sys.version_info >= (3, 5):  # a program may start what is older; it runs as it would
    try:
        import ttprof_standin

        ttprof_standin.install()
    except ImportError:
        pass
try:
    _others()
finally:
    if os.environ.get("TTP_SESSION") and os.environ.get("TTPROF_PYTHON") == "all" and os.environ.get("TTPROF_CHILDREN") != "0":
        import ttprof_children

        ttprof_children.join()
