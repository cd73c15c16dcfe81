"""What happens in a child: one change is made in the functions that are there, and tests run until one fails."""

from __future__ import annotations

import gc
import os
import resource
import time
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType

import pytest
from _pytest.runner import runtestprotocol

from mutants.changes import Change, compile_changed
from mutants.touched import Touch, Tracer

SURVIVED, KILLED = 0, 1  # exit codes of a child


Function = FunctionType


def patch(change: Change, root: Path, functions: list[Function]) -> bool:
    """Give the functions of a module their changed code; tell whether that could be done."""
    filename = str(root / change.file)
    code = compile_changed(Path(filename).read_text(), filename, change.number)
    codes = {(inner.co_qualname, inner.co_firstlineno): inner for inner in _inner(code)}
    changed = False
    for function in functions:
        old = function.__code__
        new = codes.get((old.co_qualname, old.co_firstlineno))
        if new is None or new.co_freevars != old.co_freevars:
            return False
        changed = changed or (old.co_qualname == change.outermost and new != old)
        function.__code__ = new
    return changed


def functions_by_file() -> dict[str, list[Function]]:
    """Return the functions in memory, by the file in which their text is."""
    gc.unfreeze()  # what is frozen is not listed
    functions: dict[str, list[Function]] = {}
    for found in gc.get_objects():
        if isinstance(found, FunctionType):
            functions.setdefault(found.__code__.co_filename, []).append(found)
    return functions


def _inner(code: CodeType) -> Iterator[CodeType]:
    work = [code]
    while work:
        code = work.pop()
        yield code
        work += [constant for constant in code.co_consts if isinstance(constant, CodeType)]


def limit_child(seconds: float) -> None:
    """Let this process end by a signal when it has computed for so long, however busy the machine is."""
    os.setpgid(0, 0)
    whole = max(1, int(seconds + 0.999))
    resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 2))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def redirect() -> None:
    """Send the three streams nowhere."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)


def silence(folder: Path, config: pytest.Config) -> None:
    """Send what tests print nowhere, and let them make their folders in one that is removed afterwards."""
    redirect()
    factory = config._tmp_path_factory  # type: ignore[attr-defined]
    factory._given_basetemp = folder / "tmp"
    factory._basetemp = None


def fails(item: pytest.Item, following: pytest.Item | None) -> bool:
    """Run one test and tell whether it fails."""
    return any(report.failed for report in runtestprotocol(item, log=False, nextitem=following))


def try_tests(items: list[pytest.Item], note: Path) -> int:
    """Run tests until one fails, and leave a note which."""
    for index, item in enumerate(items):
        following = items[index + 1] if index + 1 < len(items) else None
        note.write_text(item.nodeid)
        if fails(item, following):
            return KILLED
    return SURVIVED


def record_tests(items: list[pytest.Item], tracer: Tracer, root: Path) -> list[Touch]:
    """Run tests, each under the tracer."""
    touches = []
    for index, item in enumerate(items):
        following = items[index + 1] if index + 1 < len(items) else None
        began = time.process_time()
        with tracer:
            failed = fails(item, following)
        lines = {str(Path(name).relative_to(root)): bits for name, bits in tracer.lines.items()}
        touches.append(Touch(item.nodeid, round(time.process_time() - began, 3), lines, not failed))
    return touches
