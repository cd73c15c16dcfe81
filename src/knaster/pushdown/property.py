"""Finite-state properties: does a run drive an automaton over the visited symbols into an error state?

Lal (PhD thesis, University of Wisconsin, 2009), section 2.4.3.  The product keeps the rules of the system; a weight
becomes a relation on the states of the property, weighted with the old weights: firing a rule with left symbol g moves
the property along R_g.  A label for which a state has no move leaves it where it is.  The last symbol of a run is not
consumed: a statement without successor needs a rule to be seen.

Merge functions are lifted pointwise; since they do not see the call rule (`merge.py`), the move of the property at the
call is put back: g'(A, B)(q1, q4) = Σ g(A(q1, q2), B(q3, q4)) over the moves q2 -> q3 at the call.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

from knaster.base.records import dataclass
from knaster.pushdown.automaton import Automaton
from knaster.pushdown.domains.weighted_relations import WeightedRelation, WeightedRelations
from knaster.pushdown.merge import Merge
from knaster.pushdown.runs.witness import Witness, witnesses
from knaster.pushdown.saturation.answer import Answer
from knaster.pushdown.saturation.query import path_summary, stacks_starting_with
from knaster.pushdown.semiring import Semiring
from knaster.pushdown.solve import post_star
from knaster.pushdown.system import PushdownSystem, Rule, Symbol

W = TypeVar("W")

Label = Hashable
PropertyState = Hashable
Weights = WeightedRelation[PropertyState, W]


@dataclass(frozen=True, slots=True)
class Property:
    """A finite-state machine over labels: moves (state, label, state), an initial state, error states."""

    moves: tuple[tuple[PropertyState, Label, PropertyState], ...]
    initial: PropertyState
    errors: frozenset[PropertyState]

    def states(self) -> tuple[PropertyState, ...]:
        """Return all states, in the order of the moves."""
        named = [self.initial, *(state for source, _, target in self.moves for state in (source, target))]
        return tuple(dict.fromkeys([*named, *sorted(self.errors, key=str)]))

    def step(self, label: Label | None) -> list[tuple[PropertyState, PropertyState]]:
        """Return R: where every state goes on `label`; it stays if it has no move, or if there is no label."""
        pairs: list[tuple[PropertyState, PropertyState]] = []
        for state in self.states():
            targets = [target for source, read, target in self.moves if source == state and read == label]
            pairs += [(state, target) for target in (targets if label is not None and targets else [state])]
        return pairs


def property_product(
    system: PushdownSystem[W], machine: Property, label: Callable[[Symbol], Label | None]
) -> PushdownSystem[Weights[W]]:
    """Return the system whose weights tell, between which states of `machine`, with which weight of `system`."""
    domain: WeightedRelations[PropertyState, W] = WeightedRelations(machine.states(), system.domain)
    rules: list[Rule[Weights[W]]] = []
    for rule in system.rules:
        moves = machine.step(label(rule.symbol))
        merge = None if rule.merge is None else _lift(system.domain, domain, rule.merge, moves)
        weight = domain.lift(moves, rule.weight)
        rules.append(Rule(rule.source, rule.symbol, rule.target, rule.push, weight, merge))
    return PushdownSystem.of(domain, rules)


def _lift(
    inner: Semiring[W],
    domain: WeightedRelations[PropertyState, W],
    merge: Merge[W],
    moves: Iterable[tuple[PropertyState, PropertyState]],
) -> Merge[Weights[W]]:
    pairs = set(moves)

    def merge_lifted(caller: Weights[W], callee: Weights[W]) -> Weights[W]:
        entries: dict[tuple[PropertyState, PropertyState], W] = {}
        for before, at_call, first in caller:
            for entry, after, second in callee:
                if (at_call, entry) in pairs:
                    old = entries.get((before, after), inner.zero)
                    entries[before, after] = inner.combine(old, merge(first, second))
        return domain.relation({pair: weight for pair, weight in entries.items() if weight != inner.zero})

    return Merge(merge_lifted, merge.path_extension)


def errors_of(answer: Answer[Weights[W]], machine: Property) -> dict[PropertyState, W]:
    """Return the error states that some run reaches, each with the combined weight of these runs; empty if it holds.

    `answer` is post* of the product.
    """
    total = path_summary(answer)
    errors = sorted(machine.errors, key=str)
    return {target: weight for source, target, weight in total if source == machine.initial and target in errors}


def violation(
    system: PushdownSystem[W],
    machine: Property,
    label: Callable[[Symbol], Label | None],
    start: Automaton[Weights[W]],
) -> Witness[Weights[W]] | None:
    """Return a run from `start` that violates the property, one of least length over `MinPath`; None if there is none.

    Its rules have the numbers of `system.rules`.
    """
    answer = post_star(property_product(system, machine, label), start, witnesses="all")
    errors = errors_of(answer, machine)
    if not errors:
        return None
    runs = witnesses(answer, stacks_starting_with(answer.states.names[: answer.controls]))
    best: tuple[W, Witness[Weights[W]]] | None = None
    for run in runs:
        for source, target, weight in run.value:
            if source != machine.initial or target not in errors:
                continue
            if best is None or system.domain.combine(best[0], weight) != best[0]:
                best = weight, run
    return None if best is None else best[1]
