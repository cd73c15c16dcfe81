"""The places and the ways to fail that a table has to exclude; whoever meets one of them says so here."""

from __future__ import annotations

from collections.abc import Iterable

from knaster_check.heap.memory import Frame, Memory
from knaster_check.program import Target
from knaster_check.refused import Refused, expect

KINDS = (
    *("assertion", "deadlock", "null-dereference", "index-out-of-range", "division-by-zero", "overflow"),
    *("empty-choice", "unhandled-exception", "blocked-select", "endless-atomic"),
)


class Excluded:
    """What must not happen."""

    def __init__(self, targets: Iterable[Target]) -> None:
        self.places: set[tuple[str, int]] = set()
        self.kinds: set[str] = set()
        for target in targets:
            if target.procedure:
                self.places.add((target.procedure, target.location))
            else:
                expect(target.name in (*KINDS, "any failure"), f"'{target.name}' is no way to fail")
                self.kinds |= set(KINDS) if target.name == "any failure" else {target.name}

    def fail(self, kind: str) -> None:
        """Refuse where nothing may fail in this way."""
        if kind in self.kinds:
            raise Refused(f"the table does not exclude that something fails: {kind}")

    def stand(self, frame: Frame) -> None:
        """Refuse where nobody may stand there."""
        if (frame.procedure.name, frame.location) in self.places:
            raise Refused("the table does not exclude a target", f"'{frame.procedure.name}', location {frame.location}")

    def stand_all(self, memory: Memory) -> None:
        """Refuse where a thread stands at a target."""
        for frames in memory.threads:
            if frames:
                self.stand(frames[-1])
