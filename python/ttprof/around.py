# SPDX-License-Identifier: Apache-2.0
"""A function with a begin and an end around each time that it runs, whatever kind of function it is."""
import functools
import inspect
import types


def _steps(running, begin, end):
    """Drives a generator or coroutine: what it yields, until it is done; its result."""
    value = error = None
    while True:
        begin()
        try:
            out = running.send(value) if error is None else running.throw(error)
        except StopIteration as e:
            return e.value
        finally:
            end()
        value = error = None
        try:
            value = yield out
        except GeneratorExit:
            running.close()
            raise
        except BaseException as e:  # pylint: disable=broad-except
            error = e


_awaited = types.coroutine(_steps)


def around(function, begin, end):
    """`begin(name, file, line)` and `end()` around each run of `function`."""
    if isinstance(function, (classmethod, staticmethod)):
        return type(function)(around(function.__func__, begin, end))
    code = getattr(inspect.unwrap(function), "__code__", None)
    place = (getattr(function, "__qualname__", None) or type(function).__name__, code.co_filename if code else "?",
             code.co_firstlineno if code else 0)

    def enter():
        begin(*place)

    if inspect.iscoroutinefunction(function):
        async def inside(*args, **more):
            return await _awaited(function(*args, **more), enter, end)
    elif inspect.isasyncgenfunction(function):
        async def inside(*args, **more):
            running, value, error = function(*args, **more), None, None
            try:
                while True:
                    step = running.asend(value) if error is None else running.athrow(error)
                    try:
                        out = await _awaited(step.__await__(), enter, end)
                    except StopAsyncIteration:
                        return
                    value = error = None
                    try:
                        value = yield out
                    except GeneratorExit:
                        raise
                    except BaseException as e:  # pylint: disable=broad-except
                        error = e
            finally:
                await running.aclose()
    elif inspect.isgeneratorfunction(function):
        def inside(*args, **more):
            return (yield from _steps(function(*args, **more), enter, end))
    else:
        def inside(*args, **more):
            enter()
            try:
                return function(*args, **more)
            finally:
                end()

    try:
        return functools.wraps(function)(inside)
    except AttributeError:
        return inside
