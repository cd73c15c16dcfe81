"""A stack that is deep enough for Clang, which descends once for each level of nesting: a thread of its own.

Clang ends the process where its stack does, so a text that may be nested deeper than the largest stack is refused.  The
memory of a stack is taken only as far as it is used.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from knaster.base.errors import KnasterError
from knaster.base.limits import ulimit_advice

T = TypeVar("T")
_STACKS = (512 << 20, 128 << 20, 32 << 20, 8 << 20)  # bytes; the first that the system grants
_LEVEL = 4_096  # bytes of the stack for one level
_MARKS = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[;{}]|\b(?:if|else|for|while|do|switch)\b|\w+|[^\s\w]""",
    re.DOTALL,
)
_HEADS = frozenset(("if", "else", "for", "while", "do", "switch"))


def nesting(text: str) -> int:
    """Return how deep a text is nested at most: no deeper than marks of a statement and heads of a function tell."""
    if len(text) <= 1_000:
        return len(text)
    deepest = marks = heads = depth = inner = 0  # inner: the deepest braces, which nest as well
    for found in _MARKS.finditer(text):
        mark = found.group()
        if mark in (";", "{", "}"):
            marks = 0
            depth += (mark == "{") - (mark == "}")
            inner = max(inner, depth)
            heads = 0 if depth <= 0 else heads
        elif mark in _HEADS:
            heads += 1
        elif mark == "," and depth > 0:
            marks = 0
        elif not (mark[0].isalnum() or mark[0] == "_"):
            marks += 1
        deepest = max(deepest, marks + heads)
    return deepest + inner


def run_deep(function: Callable[[], T], levels: int) -> T | None:
    """Return what a function returns, on a stack for so many levels; None where no stack is as large.

    Raises `KnasterError` where the system grants none that is.
    """
    result: list[T] = []
    errors: list[BaseException] = []

    def work() -> None:
        try:
            result.append(function())
        except BaseException as error:
            errors.append(error)

    sizes = [size for size in _STACKS if levels * _LEVEL <= size]
    if not sizes:
        return None
    if not any(_start(work, size) for size in sizes):
        raise KnasterError(f"reading C needs {sizes[-1] >> 20} MB more of memory than there is{ulimit_advice()}")
    if errors:
        raise errors[0]
    return result[0]


def _start(work: Callable[[], Any], size: int) -> bool:
    """Run something in a thread with a stack of this size; tell whether there is one."""
    before = threading.stack_size(size)
    plain = os.environ.get("LIBCLANG_NOTHREADS")
    os.environ["LIBCLANG_NOTHREADS"] = "1"  # or Clang would make a thread with a small stack
    thread = threading.Thread(target=work, name="clang", daemon=True)
    try:
        thread.start()
    except RuntimeError:
        return False
    else:
        threading.stack_size(before)
        thread.join()
        return True
    finally:
        threading.stack_size(before)
        if plain is None:
            del os.environ["LIBCLANG_NOTHREADS"]
