"""How a stack can have come about: a run, or a path of the control flow, that ends with it (BTRACE; Lal 2009, 4.3)."""

from __future__ import annotations

from knaster.base.named_tuples import NamedTuple
from knaster.base.records import dataclass
from knaster.evidence.traces.trace import Trace
from knaster.frontends.text.stack_traces import Frame
from knaster.program.model import Program


class Passed(NamedTuple):
    """A statement that a path stands before, and how many calls are unfinished there."""

    depth: int
    procedure: str
    line: int


@dataclass(frozen=True, slots=True, eq=False)
class CrashPath:
    """A shortest path that ends with a stack and passes as many wanted lines as any; where there is none, why."""

    program: Program
    frames: tuple[Frame, ...]
    path: tuple[Passed, ...]
    touched: tuple[int, ...] = ()  # of the wanted lines
    missed: tuple[int, ...] = ()
    misfit: str = ""  # why no path has this stack
    run: Trace | None = None  # a run that ends with this stack, replayed; then `path` has its statements
    excluded: bool = False  # no run has this stack: that was proved
    undecided: str = ""  # why it is not known whether some run has
    inner: tuple[str, ...] = ()  # what the innermost frame called, by the stack: no procedures of the program

    def __repr__(self) -> str:
        return f"<CrashPath {self.program.file}: {len(self.path)} statements to {self.frames[0]}>"
