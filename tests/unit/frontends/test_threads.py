from __future__ import annotations

import pytest

from knaster.errors import Problem, SourceError
from knaster.frontends.boolean import parse
from knaster.frontends.boolean.notation import expression_to_text
from knaster.frontends.boolean.printer import to_text

EMPTY = "begin end "


@pytest.mark.parametrize(
    ("procedures", "threads"),
    [
        (["main()"], ("main",)),
        (["f()"], ("main",)),
        ([], ("main",)),
        (["init()", "thread1()", "thread2()"], ("thread1", "thread2")),
        (["init()", "main()", "thread0()"], ("thread0", "main")),
        (["thread7()", "thread3()", "f()"], ("thread7", "thread3")),
        (["main()", "thread1()", "thread2()"], ("main",)),
        (["main()", "init()"], ("main",)),
        (["thread1(a)", "init()"], ("main",)),
        (["main_adder()", "f()", "main_stopper()"], ("main_adder", "main_stopper")),
        (["main_1()", "main()"], ("main",)),
        (["main_1(a)"], ("main",)),
    ],
)
def test_threads_are_known_by_their_names(procedures: list[str], threads: tuple[str, ...]) -> None:
    program = parse("".join(f"void {header} {EMPTY}" for header in procedures))
    assert program.threads == threads
    assert parse(to_text(program)) == program


INIT = "decl x, y, z; void init() begin decl t; {} end void thread1() begin end void thread2() begin end"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("x, y := T, F; endinit: skip;", "x & !y"),
        ("x := 0; y := *; x := 1; t := 1; return;", "x"),
        ("y := 1; y := *;", "T"),
        ("", "T"),
    ],
)
def test_init_becomes_the_initial_state(body: str, expected: str) -> None:
    notes: list[Problem] = []
    program = parse(INIT.format(body), notes=notes)
    assert expression_to_text(program.init) == expected
    assert parse(to_text(program)) == program
    assert [note.message for note in notes] == ["runs 2 threads: thread1, thread2"]


def test_init_joins_an_explicit_constraint() -> None:
    program = parse("init(x | y);" + INIT.format("z := 1;"))
    assert expression_to_text(program.init) == "(x | y) & z"
    assert parse(to_text(program)) == program


@pytest.mark.parametrize(
    "body", ["x := y;", "if * then x := 1; fi", "L: goto L;", "x := 1 constrain y;", "init();", "assume x;"]
)
def test_init_that_is_no_list_of_constants_is_refused(body: str) -> None:
    with pytest.raises(SourceError, match="'init' of a program with threads may only assign constants"):
        parse(INIT.format(body))


def test_init_of_a_sequential_program_is_a_procedure_like_others() -> None:
    assert expression_to_text(parse("decl x; void init() begin x := 1; end void main() begin init(); end").init) == "T"
