"""Ranks: why no run of a program is one that an automaton accepts, so that every run is as the question asks.

The program beside the automaton (`questions.product`) has path edges that are closed under every step.  The rank of
a head, a place with a state, is the last i for which it is in the i-th set of its place: along every step between
heads it does not grow, along an accepting step it falls.  `checkers.ranks` checks it, and that the automaton accepts
every word on which the formula does not hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from knaster.automata.automaton import Automaton, Step
from knaster.automata.ltl_parser import parse_ltl
from knaster.base.errors import ProofError, SourceError
from knaster.base.records import dataclass
from knaster.bdd.store import Bdd
from knaster.evidence.proofs import path_edges
from knaster.evidence.proofs.path_edges import Certificate
from knaster.evidence.proofs.reading import expect, has_keys, list_of, node
from knaster.evidence.questions.letters import meanings_of
from knaster.evidence.questions.product import Product
from knaster.evidence.questions.question import Temporal, Termination
from knaster.program.model import Place, Program

if TYPE_CHECKING:
    from knaster.base.limits import Budget

_FIELDS = {"formula", "states", "initial", "steps", "procedures", "nodes", "ranks"}


@dataclass(frozen=True, slots=True, eq=False)
class Ranks:
    """The question, the automaton, path edges of the product, and the sets of each place, the largest first."""

    program: Program
    question: Termination | Temporal
    automaton: Automaton
    certificate: Certificate  # of the product
    sets: Mapping[Place, tuple[Bdd, ...]]

    def __repr__(self) -> str:
        return f"<Ranks for {self.program.file}: up to {self.highest}>"

    @property
    def highest(self) -> int:
        """The highest rank of a head."""
        return max(map(len, self.sets.values()), default=0)

    def unreached_places(self) -> None:
        """Return nothing: it is not said which statements no run reaches."""
        return

    def product(self) -> Product:
        """Return the program beside the automaton."""
        return product_for(self.program, self.question, self.automaton)


def product_for(program: Program, question: Termination | Temporal, automaton: Automaton) -> Product:
    """Return the program beside the automaton of what a question excludes."""
    if isinstance(question, Termination):
        return Product(program, automaton, {}, stays=False)
    return Product(program, automaton, meanings_of(program, question), stays=True)


def to_fields(proof: Ranks, program: Program) -> dict[str, Any]:
    """Return ranks as fields of a document."""
    from knaster.bdd.nodes import flatten

    places = sorted(proof.sets)
    functions = [states for sets in proof.certificate.path_edges.values() for states in sets]
    functions += [states for place in places for states in proof.sets[place]]
    nodes, numbers = flatten(proof.certificate.store, functions)
    rest = iter(numbers)
    procedures = {
        name: {
            "slots": dict(spoken.slots),
            "rigid": sorted(spoken.rigid),
            "echoed": sorted(spoken.echoed),
            "sets": [next(rest) for _ in proof.certificate.path_edges[name]],
        }
        for name, spoken in proof.certificate.vocabulary.items()
    }
    automaton = proof.automaton
    return {
        "ranking_of_heads": {
            "formula": None if isinstance(proof.question, Termination) else str(proof.question),
            **automaton_to_fields(automaton),
            "procedures": procedures,
            "nodes": nodes,
            "ranks": [[*place, [next(rest) for _ in proof.sets[place]]] for place in places],
        }
    }


def from_fields(document: Mapping[str, Any], program: Program, nodes: int, budget: Budget) -> Ranks:
    """Return the ranks of a document."""
    from knaster.bdd.nodes import MalformedNodes, rebuild

    data = document["ranking_of_heads"]
    has_keys(data, _FIELDS, "'ranking_of_heads'")
    question = question_of(data["formula"], program)
    automaton = automaton_of(data)
    try:
        product = product_for(program, question, automaton).program
    except KeyError:
        raise ProofError("this is no proof: its automaton speaks of what its formula does not have") from None
    rows = [_row(entry) for entry in list_of(data["ranks"], "ranks")]
    expect(isinstance(data["procedures"], dict), "'procedures' is no object")
    certificate = path_edges.from_fields(data, product, nodes, budget)
    functions = rebuild(certificate.store, [node(each) for each in data["nodes"]], budget.check)
    if not all(0 <= number < len(functions) for _, numbers in rows for number in numbers):
        raise MalformedNodes("a set is none of the nodes")
    sets = {place: tuple(functions[number] for number in numbers) for place, numbers in rows}
    return Ranks(program, question, automaton, certificate, sets)


def question_of(text: object, program: Program, fair: str = "none") -> Termination | Temporal:
    """Return the question that a document names: a formula, or termination where there is none."""
    if text is None:
        return Termination(fair=fair)
    expect(isinstance(text, str), "'formula' is no text")
    assert isinstance(text, str)
    try:
        question = Temporal(parse_ltl(text), text, fair=fair)
        meanings_of(program, question)
    except SourceError as error:
        expect(False, f"its formula is none: {error.problems[0].message}")
    return question


def automaton_to_fields(automaton: Automaton) -> dict[str, Any]:
    """Return an automaton as fields of a document."""
    return {
        "states": automaton.states,
        "initial": list(automaton.initial),
        "steps": [
            [step.source, [list(literal) for literal in sorted(step.guard)], step.target, sorted(step.marks)]
            for step in automaton.steps
        ],
    }


def automaton_of(data: Mapping[str, Any]) -> Automaton:
    """Return the automaton of a document."""
    states = data["states"]
    expect(type(states) is int and 0 <= states < 10_000, "the automaton has no states")
    steps = tuple(_step(entry, states) for entry in list_of(data["steps"], "steps"))
    initial = tuple(list_of(data["initial"], "initial"))
    expect(all(type(state) is int and 0 <= state < states for state in initial), "an initial state is none")
    return Automaton(states, initial, steps)


def _step(entry: object, states: int) -> Step:
    expect(isinstance(entry, list) and len(entry) == 4, "a step of the automaton has not four parts")
    assert isinstance(entry, list)
    source, guard, target, marks = entry
    for state in (source, target):
        expect(type(state) is int and 0 <= state < states, "a step of the automaton is of no state")
    literals = list_of(guard, "a guard")
    for literal in literals:
        fits = isinstance(literal, list) and len(literal) == 2 and isinstance(literal[0], str)
        expect(fits and type(literal[1]) is bool, "a literal of the automaton is none")
    expect(marks in ([], [0]), "a step of the automaton has other marks than one")
    return Step(source, frozenset((atom, value) for atom, value in literals), target, frozenset(marks))


def _row(entry: object) -> tuple[Place, tuple[int, ...]]:
    expect(isinstance(entry, list) and len(entry) == 3, "ranks have not three parts")
    assert isinstance(entry, list)
    name, location, numbers = entry
    expect(isinstance(name, str) and type(location) is int, "ranks are of no place")
    expect(isinstance(numbers, list) and all(type(each) is int for each in numbers), "a set is no number")
    return (name, location), tuple(numbers)
