"""Views of a thread: what it may find when it runs again, without a schedule and with contexts of its own."""

from __future__ import annotations

from itertools import product

from knaster.frontends.boolean import parse
from knaster.program.evaluate import evaluate
from knaster.program.expression import CHOICE, TRUE, Not, Var, primed_variables, variables
from knaster.program.model import Assign, Assume
from knaster.transform.formulae import Fresh
from knaster.transform.threads.thread_view import NoSchedule, OwnContexts

PROGRAM = parse("decl g, h;\nvoid main() begin skip; end", "a.bp")


def test_without_a_schedule_others_do_anything() -> None:
    view = NoSchedule(PROGRAM)
    (move,) = view.moves(Not(Var("busy")))
    assert isinstance(move, Assign) and move.targets == ("g", "h") and move.values == (CHOICE, CHOICE)
    assert variables(move.constraint) == {"busy", "g", "h"} and not primed_variables(move.constraint)
    for g, h, busy in product((False, True), repeat=3):
        assert evaluate(move.constraint, {"g": g, "h": h, "busy": busy}, iter(())) is not busy
    assert view.init() == TRUE and list(view.departures(TRUE)) == [] and view.groups == ((), ("g",), ("h",))
    assert list(view.starts(0, ())) == [(Assume(TRUE), None)]


def test_own_contexts_begin_and_end_in_copies() -> None:
    view = OwnContexts(PROGRAM, Fresh(PROGRAM), kinds=2, contexts=2, width=3)
    assert view.groups == (("kind", "context"), ("g", "g_at0", "g_at1", "g_at2"), ("h", "h_at0", "h_at1", "h_at2"))
    (move,) = view.moves(TRUE)
    assert isinstance(move, Assign) and move.targets == ("context", "g", "h")
    assert primed_variables(move.constraint) == {"context", "g", "h"}
    assert variables(move.constraint) >= {"context", "g_at1", "h_at1", "g_at2", "h_at2", "g_at0", "kind"}


def test_the_last_context_has_no_next_one() -> None:
    (move,) = OwnContexts(PROGRAM, Fresh(PROGRAM), kinds=1, contexts=1, width=2).moves(TRUE)
    assert isinstance(move, Assign)
    assert not evaluate(move.constraint, dict.fromkeys(variables(move.constraint), False), iter(()))
