"""Visible states: those that the systems reach one rule after the other, with the least number of switches each."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from knaster.base.errors import InternalError
from knaster.base.limits import OutOfBudget
from knaster.pushdown.formats.cuba import ConcurrentSystem, Visible, read_concurrent
from knaster.pushdown.switching.visible_states import find_visible_states, replay

HANDS_OVER = "4\nPDA 1 2\n0 1 -> 1 2\n3 2 -> 0 1\nPDA 4 6\n0 4 -> 0 -\n1 4 -> 2 5\n2 5 -> 3 4 6\n"


def by_rules(system: ConcurrentSystem, highest: int, most: int) -> tuple[dict[Visible, int], bool]:
    """Return the visible states with their least numbers of switches, one configuration after the other; all?"""
    start = system.first.joint
    levels: dict[Any, int] = {}
    todo: list[tuple[int, Any]] = [(0, (start.state, start.stacks, number)) for number in range(len(system.systems))]
    cut = False
    while todo:
        todo.sort(key=lambda each: each[0])
        switches, here = todo.pop(0)
        if here in levels:
            continue
        levels[here] = switches
        state, stacks, running = here
        stack = stacks[running]
        todo += [(switches + 1, (state, stacks, other)) for other in range(len(stacks)) if other != running]
        for rule in system.systems[running].given:
            if stack and (rule.source, rule.symbol) == (state, stack[0]):
                new = (*rule.push, *stack[1:])
                if len(new) > highest or len(levels) > most:
                    cut = True
                    continue
                after = (rule.target, (*stacks[:running], new, *stacks[running + 1 :]), running)
                todo.append((switches, after))
    found: dict[Visible, int] = {}
    for (state, stacks, _), switches in levels.items():
        seen = Visible(state, tuple(each[0] if each else None for each in stacks))
        found[seen] = min(switches, found.get(seen, switches))
    return found, not cut


def random_text(rng: Random) -> str:
    lines, states = [str(rng.randint(2, 3))], 2
    for number in range(rng.choice([2, 2, 3])):
        symbols = range(10 * number, 10 * number + rng.randint(2, 3))
        lines.append(f"PDA {symbols[0]} {symbols[-1]}")
        for _ in range(rng.randint(2, 5)):
            push = " ".join(str(rng.choice(symbols)) for _ in range(rng.choice([0, 1, 1, 1, 2]))) or "-"
            lines.append(f"{rng.randrange(states)} {rng.choice(symbols)} -> {rng.randrange(states)} {push}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("seed", range(40))
def test_random_systems(seed: int) -> None:
    system = read_concurrent(random_text(Random(seed)), "random.pds")
    wanted, complete = by_rules(system, 4, 400)
    left = [60]

    def tick() -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OutOfBudget("enough")

    found = find_visible_states(system, system.first, tick=tick)
    if complete:
        assert found.least == wanted or not found.closed
    if found.closed:
        assert set(wanted) <= set(found.least)
        for seen in list(found.least)[:6]:
            again = find_visible_states(system, system.first, seen)
            assert again.reached and again.least[seen] == found.least[seen]
            replay(again)
    assert all(found.least[seen] <= wanted[seen] for seen in wanted if seen in found.least)


def test_stacks_may_grow_where_nothing_new_is_seen() -> None:
    system = read_concurrent(HANDS_OVER, "a.pds")
    found = find_visible_states(system, system.first)
    assert found.closed and len(found.least) == 8 and (found.last, found.switches) == (4, 5)


def test_a_run_that_is_none_is_refused() -> None:
    system = read_concurrent(HANDS_OVER, "a.pds")
    found = find_visible_states(system, system.first, Visible(3, (2, 4)))
    assert found.reached and found.run
    found.run = found.run[1:]
    with pytest.raises(InternalError, match="cannot be fired"):
        replay(found)
    found.run = ()
    with pytest.raises(InternalError, match="ends in"):
        replay(found)
