"""Which parts of invariants a proof needs: unsatisfiable cores of its obligations, from the targets backwards.

Every part of every formula of the proof gets two flags, one for where it is known and one for where it is to be shown;
so the obligations of the checker (`checkers.invariants`) are made once, and asked about with some flags.  The core of a
target's obligation names the parts that exclude it; each of these is shown by obligations of its own, and so on.
Then single parts are tried: without one, or with a shorter one in its place.  Whatever comes out is only a proposal:
the checker looks at it as at any other proof.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from knaster.base.limits import Budget
from knaster.base.records import dataclass
from knaster.checkers.c.claims import InvariantClaims
from knaster.checkers.c.obligations import Obligation
from knaster.checkers.c.solvers import Solvers
from knaster.checkers.c.walk import Node, State
from knaster.checkers.invariants import Obligations
from knaster.evidence.proofs.invariants import Invariants
from knaster.evidence.questions.question import Target
from knaster.program.algebra import conjunction, substitute
from knaster.program.expression import FALSE, Binary, Expr, Not, Operator, Var, variables
from knaster.program.model import Place
from knaster.program.types import BOOL

QUESTION = 40  # units of a question, besides one for each step of its obligation
Key = Place | str  # a place, or a procedure for what it requires


class NoUnits(Exception):
    """The units are spent."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a formula of a proof, or something that may stand in its place."""

    number: int
    key: Key
    formula: Expr

    @property
    def known(self) -> Var:
        """The flag that it is known."""
        return Var(f"known:{self.number}")

    @property
    def shown(self) -> Var:
        """The flag that it is to be shown."""
        return Var(f"shown:{self.number}")


class _Claims(InvariantClaims):
    """Claims whose parts have flags."""

    def __init__(self, proof: Invariants, flags: Mapping[str, Expr]) -> None:
        super().__init__(proof)
        self.flags = flags

    def instantiate(self, expr: Expr, state: State) -> Expr:
        """Return a formula over the values of a state; flags stay what they are."""
        return super().instantiate(expr, {**state, **self.flags})


class _Obligations(Obligations):
    """Obligations whose conclusions have flags of their own."""

    def __init__(self, proof: Invariants, parts: Sequence[Part], budget: Budget) -> None:
        flags: dict[str, Expr] = {part.known.name: part.known for part in parts}
        super().__init__(proof, budget, _Claims(proof, flags))
        self.shown: dict[str, Expr] = {part.known.name: part.shown for part in parts}
        for part in parts:
            self.walk.names.types |= {part.known.name: BOOL, part.shown.name: BOOL}

    def obligation(self, node: Node, why: str, *conclusion: Expr) -> Obligation:
        """Return that a conclusion holds."""
        return super().obligation(node, why, *(substitute(one, self.shown) for one in conclusion))


@dataclass(frozen=True, slots=True)
class _Question:
    """An obligation, about which of its parts it is (None: no run comes there), and which parts are known in it."""

    obligation: Obligation
    shown: frozenset[int]
    known: frozenset[int]
    size: int


Show = tuple[int, int | None]  # a question, and the part that it shows


def with_formulas(proof: Invariants, formulas: Iterable[tuple[Key, Expr]]) -> Invariants:
    """Return a proof that says other formulas at the places of a proof."""
    found: dict[Key, list[Expr]] = {}
    for key, formula in formulas:
        found.setdefault(key, []).append(formula)
    requires = {name: conjunction(found.get(name, ())) for name in proof.requires}
    return Invariants(proof.program, requires, {place: conjunction(found.get(place, ())) for place in proof.at})


class Needs:
    """The parts of one proof that are in use, and why each question is answered."""

    def __init__(
        self, proof: Invariants, parts: Sequence[Part], targets: Sequence[Target], units: int, budget: Budget
    ) -> None:
        self.parts = parts
        self.left = units
        flagged = [(part.key, Binary(Operator.IMPLIES, part.known, part.formula)) for part in parts]
        self.making = _Obligations(with_formulas(proof, flagged), parts, budget)
        self.questions = [self._question(one) for one in self.making.all(targets)]
        self.solvers = Solvers(self.making.walk.names.types, budget)
        self.reasons: dict[Show, frozenset[int]] = {}  # the parts that answer a question
        self.used: set[int] = set()
        self.wanted: set[int] = set()

    def _question(self, obligation: Obligation) -> _Question:
        self.spend(len(obligation.hypothesis))
        named = {name for step in obligation.hypothesis for name in _flags(step)}
        goal = {name for one in obligation.conclusion for step in one.steps for name in _flags(step)}
        known = frozenset(_number(name) for name in named if name.startswith("known:"))
        shown = frozenset(_number(name) for name in goal if name.startswith("shown:"))
        return _Question(obligation, shown, known, len(obligation.hypothesis))

    def spend(self, units: int) -> None:
        """Count work."""
        self.left -= units
        if self.left < 0:
            raise NoUnits

    def find(self, candidates: Iterable[int]) -> None:
        """Find the parts among candidates, which together are a proof, that exclude the targets.

        That no run comes to a place is kept: it is short, and good to know.
        """
        allowed = frozenset(candidates)
        todo: list[Show] = [
            (number, None) for number, one in enumerate(self.questions) if not one.obligation.conclusion
        ]
        self.wanted = {number for number in allowed if self.parts[number].formula == FALSE}
        todo += [show for number in sorted(self.wanted) for show in self._shows(number)]
        while todo:
            show = todo.pop()
            if show in self.reasons:
                continue
            found = self._ask(show, allowed)
            reason = self.questions[show[0]].known & allowed if found is None else found
            self.reasons[show] = reason
            todo += [each for part in sorted(reason) for each in self._shows(part)]
        self.used = set(self._in_use())

    def _shows(self, part: int) -> list[Show]:
        return [(number, part) for number, one in enumerate(self.questions) if part in one.shown]

    def _in_use(self) -> frozenset[int]:
        """Return the parts that are reasons of targets, and of these, and forget the reasons of the others."""
        found = set(self.wanted)
        todo = [show for show in self.reasons if show[1] is None or show[1] in self.wanted]
        kept: dict[Show, frozenset[int]] = {}
        while todo:
            show = todo.pop()
            if show in kept:
                continue
            kept[show] = self.reasons[show]
            for part in sorted(self.reasons[show] - found):
                found.add(part)
                todo += self._shows(part)
        self.reasons = kept
        return frozenset(found)

    def _ask(self, show: Show, allowed: Iterable[int]) -> frozenset[int] | None:
        """Return the parts among those allowed that answer a question; None where they do not."""
        question, part = self.questions[show[0]], show[1]
        self.spend(QUESTION + question.size)
        usable = sorted(question.known.intersection(allowed))
        flags: list[Expr] = [self.parts[number].known for number in usable]
        flags += [
            self.parts[number].shown if number == part else Not(self.parts[number].shown)
            for number in sorted(question.shown)
        ]
        core = self.solvers.core(question.obligation, flags)
        return None if core is None else frozenset(usable[place] for place in core if place < len(usable))

    def replace(self, out: int, into: int | None) -> bool:
        """Try to do without a part, or with another one in its place; tell whether that is done."""
        if out in self.wanted:
            return False
        allowed = (self.used - {out}) | ({into} if into is not None else set())
        asked = [show for show, reason in self.reasons.items() if out in reason and show[1] != out]
        asked += self._shows(into) if into is not None else []
        found: dict[Show, frozenset[int]] = {}
        for show in asked:
            reason = self._ask(show, allowed)
            if reason is None:
                return False
            found[show] = reason
        self.reasons = {show: reason for show, reason in self.reasons.items() if show[1] != out} | found
        self.used = set(self._in_use())
        return True


def _flags(step: object) -> Iterable[str]:
    return variables(step.what) if hasattr(step, "what") else ()


def _number(name: str) -> int:
    return int(name.partition(":")[2])
