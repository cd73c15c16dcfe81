"""Verification witnesses (formats 2.0 to 2.2) as records: from the text of a document, checked for its structure.

Beyer, Strejček and others, Software Verification Witnesses 2.0 (SPIN 2024).
"""

from __future__ import annotations

from typing import Any

from knaster.base.errors import KnasterError
from knaster.base.named_tuples import NamedTuple
from knaster.competition.documents import read_document, shown

VERSIONS = ("2.0", "2.1", "2.2")
_ACTIONS = ("follow", "avoid", "cycle")
_WAYPOINTS = ("assumption", "branching", "function_enter", "function_return", "target")
TRANSITION, TRANSITIONS = "loop_transition_invariant", ("loop_transition_invariant", "location_transition_invariant")
_INVARIANTS = ("loop_invariant", "location_invariant", *TRANSITIONS)


class WitnessPlace(NamedTuple):
    """A place of a program; without a column the leftmost suitable one of the line is meant."""

    file: str
    line: int
    column: int | None

    def __str__(self) -> str:
        return f"line {self.line}" + (f", column {self.column}" if self.column is not None else "")


class Waypoint(NamedTuple):
    """What a run passes or avoids at a place; the constraint is a text of C, or the outcome of a branching."""

    type: str
    action: str
    place: WitnessPlace
    constraint: str | None
    thread: int | None = None  # 0 is the first one, k that of the k-th call that is followed and creates one

    def __str__(self) -> str:
        said = f" {self.constraint}" if self.constraint is not None else ""
        return f"line {self.place.line}{said if self.type != 'target' else ' target'}"


class Segment(NamedTuple):
    """What a part of a run avoids, and the waypoint with which it ends."""

    avoids: tuple[Waypoint, ...]
    last: Waypoint


class WitnessInvariant(NamedTuple):
    """A formula that holds at a place."""

    type: str
    place: WitnessPlace
    value: str


class Contract(NamedTuple):
    """What a function requires of its callers, and what it ensures."""

    place: WitnessPlace
    requires: str
    ensures: str


class Witness(NamedTuple):
    """A witness: a sequence of segments that ends in a violation, or invariants of a program that has none."""

    kind: str  # "violation_sequence" or "invariant_set"
    version: str
    specification: str
    data_model: str | None
    files: tuple[str, ...]
    hashes: tuple[str, ...]
    segments: tuple[Segment, ...] = ()
    invariants: tuple[WitnessInvariant, ...] = ()
    contracts: tuple[Contract, ...] = ()
    left_out: tuple[str, ...] = ()  # kinds of entries that are not checked

    @property
    def first_cycle(self) -> int | None:
        """The number of the first segment that is gone through again and again; None where there is none."""
        return next((n for n, segment in enumerate(self.segments) if segment.last.action == "cycle"), None)


def read_witness(text: str, file: str) -> Witness:
    """Return the witness in a document; raise `KnasterError` with what is wrong where there is none."""
    entries = read_document(text, file)
    reader = _Reader(file)
    reader.expect(isinstance(entries, list) and bool(entries), "it is no list of entries")
    kinds = [reader.text(entry, "entry_type", "an entry") for entry in entries]
    if "violation_sequence" in kinds:
        reader.expect(len(kinds) == 1, "a violation sequence is not its only entry")
        return reader.violation(entries[0])
    known = ("invariant_set", "ghost_instrumentation")
    for kind in kinds:
        reader.expect(kind in known, f"its entry_type is '{kind}', expected violation_sequence or invariant_set")
    return reader.correctness(entries)


class _Reader:
    """Reads one document; whatever does not fit is refused with the name of the file."""

    def __init__(self, file: str) -> None:
        self.file = file

    def expect(self, condition: bool, message: str) -> None:
        if not condition:
            raise KnasterError(f"{self.file}: this is no witness: {message}")

    def mapping(self, data: Any, key: str, what: str) -> dict[str, Any]:
        self.expect(isinstance(data, dict) and isinstance(data.get(key), dict), f"{what} has no '{key}'")
        found: dict[str, Any] = data[key]
        return found

    def text(self, data: Any, key: str, what: str) -> str:
        self.expect(isinstance(data, dict) and isinstance(data.get(key), str), f"{what} has no '{key}'")
        return str(data[key])

    def items(self, data: Any, key: str, what: str) -> list[Any]:
        self.expect(isinstance(data, dict) and isinstance(data.get(key), list), f"{what} has no list '{key}'")
        found: list[Any] = data[key]
        return found

    def number(self, data: Any, key: str, what: str) -> int:
        said = self.text(data, key, what)
        self.expect(
            said.isdecimal() and len(said) < 10 and int(said) > 0,
            f"'{key}' of {what} is {shown(said)}, no number from 1",
        )
        return int(said)

    def frame(self, entry: Any) -> Witness:
        """Return a witness with what its metadata say."""
        metadata = self.mapping(entry, "metadata", "an entry")
        version = self.text(metadata, "format_version", "the metadata")
        self.expect(version in VERSIONS, f"its format_version is '{version}', expected one of {', '.join(VERSIONS)}")
        task = self.mapping(metadata, "task", "the metadata")
        files = self.items(task, "input_files", "the task")
        self.expect(all(isinstance(name, str) for name in files), "an input file is no name")
        hashes = task.get("input_file_hashes")
        named = hashes.values() if isinstance(hashes, dict) else ()
        digests = tuple(value for value in named if isinstance(value, str))
        model = task.get("data_model")
        self.expect(model in (None, "ILP32", "LP64"), f"its data_model is {shown(model)}, expected ILP32 or LP64")
        specification = self.text(task, "specification", "the task")
        return Witness(self.text(entry, "entry_type", "an entry"), version, specification, model, tuple(files), digests)

    def place(self, data: Any, what: str) -> WitnessPlace:
        location = self.mapping(data, "location", what)
        column = self.number(location, "column", what) if "column" in location else None
        return WitnessPlace(self.text(location, "file_name", what), self.number(location, "line", what), column)

    def violation(self, entry: Any) -> Witness:
        """Return a violation witness."""
        frame = self.frame(entry)
        segments = tuple(self.segment(each) for each in self.items(entry, "content", "the violation sequence"))
        self.expect(bool(segments), "it has no segment")
        targets = [n for n, one in enumerate(segments) if one.last.type == "target"]
        cycles = [n for n, one in enumerate(segments) if one.last.action == "cycle"]
        threads = any(point.thread is not None for one in segments for point in (*one.avoids, one.last))
        self.expect(not threads or frame.version == "2.2", f"threads are of format 2.2, and it says {frame.version}")
        if cycles:
            self.expect(frame.version != "2.0", "cycles are of format 2.1, and it says 2.0")
            self.expect(not targets, "it has a target and a cycle")
            self.expect(cycles == list(range(cycles[0], len(segments))), "a segment follows its cycle")
        else:
            self.expect(targets == [len(segments) - 1], "its last segment, and no other, must be the target")
        return frame._replace(segments=segments)

    def segment(self, data: Any) -> Segment:
        """Return a segment: any number of waypoints to avoid, and then one to follow."""
        points = [self.waypoint(each) for each in self.items(data, "segment", "an item of the sequence")]
        self.expect(bool(points) and points[-1].action != "avoid", "a segment ends with no waypoint to follow")
        self.expect(all(one.action == "avoid" for one in points[:-1]), "a segment has several waypoints to follow")
        return Segment(tuple(points[:-1]), points[-1])

    def waypoint(self, data: Any) -> Waypoint:
        """Return a waypoint."""
        body = self.mapping(data, "waypoint", "an item of a segment")
        type, action = self.text(body, "type", "a waypoint"), self.text(body, "action", "a waypoint")
        self.expect(type in _WAYPOINTS, f"the type of a waypoint is '{type}', expected one of {', '.join(_WAYPOINTS)}")
        self.expect(action in _ACTIONS, f"the action of a waypoint is '{action}', expected {', '.join(_ACTIONS)}")
        constraint = body.get("constraint")
        needs = type in ("assumption", "branching")
        self.expect(not needs or isinstance(constraint, dict), f"a waypoint of type {type} has no 'constraint'")
        value = self.text(constraint, "value", "a constraint") if isinstance(constraint, dict) else None
        if type == "target":
            self.expect(action == "follow" and value is None, "a target is followed and has no constraint")
        thread = self.text(body, "thread_id", "a waypoint") if "thread_id" in body else None
        self.expect(
            thread is None or (thread.isdecimal() and len(thread) < 6), f"a thread_id is {shown(thread)}, no number"
        )
        place = self.place(body, "a waypoint")
        return Waypoint(type, action, place, value, None if thread is None else int(thread))

    def correctness(self, entries: list[Any]) -> Witness:
        """Return a correctness witness of all invariants of all entries."""
        frame = self.frame(entries[0])
        invariants: list[WitnessInvariant] = []
        contracts: list[Contract] = []
        others: list[str] = []
        for entry in entries:
            self.frame(entry)
            if entry["entry_type"] != "invariant_set":
                others.append(entry["entry_type"])
                continue
            for item in self.items(entry, "content", "the invariant set"):
                body = item.get("invariant", item.get("contract")) if isinstance(item, dict) else None
                self.expect(isinstance(body, dict), "an item of the invariant set is no invariant")
                type = self.text(body, "type", "an invariant")
                place = self.place(body, "an invariant")
                if type in _INVARIANTS:
                    invariants.append(WitnessInvariant(type, place, self.text(body, "value", "an invariant")))
                elif type == "function_contract":
                    contracts.append(Contract(place, self.part(body, "requires"), self.part(body, "ensures")))
                else:
                    others.append(type)
        found = frame._replace(kind="invariant_set", invariants=tuple(invariants), contracts=tuple(contracts))
        return found._replace(left_out=tuple(others))

    def part(self, body: Any, key: str) -> str:
        """Return a part of a contract; one that is missing says nothing."""
        return self.text(body, key, "a contract") if key in body else "1"
