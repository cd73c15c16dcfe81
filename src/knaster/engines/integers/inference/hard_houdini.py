"""Keeps the inductive ones of a few hard guesses about entries, exits and loops, in two arithmetics (Houdini).

C. Flanagan and K. R. M. Leino, Houdini, an Annotation Assistant for ESC/Java (FME 2001).  `houdini` does it for many
linear forms; here there are few guesses, and hard ones, so everything is asked as the check of proofs asks it: along
ways that see through calls, about bit-vectors, and about integers that wrap where z3 does not answer in time, because
sums and products of unknown numbers are easy for one of them only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from knaster.base.limits import Budget
from knaster.base.records import dataclass
from knaster.engines.integers.inference.houdini import Key
from knaster.program.effects import effects
from knaster.program.expression import Expr
from knaster.program.model import Location, old
from knaster.smt.bits import Bits
from knaster.smt.integers import Integers
from knaster.smt.library import z3
from knaster.smt.solver import Answer, Session, negation
from knaster.smt.terms import Formula, Sides, State, Unsuitable
from knaster.smt.translate import Translation
from knaster.views.steps.chains import Chain, compose_chains
from knaster.views.steps.cut import CutProgram

Guesses = dict[Key, list[Expr]]  # at places, and by the name of a procedure what holds of its entry values
_TOGETHER = 200_000  # units for a question about all guesses of a place
_ALONE = 100_000  # about one of them
_UNITS = 3_000_000  # for all questions in one arithmetic, some seconds


def keep_inductive(
    cut: CutProgram, kept: Mapping[str, Iterable[Location]], guesses: Mapping[Key, Sequence[Expr]], budget: Budget
) -> Guesses:
    """Return the guesses that hold if all of them held before; those about the entry values of main have to be known.

    At an entry everything has the value that it has there, and globals that a procedure never changes keep it.
    """
    left = {key: list(own) for key, own in guesses.items()}
    arithmetics = list(_suitable_arithmetics(cut, kept, budget))
    every = {name: step for arithmetic in arithmetics for name, step in arithmetic.steps.items()}
    todo = dict.fromkeys(every)
    while todo:
        name = next(iter(todo))
        del todo[name]
        target = every[name].target
        lasting = _keep_lasting([a for a in arithmetics if name in a.steps], name, left)
        if len(lasting) < len(left.get(target, ())):
            left[target] = lasting
            todo |= dict.fromkeys(n for n, step in every.items() if any(key == target for key, _, _ in step.assumed))
    return left if arithmetics else {}


def _suitable_arithmetics(
    cut: CutProgram, kept: Mapping[str, Iterable[Location]], budget: Budget
) -> Iterator[_Arithmetic]:
    for numbers in (Bits, Integers):
        try:
            yield _Arithmetic(cut, kept, Session(budget, _UNITS), numbers)
        except Unsuitable:
            continue


def _keep_lasting(arithmetics: Sequence[_Arithmetic], name: str, guesses: Guesses) -> list[Expr]:
    """Return the guesses about the end of a step that hold there."""
    left = guesses.get(arithmetics[0].steps[name].target, [])
    for arithmetic in arithmetics:
        left, certain = arithmetic.keep_unbroken(name, left, guesses)
        if certain:
            return left
    return [guess for guess in left if any(a.holds(name, [guess], guesses, _ALONE) for a in arithmetics)]


@dataclass(frozen=True, slots=True)
class _Implication:
    """A way: where it leads, what holds along it, which guesses hold before (of entry values and values), and after."""

    target: Key
    formulas: Sequence[Formula]
    assumed: Sequence[tuple[Key, State, State]]
    given: State
    after: State


class _Arithmetic:
    """The ways of a program in one arithmetic."""

    def __init__(
        self,
        cut: CutProgram,
        kept: Mapping[str, Iterable[Location]],
        session: Session,
        numbers: type[Bits] | type[Integers],
    ) -> None:
        self.program = program = cut.program
        self.session = session
        self.changed = {name: own.mod for name, own in effects(program).items()}
        self.formulas = cut.formulas(Translation(numbers(session.context)))
        self.entry = {name: self.formulas.copy(name, f"{name}~") for name in kept}
        inlined = [name for name in cut.chained_procedures if name not in kept]
        chains = compose_chains(self.formulas, {name: frozenset(own) for name, own in kept.items()}, inlined, ())
        self.steps = {chain.key: self._make_implication(chain) for chain in (*chains.entering, *chains.staying)}

    def _make_implication(self, chain: Chain) -> _Implication:
        name, ranges = chain.procedure, self.formulas.ranges
        procedure, now = self.program.procedure(name), self.formulas.variables[name]
        begins = chain.source == procedure.entry
        entry = now if begins else self.entry[name]
        formulas = [*ranges(now), *(() if begins else ranges(entry)), *self._equate_unchanged(name, entry, now)]
        assumed: list[tuple[Key, State, State]] = [(name, entry, now), ((name, chain.source), entry, now)]
        for link in chain.calls:
            callee = link.call.callee
            formulas += [*ranges(link.leave), *self._equate_unchanged(callee, link.given, link.leave)]
            assumed.append(((callee, self.program.procedure(callee).exit), link.given, link.leave))
        formulas += chain.guard
        if chain.entered is not None:
            return _Implication(chain.entered.call.callee, formulas, assumed, chain.entered.given, {})
        return _Implication((name, chain.target), formulas, assumed, entry, chain.state)

    def _equate_unchanged(self, name: str, before: State, after: State) -> list[Formula]:
        """Return that what a procedure never changes is the same."""
        kept = [g for g in self.program.globals if g not in self.changed[name]]
        return [after[g].value == before[g].value for g in kept if not after[g].value.eq(before[g].value)]

    def keep_unbroken(self, name: str, left: Sequence[Expr], guesses: Guesses) -> tuple[list[Expr], bool]:
        """Return the guesses that no run was found to break, and whether no run breaks them."""
        step = self.steps[name]
        atoms = {guess: self._formula(guess, step.given, step.after) for guess in left}
        solver = self.session.solver()
        solver.add(self._premises(step, guesses))
        while atoms:
            solver.push()
            solver.add([negation(list(atoms.values()), self.session.context)])
            said = solver.check(units=_TOGETHER)
            if said is not Answer.SATISFIABLE:
                return list(atoms), said is Answer.UNSATISFIABLE
            model = solver.model()
            solver.pop()
            true = {g: atom for g, atom in atoms.items() if z3.is_true(model.eval(atom, model_completion=True))}
            if len(true) == len(atoms):
                return list(atoms), False
            atoms = true
        return [], True

    def holds(self, name: str, some: Sequence[Expr], guesses: Guesses, units: int) -> bool:
        """Tell whether some guesses hold after a step, asked within so many units."""
        step = self.steps[name]
        solver = self.session.solver()
        after = [self._formula(guess, step.given, step.after) for guess in some]
        solver.add([*self._premises(step, guesses), negation(after, self.session.context)])
        return solver.check(units=units) is Answer.UNSATISFIABLE

    def _premises(self, step: _Implication, guesses: Guesses) -> list[Formula]:
        assumed = [
            self._formula(guess, entry, now) for key, entry, now in step.assumed for guess in guesses.get(key, ())
        ]
        return [*step.formulas, *assumed]

    def _formula(self, guess: Expr, entry: State, now: State) -> Formula:
        state = {**now, **{old(name): term for name, term in entry.items()}}
        return self.formulas.translation.formula(guess, state, Sides())
