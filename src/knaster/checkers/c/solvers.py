"""Answers obligations by the installed solvers, one after the other, each in an arithmetic that it has.

Bitwuzla is asked about bit-vectors and cvc5 about integers before z3, which finds the proofs here, is asked about both.
A solver that often does not answer is asked later.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from knaster.base.errors import InternalError
from knaster.base.limits import Budget, OutOfBudget
from knaster.base.records import dataclass, field
from knaster.checkers.c.bit_vectors import BitVectors
from knaster.checkers.c.meaning import Formulas, Meaning
from knaster.checkers.c.obligations import Obligation
from knaster.checkers.c.terms import Sides, Unsuitable
from knaster.checkers.c.unbounded_integers import UnboundedIntegers
from knaster.program.expression import Expr
from knaster.program.types import Type
from knaster.smt.door import EASY, HARD, Answer, ExplainingDoor, Formula, Opener, find_doors


@dataclass(slots=True, eq=False)
class _Way:
    """A solver and an arithmetic, and how often it did not answer."""

    make: Opener
    arithmetic: type[BitVectors] | type[UnboundedIntegers]
    failures: int = 0
    meaning: Meaning | None = field(default=None)


class Refutation(InternalError):
    """An obligation is false."""


class Solvers:
    """Answers the obligations of one list."""

    def __init__(self, types: Mapping[str, Type], budget: Budget, vectors: type[BitVectors] = BitVectors) -> None:
        self.types = types
        self.budget = budget
        self.used: list[str] = []
        self.arithmetic: type[BitVectors] | type[UnboundedIntegers] = BitVectors  # of the last answer
        self._doors: dict[Opener, ExplainingDoor] = {}
        ways = []
        for make in find_doors():
            if make.name != "cvc5":
                ways.append(_Way(make, vectors))
            if make.has_integers:
                ways.append(_Way(make, UnboundedIntegers))
        self.ways = ways

    def prove(self, obligations: Iterable[Obligation], works: Sequence[int] = (EASY, HARD)) -> str:
        """Return who has answered them; raise `Refutation` where one is false, `OutOfBudget` without an answer."""
        for obligation in obligations:
            if self.answer(obligation, works) is Answer.UNKNOWN:
                raise OutOfBudget(f"no solver answers a question about the proof: whether {obligation.why}")
        return self.words

    @property
    def words(self) -> str:
        """Who has answered so far."""
        return " and ".join(self.used)

    def answer(self, obligation: Obligation, works: Sequence[int] = (EASY, HARD)) -> Answer:
        """Return UNSATISFIABLE where an obligation is met; raise `Refutation` where it is false."""
        for work in works:
            for way in sorted(self.ways, key=lambda way: way.failures):
                self.budget.check()
                said, exact, _ = self._ask(way, obligation, work)
                if said is Answer.SATISFIABLE and exact:
                    raise Refutation(f"the proof does not hold: it is not always so that {obligation.why}")
                if said is Answer.UNSATISFIABLE:
                    if way.make.name not in self.used:
                        self.used.append(way.make.name)
                    self.arithmetic = way.arithmetic
                    return said
                way.failures += 1  # mutant: only who is asked first
        return Answer.UNKNOWN

    def look(self, obligation: Obligation, flags: Sequence[Expr]) -> tuple[Answer, list[bool]]:
        """Return whether an obligation is met, as far as a little work tells; if not, which flags are true then."""
        for way in sorted(self.ways, key=lambda way: way.failures):
            self.budget.check()
            said, exact, shown = self._ask(way, obligation, EASY, flags)
            if said is Answer.UNSATISFIABLE or (said is Answer.SATISFIABLE and exact):
                return said, shown
            way.failures += 1  # mutant: only who is asked first
        return Answer.UNKNOWN, []

    def core(self, obligation: Obligation, flags: Sequence[Expr]) -> list[int] | None:
        """Return which of some flags have to be true so that an obligation is met, as far as a little work tells.

        None where it is not met, or nobody says so.  No answer rests on it.
        """
        for way in sorted(self.ways, key=lambda way: way.failures):
            self.budget.check()
            made = self._make(way, obligation, flags)
            if made is None:
                continue
            said, blamed = self._doors[way.make].core(made[0].parts, made[1], EASY)
            if said is Answer.UNSATISFIABLE:
                return blamed
            if said is Answer.SATISFIABLE and made[0].exact:
                return None
        return None

    def _ask(
        self, way: _Way, obligation: Obligation, work: int, flags: Sequence[Expr] = ()
    ) -> tuple[Answer, bool, list[bool]]:
        """Ask one solver; return what it says, whether that is exact, and which flags are true then."""
        made = self._make(way, obligation, flags)
        if made is None:
            return Answer.UNKNOWN, False, []
        formulas, shown = made
        assert way.meaning is not None
        said, true = way.meaning.door.ask(formulas.parts, work, shown)
        return said, formulas.exact, true

    def _make(self, way: _Way, obligation: Obligation, flags: Sequence[Expr]) -> tuple[Formulas, list[Formula]] | None:
        """Return an obligation and flags as formulas of one solver; None where it has none for them."""
        try:
            if way.meaning is None:
                door = self._doors.get(way.make)
                if door is None:
                    door = self._doors[way.make] = way.make(self.budget)
                way.meaning = Meaning(way.arithmetic(door), self.types)
            formulas = way.meaning.obligation(obligation)
            return formulas, [way.meaning.term(flag, Sides()).value for flag in flags]
        except Unsuitable:
            return None
