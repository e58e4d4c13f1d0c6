# SPDX-License-Identifier: Apache-2.0
"""Two tests, of which one asks to be profiled."""


def work():
    return 1


def test_profiled(tracy_profile):
    assert work() == 1


def test_not_profiled():
    assert work() == 1
