"""A program together with a safety formula about places: a program that fails exactly where the formula is violated.

A formula is violated by a prefix where its automaton comes to a state that accepts everything, and accepts nothing else
(A. P. Sistla, Safety, liveness and fairness in temporal logic, 1994).  Which atoms hold is known from the place, so the
sets of states of the automaton are the states of a monitor; its number is in new globals.  Before a statement at which
it moves stands a new step with the move, as in `monitor_product`.  Where no run blocks, every prefix goes on.
"""

from __future__ import annotations

from collections.abc import Iterator

from knaster.automata.automaton import Automaton
from knaster.automata.ltl import Operator, Unary, subformulas
from knaster.automata.translate import translate
from knaster.base.records import replace
from knaster.evidence.questions.letters import Meanings, meanings_of
from knaster.evidence.questions.question import Reach, Target, Temporal
from knaster.evidence.questions.safety import can_block
from knaster.evidence.traces.trace import Trace
from knaster.program.algebra import conjunction
from knaster.program.expression import FALSE, Compare, Comparison, Expr, Var
from knaster.program.model import Assign, Assume, Edge, Location, Procedure, Program
from knaster.transform.formulae import Fresh, Number, any_of
from knaster.transform.reduction import Effect, Reduction, remove_added_steps

MOST = 64  # states of a monitor
States = frozenset[int]  # of the automaton
Letter = frozenset[str]


def why_no_monitor(program: Program, question: Temporal) -> str:
    """Return why a formula cannot be watched for along the places of a program; empty where it can."""
    if any(isinstance(each, Unary) and each.operator is Operator.NEXT for each in subformulas(question.formula)):
        return "'X' counts the steps of a statement, which nobody sees"
    meanings = meanings_of(program, question)
    if any(meaning.condition is not None or meaning.ended for meaning in meanings.values()):
        return "only at(...) and in(...) are followed along its runs"
    automaton = translate(question.formula, positive=False)
    if not automaton.is_terminal():
        return "no prefix of a run violates it, or not every violation is one"
    if _Watch(program, automaton, meanings).ends_badly():
        return "the end of a run may be what violates it, and ends are not followed"
    return "a run may block, and then its prefix is no run" if can_block(program) else ""


def watch_formula(program: Program, question: Temporal) -> Reduction | None:
    """Return a program that fails iff some run of the given one violates a formula; None where it is too large.

    Requires that nothing is said by `why_no_monitor`.
    """
    watch = _Watch(program, translate(question.formula, positive=False), meanings_of(program, question))
    if len(watch.states) > MOST or watch.is_violated(watch.states[0]):
        return None
    number = Fresh(program).number("monitor", len(watch.states))
    product = _Product(watch, number, f"a violation of {question}")
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


class _Watch:
    """The monitor: sets of states of the automaton, the first one in which it begins."""

    def __init__(self, program: Program, automaton: Automaton, meanings: Meanings) -> None:
        self.automaton, self.sinks = automaton, automaton.sinks()
        places = [(own.name, edge.source) for own in program.procedures for edge in own.edges]
        self.letters: dict[tuple[str, Location], Letter] = {
            place: frozenset(atom for atom, meaning in meanings.items() if meaning.holds(place, {})) for place in places
        }
        self.states = [frozenset(automaton.initial)]
        for states in self.states:  # grows
            for letter in sorted(set(self.letters.values()), key=sorted):
                after = self.after(states, letter)
                if after not in self.states and len(self.states) <= MOST:
                    self.states.append(after)

    def after(self, states: States, letter: Letter) -> States:
        """Return the states of the automaton after a letter; those that accept everything stay."""
        if self.is_violated(states):
            return states
        steps = (step for step in self.automaton.steps if step.source in states and step.takes(letter))
        return frozenset(step.target for step in steps)

    def ends_badly(self) -> bool:
        """Tell whether the letters after the end of a run, where no atom holds, may violate the formula."""
        nothing: Letter = frozenset()
        for states in [each for each in self.states if not self.is_violated(each)]:
            seen: list[States] = []
            while states not in seen:
                seen.append(states)
                states = self.after(states, nothing)
            if any(map(self.is_violated, seen)):
                return True
        return len(self.states) > MOST

    def is_violated(self, states: States) -> bool:
        """Tell whether the formula is violated, whatever follows."""
        return not self.sinks.isdisjoint(states)


class _Product:
    """Puts a monitor into procedures; `targets` are the failures, each with the place before it."""

    def __init__(self, watch: _Watch, number: Number, name: str) -> None:
        self.watch, self.number, self.name = watch, number, name
        self.targets: dict[Target, Target] = {}

    def procedure(self, own: Procedure) -> Procedure:
        """Return a procedure with the moves of the monitor in it, itself where there are none."""
        moving = sorted({edge.source for edge in own.edges if self._moves(self.watch.letters[own.name, edge.source])})
        if not moving:
            return own
        edges, failures, behind, next_free = [], [], {}, own.size
        for source in moving:
            behind[source] = next_free
            span = next(edge.span for edge in own.edges if edge.source == source)
            letter = self.watch.letters[own.name, source]
            edges.append(Edge(source, Assign(self.number.bits, tuple(self._next(letter))), next_free, span))
            next_free += 1
            if violated := [number for number in self._violated() if number in self._codes(letter)]:
                edges.append(Edge(behind[source], Assume(any_of(map(self.number.equals, violated))), next_free, span))
                failures.append(next_free)
                target = Target(self.name, own.name, next_free, span.line)
                self.targets[target] = replace(target, location=source)
                next_free += 1
        edges += [replace(edge, source=behind.get(edge.source, edge.source), origin=edge) for edge in own.edges]
        ordered = tuple(sorted(edges, key=lambda edge: edge.source))
        return replace(own, edges=ordered, failures=(*own.failures, *failures))

    def fail_never(self, own: Procedure) -> Procedure:
        """Return a procedure with a failure that it does not come to."""
        target = Target(self.name, own.name, own.size, own.span.line)
        self.targets[target] = replace(target, location=own.entry)
        return replace(own, failures=(*own.failures, own.size))

    def _moves(self, letter: Letter) -> bool:
        return any(self.watch.after(states, letter) != states for states in self.watch.states)

    def _codes(self, letter: Letter) -> list[int]:
        """Return the number of the state after a letter, of each state."""
        return [self.watch.states.index(self.watch.after(states, letter)) for states in self.watch.states]

    def _violated(self) -> list[int]:
        return [number for number, states in enumerate(self.watch.states) if self.watch.is_violated(states)]

    def _next(self, letter: Letter) -> Iterator[Expr]:
        """Yield the bits of the state after a move."""
        codes = self._codes(letter)
        for place in range(len(self.number.bits)):
            bit = 1 << (len(self.number.bits) - 1 - place)
            yield any_of(self.number.equals(code) for code, then in enumerate(codes) if then & bit)
