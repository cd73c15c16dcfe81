"""Visible states: from several pushdown systems, which control states and topmost symbols are seen together, and when.

P. Liu and T. Wahl, CUBA (PLDI 2018): after how many switches the last new visible state appears, and after how many
there is no new set of stacks, or no rule leads from the visible states to another one (`visible_closure`), so that
nothing more will ever appear.  The former is checked by `recheck`, and a run to a visible state by firing its rules.
"""

from __future__ import annotations

from itertools import product

from knaster.base.errors import InternalError
from knaster.base.limits import OutOfBudget
from knaster.base.records import dataclass, field
from knaster.pushdown.formats.cuba import ConcurrentSystem, Visible
from knaster.pushdown.switching.all_contexts import Row, Search
from knaster.pushdown.switching.history import Context, history_to_tops
from knaster.pushdown.switching.recheck import why_not_closed
from knaster.pushdown.switching.visible_closure import VisibleRules
from knaster.pushdown.tick import Tick

MOST = 1_000_000  # visible states that are counted


@dataclass(slots=True)
class VisibleStates:
    """What was seen: each visible state with the least number of switches; `closed` where that is everything."""

    system: ConcurrentSystem
    start: Visible
    wanted: Visible | None
    least: dict[Visible, int] = field(default_factory=dict)
    switches: int = -1  # so many were looked at
    closed: bool = False
    run: tuple[Context, ...] = ()  # to what is wanted
    reason: str = ""  # why it is not closed

    @property
    def reached(self) -> bool:
        """Whether what is wanted was seen."""
        return self.wanted is not None and self.wanted in self.least

    @property
    def last(self) -> int:
        """After so many switches the last new visible state was seen."""
        return max(self.least.values(), default=0)


def find_visible_states(
    system: ConcurrentSystem, start: Visible, wanted: Visible | None = None, tick: Tick | None = None
) -> VisibleStates:
    """Return the visible states that are reached, up to the one that is wanted or to where nothing is new."""
    found = VisibleStates(system, start, wanted)
    search = Search(system.systems, [start.joint], tick=tick)
    try:
        _explore(found, search, tick)
    except OutOfBudget as spent:
        found.reason = str(spent)
    return found


def _explore(found: VisibleStates, search: Search, tick: Tick | None) -> None:
    rules, possible = VisibleRules(found.system), set[Visible]()
    while not search.found.closed and not found.reached:
        before, seen = len(search.found.rows), len(found.least)
        search.next_context()
        found.switches += 1
        for row in search.found.rows[before:]:
            _note(found, search, row)
            if found.reached and not found.run:
                assert found.wanted is not None
                path = history_to_tops(search.found, row, found.wanted.state, found.wanted.tops, tick)
                found.run = tuple(path)
                replay(found)
        if len(found.least) == seen and not found.reached:
            possible = possible or rules.overapproximate(found.start, tick)
            if rules.are_all(found.least, found.start, possible):
                found.closed = True
                return
    if search.found.closed and not found.reached:
        if problem := why_not_closed(search.found, tick):
            raise InternalError(f"the table of stacks is not closed: {problem}")
        found.closed = True


def _note(found: VisibleStates, search: Search, row: Row) -> None:
    """Note what is seen in a context."""
    for state, language in row.reached.items():
        stacks = (*row.stacks[: row.running], language, *row.stacks[row.running + 1 :])
        names = [each.names for each in search.found.symbols]
        tops = [[None if top is None else names[i][top] for top in each.tops()] for i, each in enumerate(stacks)]
        for together in product(*tops):
            found.least.setdefault(Visible(state, together), found.switches)  # type: ignore[arg-type]
        if len(found.least) > MOST:
            raise OutOfBudget(f"there are more than {MOST:,} visible states")


def replay(found: VisibleStates) -> None:
    """Fire the rules of a run; raise `InternalError` where it is none from the start to what is wanted."""
    state, stacks = found.start.state, [list(stack[::-1]) for stack in found.start.joint.stacks]
    for context in found.run:
        stack = stacks[context.running]
        for rule in context.run:
            known = rule in found.system.systems[context.running].given
            if not known or rule.source != state or not stack or stack[-1] != rule.symbol:
                raise InternalError(f"the rule {rule} of a run cannot be fired")
            state = rule.target  # type: ignore[assignment]
            stack.pop()
            stack.extend(reversed(rule.push))
    seen = Visible(state, tuple(stack[-1] if stack else None for stack in stacks))  # type: ignore[misc]
    if seen != found.wanted:
        raise InternalError(f"a run ends in {seen}, not in {found.wanted}")
