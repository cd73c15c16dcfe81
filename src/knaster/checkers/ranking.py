"""The check of measures: every step from one loop head or entry to the next decreases them, by z3.

Nothing of the engines is used; what a block of edges means (`smt.blocks`) is held against the interpreter by tests.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from knaster.base.errors import InternalError
from knaster.base.limits import Budget, OutOfBudget
from knaster.checkers.invariants import MOST_PLAIN, check_invariants
from knaster.evidence.proofs.ranking import Ranking
from knaster.program.expression import FALSE, TRUE, Comparison, Expr
from knaster.program.model import Place, Program, old
from knaster.smt.bits import Bits
from knaster.smt.integers import Integers
from knaster.smt.library import z3
from knaster.smt.solver import Answer, Session, substitute
from knaster.smt.terms import Formula, Numbers, Sides, State, Term, Unsuitable
from knaster.smt.translate import Translation
from knaster.views.steps.chains import Through, plain_procedures
from knaster.views.steps.chains_steps import Known, Part, Stage, Stages, TooManyWays, cut_graph, cycles
from knaster.views.steps.formula import Block, Blocks, Calling, cut_points, make_blocks

UNITS = 1_000_000  # resource units for one question; seconds
ARITHMETIC = ("bit-vectors", "integers")


def check_ranking(proof: Ranking, program: Program, budget: Budget) -> None:
    """Return where the proof holds of a program; raise `InternalError` where it does not.

    Every step is asked about bit-vectors, and about integers that wrap where z3 does not answer; where it answers
    neither, `OutOfBudget` says so.
    """
    if proof.program != program or proof.invariants.program != program:
        raise InternalError("the proof is of another program")
    check_invariants(proof.invariants, program, (), budget)
    ways = [_Way(proof, name, budget) for name in ARITHMETIC]
    ways = [way for way in ways if way.suits]
    if not ways:
        raise OutOfBudget("the program has parts that no formula says")
    if any(way.steps() != ways[0].steps() for way in ways):
        raise InternalError("the two arithmetics are asked about different steps of one proof")
    for number in range(len(ways[0].stages)):
        if not any(way.decreases(number) for way in sorted(ways, key=lambda way: way.failures)):
            raise OutOfBudget(f"z3 did not answer whether {ways[0].what(number)}")


class _Steps(Stages):
    """Steps that lead through calls of procedures that the proof leaves out."""

    def __init__(self, blocks: Blocks, points: Collection[Place], known: Known, plain: Through) -> None:
        super().__init__(blocks, points, known)
        self.plain = plain

    def _parts(self, place: Place, state: State, depth: int) -> Iterator[Part]:
        for part in super()._parts(place, state, depth):
            call, enters = part[3], part[4]
            if not isinstance(call, Calling) or call.callee not in self.plain.names:
                yield part
            elif not enters:
                pairs = [(term.value, state[n].value) for n, term in self.blocks.variables[place[0]].items()]
                for way in self.plain.ways(call):
                    after = {n: replace(t, value=substitute(t.value, pairs)) for n, t in way.state.items()}
                    yield part[0], after, [substitute(z3.And(*way.guard), pairs)], call, False


class _Way:
    """The steps of a program in one arithmetic."""

    def __init__(self, proof: Ranking, arithmetic: str, budget: Budget) -> None:
        self.proof = proof
        self.budget = budget
        self.session = Session(budget)
        self.failures = 0
        self.suits = True
        self.stages: list[Stage] = []
        numbers: Numbers
        numbers = Bits(self.session.context) if arithmetic == "bit-vectors" else Integers(self.session.context)
        try:
            cuts = cut_points(proof.program, (*proof.invariants.at, *proof.measures))
            self.blocks = make_blocks(proof.program, Translation(numbers), cuts, whole=True)
            self._complete(self.blocks)
            plain = [
                name for name in plain_procedures(self.blocks, MOST_PLAIN) if name not in proof.invariants.requires
            ]
            self.plain = Through(self.blocks, plain)
            stages = _Steps(self.blocks, proof.measures, self._known, self.plain)
            self.stages = stages.followed(stages.all()) if proof.ahead else stages.all()
        except Unsuitable:
            self.suits = False
        except TooManyWays:
            raise OutOfBudget("there are too many ways between the points of the proof") from None

    def _complete(self, blocks: Blocks) -> None:
        """Raise `InternalError` where a run could go on for ever without passing a point."""
        graph = cut_graph(blocks)
        if strange := [place for place in self.proof.measures if place not in graph]:
            raise InternalError(f"location {strange[0][1]} of '{strange[0][0]}' is no place of the program")
        called = self.proof.invariants.requires
        for part in cycles(graph, self.proof.measures):
            if any(name in called for name, _ in part):
                raise InternalError(f"the proof has no measure for a cycle in '{part[0][0]}'")

    def steps(self) -> list[tuple[Place, Place, tuple[tuple[Place, int, bool], ...], bool]]:
        """Return what the steps are, whatever the arithmetic: between which points, over which blocks and calls."""
        found = []
        for stage in self.stages:
            parts = (((part.procedure, part.source), part.target, isinstance(part, Block)) for part in stage.way)
            found.append((*stage.key, tuple(parts), stage.enters))
        return found

    def what(self, number: int) -> str:
        """Return what a step has to satisfy, in words."""
        source, target = self.stages[number].key
        return f"the measure decreases from location {source[1]} of '{source[0]}' to {target[1]} of '{target[0]}'"

    def decreases(self, number: int) -> bool:
        """Tell whether a step decreases the measure; False where z3 does not know."""
        self.budget.check()
        stage = self.stages[number]
        before = self._measure(stage.source, self.blocks.variables[stage.source[0]])
        after = self._measure(stage.target, stage.after)
        if len(before) != len(after):
            raise InternalError("two measures of one cycle have not the same length")
        solver = self.session.solver()
        solver.add([*stage.formulas, z3.Not(self._less(after, before))])
        said = solver.check(units=UNITS)
        if said is Answer.SATISFIABLE:
            exact = all(part.exact for part in stage.way)
            if not exact:  # any value stands for what this arithmetic does not know
                self.failures += 1
                return False
            raise InternalError(f"the proof does not hold: not always {self.what(number)}")
        self.failures += said is Answer.UNKNOWN
        return said is Answer.UNSATISFIABLE

    def _less(self, after: list[Term], before: list[Term]) -> Formula:
        """Return that a tuple is smaller than another one, in a component that was at least 0."""
        numbers = self.blocks.translation.numbers
        zero, kept, ways = numbers.constant(0), [z3.BoolVal(True, self.session.context)], []
        for one, other in zip(after, before, strict=True):
            smaller = numbers.compare(Comparison.LESS, one, other)
            ways.append(z3.And(*kept, smaller, numbers.compare(Comparison.AT_LEAST, other, zero)))
            kept.append(numbers.compare(Comparison.AT_MOST, one, other))
        return z3.Or(*ways) if ways else z3.BoolVal(False, self.session.context)

    def _measure(self, place: Place, state: State) -> list[Term]:
        return [self._term(expr, state) for expr in self.proof.measures[place]]

    def _known(self, place: Place, entry: State, now: State) -> list[Formula]:
        """Return what the invariants say at a place."""
        invariants, entries = self.proof.invariants, {old(name): term for name, term in entry.items()}
        found = [(invariants.requires.get(place[0], FALSE), entries)]
        if place in invariants.at:
            found.append((invariants.at[place], {**now, **entries}))
        return [self._term(expr, state).value for expr, state in found if expr != TRUE]

    def _term(self, expr: Expr, state: State) -> Term:
        """Return an expression of the proof; it must be exact and read no input."""
        sides = Sides()
        found = self.blocks.translation.term(expr, state, sides)
        if sides.inputs or not sides.exact:
            raise InternalError("the proof speaks of values that are not known")
        return found
