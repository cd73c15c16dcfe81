"""The answer of path expressions: an automaton whose weights are computed when they are read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TypeVar, overload

from knaster.base.records import dataclass
from knaster.pushdown.saturation.answer import Answer

W = TypeVar("W")


class OnDemand(Sequence[W]):
    """A sequence whose items are computed when they are read."""

    def __init__(self, count: int, item: Callable[[int], W]) -> None:
        self._count = count
        self._item = item

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> W: ...

    @overload
    def __getitem__(self, place: slice) -> list[W]: ...

    def __getitem__(self, place: int | slice) -> W | list[W]:
        places = range(self._count)[place]
        return self._item(places) if isinstance(places, int) else [self._item(each) for each in places]


@dataclass(frozen=True, repr=False)
class FastAnswer(Answer[W]):
    """An answer whose transitions were found without weights: some may have the weight 0.

    `below` tells the weight of all paths from a state to a final state.
    """

    below: Callable[[int], W] | None = None

    @cached_property
    def rest(self) -> Sequence[W]:
        """For every state the combined weight of all paths from it to a final state, without the empty word."""
        assert self.below is not None
        return OnDemand(len(self.states.names) + len(self.middle), self.below)
