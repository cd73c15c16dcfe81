"""Where a thread inside an atomic section can go on: not where every way of it blocks before the section ends."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

from knaster.base.limits import OutOfBudget

N = TypeVar("N", bound=Hashable)


MOST = 100_000  # nodes inside one section
DEEPEST = 100  # activations of a thread inside a section beyond those that it came with


def open_ways(
    start: N, after: Callable[[N], Iterable[N]], is_inside: Callable[[N], bool], depth: Callable[[N], int]
) -> dict[N, bool]:
    """Tell of each node inside a section that is reached whether it can leave the section, fail, or go on for ever.

    `depth` is how many activations there are; raises `OutOfBudget` where the section has too many nodes.
    """
    deepest = depth(start) + DEEPEST
    inside, before = [start], {start: list[N]()}
    left: dict[N, int] = {}
    closed: list[N] = []
    for each in inside:  # grows
        following = set(after(each))
        left[each] = len(following)
        for other in following:
            if is_inside(other):
                if other not in before:
                    if depth(other) > deepest or len(before) > MOST:
                        raise OutOfBudget("an atomic section recurses or is too large; it is not known who can move")
                    before[other] = []
                    inside.append(other)
                before[other].append(each)
        if not following:
            closed.append(each)
    shut = set(closed)
    for each in closed:  # grows: what leads to closed ones only is closed
        for earlier in before[each]:
            left[earlier] -= 1
            if not left[earlier] and earlier not in shut:
                shut.add(earlier)
                closed.append(earlier)
    return {each: each not in shut for each in inside}
