"""Least solutions: values that ascend along a flow of weights until nothing changes, for every part of the library.

Saturation, sums over all paths of an automaton or of a graph, and joins over derivations are all of one kind: there are
variables, each at first 0; some get a value; a value that changes flows on to other variables.  The least solution is
reached when nothing flows any more, in whatever order.  Here are the variables and the worklist; what flows where is
told by who uses them:

    solution = LeastSolution(domain)
    solution.add(start, domain.one)
    for v in solution.changes():
        for target, weight in arrows[solution.name[v]]:
            solution.add(target, domain.extend(solution.value[v], weight))

Variables are numbered in the order in which they are found.  Which derivations led to a value is kept by a log
(`derivations.py`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterator
from heapq import heappop, heappush
from typing import Any, Generic, Protocol, TypeVar

from knaster.base.errors import UsageError
from knaster.pushdown.numbering import NONE
from knaster.pushdown.semiring import Semiring
from knaster.pushdown.tick import Tick

K = TypeVar("K", bound=Hashable)
W = TypeVar("W")
W_contra = TypeVar("W_contra", contravariant=True)

LIMIT = 100_000  # changes of one weight after which a domain is taken to be unbounded


class Log(Protocol[W_contra]):
    """What is remembered about derivations."""

    def record(self, variable: int, weight: W_contra, share: W_contra, rule: int, first: int, second: int, /) -> None:
        """Note that a variable now has `weight`, of which `share` comes from `rule` on `first` and `second`."""
        ...


class LeastSolution(Generic[K, W]):
    """Variables, their values so far, and which of them have changed; variable v is called `name[v]`.

    Changed variables are yielded first in, first out, or those of smallest `priority` first, which is a function of
    their names.  A value that changes more often than `limit` is an error.
    """

    def __init__(
        self,
        domain: Semiring[W],
        *,
        log: Log[W] | None = None,
        priority: Callable[[K], Any] | None = None,
        limit: int = LIMIT,
        tick: Tick | None = None,
    ) -> None:
        self.name: list[K] = []
        self.value: list[W] = []
        self._changes: list[int] = []
        self._number: dict[K, int] = {}
        self._domain, self._zero = domain, domain.zero
        self._log, self._limit, self.tick = log, limit, tick
        self._waits = bytearray()
        self._todo: deque[int] | _Heap[K] = deque() if priority is None else _Heap(self.name, priority)
        self._put = self._todo.append

    def __len__(self) -> int:
        return len(self.value)

    def number(self, name: K) -> int:
        """Return the number of a variable; NONE where its value is 0."""
        return self._number.get(name, NONE)

    def at(self, name: K) -> W:
        """Return the value of a variable."""
        number = self._number.get(name)
        return self._zero if number is None else self.value[number]

    def add(self, name: K, share: W, rule: int = NONE, first: int = NONE, second: int = NONE) -> None:
        """Combine the value of a variable with a share; if that is a change, log it and let the variable wait."""
        if share == self._zero:
            return
        total = share
        number = self._number.get(name)
        if number is None:
            number = self._number[name] = len(self.value)
            self.name.append(name)
            self.value.append(share)
            self._changes.append(1)
            self._waits.append(0)
        else:
            old = self.value[number]
            total = self._domain.combine(old, share)
            if total == old:
                return
            self.value[number] = total
            self._changes[number] += 1
            if self._changes[number] > self._limit:
                raise unbounded_error(self._domain, self._limit, total)
        if self._log is not None:
            self._log.record(number, total, share, rule, first, second)
        if not self._waits[number]:
            self._waits[number] = 1
            self._put(number)

    def changes(self) -> Iterator[int]:
        """Yield variables whose values changed since they were last yielded, until there is none."""
        todo, waits, tick = self._todo, self._waits, self.tick
        while todo:
            number = todo.popleft()
            waits[number] = 0
            if tick is not None:
                tick()
            yield number

    def close(self) -> None:
        """Let nothing follow from what is added after this."""
        self._put = _ignore


class _Heap(Generic[K]):
    """A worklist by priority: smallest first, of equal ones the variable that was found first."""

    def __init__(self, names: list[K], priority: Callable[[K], Any]) -> None:
        self._names, self._priority = names, priority
        self._heap: list[tuple[Any, int]] = []

    def append(self, variable: int, /) -> None:
        heappush(self._heap, (self._priority(self._names[variable]), variable))

    def popleft(self) -> int:
        return heappop(self._heap)[1]

    def __bool__(self) -> bool:
        return bool(self._heap)


def _ignore(variable: int, /) -> None:
    """Let a variable not wait."""


def unbounded_error(domain: Semiring[W], limit: int, weight: W) -> UsageError:
    """Return the error of one weight that changed more often than `limit`."""
    return UsageError(
        f"one weight changed {limit} times and is {weight!r} now: {type(domain).__name__} seems to have an "
        "infinite ascending chain; raise the limit if it has not"
    )
