"""Repeating heads of a pushdown system with marked rules: from where a run can go on for ever and pass marks for ever.

J. Esparza, D. Hansel, P. Rossmanith, S. Schwoon, Efficient algorithms for model checking pushdown systems (CAV 2000),
section 3.1: a run that never ends has infinitely many moments at which the stack never again gets lower, and between
two of them it takes a rule, enters what a rule pushes, or passes over it.

Notation: a head is a control state and a topmost symbol; pop[h] are the control states in which a run from h first
lies below h, each with whether a mark was passed, and how.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator

from knaster.base.graphs import components
from knaster.base.limits import OutOfBudget
from knaster.base.named_tuples import NamedTuple
from knaster.pushdown.system import Rule, State, Symbol

Head = tuple[State, Symbol]
Exit = tuple[State, bool]  # where a run lies below its head, and whether it passed a mark
MOST = 100_000  # rules of a cycle that is written down


class Arc(NamedTuple):
    """A way between heads: a rule, and the exit of what it pushes where that is passed over."""

    target: Head
    rule: Rule[bool]
    over: Exit | None
    marked: bool


class RepeatingHeads:
    """The heads of a system that are reached, and the ways between them."""

    def __init__(
        self, rules: Iterable[Rule[bool]], is_marked: Callable[[Rule[bool]], bool], reached: Collection[Head]
    ) -> None:
        self._marked = is_marked
        self.rules: dict[Head, list[Rule[bool]]] = {}
        for rule in rules:
            if (rule.source, rule.symbol) in reached:
                self.rules.setdefault((rule.source, rule.symbol), []).append(rule)
        self.pops: dict[Head, dict[Exit, tuple[Rule[bool], Exit | None, Exit | None]]] = {}
        self._close()
        self.arcs = {head: list(self._leaving(head)) for head in self.rules}

    def _close(self) -> None:
        """Find every exit: where one is new, the rules before it are looked at again."""
        before: dict[Head, dict[Head, None]] = {}
        todo = deque(self.rules)
        waiting = set(todo)
        while todo:
            head = todo.popleft()
            waiting.discard(head)
            exits = self.pops.setdefault(head, {})
            for rule in self.rules.get(head, ()):
                for reached, way in list(self._exits(rule, before, head)):
                    if reached not in exits:
                        exits[reached] = way
                        for earlier in before.get(head, ()):
                            if earlier not in waiting:
                                waiting.add(earlier)
                                todo.append(earlier)

    def _exits(
        self, rule: Rule[bool], before: dict[Head, dict[Head, None]], head: Head
    ) -> Iterator[tuple[Exit, tuple[Rule[bool], Exit | None, Exit | None]]]:
        marked = self._marked(rule)
        if not rule.push:
            yield (rule.target, marked), (rule, None, None)
            return
        first = rule.target, rule.push[0]
        before.setdefault(first, {})[head] = None
        for inner in self.pops.get(first, {}):
            if len(rule.push) == 1:
                yield (inner[0], marked or inner[1]), (rule, inner, None)
                continue
            second = inner[0], rule.push[1]
            before.setdefault(second, {})[head] = None
            for outer in self.pops.get(second, {}):
                yield (outer[0], marked or inner[1] or outer[1]), (rule, inner, outer)

    def _leaving(self, head: Head) -> Iterator[Arc]:
        for rule in self.rules[head]:
            marked = self._marked(rule)
            if not rule.push:
                continue
            first = rule.target, rule.push[0]
            yield Arc(first, rule, None, marked)
            if len(rule.push) == 2:
                for inner in self.pops.get(first, {}):
                    yield Arc((inner[0], rule.push[1]), rule, inner, marked or inner[1])

    def repeating(self) -> list[set[Head]]:
        """Return the components of heads in which a run can go around and pass a mark each time."""

        def after(head: Head) -> list[Head]:
            return [arc.target for arc in self.arcs.get(head, ()) if arc.target in self.arcs]

        parts = [set(part) for part in components(self.arcs, after)]
        return [part for part in parts if any(arc.marked and arc.target in part for h in part for arc in self.arcs[h])]

    def cycle(self, head: Head, among: Collection[Head]) -> tuple[list[Rule[bool]], bool]:
        """Return the rules of a run from a head back to it that passes a mark, and whether the stack has grown."""
        way = self._way(head, among, lambda arc: arc.marked)
        if way[-1].target != head:
            way += self._way(way[-1].target, among, lambda arc: arc.target == head)
        rules = [rule for arc in way for rule in self._spell(arc)]
        return rules, any(len(arc.rule.push) == 2 and arc.over is None for arc in way)

    def _way(self, start: Head, among: Collection[Head], is_wanted: Callable[[Arc], bool]) -> list[Arc]:
        before: dict[Head, tuple[Head, Arc] | None] = {start: None}
        todo = deque([start])
        while todo:
            here = todo.popleft()
            for arc in self.arcs[here]:
                if arc.target not in among:
                    continue
                if is_wanted(arc):
                    way = [arc]
                    while (step := before[here]) is not None:
                        here = step[0]
                        way.append(step[1])
                    return way[::-1]
                if arc.target not in before:
                    before[arc.target] = here, arc
                    todo.append(arc.target)
        raise AssertionError("a component has a way between any two of its heads")

    def _spell(self, arc: Arc) -> list[Rule[bool]]:
        """Return the rules of a way, those of what is passed over included."""
        run = [arc.rule]
        todo: list[tuple[Head, Exit]] = []
        if arc.over is not None:
            todo.append(((arc.rule.target, arc.rule.push[0]), arc.over))
        while todo:
            if len(run) > MOST:
                raise OutOfBudget(f"a run has more than {MOST:,} steps")
            head, reached = todo.pop()
            rule, inner, outer = self.pops[head][reached]
            run.append(rule)
            if inner is not None:
                if outer is not None:
                    todo.append(((inner[0], rule.push[1]), outer))
                todo.append(((rule.target, rule.push[0]), inner))
        return run
