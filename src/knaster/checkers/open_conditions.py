"""Finds the conditions at places that invariants do not exclude, by the walk of their checker.

The walk leads from a place of the proof to the next ones, by as few places as it can, for what is known on the way says
more.  All conditions of a walk are asked about at once: a model names some that are not excluded, and the question is
asked again about the others.  What is not answered within a few questions is not excluded.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence

from knaster.base.errors import InternalError
from knaster.base.limits import Budget, OutOfBudget
from knaster.base.records import dataclass
from knaster.checkers.c.names import any_of
from knaster.checkers.c.obligations import Fact, Kind, Obligation, claim
from knaster.checkers.c.solvers import Solvers
from knaster.checkers.c.walk import Arc, Node, Region
from knaster.checkers.invariants import Obligations
from knaster.evidence.proofs.invariants import Invariants
from knaster.program.expression import Expr, Var
from knaster.program.model import Place
from knaster.semantics.python_code import loop_heads
from knaster.smt.door import Answer

MOST_UNANSWERED = 12  # questions


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on the state at a place; of those of one kind it is enough to name one."""

    place: Place
    expr: Expr
    kind: Hashable


def unexcluded_kinds(conditions: Sequence[Condition], proof: Invariants, budget: Budget) -> set[Hashable]:
    """Return the kinds of conditions that a proof, which has to hold, does not exclude."""
    asked: dict[Place, list[Condition]] = {}
    for condition in conditions:
        asked.setdefault(condition.place, []).append(condition)
    try:
        return _Exclusion(asked, proof, budget).possible()
    except OutOfBudget:
        return {condition.kind for condition in conditions}


class _Exclusion:
    """The conditions of one proof."""

    def __init__(self, asked: Mapping[Place, list[Condition]], proof: Invariants, budget: Budget) -> None:
        self.asked = asked
        self.making = Obligations(proof, budget)
        self.making.claims.passes = True
        self.solvers = Solvers(self.making.walk.names.types, budget)
        self.left = MOST_UNANSWERED

    def possible(self) -> set[Hashable]:
        """Return the kinds that are not excluded."""
        found: set[Hashable] = set()
        for region in self._regions():
            open = [(each, node) for node in region.nodes for each in self.asked.get(node.place, ())]
            found |= set(self._among([(each, node) for each, node in open if each.kind not in found]))
        return found

    def _regions(self) -> Iterator[Region]:
        making = self.making
        for name, places in making.places.items():
            procedure = making.program.procedure(name)
            few = places & {procedure.entry, procedure.exit, *loop_heads(procedure)}
            try:
                yield from [making.walk.region(making.begin((name, at)), few) for at in sorted(few)]
            except InternalError:  # a cycle has another place of the proof
                yield from [making.region((name, at)) for at in sorted(places)]

    def _among(self, open: list[tuple[Condition, Node]]) -> Iterator[Hashable]:
        """Yield the kinds that are possible among the conditions of a walk; all where nobody answers."""
        making = self.making
        facts: dict[str, list[Fact]] = {}
        flags: list[tuple[Condition, Node, Var]] = []
        for condition, node in open:
            flag = making.walk.names.truth()
            expr = making.walk.names.rename(condition.expr, node.state)
            facts[flag.name] = [claim(node.at, flag), Fact(flag, expr, Kind.HOLDS)]
            flags.append((condition, node, flag))
        while flags:
            nodes = list(dict.fromkeys(node for _, node, _ in flags))
            steps = tuple(fact for _, _, flag in flags for fact in facts[flag.name])
            whole = Node(
                nodes[0].place, any_of([flag for _, _, flag in flags]), {}, tuple(Arc(n, ()) for n in nodes), steps
            )
            obligation = Obligation(
                whole.place, "nothing undefined happens", whole.history(), (), making.walk.names.types
            )
            said, shown = self._ask(obligation, [flag for _, _, flag in flags])
            if said is Answer.UNSATISFIABLE:
                return
            seen = {condition.kind for (condition, _, _), true in zip(flags, shown, strict=True) if true}
            if said is Answer.UNKNOWN or not seen:
                seen = {condition.kind for condition, _, _ in flags}
            yield from seen
            flags = [entry for entry in flags if entry[0].kind not in seen]

    def _ask(self, obligation: Obligation, flags: Sequence[Var]) -> tuple[Answer, list[bool]]:
        unknown = Answer.UNKNOWN, [False] * len(flags)
        if self.left <= 0:
            return unknown
        said, shown = self.solvers.look(obligation, flags)
        if said is Answer.UNKNOWN:
            self.left -= 1
            return unknown
        return said, shown or [False] * len(flags)
