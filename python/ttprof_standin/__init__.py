# SPDX-License-Identifier: Apache-2.0
"""`import ttnn` where there is no ttnn: finds the stand-in, after everybody else has found nothing.

sitecustomize.py (a build, and under `ttprof run`) or ttprof.pth (pip) call install() when Python starts.  A finder at the
end of sys.meta_path is asked last, after sys.path and what editable installations add, so a real ttnn is never shadowed.
TTPROF_TTNN=0: no stand-in.
"""
import os
import sys

NAMES = ("ttnn", "tt_lib", "ttl", "utility_functions")
_HERE = os.path.dirname(os.path.abspath(__file__))


class _Last:
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name not in NAMES or path is not None or os.environ.get("TTPROF_TTNN") == "0":
            return None
        from importlib.util import spec_from_file_location  # late: most programs never come here

        at = os.path.join(_HERE, name)
        if os.path.isdir(at):
            return spec_from_file_location(name, os.path.join(at, "__init__.py"), submodule_search_locations=[at])
        return spec_from_file_location(name, at + ".py")


def install():
    if _Last not in sys.meta_path:
        sys.meta_path.append(_Last)
