"""Contexts: a procedure for each thread that begins it, and moves where it may be interrupted."""

from __future__ import annotations

from knaster.evidence.questions.targets import resolve_targets
from knaster.frontends.boolean import parse
from knaster.program.expression import TRUE, Not, Var
from knaster.program.model import Call
from knaster.transform.threads.contexts import Contexts, make_contexts
from knaster.transform.threads.thread_view import NoSchedule
from knaster.transform.threads.waiting_threads import add_waiting_threads

TEXT = "decl g;\nvoid main() begin\n  decl x;\n  x := T;\n  g := x;\n  R: skip;\nend\n"


def contexts(text: str = TEXT, idle: bool = False) -> Contexts:
    program = parse(text, "a.bp")
    targets = tuple(resolve_targets(program, "R"))
    return make_contexts(add_waiting_threads(program, 0), targets, lambda p, _: NoSchedule(p), idle)


def test_whoever_begins_a_thread_calls_its_procedure() -> None:
    found = contexts()
    assert found.beginners == found.program.threads == ("thread_main",)
    calls = [edge.action for edge in found.program.procedure("thread_main").edges if isinstance(edge.action, Call)]
    assert [call.procedure for call in calls] == ["do_main"]
    assert found.places == ((("do_main", 2),),)


def test_a_thread_is_interrupted_where_somebody_can_notice() -> None:
    """After `g := x`, and at the end; not after `x := T`."""
    found = contexts()
    assert {move.edge.source for move in found.moves if move.procedure == "do_main"} == {2}
    assert any(move.procedure == "thread_main" for move in found.moves)
    assert all(move.edge.source == move.edge.target for move in found.moves)
    assert [edge.source for edge in found.watched] == [2]


def test_who_idles_may_pass_before_it_begins() -> None:
    def at_start(found: Contexts) -> bool:
        return any(move.procedure == "thread_main" and move.edge.source == 0 for move in found.moves)

    assert at_start(contexts(idle=True)) and not at_start(contexts())


def test_sections_have_a_bit() -> None:
    assert contexts().outside == TRUE
    found = contexts(TEXT.replace("  g := x;", "  atomic_begin;\n  g := x;\n  atomic_end;"))
    assert found.outside == Not(Var("in_section")) and "in_section" in found.program.globals
