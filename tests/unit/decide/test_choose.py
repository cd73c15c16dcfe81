"""The method that answers: who is asked by name, who is asked first, and what is said where nobody can."""

from __future__ import annotations

import pytest

from knaster.base.errors import UnsupportedError, UsageError
from knaster.decide.choose import default_engine, usable
from knaster.evidence.questions.question import Bound, Reach, Termination
from knaster.frontends.languages import load
from knaster.program.model import Program

BOOLEAN = "void main() begin R: skip; end"
THREADS = """#include <pthread.h>
void *f(void *a) { return a; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }
"""


def _read(text: str, file: str) -> Program:
    program = load(text, file=file)
    assert isinstance(program, Program)
    return program


def test_the_first_that_can() -> None:
    assert default_engine(_read(BOOLEAN, "p.bp"), Reach(())) == "summaries"


def test_an_engine_that_cannot_names_those_that_can() -> None:
    with pytest.raises(UsageError, match=r"the engine 'horn' cannot be used: .*; use .*summaries"):
        usable("horn", _read(BOOLEAN, "p.bp"), Reach(()))


def test_nobody_can() -> None:
    pytest.importorskip("clang.cindex")
    program, question = _read(THREADS, "p.c"), Termination(bound=Bound("switches", 2))
    said = "'auto' can read the program, but it decides termination of C without threads, or of threads without a bound"
    with pytest.raises(UnsupportedError, match=f"no engine can answer this, so far: {said}"):
        usable(default_engine(program, question), program, question)
