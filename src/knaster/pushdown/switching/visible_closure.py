"""Visible closure: from visible states that were seen, whether there are no others, although stacks may still grow.

P. Liu and T. Wahl, CUBA (PLDI 2018), section 5: a rule that overwrites or pushes leads from a visible state to one that
the rule itself says; one that pops uncovers a symbol that some rule has put below another (an *emergent* symbol), or
nothing.  `overapproximate` takes every emergent symbol for possible; a set that contains the start and all that the
rules lead to, as far as that is in the overapproximation, contains every visible state that is reached.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from knaster.base.limits import OutOfBudget
from knaster.pushdown.formats.cuba import ConcurrentSystem, Visible
from knaster.pushdown.system import Rule
from knaster.pushdown.tick import Tick

MOST = 1_000_000  # visible states of an overapproximation


class VisibleRules:
    """The rules of all systems as steps of visible states."""

    def __init__(self, system: ConcurrentSystem) -> None:
        self.rules: list[dict[tuple[int, int], list[Rule[bool]]]] = []
        self.emergent: list[list[int | None]] = []
        for each in system.systems:
            rules: dict[tuple[int, int], list[Rule[bool]]] = {}
            for rule in each.given:
                rules.setdefault((rule.source, rule.symbol), []).append(rule)  # type: ignore[arg-type]
            self.rules.append(rules)
            below = {rule.push[1] for rule in each.given if len(rule.push) == 2}
            self.emergent.append([None, *sorted(below)])  # type: ignore[list-item,type-var]

    def steps(self, seen: Visible) -> Iterator[Visible]:
        """Yield every visible state that one rule may lead to."""
        for number, top in enumerate(seen.tops):
            for rule in self.rules[number].get((seen.state, top), ()) if top is not None else ():
                tops: Sequence[int | None] = rule.push[:1] or self.emergent[number]  # type: ignore[assignment]
                for new in tops:
                    yield Visible(rule.target, (*seen.tops[:number], new, *seen.tops[number + 1 :]))  # type: ignore[arg-type]

    def overapproximate(self, start: Visible, tick: Tick | None = None) -> set[Visible]:
        """Return visible states that contain all that are reached."""
        found, todo = {start}, [start]
        while todo:
            if tick is not None:
                tick()
            for new in self.steps(todo.pop()):
                if new not in found:
                    found.add(new)
                    todo.append(new)
            if len(found) > MOST:
                raise OutOfBudget(f"there are more than {MOST:,} visible states to be looked at")
        return found

    def are_all(self, seen: Collection[Visible], start: Visible, possible: Collection[Visible]) -> bool:
        """Tell whether no other visible states are reached than these, of those that are possible."""
        return start in seen and all(new in seen or new not in possible for each in seen for new in self.steps(each))
