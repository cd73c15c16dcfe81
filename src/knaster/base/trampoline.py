"""Recursive descent without Python's stack: a recursive function is written as a generator that yields its calls.

`run` keeps the pending calls in a list, so the depth of an input is bounded by memory alone.  Inside a generator,
`value = yield call(...)` stands for `value = call(...)`, and an exception of the call is raised there.  `answer` does
the same for a function with a memory: its generator yields questions, and each question is worked on once.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, MutableMapping
from typing import Any, TypeVar

Q = TypeVar("Q", bound=Hashable)
T = TypeVar("T")
Steps = Generator[Any, Any, T]


def run(steps: Steps[T]) -> T:
    """Return what the function behind `steps` returns."""
    stack: list[Steps[Any]] = [steps]
    result: Any = None
    error: Exception | None = None
    while True:
        try:
            call = stack[-1].send(result) if error is None else stack[-1].throw(error)
        except StopIteration as stop:
            stack.pop()
            result, error = stop.value, None
            if not stack:
                return result  # type: ignore[no-any-return]
        except Exception as raised:
            stack.pop()
            if not stack:
                raise
            error = raised
        else:
            stack.append(call)
            result, error = None, None


def answer(steps: Generator[Q, T, T], work: Callable[[Q], Generator[Q, T, T]], answers: MutableMapping[Q, T]) -> T:
    """Return what `steps` returns, where a question that it yields is answered by what `work(question)` returns.

    `answers` holds what is known already, and what is found is added to it.  Requires: no question depends on itself.
    """
    stack: list[Generator[Q, T, T]] = [steps]
    asked: list[Q] = []  # by all but the first of the stack
    result: Any = None
    while True:
        try:
            question = stack[-1].send(result)
        except StopIteration as stop:
            stack.pop()
            result = stop.value
            if not stack:
                return result  # type: ignore[no-any-return]
            answers[asked.pop()] = result
            continue
        if question in answers:
            result = answers[question]
        else:
            stack.append(work(question))
            asked.append(question)
            result = None
