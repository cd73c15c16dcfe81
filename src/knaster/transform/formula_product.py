"""A C program together with the monitor of a safety formula: a program that fails exactly where that is violated.

The number of the monitor's state is in new globals.  Before a statement at which it moves stands a new step with the
move, as in `monitor_product`; where a run is over, a failure for the states that the last letter leads to a violation.
"""

from __future__ import annotations

from collections.abc import Iterator

from knaster.base.errors import Span
from knaster.base.records import replace
from knaster.evidence.questions.question import VIOLATION, VIOLATION_AT_END, Reach, Target, Temporal
from knaster.evidence.traces.trace import Trace
from knaster.program.algebra import conjunction
from knaster.program.expression import FALSE, TRUE, Compare, Comparison, Expr, Not, Var
from knaster.program.model import Action, Assign, Assume, Edge, Location, Procedure, Program, Return
from knaster.transform.formula_letters import Letter, places_of_ends
from knaster.transform.formula_monitor import Watch
from knaster.transform.formulae import Fresh, Number, all_of, any_of
from knaster.transform.reduction import Effect, Reduction, remove_added_steps


def watch_formula(program: Program, question: Temporal) -> Reduction:
    """Return a program that fails iff some run of the given one violates a formula.

    Requires that nothing is said by `why_no_monitor`.
    """
    watch = Watch(program, question)
    number = Fresh(program).number("monitor", len(watch.states))
    product = _Product(program, watch, number, str(question))
    procedures = tuple(map(product.procedure, program.procedures))
    if not product.targets:  # whatever the run: a failure that nothing leads to
        procedures = tuple(product.fail_never(own) if own.name == program.threads[0] else own for own in procedures)
    start = [Compare(Comparison.EQUAL, Var(bit), FALSE) for bit in number.bits]
    together = replace(
        program,
        globals=(*program.globals, *number.bits),
        procedures=procedures,
        init=conjunction([program.init, *start]),
    )
    targets = product.targets

    def back(target: Target, trace: Trace) -> tuple[Target, Trace]:
        return targets[target], remove_added_steps(trace, program, together, targets[target])

    return Reduction(program, together, Reach(tuple(targets), first=True), Effect.EXACT, back, targets)


class _Product:
    """Puts a monitor into procedures; `targets` are the failures, each with the place that is meant."""

    def __init__(self, program: Program, watch: Watch, number: Number, name: str) -> None:
        self.program, self.watch, self.number, self.name = program, watch, number, name
        self.targets: dict[Target, Target] = {}
        self.bad_end = self._bad_end()

    def procedure(self, own: Procedure) -> Procedure:
        """Return a procedure with the moves of the monitor in it, itself where there are none."""
        moving = [p for p in own.leaving if (letter := self._letter(own, p)) is not None and self._moves(letter)]
        ends = places_of_ends(self.program, own) if self.bad_end != FALSE else set()
        if not moving and not ends:
            return own
        added = _Added(own)
        behind = {place: self._move(own, place, added) for place in moving}
        between: dict[Location, Location] = {}  # before each end but behind a return
        for edge in own.edges:
            source, target = behind.get(edge.source, edge.source), edge.target
            if target in ends and isinstance(edge.action, Return):  # returns no global: the last letter is known here
                self._fail(own, added, source, self.bad_end, edge.source, edge.span, VIOLATION_AT_END)
            elif target in ends:
                if target not in between:
                    between[target] = added.location()
                    added.step(between[target], Assume(TRUE), target, edge.span)
                    self._fail(own, added, between[target], self.bad_end, target, edge.span, VIOLATION_AT_END)
                target = between[target]
            added.edges.append(replace(edge, source=source, target=target, origin=edge))
        ordered = tuple(sorted(added.edges, key=lambda edge: edge.source))
        return replace(own, edges=ordered, failures=(*own.failures, *added.failures))

    def _letter(self, own: Procedure, place: Location) -> Letter | None:
        return self.watch.letters.get((own.name, place))

    def _move(self, own: Procedure, place: Location, added: _Added) -> Location:
        """Add the move before a statement, and the failures behind it; return where the statement is then."""
        letter, span, behind = self.watch.letters[own.name, place], own.leaving[place][0].span, added.location()
        added.step(place, Assign(self.number.bits, tuple(self._next(letter))), behind, span)
        reached = {then for _, _, then in self._codes(letter)}
        violated = [number for number in self._violated() if number in reached]
        if not violated:
            return behind
        bad, onwards = any_of(map(self.number.equals, violated)), added.location()
        self._fail(own, added, behind, bad, place, span)
        added.step(behind, Assume(Not(bad)), onwards, span)
        return onwards

    def _fail(
        self,
        own: Procedure,
        added: _Added,
        source: Location,
        where: Expr,
        meant: Location,
        span: Span,
        kind: str = VIOLATION,
    ) -> None:
        """Add a failure where a condition holds; the place of the program that it stands for is `meant`."""
        failure = added.location()
        added.step(source, Assume(where), failure, span)
        added.failures.append(failure)
        target = Target(self.name, own.name, failure, span.line)
        self.targets[target] = replace(target, location=meant, kind=kind)

    def fail_never(self, own: Procedure) -> Procedure:
        """Return a procedure with a failure that it does not come to."""
        target = Target(self.name, own.name, own.size, own.span.line)
        self.targets[target] = replace(target, location=own.entry, kind=VIOLATION)
        return replace(own, failures=(*own.failures, own.size))

    def _moves(self, letter: Letter) -> bool:
        return any(code != then for code, _, then in self._codes(letter))

    def _codes(self, letter: Letter) -> Iterator[tuple[int, tuple[bool, ...], int]]:
        """Yield the numbers of states, what expressions say, and the number of the state after the letter then."""
        for code, states in enumerate(self.watch.states):
            for values, full in self.watch.with_values(letter):
                yield code, values, self.watch.states.index(self.watch.after(states, full))

    def _violated(self) -> list[int]:
        return [number for number, states in enumerate(self.watch.states) if self.watch.is_violated(states)]

    def _next(self, letter: Letter) -> Iterator[Expr]:
        """Yield the bits of the state after a move."""
        codes = list(self._codes(letter))
        for place in range(len(self.number.bits)):
            bit = 1 << (len(self.number.bits) - 1 - place)
            yield self._any([(code, values) for code, values, then in codes if then & bit])

    def _bad_end(self) -> Expr:
        """Return in which states the last letter, for ever, violates the formula."""
        return self._any(
            [
                (code, values)
                for code, states in enumerate(self.watch.states)
                for values, full in self.watch.with_values(self.watch.last)
                if self.watch.ends_badly(states, full) and not self.watch.is_violated(states)
            ]
        )

    def _any(self, cases: list[tuple[int, tuple[bool, ...]]]) -> Expr:
        """Return that the monitor has a number and expressions their values as in one of some cases."""
        every = 1 << len(self.watch.conditions)
        whole = [code for code in dict.fromkeys(code for code, _ in cases) if sum(c == code for c, _ in cases) == every]
        parts = [self.number.equals(code) for code in whole]
        parts += [all_of([self.number.equals(c), *self._literals(values)]) for c, values in cases if c not in whole]
        return any_of(parts)

    def _literals(self, values: tuple[bool, ...]) -> Iterator[Expr]:
        for atom, value in zip(self.watch.conditions, values, strict=True):
            condition = self.watch.meanings[atom].condition
            assert condition is not None
            yield condition if value else Not(condition)


class _Added:
    """The edges of a procedure with a monitor, and its new failures."""

    def __init__(self, own: Procedure) -> None:
        self.edges: list[Edge] = []
        self.failures: list[Location] = []
        self._next = own.size

    def location(self) -> Location:
        """Return a new place."""
        self._next += 1
        return self._next - 1

    def step(self, source: Location, action: Action, target: Location, span: Span) -> None:
        """Add a step that the program does not have."""
        self.edges.append(Edge(source, action, target, span))
