"""A model beside an automaton: its runs are those of the model, with a step of the automaton before each statement."""

from __future__ import annotations

from knaster.automata.ltl_parser import parse_ltl
from knaster.automata.translate import translate
from knaster.evidence.questions.heap_product import ACCEPTED, STATE, heap_product, why_no_product
from knaster.evidence.questions.letters import meanings_of
from knaster.evidence.questions.question import Temporal
from knaster.frontends.zing import parse
from knaster.semantics.heap.configuration import Configuration
from knaster.semantics.heap.interpreter import FailedAssume, Machine

TEXT = (
    "class Main { static int n; activate static void main() { n = 1; f(); L: n = 2; } static void f() { n = 3; } };\n"
)


def test_runs() -> None:
    program, question = parse(TEXT, "a.zing"), Temporal(parse_ltl("G !at(L)"))
    automaton = translate(question.formula, positive=False)
    machine = Machine(heap_product(program, automaton, meanings_of(program, question)))
    todo: list[tuple[Configuration, int, tuple[int, ...]]] = [(machine.start(), 0, ())]
    words = set[tuple[int, ...]]()
    while todo:
        here, length, lines = todo.pop()
        if length == 60:
            words.add(lines)
            assert here.statics[STATE] in range(automaton.states) and here.statics[ACCEPTED] in (True, False)
            continue
        for alternative in range(len(machine.alternatives(here, 1))):
            after = here.copy()
            try:
                edge = machine.step(after, 1, alternative).edge
            except FailedAssume:
                continue
            taken = (*lines, edge.origin.source) if edge.origin is not None else lines
            todo.append((after, length + 1, taken))
    assert len(words) == 1  # the model has one run, and the automaton goes along with it to its end and beyond


def test_what_has_no_product() -> None:
    assert why_no_product(parse(TEXT, "a.zing"), about_ends=True) == ""
    waits = parse(TEXT.replace("n = 3;", "select { wait(n == 1) -> ; }"), "a.zing")
    assert "may wait" in why_no_product(waits, about_ends=True) and not why_no_product(waits, about_ends=False)
