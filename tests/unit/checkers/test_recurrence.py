"""The check of recurrent sets: from every state a run comes back into a set, by inputs given or chosen."""

from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("z3")

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.recurrence import check_recurrence
from knaster.evidence.traces.lasso import Recurrence
from knaster.frontends.c import parse
from knaster.program.expression import TRUE, Choice, Compare, Comparison, Const, Expr, Var, postorder
from knaster.program.model import Assume, Place, Program
from knaster.semantics.python_code import loop_heads

READ = "extern int read(void);\n"


def positive(name: str) -> Expr:
    return Compare(Comparison.GREATER, Var(name), Const(0))


def program_of(body: str, more: str = "") -> tuple[Program, list[Place]]:
    program = parse(f"{READ}{more}int main(void) {{ int x = read(); {body} return 0; }}\n", "a.c")
    return program, [("main", at) for at in sorted(loop_heads(program.procedure("main")))]


def holds(body: str, states: Expr | None = None, more: str = "", others: tuple[Expr, ...] = ()) -> bool:
    program, (head, *heads) = program_of(body, more)
    rest = tuple(zip(heads, others, strict=False))
    try:
        check_recurrence(program, head, Recurrence(states or positive("x"), (), rest), Budget())
    except InternalError as refusal:
        assert "is not recurrent" in str(refusal)
        return False
    return True


@pytest.mark.parametrize(
    ("body", "recurs"),
    [
        ("while (x > 0) { }", True),
        ("while (x > 0) { x = x - 1; }", False),
        ("while (x > 0) { x = read(); }", True),  # an input is chosen
        ("while (x > 0) { x = read(); x = x + read(); }", True),  # two are
        ("while (x > 0) { int y = read(); if (y > 3) x = 1; else x = 0; }", True),  # it decides a branch
        ("while (x > 0) { int y = read(); if (y > 3 && y < 2) x = 1; else x = 0; }", False),
        ("while (x > 0) { int y = read(); x = y * 0; }", False),
        ("while (x > 0) { if (x > 100) x = 0; }", False),  # from some states only
    ],
)
def test_one_loop(body: str, recurs: bool) -> None:
    assert holds(body) is recurs


def test_inputs_are_chosen_up_to_the_next_loop_head_only() -> None:
    """A run may pass the inner loop, but the proof has to say so with a set there."""
    body = "while (x > 0) { int y = read(); while (y > 0) y = read(); x = read(); }"
    assert not holds(body)
    assert holds(body, others=(TRUE,))


def test_every_set_is_asked() -> None:
    body = "while (x > 0) { int y = read(); while (y > 0) y = y - 1; x = 0; }"
    assert not holds(body, others=(TRUE,))


def test_a_set_at_the_entry_of_a_call() -> None:
    more = "int down(int n) { if (n > 0) return down(n + 0); return 0; }\n"
    program = parse(f"{READ}{more}int main(void) {{ return down(read()); }}\n", "a.c")
    entry = ("down", program.procedure("down").entry)
    check_recurrence(program, entry, Recurrence(positive("n")), Budget())
    with pytest.raises(InternalError, match="not recurrent"):
        check_recurrence(program, entry, Recurrence(TRUE), Budget())


def test_a_set_that_speaks_of_something_else() -> None:
    program, (head,) = program_of("while (x > 0) { }")
    with pytest.raises(InternalError, match="not known at its place"):
        check_recurrence(program, head, Recurrence(positive("nowhere")), Budget())


def test_two_sets_at_one_place() -> None:
    program, (head,) = program_of("while (x > 0) { }")
    with pytest.raises(InternalError, match="two sets at one place"):
        check_recurrence(program, head, Recurrence(positive("x"), (), ((head, TRUE),)), Budget())


def test_inputs_that_are_given() -> None:
    program, (head,) = program_of("while (x > 0) { x = read(); }")
    edges = program.procedure("main").edges
    at = max(index for index, edge in enumerate(edges) if "read" in str(edge.action))
    check_recurrence(program, head, Recurrence(positive("x"), ((at, 5),)), Budget())
    with pytest.raises(InternalError, match="not recurrent"):
        check_recurrence(program, head, Recurrence(positive("x"), ((at, 0),)), Budget())


def test_inputs_of_conditions_are_chosen() -> None:
    """From every state a run comes back, where a condition that is itself an input is passed."""
    program, (head,) = program_of("int y = 0; while (x > 0) { if (y > 0) continue; x = 0; }")
    main = program.procedure("main")
    edges = tuple(
        replace(edge, action=Assume(Choice()))
        if isinstance(edge.action, Assume) and Var("y") in postorder(edge.action.condition)
        else edge
        for edge in main.edges
    )
    assert edges != main.edges
    own = replace(main, edges=edges)
    changed = replace(program, procedures=tuple(own if each is main else each for each in program.procedures))
    check_recurrence(changed, head, Recurrence(positive("x"), (), ()), Budget())
