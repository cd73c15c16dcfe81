"""A table of states: why a program with references never fails in some way, as all states of all threads.

The start is in it, and every step leads from one of its states to another.  Values are those of the interpreter.
`checkers.heap.state_table` checks it.

Qadeer and Rajamani, Deciding Assertions in Programs with References (MSR-TR-2005-08, 2005), section 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from knaster.base.records import dataclass
from knaster.evidence.proofs.heap.values import (
    Cells,
    Slots,
    cells_of_json,
    cells_to_json,
    expect_type,
    parts_of,
    value_to_json,
    values_of_json,
)
from knaster.evidence.proofs.reading import expect, has_keys, list_of, numbers
from knaster.evidence.questions.question import Bound
from knaster.program.model import Kind, Location, Program

if TYPE_CHECKING:
    from knaster.base.limits import Budget

_WHOLE = {"reduced", "states"}  # the fields of all states
_COUNTED = ("switches", "delays", "preemptions")  # a table within a bound has one of these fields, and `ran`


@dataclass(frozen=True, slots=True)
class Activation:
    """A frame: where it stands, whether its caller is inside an atomic region, and its variables in their order."""

    procedure: str
    location: Location
    base: bool
    values: Slots


@dataclass(frozen=True, slots=True)
class StateRow:
    """A state: the thread that chooses (0: none), statics, the stack of each thread, and the cells."""

    choosing: int
    statics: Slots
    threads: tuple[tuple[Activation, ...], ...]
    cells: Cells


@dataclass(frozen=True, slots=True, eq=False)
class StateTable:
    """All states; where it is `reduced`, only those in which no thread is about to do what nobody else can notice.

    Within a `bound` of switches, delays or preemptions it has for each row who `ran` last (0: nobody yet), and how many
    there were.
    """

    program: Program
    rows: tuple[StateRow, ...]
    reduced: bool
    bound: Bound | None = None
    ran: tuple[tuple[int, int], ...] = ()

    @property
    def size(self) -> int:
        """The number of rows."""
        return len(self.rows)

    def unreached_places(self) -> None:
        """Statements inside atomic regions are in no row, so it is not known which are never reached."""

    def __repr__(self) -> str:
        within = f" with {self.bound}" if self.bound is not None else ""
        return f"<StateTable of {self.program.file}: {len(self.rows)} states{within}>"


def to_fields(proof: StateTable, program: Program) -> dict[str, Any]:
    """Return a table as fields of a document."""
    fields: dict[str, Any] = {"reduced": proof.reduced, "states": [state_to_json(row) for row in proof.rows]}
    if proof.bound is not None:
        fields |= {proof.bound.kind: proof.bound.number, "ran": [list(pair) for pair in proof.ran]}
    return {"table": fields}


def state_to_json(row: StateRow) -> list[Any]:
    """Return a state as a list."""
    threads = [[[f.procedure, f.location, f.base, value_to_json(f.values)] for f in frames] for frames in row.threads]
    return [row.choosing, value_to_json(row.statics), threads, cells_to_json(row.cells)]


def from_fields(document: Mapping[str, Any], program: Program, nodes: int, budget: Budget) -> StateTable:
    """Return the table of a document."""
    expect(program.kind is Kind.REFERENCES, "it has a table, and the program has no references")
    data = document["table"]
    kind = next((each for each in _COUNTED if isinstance(data, dict) and each in data), "")
    has_keys(data, {*_WHOLE, kind, "ran"} if kind else _WHOLE, "'table'")
    rows = tuple(state_of_json(row) for row in list_of(data["states"], "states"))
    if not kind:
        return StateTable(program, rows, expect_type(data["reduced"], bool))
    expect(type(data[kind]) is int and data[kind] >= 0, f"the number of {kind} is none")
    ran = tuple(_read_ran(entry) for entry in list_of(data["ran"], "who ran"))
    return StateTable(program, rows, expect_type(data["reduced"], bool), Bound(kind, data[kind]), ran)


def _read_ran(data: object) -> tuple[int, int]:
    pair = numbers(data)
    expect(len(pair) == 2 and min(pair) >= 0, "who ran last is not said")
    return pair[0], pair[1]


def state_of_json(data: object) -> StateRow:
    """Return the state that a list stands for."""
    choosing, statics, threads, cells = parts_of(data, 4)
    stacks = tuple(
        tuple(_read_frame(frame) for frame in expect_type(frames, list)) for frames in expect_type(threads, list)
    )
    return StateRow(expect_type(choosing, int), values_of_json(statics), stacks, cells_of_json(cells))


def _read_frame(data: object) -> Activation:
    procedure, location, base, values = parts_of(data, 4)
    return Activation(
        expect_type(procedure, str), expect_type(location, int), expect_type(base, bool), values_of_json(values)
    )
