"""Checks that a table of contexts is closed: nothing outside it can be reached, with any number of switches.

This shares nothing with the search but what a set of stacks is: no saturation, no subsets, no minimisation.  The table
contains the start; a row is closed under each rule of the system that runs in it; and wherever another system may run,
there is a row in which it does, with at least the same stacks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from knaster.pushdown.numbering import Names
from knaster.pushdown.switching.all_contexts import Reached, Row
from knaster.pushdown.system import PushdownSystem, Rule, State
from knaster.pushdown.tick import Tick, with_ticks
from knaster.pushdown.transducers.contexts import Joint
from knaster.pushdown.transducers.language import Language


def why_not_closed(table: Reached, tick: Tick | None = None) -> str:
    """Return the first thing that is missing from a table of contexts, in a sentence; empty where nothing is."""
    return _Checker(table.systems, table.symbols, table.rows, table.is_open).problem(table.starts, tick)


class _Checker:
    def __init__(
        self,
        systems: Sequence[PushdownSystem[bool]],
        symbols: Sequence[Names],
        rows: Sequence[Row],
        is_open: Callable[[State], bool],
    ) -> None:
        self.systems, self.symbols, self.rows, self.is_open = systems, symbols, rows, is_open
        self.by_system: dict[tuple[int, State], list[Row]] = {}
        for row in rows:
            for state in row.reached:
                self.by_system.setdefault((row.running, state), []).append(row)

    def problem(self, starts: Sequence[Joint], tick: Tick | None) -> str:
        for joint in starts:
            for number in range(len(self.systems)):
                if not self._starts(joint, number):
                    return f"no row in which system {number} runs contains the start {joint}"
        for row in with_ticks(self.rows, tick):
            problem = self._step_outside(row) or self._switch_outside(row)
            if problem:
                return problem
        return ""

    def _starts(self, joint: Joint, number: int) -> bool:
        words = [
            [self.symbols[each].numbers.get(symbol, -1) for symbol in stack] for each, stack in enumerate(joint.stacks)
        ]
        return any(
            _walk(row.reached[joint.state], words[number], True) is not None
            and all(
                _walk(row.stacks[other], word, True) is not None for other, word in enumerate(words) if other != number
            )
            for row in self.by_system.get((number, joint.state), ())
        )

    def _step_outside(self, row: Row) -> str:
        """Say which rule leads out of a row: <p, g> -> <p', w> must take each g u of p to a w u of p'."""
        numbers = self.symbols[row.running].numbers
        for rule in self.systems[row.running].given:
            if rule.source in row.reached and self._leaves(row, rule, numbers):
                return f"{rule} leads out of a row"
        return ""

    def _leaves(self, row: Row, rule: Rule[bool], numbers: dict[object, int]) -> bool:
        before = row.reached[rule.source]
        rest = _walk(before, [numbers[rule.symbol]], False)
        if rest is None:
            return False
        after = row.reached.get(rule.target)
        onward = _walk(after, [numbers[symbol] for symbol in rule.push], False) if after is not None else None
        return onward is None or after is None or not _is_contained(before, rest, after, onward)

    def _switch_outside(self, row: Row) -> str:
        for state, language in row.reached.items():
            if self.is_open(state):
                stacks = (*row.stacks[: row.running], language, *row.stacks[row.running + 1 :])
                for other in range(len(self.systems)):
                    if other != row.running and not self._is_covered(other, state, stacks):
                        return f"there is no row for a switch to system {other} in {state}"
        return ""

    def _is_covered(self, running: int, state: State, stacks: Sequence[Language]) -> bool:
        return any(
            all(
                _is_contained(small, 0, row.reached[state] if number == running else row.stacks[number], 0)
                for number, small in enumerate(stacks)
            )
            for row in self.by_system.get((running, state), ())
        )


def _walk(language: Language, word: Sequence[int], whole: bool) -> int | None:
    """Return where a word leads, None where it does not; where `whole`, the word must be in the set."""
    state = 0
    for letter in word:
        for known, target in language.moves[state]:
            if known == letter:
                state = target
                break
        else:
            return None
    return state if not whole or language.accepting[state] else None


def _is_contained(small: Language, first: int, large: Language, second: int) -> bool:
    """Tell whether each word from one state of a set is one from a state of the other set."""
    if small is large and first == second:
        return True
    todo, seen = [(first, second)], {(first, second)}
    while todo:
        here, there = todo.pop()
        if small.accepting[here] and not large.accepting[there]:
            return False
        for letter, target in small.moves[here]:
            match = next((found for known, found in large.moves[there] if known == letter), None)
            if match is None:
                return False
            if (target, match) not in seen:
                seen.add((target, match))
                todo.append((target, match))
    return True
