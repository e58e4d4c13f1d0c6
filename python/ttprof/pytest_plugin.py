# SPDX-License-Identifier: Apache-2.0
"""The fixture `tracy_profile`: of a test that asks for it, only what it calls is profiled."""
import pytest

from .profiler import Profiler


@pytest.fixture(name="tracy_profile")
def _tracy_profile():
    profiler = Profiler()
    profiler.enable()
    yield profiler
    profiler.disable()
