"""The pushdown systems of threads beside an automaton: control states carry its state and what holds of each thread.

A letter is read before each statement; coming back reads none.  The atoms about places that hold of a thread are those
of its topmost activation, so they are known where it stops: `holding` has them for every thread.  Threads have begun,
with any values of their locals, before anybody moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product

from knaster.automata.automaton import Automaton
from knaster.automata.words import Letter
from knaster.base.limits import OutOfBudget
from knaster.base.named_tuples import NamedTuple
from knaster.engines.threads.pushdown_systems import ENDED, UNBEGUN, Frame, Shared, Systems
from knaster.evidence.questions.letters import Meanings
from knaster.program.expression import TRUE
from knaster.program.model import Program
from knaster.pushdown.domains.boolean import Boolean
from knaster.pushdown.system import PushdownSystem, Rule
from knaster.pushdown.transducers.contexts import Joint
from knaster.semantics.sequential import valuations

Marks = tuple[Letter, ...]


class Control(NamedTuple):
    """A control state of the threads, a state of the automaton, and the atoms that hold of each thread's place."""

    shared: Shared
    state: int
    holding: Marks


class PairedSystems:
    """The systems, and what their rules stand for."""

    def __init__(
        self,
        program: Program,
        base: Systems,
        automaton: Automaton,
        meanings: Meanings,
        most: int,
        tick: Callable[[], None],
    ) -> None:
        self.program, self.automaton, self.meanings = program, automaton, meanings
        self._exits = {procedure.name: procedure.exit for procedure in program.procedures}
        self._leaving = automaton.leaving()
        self.moves = _moves(base)
        self.origins: dict[Rule[bool], Rule[bool]] = {}
        self.marked: set[Rule[bool]] = set()
        self.made: list[list[Rule[bool]]] = [[] for _ in program.threads]
        self.starts = tuple(
            Joint(Control(joint.state, state, self._holding(joint)), joint.stacks)  # type: ignore[arg-type]
            for joint in _starts(program, base, most)
            for state in automaton.initial
        )
        self._close(most, tick)
        self.systems = tuple(PushdownSystem.of(Boolean(), rules) for rules in self.made)
        self._is_open = base.is_open

    def _holding(self, joint: Joint) -> Marks:
        return tuple(self.holds_of(stack[0]) for stack in joint.stacks)

    def is_open(self, control: object) -> bool:
        """Tell whether another thread may run."""
        assert isinstance(control, Control)
        return self._is_open(control.shared)

    def _close(self, most: int, tick: Callable[[], None]) -> None:
        todo = [joint.state for joint in self.starts]
        known = set(todo)
        while todo:
            tick()
            control = todo.pop()
            assert isinstance(control, Control)
            for thread, rules in enumerate(self.moves):
                for made in self._rules(control, thread, rules.get(control.shared, ())):
                    if made.target not in known:
                        known.add(made.target)
                        todo.append(made.target)
            if len(self.origins) > most:
                raise OutOfBudget(f"more than {most} rules")

    def _rules(self, control: Control, thread: int, moves: Sequence[Rule[bool]]) -> Iterator[Rule[bool]]:
        letter: Letter | None = None
        for base in moves:
            before = frozenset[str]() if control.shared.results is not None else self.holds_of(base.symbol)
            if control.holding[thread] != before:
                continue
            now = self.holds_of(base.push[0]) if base.push else frozenset[str]()
            holding = (*control.holding[:thread], now, *control.holding[thread + 1 :])
            if is_silent(base):
                yield self._make(thread, control, base, control.state, holding, False)
                continue
            letter = self.letter(control) if letter is None else letter
            for step in self._leaving[control.state]:
                if step.takes(letter):
                    yield self._make(thread, control, base, step.target, holding, self.automaton.accepting(step))

    def _make(
        self, thread: int, control: Control, base: Rule[bool], state: int, holding: Marks, accepts: bool
    ) -> Rule[bool]:
        assert isinstance(base.target, Shared)
        rule = Rule(control, base.symbol, Control(base.target, state, holding), base.push, True)
        if rule not in self.origins:
            self.origins[rule] = base
            self.made[thread].append(rule)
        if accepts:
            self.marked.add(rule)
        return rule

    def letter(self, control: Control, over: bool = False) -> Letter:
        """Return the atoms that hold in a control state; of places none do after the end of the run."""
        places = frozenset[str]() if over else frozenset[str]().union(*control.holding)
        values = dict(zip(self.program.globals, control.shared.values, strict=True))
        true = {a for a, m in self.meanings.items() if m.condition is not None and m.holds(None, values)}
        return places | true | {a for a, m in self.meanings.items() if over and m.ended}

    def holds_of(self, frame: object) -> Letter:
        """Return the atoms about places that hold where an activation is the topmost one of its thread."""
        assert isinstance(frame, Frame)
        if frame.location in (ENDED, self._exits[frame.procedure]):
            return frozenset()
        return frozenset(
            atom
            for atom, meaning in self.meanings.items()
            if frame.place in meaning.places and meaning.thread in (None, frame.thread + 1)
        )

    def has_ended(self, frame: object) -> bool:
        """Tell whether a thread whose topmost activation this is has ended."""
        assert isinstance(frame, Frame)
        return frame.location == ENDED or (frame.first and frame.location == self._exits[frame.procedure])


def is_silent(rule: Rule[bool]) -> bool:
    """Tell whether a rule of threads takes no letter: it comes back into a caller."""
    assert isinstance(rule.source, Shared)
    return not rule.push or rule.source.results is not None


def _moves(base: Systems) -> list[dict[Shared, list[Rule[bool]]]]:
    """Return the rules of each thread by control state; beginning is done."""
    found: list[dict[Shared, list[Rule[bool]]]] = []
    for system in base.systems:
        moves: dict[Shared, list[Rule[bool]]] = {}
        for rule in system.given:
            assert isinstance(rule.source, Shared) and isinstance(rule.symbol, Frame)
            if rule.symbol.location != UNBEGUN:
                moves.setdefault(rule.source, []).append(rule)
        found.append(moves)
    return found


def _starts(program: Program, base: Systems, most: int) -> list[Joint]:
    """Return where runs begin: every thread with any values of its locals, as nobody enforces anything."""
    if any(procedure.enforce != TRUE for procedure in program.procedures):
        raise OutOfBudget("of threads that enforce something it is not decided")
    procedures = [program.procedure(name) for name in program.threads]
    if len(base.starts) << sum(len(procedure.frame) for procedure in procedures) > most:
        raise OutOfBudget(f"more than {most} ways to begin")
    begun = [
        [
            Frame(number, True, each.name, each.entry, tuple(map(bool, values.values())))
            for values in valuations(each.frame)
        ]
        for number, each in enumerate(procedures)
    ]
    return [Joint(j.state, tuple((f,) for f in frames)) for j in base.starts for frames in product(*begun)]
