"""First hits: from the turns that a search takes, the first one that reaches each target, and the run there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic, TypeVar

from knaster.program.model import Place, Program
from knaster.semantics.heap.decisions import Run, Turn
from knaster.semantics.heap.failure import ASSERTION
from knaster.semantics.heap.goals import Goals

T = TypeVar("T")


class Watch(Generic[T]):
    """Looks out for targets; `here` is the state that is expanded, `parents` says how each state was reached."""

    def __init__(self, program: Program, targets: Iterable[tuple[T, Place, str]]) -> None:
        numbers = {procedure.name: number for number, procedure in enumerate(program.procedures)}
        self.goals: Goals[T] = Goals(numbers, targets)
        self.failures = [frozenset(procedure.failures) for procedure in program.procedures]
        self.hits: dict[T, tuple[int, Turn]] = {}
        self.parents: list[tuple[int, Turn]] = []
        self.here = 0

    def fail(self, kind: str, turn: Turn) -> None:
        """Note that a failure of a kind is reached by a turn from the state that is expanded."""
        for target in self.goals.kinds.get(kind, ()):
            self._hit(target, turn)

    def meet(self, frame: Any, thread: int, steps: int, taken: tuple[int, ...], leads: tuple[int, ...] = ()) -> bool:
        """Note that control stands where a frame does; tell whether an assertion fails there."""
        for target in self.goals.places[frame[0]].get(frame[1], ()):
            self._hit(target, Turn(thread, steps, taken, leads))
        if frame[1] in self.failures[frame[0]]:
            self.fail(ASSERTION, Turn(thread, steps, taken, leads))
            return True
        return False

    def _hit(self, target: T, turn: Turn) -> None:
        self.hits.setdefault(target, (self.here, turn))

    def decisions(self, target: T) -> Run:
        """Return the run that reaches a target."""
        number, last = self.hits[target]
        turns = [last]
        while number > 0:
            number, turn = self.parents[number]
            turns.append(turn)
        return tuple(reversed(turns))
