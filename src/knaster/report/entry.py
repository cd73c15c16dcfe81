"""One line of a trace: the statement that is about to be executed, and the state just before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from knaster.base.errors import Span
from knaster.program.model import Action, Assign, Assume, Call, Concurrent, Location, Procedure, Return
from knaster.program.state import State

if TYPE_CHECKING:
    from knaster.program.objects import HeapAction


class EntryKind(Enum):
    """What the step of an entry does; the value is its name in JSON."""

    ASSUME = "assume"
    ASSIGN = "assign"
    CALL = "call"
    RETURN = "return"
    SUMMARY = "summary"
    TARGET = "target"
    THREAD = "thread"
    BACK = "back"  # a context begins with the return into this call


REMARKS = {EntryKind.SUMMARY: " (returns)", EntryKind.BACK: " (comes back)"}  # what is said after a statement
_DEEPEST = 8  # deeper activations are numbered, not indented further


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a trace.  `state` has the values in scope that matter to the trace, globals first.

    Threads have the numbers 1, 2, ...; the context is the number of switches so far.
    """

    procedure: str
    depth: int
    kind: EntryKind
    span: Span
    state: State
    thread: int = 1
    context: int = 0
    texts: Mapping[str, str] | None = None  # the values as text, where the language needs to know more than the value
    changed: frozenset[str] | None = None  # the names in `texts` that are new
    said: str = ""  # what a statement that only speaks says
    step: int = 0  # its number among all steps, every call expanded, from 1; 0 where nobody counts them


def indent(depth: int) -> str:
    """Return the space before a statement of an activation."""
    return "  " * depth if depth <= _DEEPEST else "  " * _DEEPEST + f"[{depth}] "


def kind_of(action: Action) -> EntryKind:
    """Return the kind of a step that is shown by itself."""
    match action:
        case Assume():
            return EntryKind.ASSUME
        case Assign():
            return EntryKind.ASSIGN
        case Return():
            return EntryKind.RETURN
        case Concurrent():
            return EntryKind.THREAD
        case Call():
            return EntryKind.CALL
        case _:
            return _kind_in_heap(action)


def _kind_in_heap(action: HeapAction) -> EntryKind:
    from knaster.program.objects import Choose, Join, Print, Raise, Send, Store, Update

    match action:
        case Print():
            return EntryKind.ASSUME
        case Store() | Choose() | Update():
            return EntryKind.ASSIGN
        case Raise():
            return EntryKind.RETURN
        case Send() | Join():
            return EntryKind.THREAD


def span_at(procedure: Procedure, location: Location) -> Span:
    """Return the span of the statement at a location; that of the procedure where none stands there."""
    return next((edge.span for edge in procedure.leaving.get(location, ())), procedure.span)
