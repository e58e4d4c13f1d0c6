# SPDX-License-Identifier: Apache-2.0
"""A program whose calls can be counted by reading it: every kind of call, twice on two threads."""
import asyncio
import sys
import threading

import ttprof
from tracy import Profiler, signpost


def leaf(n):
    return n + 1


def generator():
    yield leaf(1)
    yield leaf(2)


def raises():
    raise ValueError("on purpose")


class Thing:
    def method(self):
        return leaf(3)


async def coroutine():
    await asyncio.sleep(0)
    return leaf(4)


def everything():
    for _ in generator():  # resumed three times
        pass
    try:
        raises()
    except ValueError:
        pass
    try:
        int("no number")
    except ValueError:
        pass
    Thing().method()
    return len([1, 2])


def deep(n):
    return deep(n - 1) if n else 0


def main():
    signpost("begin", "with a text")
    how = sys.argv[1] if len(sys.argv) > 1 else "calls"
    if how == "part":
        with Profiler():
            everything()
        everything()  # not profiled
    else:
        with ttprof.profile(lines=how == "lines"):
            everything()
            thread = threading.Thread(target=everything)
            thread.start()
            thread.join()
            deep(500)
            asyncio.run(coroutine())
    with ttprof.zone("by hand", text="some text", value=7):
        ttprof.plot("a plot", 1.5)
        ttprof.frame("a frame")
        ttprof.message("a message", 0x00FF00)
    leaf(5)  # not profiled
    signpost("end")


if __name__ == "__main__":
    main()
