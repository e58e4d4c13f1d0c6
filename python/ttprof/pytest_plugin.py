# SPDX-License-Identifier: Apache-2.0
"""For pytest: the fixture `tracy_profile` (of a test that asks for it, only what it calls is profiled), and `--profile-each`."""
import functools
import inspect
import os
import re
import sys

import pytest

from . import backend
from .profiler import Profiler


def pytest_addoption(parser):
    group = parser.getgroup("ttprof")
    group.addoption("--profile-each", action="store_true",
                    help="begin every test with a signpost, and keep logs of its ops in a folder of its own, "
                         "generated/profiler/ops/TEST: `process_ops_logs.py -i FOLDER` makes a report of one")


@pytest.fixture(name="tracy_profile")
def _tracy_profile():
    return Profiler()


@pytest.hookimpl(hookwrapper=True)
def pytest_pyfunc_call(pyfuncitem):
    """Around the test function alone: what pytest does between set-up and tear-down is no work of the test."""
    profiler, test = pyfuncitem.funcargs.get("tracy_profile"), pyfuncitem.obj
    if not isinstance(profiler, Profiler):
        yield
        return

    @functools.wraps(test)
    def profiled(*args, **named):
        profiler.enable()
        try:
            return test(*args, **named)
        finally:
            profiler.disable()

    if inspect.iscoroutinefunction(test):  # runs when it is awaited
        profiler.enable()
    else:
        pyfuncitem.obj = profiled
    yield
    pyfuncitem.obj = test
    profiler.disable()


def _folder(test):
    """A name that any file system takes, and that tells tests apart."""
    top = os.environ.get("TT_METAL_PROFILER_DIR") or os.path.join(os.environ.get("TT_METAL_HOME", "."), "generated", "profiler")
    return os.path.abspath(os.path.join(top, "ops", re.sub(r"[^\w.,=+-]+", "_", test)[-200:]))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item, nextitem):  # pylint: disable=unused-argument
    if not item.config.getoption("--profile-each"):
        yield
        return
    backend.signpost(f"test {item.nodeid}", None)
    # Only the stand-in writes such logs; the real ttnn has no folders since 2024.
    ttnn = sys.modules.get("ttnn")
    if getattr(ttnn, "TTPROF_STANDS_IN", False):
        from tt_lib import profiler

        profiler.set_profiler_location(_folder(item.nodeid))
    yield
