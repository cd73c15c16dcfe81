"""Recursive descent without Python's stack: a recursive function is written as a generator that yields its calls.

`run` keeps the pending calls in a list, so the depth of an input is bounded by memory alone.  Inside a generator,
`value = yield call(...)` stands for `value = call(...)`.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeVar

T = TypeVar("T")
Steps = Generator[Any, Any, T]


def run(steps: Steps[T]) -> T:
    """Return what the function behind `steps` returns."""
    stack: list[Steps[Any]] = [steps]
    result: Any = None
    while True:
        try:
            call = stack[-1].send(result)
        except StopIteration as stop:
            stack.pop()
            result = stop.value
            if not stack:
                return result  # type: ignore[no-any-return]
        else:
            stack.append(call)
            result = None
