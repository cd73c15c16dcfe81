from __future__ import annotations

from dataclasses import replace

import pytest

from knaster.base.errors import Problem, Span
from knaster.frontends.boolean import parse
from knaster.program.expression import TRUE, Not, Var
from knaster.program.model import Action, Assign, Assume, Call, Concurrent, Edge, Program, Return, ThreadOperation
from knaster.program.validate import validate, validate_entry

SOUND = parse(
    """decl g;
bool f(p) begin decl l; L: l := p; return l; end
void main() begin decl x; enforce x | g; M: x := f(g); assert x; start_thread t(); end
void t() begin end_thread; end
"""
)


def with_action(action: Action) -> Program:
    """Return the sound program with another first statement in `main`."""
    main = SOUND.procedure("main")
    edges = (Edge(0, action, 1, Span(3, 44)), *main.edges[1:])
    return replace(SOUND, procedures=(SOUND.procedure("f"), replace(main, edges=edges), SOUND.procedure("t")))


def with_main(**changes: object) -> Program:
    main = replace(SOUND.procedure("main"), **changes)  # type: ignore[arg-type]
    return replace(SOUND, procedures=(SOUND.procedure("f"), main, SOUND.procedure("t")))


def messages(program: Program) -> list[str]:
    return [problem.message for problem in validate(program)]


def test_a_sound_program_has_no_problems() -> None:
    assert validate(SOUND) == []
    assert validate(SOUND, "f") == []


AT = "in 'main' at location 0: "


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (Assume(Var("y")), "'y' is not in scope"),
        (Assume(Var("p")), "'p' is not in scope"),
        (Assume(Var("@0")), "'@0' is not in scope"),
        (Assume(Not(Var("g", True))), "the new value of 'g' is known only in the constraint of an assignment"),
        (Assign(("g",), (Var("g", True),)), "the new value of 'g' is known only in the constraint of an assignment"),
        (Assign(("g",), (TRUE,), Var("y", True)), "'y' is not in scope"),
        (Assign(("y",), (TRUE,)), "'y' is not in scope"),
        (Assign(("g", "x"), (TRUE,)), "2 variables but 1 values"),
        (Assign(("g", "g"), (TRUE, TRUE)), "'g' gets two values at once"),
        (Call("h", ()), "there is no procedure 'h'"),
        (Call("f", (), ("x",)), "'f' takes 1 arguments, not 0"),
        (Call("f", (TRUE,)), "'f' has 1 results, not 0"),
        (Call("f", (Var("q"),), (None,)), "'q' is not in scope"),
        (Call("f", (TRUE,), ("q",)), "'q' is not in scope"),
        (Return((TRUE,)), "1 results are returned, there are 0"),
        (Return(()), "a return does not lead to the exit"),
        (
            Concurrent(ThreadOperation.START),
            "a thread starts at one location or in one procedure; other operations name none",
        ),
        (
            Concurrent(ThreadOperation.WAIT, location=1),
            "a thread starts at one location or in one procedure; other operations name none",
        ),
        (Concurrent(ThreadOperation.START, location=9), "a thread starts at 9, which is no location"),
        (Concurrent(ThreadOperation.START, procedure="h"), "there is no procedure 'h'"),
        (Concurrent(ThreadOperation.START, procedure="f"), "'f' takes 1 arguments, not 0"),
        (Concurrent(ThreadOperation.START, procedure="f", arguments=(Var("p"),)), "'p' is not in scope"),
        (
            Concurrent(ThreadOperation.START, location=1, arguments=(TRUE,)),
            "a thread starts at one location or in one procedure; other operations name none",
        ),
        (Concurrent(ThreadOperation.END), "the end of a thread does not lead to the exit"),
    ],
)
def test_actions(action: Action, message: str) -> None:
    problems = validate(with_action(action))
    assert Problem(AT + message, Span(3, 44)) in problems


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (replace(SOUND, globals=("g", "g")), "the global 'g' is there twice"),
        (replace(SOUND, globals=("g", "@0")), "'@0' cannot be the name of a global"),
        (replace(SOUND, globals=("g", "")), "'' cannot be the name of a global"),
        (replace(SOUND, globals=("g", "two\nlines")), "'two\\nlines' cannot be the name of a global"),
        (replace(SOUND, atomic="x"), "'x' is no global"),
        (replace(SOUND, init=Var("x")), "'x' is not in scope"),
        (replace(SOUND, procedures=SOUND.procedures * 2), "the procedure 'f' is there twice"),
        (replace(SOUND, threads=()), "no thread runs from the start"),
        (with_main(locals=("x", "x")), "the variable of 'main' 'x' is there twice"),
        (with_main(locals=("x", "g")), "'g' of 'main' hides a global"),
        (with_main(results=("r",)), "the results of 'main' must be called ('@0',)"),
        (with_main(enforce=Var("y")), "'y' is not in scope"),
        (with_main(entry=-1), "the entry or the exit of 'main' is no location"),
        (with_main(failures=(3,)), "the failures of 'main' must be locations of their own"),
        (with_main(failures=(9, 9)), "the failures of 'main' must be locations of their own"),
        (with_main(labels=(("M", 9),)), "the label 'M' of 'main' is on no location"),
        (with_main(labels=((" ", 0),)), "' ' cannot be a label"),
        (with_main(edges=SOUND.procedure("main").edges[::-1]), AT + "edges are not sorted by their source"),
        (
            with_main(edges=(Edge(3, Assume(TRUE), 0),)),
            "in 'main' at location 3: an edge leaves the exit, a failure, or no location",
        ),
        (with_main(edges=(Edge(0, Assume(TRUE), -9),)), AT + "an edge leads to -9, which is no location"),
    ],
)
def test_programs(program: Program, message: str) -> None:
    assert message in messages(program)


def test_names_of_any_language() -> None:
    program = replace(SOUND, globals=("g", "if", "main::x", "two words"))
    assert validate(program) == []


def test_a_missing_entry() -> None:
    program = parse("void min() begin end")
    hint = "did you mean 'min'?"
    assert validate(program) == [Problem("there is no procedure 'main' to start with", Span(1, 1), hint)]
    assert validate(program, "min") == validate_entry(program, "min") == []
    other = parse("".join(f"void f{index}() begin end " for index in range(6)))
    assert validate_entry(other, "start")[0].hint == "name one of its procedures as the entry: f0, f1, f2, f3, f4, ..."
    assert validate_entry(parse(""))[0].hint == "the program has no procedure at all"
