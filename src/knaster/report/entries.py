"""A trace as a list of entries: the statement that is about to be executed, and the state just before it.

This is how Bebop prints a trace (Ball and Rajamani, SPIN 2000, figure 1, there backwards): one entry for each step, and
a last one for the target itself; where an assertion fails, the assertion is the last one.  A return to the caller is no
entry.  A call that returns is either *expanded*, that is followed by the entries of its run one level deeper, or
*folded* into one entry.

A trace may have 2^800 steps when it is expanded, so entries are made lazily, and a trace is expanded only as far as a
limit allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import TYPE_CHECKING

from knaster.base.errors import Span
from knaster.base.lazy import load_named
from knaster.base.named_tuples import NamedTuple
from knaster.base.records import dataclass
from knaster.evidence.traces.relevance import Demand, Relevance, state_before
from knaster.evidence.traces.trace import Path, Trace, has_more_steps
from knaster.program.model import Action, Assign, Assume, Call, Concurrent, Kind, Location, Procedure, Program, Return
from knaster.program.state import State
from knaster.program.temporaries import is_temporary, shown_name
from knaster.program.types import Value
from knaster.semantics.table import semantics_of

if TYPE_CHECKING:
    from knaster.program.memory import MemoryAction
    from knaster.program.objects import HeapAction

AUTOMATIC_LIMIT = 200
FULL_LIMIT = 100_000
LOOKED_INTO = 500  # steps, each shared run counted once, up to which the runs of folded calls say what matters
_DEEPEST = 8  # deeper activations are numbered, not indented further


class Form(Enum):
    """How much of a trace is shown; the value is the name of the option."""

    FULL = "full"
    CALLS = "calls"
    NONE = "none"


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


class Entry(NamedTuple):
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


@dataclass(frozen=True, slots=True)
class Listing:
    """The entries of a trace in one form, and a remark where that form leaves something out."""

    program: Program
    trace: Trace
    limit: int  # calls are expanded up to so many steps in all
    note: str

    def __iter__(self) -> Iterator[Entry]:
        """Yield the entries in the order of execution."""
        room = self.limit - self.trace.length
        entries: Iterator[Entry] = load_named(semantics_of(self.program).entries)(self.program, self.trace, room)
        return entries


def entries_of_states(program: Program, trace: Trace, room: int) -> Iterator[Entry]:
    """Yield the entries of a run whose states are values of variables, in the order of execution."""
    if program.is_threaded:
        from knaster.report.lanes.entries import lane_entries  # threads only

        return lane_entries(program, trace, room)
    return _Walk(program, trace, room).entries()


def list_entries(program: Program, trace: Trace, form: Form | None = None) -> Listing:
    """Return a trace as entries; without a form, expanded where that is at most `AUTOMATIC_LIMIT` steps long."""
    length = trace.expanded_length
    if form is Form.FULL:
        note = "" if length <= FULL_LIMIT else _note(length, f"calls are expanded up to {FULL_LIMIT:,} steps")
        return Listing(program, trace, FULL_LIMIT, note)
    if form is Form.CALLS or length == trace.length:
        return Listing(program, trace, 0, "")
    if length <= AUTOMATIC_LIMIT:
        return Listing(program, trace, AUTOMATIC_LIMIT, "")
    return Listing(program, trace, 0, _note(length, "each call that returns is one line; '--trace full' expands them"))


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


def _kind_in_heap(action: HeapAction | MemoryAction) -> EntryKind:
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
        case _:
            return EntryKind.ASSIGN


def span_at(procedure: Procedure, location: Location) -> Span:
    """Return the span of the statement at a location; that of the procedure where none stands there."""
    return next((edge.span for edge in procedure.leaving.get(location, ()) if edge.span.line), procedure.span)


def spell_value(value: Value) -> str:
    """Return a value as a trace shows it: truth values as 1 and 0."""
    return str(int(value)) if isinstance(value, bool) else str(value)


def texts_of(entry: Entry, spell: Callable[[Value], str]) -> Mapping[str, str]:
    """Return the values of an entry as its language writes them."""
    return entry.texts if entry.texts is not None else {name: spell(value) for name, value in entry.state.items()}


def with_changes(listing: Listing) -> Iterator[tuple[Entry, frozenset[str]]]:
    """Yield each entry with the variables whose values are new or changed since the last entry of its activation."""
    if listing.program.is_threaded and listing.program.kind not in (Kind.REFERENCES, Kind.MEMORY):
        from knaster.report.lanes.entries import lane_changes

        yield from lane_changes(listing.program, listing)
        return
    shown: list[State] = []  # the last state of each activation on the stack
    for entry in listing:
        if entry.changed is not None:
            yield entry, entry.changed
            continue
        before = shown[entry.depth] if entry.depth < len(shown) else {}
        del shown[entry.depth :]
        shown.append(entry.state)
        yield (
            entry,
            frozenset(name for name, value in entry.state.items() if name not in before or before[name] != value),
        )


def _note(length: int, how: str) -> str:
    digits = f"{length:,}" if length < 10**9 else f"about 10^{length.bit_length() * 30103 // 100000}"
    return f"The whole trace has {digits} steps. Here {how}."


def _with_shown_names(state: State) -> State:
    """Return a state whose results of calls have the call's name (`f()`, then `f() (2)`), without what has no name."""
    shown: dict[str, Value] = {}
    for name, value in state.items():
        if not is_temporary(name):
            shown[name] = value
        elif called := shown_name(name):
            number = sum(other == called or other.startswith(f"{called} (") for other in shown) + 1
            shown[called if number == 1 else f"{called} ({number})"] = value
    return shown


@dataclass(slots=True)
class _Frame:
    """One activation on the stack of a walk, standing before step `next` of its path."""

    path: Path
    procedure: Procedure
    demand: Demand
    known: set[str]
    next: int = 0


class _Walk:
    """A walk along a trace that keeps a stack of activations and knows which values matter on it.

    `room` is how many more steps of expanded calls may be shown.
    """

    def __init__(self, program: Program, trace: Trace, room: int) -> None:
        self.globals = program.globals
        self.has_temporaries = program.language == "c"
        self.procedures = {procedure.name: procedure for procedure in program.procedures}
        self.trace = trace
        self.paths = trace.paths
        self.room = room
        closed = room <= 0 and has_more_steps(trace, LOOKED_INTO)
        self.relevance = Relevance(program, trace, closed)
        self.frames: list[_Frame] = []
        self.entered = 0  # so many of the trace's own paths are on the stack, below all expanded calls

    def entries(self) -> Iterator[Entry]:
        self._enter_next(set(self.relevance.start))
        while True:
            frame = self.frames[-1]
            if frame.next < len(frame.path.steps):
                if not self._is_part(frame):
                    yield self._entry(self._expands(frame), frame.path.steps[frame.next].edge.span)
                self._advance(frame)
            elif len(self.frames) > self.entered:
                self._leave()
            else:
                break
        if self.trace.location not in frame.procedure.failures:
            yield self._entry(EntryKind.TARGET, span_at(frame.procedure, self.trace.location))

    def _entry(self, kind: EntryKind, span: Span) -> Entry:
        frame = self.frames[-1]
        state = state_before(frame.path, frame.next)
        names = self.globals + frame.procedure.parameters + frame.procedure.locals
        shown: State = {name: state[name] for name in names if name in frame.known}
        if self.has_temporaries:
            shown = _with_shown_names(shown)
        return Entry(frame.procedure.name, len(self.frames) - 1, kind, span, shown)

    def _is_part(self, frame: _Frame) -> bool:
        """Tell whether the next step only prepares the one after it, which belongs to the same statement."""
        if not self.has_temporaries or frame.next + 1 >= len(frame.path.steps):
            return False
        edge, following = (frame.path.steps[frame.next + more].edge for more in (0, 1))
        targets = edge.action.targets if isinstance(edge.action, Assign) else ()
        return bool(targets) and all(map(is_temporary, targets)) and edge.span == following.span

    def _expands(self, frame: _Frame) -> EntryKind:
        """Return the kind of the next step; a call that returns is a call where there is room for its run."""
        step = frame.path.steps[frame.next]
        if step.inside is not None and len(step.inside.steps) > self.room:
            return EntryKind.SUMMARY
        return kind_of(step.edge.action)

    def _advance(self, frame: _Frame) -> None:
        index, step = frame.next, frame.path.steps[frame.next]
        call = step.edge.action
        if not isinstance(call, Call):
            self.relevance.step(frame.path, index, frame.demand, frame.known)
            frame.next += 1
            return
        before = state_before(frame.path, index)
        if step.inside is None:
            inner = self.relevance.demands[self.entered]
            self._enter_next(self.relevance.enter(before, call, inner, frame.known))
            return
        inner = frame.demand.inside[index]
        known = self.relevance.enter(before, call, inner, frame.known)
        if self._expands(frame) is EntryKind.CALL:
            self.room -= len(step.inside.steps)
            self._push(step.inside, inner, known)
        else:
            end = self.relevance.known_at_end(step.inside, inner, frozenset(known))
            self.relevance.leave(call, end, frame.known)
            frame.next += 1

    def _enter_next(self, known: set[str]) -> None:
        self._push(self.paths[self.entered], self.relevance.demands[self.entered], known)
        self.entered += 1

    def _push(self, path: Path, demand: Demand, known: set[str]) -> None:
        self.frames.append(_Frame(path, self.procedures[path.procedure], demand, known))

    def _leave(self) -> None:
        callee, caller = self.frames.pop(), self.frames[-1]
        call = caller.path.steps[caller.next].edge.action
        assert isinstance(call, Call)
        self.relevance.leave(call, callee.known, caller.known)
        caller.next += 1
