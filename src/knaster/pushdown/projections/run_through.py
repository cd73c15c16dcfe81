"""A run from a source to a target through a given configuration (section 5.3.1 of Lal's thesis, 2009).

The configuration is a path of a functional automaton.  Each of its steps contributes a piece of the run before the
configuration and one after it; the value of the whole run distributes over the value of each piece.  So the pieces are
chosen one after the other, each such that the value with it, and with all that is possible for the others, is not 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

from knaster.base.errors import UsageError
from knaster.base.records import dataclass
from knaster.pushdown.fast.expression_log import ExpressionLog
from knaster.pushdown.fast.expression_runs import Way
from knaster.pushdown.numbering import NONE
from knaster.pushdown.projections.functional import FunctionalAutomaton, Step
from knaster.pushdown.runs.witness import Witness
from knaster.pushdown.saturation.answer import Answer
from knaster.pushdown.semiring import Semiring
from knaster.pushdown.system import Configuration, Rule, first_configuration, last_configuration, merge_weights

W = TypeVar("W")


@dataclass(slots=True)
class _Level(Generic[W]):
    """One symbol of the stack: what happens before it is read and after, and the call that leads above it."""

    before: W
    after: W
    rule: Rule[W] | None
    returns: bool

    def around(self, domain: Semiring[W], inner: W) -> W:
        """Return the value of this level around the value of what is above it."""
        if self.rule is not None and self.returns:
            return domain.extend(merge_weights(domain, self.rule, self.before, inner), self.after)
        before = self.before if self.rule is None else domain.extend(self.before, self.rule.weight)
        return domain.extend(domain.extend(before, inner), self.after)


def run_through(automaton: FunctionalAutomaton[W], path: Sequence[Step[W]]) -> Witness[W]:
    """Return a run whose value is not 0 through the configuration that `path` reads.  Requires: there is one."""
    return _Assembly(automaton, path).witness()


class _Assembly(Generic[W]):
    """The pieces of a run, chosen one by one."""

    def __init__(self, automaton: FunctionalAutomaton[W], path: Sequence[Step[W]]) -> None:
        self._domain = automaton.domain
        self._path = path
        self._post, self._pre = automaton.post, automaton.pre
        self._sides = (_log(automaton.post), _log(automaton.pre))
        self._numbers: list[list[int]] = []
        self._callers: list[int] = []
        self._rules: list[int] = []
        self._levels: list[_Level[W]] = []
        for step in path:
            self._levels.append(_Level(self._post.weight[step.before], self._pre.weight[step.after], None, False))
            self._callers.append(step.before)
            self._rules.append(NONE)

    def witness(self) -> Witness[W]:
        """Choose all pieces and put them together."""
        for depth, step in enumerate(self._path):
            self._choose_call(depth, step)
        before: list[list[int]] = []
        after: list[list[int]] = []
        for depth, step in enumerate(self._path):
            before.append(self._choose(depth, self._sides[0], self._callers[depth], "before"))
            after.append(self._choose(depth, self._sides[1], step.after, "after"))
            if self._rules[depth] != NONE:
                before[depth].append(self._rules[depth])
        numbers = [number for piece in reversed(before) for number in piece]
        passed = len(numbers)
        numbers += [number for piece in after for number in piece]
        return self._finish(numbers, passed)

    def _finish(self, numbers: list[int], passed: int) -> Witness[W]:
        post = self._post
        run = tuple(post.system.rules[number] for number in numbers)
        stack = tuple(post.symbols.names[post.symbol[step.before]] for step in self._path)
        middle = Configuration(post.state_name(post.source[self._path[0].before]), stack)
        start = first_configuration(middle, run[:passed])
        return Witness(start, run, tuple(numbers), last_configuration(middle, run[passed:]), self._value())

    def _value(self) -> W:
        value = self._domain.one
        for level in self._levels:
            value = level.around(self._domain, value)
        return value

    def _choose_call(self, depth: int, step: Step[W]) -> None:
        """Choose the caller and the rule behind a transition of post* that leaves p'_g'."""
        level, calls = self._levels[depth], self._calls(step)
        for vertex, number in calls:
            level.before, level.rule = self._post.weight[vertex], self._post.system.rules[number]
            level.returns = self._pre.source[step.after] < self._pre.controls
            self._callers[depth], self._rules[depth] = vertex, number
            if self._value() != self._domain.zero:
                return

    def _calls(self, step: Step[W]) -> list[tuple[int, int]]:
        """Return the callers and call rules behind a transition of post*; [] where it is not made by a call."""
        post, table = self._post, self._post.system.table
        own = len(post.states.names)
        if post.source[step.before] < own:
            return []
        entry = post.middle[post.source[step.before] - own]
        return [
            (caller, r)
            for r in range(len(table))
            if table.second[r] == post.symbol[step.before] and table.target[r] << 32 | table.first[r] == entry
            for caller in post.leaving.get((table.source[r], table.symbol[r]), ())
            if post.target[caller] == post.target[step.before]
        ]

    def _choose(self, depth: int, log: ExpressionLog[W], vertex: int, side: str) -> list[int]:
        """Replace one side of a level by one run; return its rules."""
        level = self._levels[depth]

        def is_wanted(weight: W) -> bool:
            setattr(level, side, weight)
            return bool(self._value() != self._domain.zero)

        marks, weight = log.any_search().find(Way(log.solver.expression(vertex)), is_wanted)
        setattr(level, side, weight)
        return [mark for mark in marks if isinstance(mark, int)]


def _log(answer: Answer[W]) -> ExpressionLog[W]:
    if not isinstance(answer.log, ExpressionLog):
        raise UsageError("no runs were asked for; project with witnesses=True")
    return answer.log
