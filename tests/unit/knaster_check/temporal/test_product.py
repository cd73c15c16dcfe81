"""Programs of pairs: which edges are accepting, what is written, and what becomes of calls, returns and the end."""

from __future__ import annotations

import pytest

from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.boolean import parse
from knaster_check import Refused, read_program
from knaster_check.program import Assign, Call, Program
from knaster_check.temporal.automaton import EVERYTHING, Automaton, Step
from knaster_check.temporal.letters import Meaning
from knaster_check.temporal.product import KEPT, RUN, SEEN, Product, make_product, recursive_calls

SOMETIMES = Automaton(2, (0,), (Step(0, (), 1, True), Step(1, (), 0, False)))  # a cycle with both kinds of steps
NOWHERE = Automaton(1, (0,), ())
CALLS = """decl g;
void main() begin f(); L: while (*) do g := !g; od h(); end
void f() begin if (*) then k(); fi end
void k() begin f(); end
void h() begin assert(g); end
"""


def program(text: str = CALLS) -> Program:
    return read_program(program_to_kernel(parse(text, "p.bp")))


def accepting(made: Product) -> set[tuple[str, int, int]]:
    """Return procedure, source and target of the accepting edges."""
    edges = {name: own.edges for name, own in made.program.procedures.items()}
    return {(name, edges[name][at].source, edges[name][at].target) for name, at in made.accepting}


def test_who_calls_whom_in_a_circle() -> None:
    assert recursive_calls(program()) == {("f", "k"), ("k", "f")}
    assert recursive_calls(program("void main() begin main(); end")) == {("main", "main")}
    assert recursive_calls(program("void main() begin f(); end void f() begin skip; end")) == set()


def test_of_termination_edges_back_and_recursive_calls_count() -> None:
    own = program()
    found = accepting(make_product(own, EVERYTHING, {}, False))
    assert {name for name, _, _ in found} == {"main", "f", "k"}
    assert all(isinstance(own.procedures[name].edges[at].action, Call) for name in "fk" for at in calls_of(own, name))
    (back,) = ((source, target) for name, source, target in found if name == "main")
    assert back[1] <= back[0]
    assert sum(name in "fk" for name, _, _ in found) == 2


def calls_of(own: Program, name: str) -> list[int]:
    return [at for at, edge in enumerate(own.procedures[name].edges) if isinstance(edge.action, Call)]


def test_an_edge_to_itself_leads_back() -> None:
    own = program("void main() begin L: goto L; end")
    main = own.procedures["main"]
    (first, *_) = main.edges
    around = own._replace(procedures={"main": main._replace(edges=(first._replace(target=first.source),))})
    assert accepting(make_product(around, EVERYTHING, {}, False)) == {("main", first.source, first.source)}


def test_where_runs_stay_they_stay_at_the_end_and_where_they_failed() -> None:
    own = program()
    (failed,) = own.procedures["h"].failures
    for stays in (False, True):
        made = make_product(own, EVERYTHING, {}, stays)
        loops = {(name, source) for name, source, target in accepting(made) if source == target}
        assert loops == ({(RUN, 1), ("h", failed)} if stays else set())
        assert not made.program.procedures["h"].failures


def test_without_a_step_of_the_automaton_there_is_no_edge() -> None:
    made = make_product(program(), NOWHERE, {}, True)
    assert [len(own.edges) for name, own in made.program.procedures.items() if name != RUN] == [0] * 4
    assert len(made.program.procedures[RUN].edges) == 1
    never = Automaton(1, (0,), (Step(0, (("a", True),), 0, True),))
    made = make_product(program(), never, {"a": Meaning(frozenset())}, False)
    assert not any(own.edges for name, own in made.program.procedures.items() if name != RUN)


def test_what_counts_inside_a_call_is_seen_after_it() -> None:
    made = make_product(program(), SOMETIMES, {}, False)
    assert {SEEN, "@q0"} <= set(made.program.globals) and KEPT in made.program.procedures["main"].locals
    edges = made.program.procedures["main"].edges
    actions = [(edge.action, ("main", at) in made.accepting) for at, edge in enumerate(edges)]
    plain = [(a, counts) for a, counts in actions if isinstance(a, Assign) and "@q0" in a.targets]
    written = [dict(zip(action.targets, action.values, strict=True)) for action, counts in plain if counts]
    assert written and all(own[SEEN] == (("truth", KEPT not in own),) for own in written)
    assert all(own[KEPT] == (("truth", True),) for own in written if KEPT in own)
    unseen = [dict(zip(a.targets, a.values, strict=True)) for a, counts in plain if not counts]
    assert unseen and all(SEEN not in own or KEPT in own for own in unseen)


def test_of_a_weak_automaton_nothing_is_seen() -> None:
    made = make_product(program(), EVERYTHING, {}, True)
    names = {name for own in made.program.procedures.values() for edge in own.edges for name in _targets(edge.action)}
    assert SEEN not in made.program.globals and SEEN not in names and KEPT not in names
    twice = Automaton(2, (0,), (Step(0, (), 1, False), Step(1, (), 1, True)))
    made = make_product(program(), twice, {}, True)
    names = {name for own in made.program.procedures.values() for edge in own.edges for name in _targets(edge.action)}
    assert "@q0" in names and SEEN not in names


def _targets(action: object) -> tuple[str, ...]:
    return action.targets if isinstance(action, Assign) else ()


def test_statements_of_threads_are_refused() -> None:
    own = program("void main() begin atomic_begin; skip; atomic_end; end")
    for automaton in (EVERYTHING._replace(states=2), SOMETIMES):
        with pytest.raises(Refused, match="nothing is known of"):
            make_product(own, automaton, {}, False)
