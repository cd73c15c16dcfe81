"""Which parts of a `for` are there."""

from __future__ import annotations

import itertools

import pytest

from knaster.frontends.c.tree.loops import parts_of_loops
from support.c_text import read


@pytest.mark.parametrize("present", list(itertools.product((False, True), repeat=3)))
def test_parts(present: tuple[bool, bool, bool]) -> None:
    parts = [
        part if there else "" for part, there in zip(("int i = f(1, 2)", "i < 3", "i++, j--"), present, strict=True)
    ]
    assert parts_of_loops("x = 'for'; \"for (;;)\"; for ({}; {}; {}) for (;;) ;".format(*parts)) == [
        present,
        (False,) * 3,
    ]


@pytest.mark.parametrize("present", list(itertools.product((False, True), repeat=3)))
@pytest.mark.parametrize("macro", [False, True])
def test_loops_are_read_as_they_are_written(present: tuple[bool, bool, bool], macro: bool) -> None:
    start, condition, step = (
        part if there else "" for part, there in zip(("x = 7", "x < 9", "x++"), present, strict=True)
    )
    loop = f"for ({start}; {condition}; {step})"
    body = "{ g = 1; break; }"
    before = f"#define LOOP {loop}\n" if macro else ""
    first = read(f"{before}int g; int main(void) {{ int x = 0; {'LOOP' if macro else loop} {body} return x; }}\n")[0]
    plain = f"int g; int main(void) {{ int x = 0; {start}; while ({condition or 1}) {body} return x; }}\n"
    second = read(plain)[0]
    assert _actions(first) == _actions(second)


def _actions(program: object) -> list[str]:
    from knaster.frontends.c.spelling import statement_to_text
    from knaster.program.model import Program

    assert isinstance(program, Program)
    main = program.procedure("main")
    reachable = [edge for edge in main.edges if "x + 1" not in statement_to_text(main, edge)]
    return [statement_to_text(main, edge) for edge in reachable]
