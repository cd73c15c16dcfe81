"""All states of a program with references, walked through by the kernel itself: what a table of transactions claims.

Such a table has the states between transactions alone.  That the steps of a transaction may be taken as one rests on
who holds which lock and who uses which channel, and on everything that is left out.  So the kernel uses nothing of the
table and looks at the claim: from the start it takes every step of every thread, as in a reduced table of states
(`state_table`), where there are not too many.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from knaster_check.heap.excluded import Excluded
from knaster_check.heap.memory import Memory
from knaster_check.heap.state_table import Row, States
from knaster_check.program import Program, Target
from knaster_check.refused import Unsupported, expect, object_with
from knaster_check.table import Tick, Verdict

MOST = 50_000  # states
DEEPEST = 200  # frames of a thread
_FIELDS = ("boundaries", "held", "locks", "unprotected", "crowded")


def check(program: Program, document: Mapping[str, Any], targets: tuple[Target, ...], tick: Tick) -> Verdict:
    """Return that no run reaches a target."""
    expect(program.kind == "references", "it has a table, and the program has no references")
    expect(bool(targets), "the proof excludes no target")
    object_with(document["table"], _FIELDS, "'table'")
    try:
        count = AllStates(program, Excluded(targets), tick).run()
    except RecursionError:
        raise Unsupported("an expression is too deep") from None
    return Verdict("unreachable", targets, answered={"states expanded": count})


class AllStates(States):
    """All states to which the start leads, but for those before steps that nobody notices."""

    def __init__(self, program: Program, excluded: Excluded, tick: Tick) -> None:
        super().__init__(program, excluded, True, None, tick)
        self.tick = tick
        self.rows: list[Row] = []

    def run(self) -> int:
        """Return how many there are; refuse where something happens that is excluded."""
        start = self.machine.start()
        self.excluded.stand_all(start)
        self._has(start, 0, 0, 0)
        for row in self.rows:  # grows
            self.tick()
            self.expand(row)
        return len(self.rows)

    def _arrive(self, memory: Memory, thread: int, started: range, switches: int) -> None:
        """Go on through what nobody notices, and note where that leads."""
        later = memory
        for later in self._later(memory, thread, started):
            self.excluded.stand_all(later)
        self._has(later, 0, thread, switches)

    def _has(self, memory: Memory, choosing: int, last: int, switches: int) -> bool:
        """Note a state, if it is new."""
        key = self.form(memory, choosing), 0
        if key not in self.known:
            self.known[key] = 0
            self.rows.append(Row(memory, choosing, 0, 0))
        # mutant(>): one state more or less, one frame more or less
        if len(self.rows) > MOST or any(len(frames) > DEEPEST for frames in memory.threads):
            raise Unsupported("there are too many states")
        return True
