"""Finds runs that make up a weight: one search, whatever the runs are described by.

Lal (PhD thesis, University of Wisconsin, 2009), Definition 2.4.3 and section 4.2.1.  Runs are found one after the
other, each from the left.  A *place* stands for some runs and has their combined weight; its `Places` tell what it is
made of, and where it is made of alternatives they take one only if its weight, put in its place, is still wanted.
Because weights distribute, every such alternative holds a run that is wanted, so nothing is ever undone.

Notation: `left` is the weight of the run so far, `after` the combined weight of everything that follows a place, both
within its procedure; the *bound* of a weight is the value of the whole run if that weight stood in the place.

There are two kinds of places: derivations of transitions (`derived.py`) and path expressions (`fast/ways.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Generic, Protocol, TypeVar

from knaster.base.named_tuples import NamedTuple
from knaster.base.records import dataclass, field
from knaster.pushdown.semiring import Semiring
from knaster.pushdown.system import Rule, merge_weights
from knaster.pushdown.tick import Tick

P = TypeVar("P")
P_contra = TypeVar("P_contra", contravariant=True)
W = TypeVar("W")

Bound = Callable[[W], W]
Wanted = Callable[[W], bool]


class Read(NamedTuple):
    """The mark of a transition that reads a symbol of an asked configuration."""

    transition: int


class Emit(NamedTuple, Generic[W]):
    """A step of the run: its mark (a rule by its number, a `Read`, or None) and its weight."""

    mark: int | Read | None
    weight: W


class Enter(NamedTuple, Generic[W]):
    """A call whose callee's weight is kept apart: until the matching `Leave`, or to the end of the run."""

    number: int
    rule: Rule[W]


class Leave(NamedTuple):
    """The end of a call that was entered: its merge function is applied."""


class Places(Protocol[P_contra, W]):
    """What runs are described by.

    `is_relaxed` tells that merge functions lack path extension.  Then the bound of a weight is found by going through
    all that follows, and every call is entered.
    """

    @property
    def is_relaxed(self) -> bool:
        """Whether some merge function has no path extension."""
        ...

    def weight(self, place: P_contra, /) -> W:
        """Return the combined weight of the runs that a place stands for."""
        ...

    def parts(self, place: P_contra, bound: Bound[W], wanted: Wanted[W], /) -> Sequence[Any]:
        """Return what stands in a place, from left to right: places, `Emit`, `Enter`, `Leave`."""
        ...


class Found(NamedTuple, Generic[W]):
    """A run: the transitions that read the asked configuration, its control state, the rules, the value."""

    path: list[int]
    control: int
    numbers: list[int]
    value: W


class _Frame(NamedTuple, Generic[W]):
    """An open call: the caller's weight before it, its rule, what follows its return."""

    caller: W
    rule: Rule[W]
    after: W


@dataclass(slots=True)
class _Run(Generic[W]):
    """A run in the making: `todo` from right to left, each with what comes after it; one frame for each open call."""

    todo: list[tuple[Any, W]]
    left: W
    frames: list[_Frame[W]] = field(default_factory=list)
    marks: list[Hashable] = field(default_factory=list)


class RunSearch(Generic[P, W]):
    """Finds runs to or from the asked configurations, each of which adds to the value `reached` of those before.

    `roots` are the places of all of them, each with the control state; `total` is all there is.
    """

    def __init__(
        self,
        domain: Semiring[W],
        places: Places[P, W],
        roots: Sequence[tuple[P, int]] = (),
        *,
        forward: bool = True,
        tick: Tick | None = None,
    ) -> None:
        self._domain, self._places, self._roots = domain, places, roots
        self._forward, self._tick = forward, tick
        self.reached = self.total = domain.zero
        for place, _ in roots:
            self.total = domain.combine(self.total, places.weight(place))

    def next_run(self) -> Found[W]:
        """Return a run whose value is not below `reached`, which it joins."""
        return self.run_with(lambda value: bool(self._domain.combine(self.reached, value) != self.reached))

    def run_with(self, wanted: Wanted[W]) -> Found[W]:
        """Return a run with a wanted value.  Requires: `total` is wanted; a + b is wanted iff a or b is."""
        weight = self._places.weight
        choices = [choice for choice in self._roots if wanted(weight(choice[0]))]
        root, control = next((each for each in choices if weight(each[0]) == self.total), choices[0])
        marks, value = self.find(root, wanted)
        self.reached = self._domain.combine(self.reached, value)
        path = [mark.transition for mark in marks if isinstance(mark, Read)]
        numbers = [mark for mark in marks if isinstance(mark, int)]
        return Found(path if self._forward else path[::-1], control, numbers, value)

    def find(self, place: P, wanted: Wanted[W]) -> tuple[list[Hashable], W]:
        """Return the marks and the value of a run of a place whose value is wanted."""
        domain, tick = self._domain, self._tick
        run: _Run[W] = _Run([(place, domain.one)], domain.one)
        while run.todo:
            if tick is not None:
                tick()
            part, after = run.todo.pop()
            match part:
                case Emit(mark, weight):
                    run.left = domain.extend(run.left, weight)
                    if mark is not None:
                        run.marks.append(mark)
                case Enter(number, rule):
                    run.marks.append(number)
                    run.frames.append(_Frame(run.left, rule, after))
                    run.left = domain.one
                case Leave():
                    frame = run.frames.pop()
                    run.left = merge_weights(domain, frame.rule, frame.caller, run.left)
                case _:
                    self._replace(run, part, after, wanted)
        return run.marks, self._flatten(run.left, run.frames)

    def _replace(self, run: _Run[W], place: P, after: W, wanted: Wanted[W]) -> None:
        """Put the parts of a place on top of `todo`, each with the weight of what follows it in its procedure."""
        domain = self._domain
        parts = self._places.parts(place, lambda weight: self._whole_value(run, weight, after), wanted)
        outer = after
        for index in range(len(parts) - 1, -1, -1):
            part = parts[index]
            run.todo.append((part, outer if isinstance(part, Enter) else after))
            if index and not self._places.is_relaxed:
                match part:
                    case Leave():
                        outer, after = after, domain.one
                    case Enter(_, rule):
                        after = domain.extend(merge_weights(domain, rule, domain.one, after), outer)
                    case _:
                        after = domain.extend(self._weight(part), after)

    def _weight(self, part: P | Emit[W]) -> W:
        return part.weight if isinstance(part, Emit) else self._places.weight(part)

    def _whole_value(self, run: _Run[W], weight: W, after: W) -> W:
        """Return the value of the whole run if `weight` stood in the place in question."""
        domain = self._domain
        value = domain.extend(run.left, weight)
        if self._places.is_relaxed:
            return self._simulate(run, value)
        value = domain.extend(value, after)
        for frame in reversed(run.frames):
            value = domain.extend(merge_weights(domain, frame.rule, frame.caller, value), frame.after)
        return value

    def _simulate(self, run: _Run[W], value: W) -> W:
        """Return the value of the whole run where merges see the caller's own weight only."""
        domain, frames = self._domain, list(run.frames)
        for part, after in reversed(run.todo):
            match part:
                case Enter(_, rule):
                    frames.append(_Frame(value, rule, after))
                    value = domain.one
                case Leave():
                    frame = frames.pop()
                    value = merge_weights(domain, frame.rule, frame.caller, value)
                case _:
                    value = domain.extend(value, self._weight(part))
        return self._flatten(value, frames)

    def _flatten(self, value: W, frames: Sequence[_Frame[W]]) -> W:
        """Return the value of a run whose calls in `frames` were never left."""
        for frame in reversed(frames):
            value = self._domain.extend(self._domain.extend(frame.caller, frame.rule.weight), value)
        return value
