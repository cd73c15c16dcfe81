"""A table of stacks: why threads that recurse reach no target, as what all stacks can be, context by context.

A row is a context of one thread: what all stacks may be when it begins, and what its own may be at each valuation of
the globals.  The number of switches is any.
`checkers.threads.stack_table` checks that the rows contain all that can happen.

In a file there are lists of letters and of sets of stacks, and rows have the numbers of sets: many are shared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from knaster.base.named_tuples import NamedTuple
from knaster.base.records import dataclass
from knaster.evidence.proofs.reading import expect, has_keys, list_of, numbers, truths
from knaster.program.model import Call, Kind, Place, Procedure, Program
from knaster.semantics.threads import UNBEGUN, Activation, Valuation

if TYPE_CHECKING:
    from knaster.base.limits import Budget

_FIELDS = {"letters", "sets", "rows"}


class Letter(NamedTuple):
    """An activation on a stack; `lowest` where nothing is below it."""

    activation: Activation
    lowest: bool


@dataclass(frozen=True, slots=True)
class StackSet:
    """A set of stacks, top first: a deterministic automaton that starts in state 0."""

    moves: tuple[Mapping[Letter, int], ...]
    accepting: tuple[bool, ...]


class Moment(NamedTuple):
    """The globals, whether the running thread is inside a section, and whether an assertion has failed."""

    shared: Valuation
    section: bool
    failed: bool


@dataclass(frozen=True, slots=True)
class ContextRow:
    """A context of the thread `running`, counted from 0; `stacks` are those of all threads when it begins."""

    running: int
    stacks: tuple[StackSet, ...]
    reached: Mapping[Moment, StackSet]


@dataclass(frozen=True, slots=True, eq=False)
class StackTable:
    """The contexts of all threads of a program."""

    program: Program
    rows: tuple[ContextRow, ...]

    def __repr__(self) -> str:
        return f"<StackTable of {self.program.file}: {len(self.rows)} contexts>"

    def places(self) -> set[Place]:
        """Return where a running thread may stand."""
        return {
            letter.activation.place
            for row in self.rows
            for stacks in row.reached.values()
            for letter in stacks.moves[0]
        }

    def unreached_places(self) -> tuple[Place, ...]:
        """Return the statements that no run reaches, in the order of the text."""
        return self.program.statements_outside(self.places())


def to_fields(proof: StackTable, program: Program) -> dict[str, Any]:
    """Return a table as fields of a document."""
    letters: dict[Letter, int] = {}
    sets: dict[int, int] = {}  # by identity
    saved: list[Any] = []

    def number_of(stacks: StackSet) -> int:
        if id(stacks) not in sets:
            moves = [[[letters.setdefault(x, len(letters)), to] for x, to in own.items()] for own in stacks.moves]
            sets[id(stacks)] = len(saved)
            saved.append([moves, list(stacks.accepting)])
        return sets[id(stacks)]

    rows = [
        [
            row.running,
            [number_of(stacks) for stacks in row.stacks],
            [[list(m.shared), m.section, m.failed, number_of(stacks)] for m, stacks in row.reached.items()],
        ]
        for row in proof.rows
    ]
    spelled = [[a.procedure, a.location, list(a.frame), a.calling, lowest] for a, lowest in letters]
    return {"stacks": {"letters": spelled, "sets": saved, "rows": rows}}


def from_fields(document: Mapping[str, Any], program: Program, nodes: int, budget: Budget) -> StackTable:
    """Return the table of a document."""
    expect(program.kind is Kind.BOOLEAN, "it is one of threads of Boolean programs")
    data = document["stacks"]
    has_keys(data, _FIELDS, "'stacks'")
    procedures = {procedure.name: procedure for procedure in program.procedures}
    letters = [_letter(entry, procedures) for entry in list_of(data["letters"], "letters")]
    sets = [_stack_set(entry, letters) for entry in list_of(data["sets"], "sets")]
    return StackTable(program, tuple(_row(entry, program, sets) for entry in list_of(data["rows"], "rows")))


def _letter(entry: object, procedures: Mapping[str, Procedure]) -> Letter:
    parts = list_of(entry, "a letter")
    expect(len(parts) == 5, "a letter has not five parts")
    name, location, values, calling, lowest = parts
    expect(isinstance(name, str) and name in procedures and type(lowest) is bool, "a letter is of no procedure")
    procedure, frame = procedures[name], truths(values)
    unbegun = location == UNBEGUN
    expect(type(location) is int and (unbegun or 0 <= location < procedure.size), "a letter has no place")
    expect(len(frame) == len(procedure.parameters if unbegun else procedure.frame), "a letter has other variables")
    if calling is not None:
        expect(type(calling) is int and 0 <= calling < len(procedure.edges), "a letter waits for no call")
        edge = procedure.edges[calling]
        expect(isinstance(edge.action, Call) and edge.source == location, "a letter waits for no call")
    return Letter(Activation(name, location, frame, calling), lowest)


def _stack_set(entry: object, letters: Sequence[Letter]) -> StackSet:
    parts = list_of(entry, "a set of stacks")
    expect(len(parts) == 2, "a set of stacks has not two parts")
    rows, accepting = list_of(parts[0], "moves"), truths(parts[1])
    expect(0 < len(rows) == len(accepting), "a set of stacks has no states")
    moves = []
    for row in rows:
        own: dict[Letter, int] = {}
        for move in list_of(row, "moves"):
            pair = numbers(move)
            known = len(pair) == 2 and 0 <= pair[0] < len(letters) and 0 <= pair[1] < len(rows)
            expect(known and letters[pair[0]] not in own, "a move of a set of stacks is none")
            own[letters[pair[0]]] = pair[1]
        moves.append(own)
    return StackSet(tuple(moves), accepting)


def _row(entry: object, program: Program, sets: Sequence[StackSet]) -> ContextRow:
    parts = list_of(entry, "a context")
    expect(len(parts) == 3, "a context has not three parts")
    running, stacks = parts[0], numbers(parts[1])
    expect(type(running) is int and 0 <= running < len(program.threads), "a context is of no thread")
    expect(len(stacks) == len(program.threads), "a context has not a stack for each thread")
    reached: dict[Moment, StackSet] = {}
    for each in list_of(parts[2], "moments"):
        own = list_of(each, "a moment")
        expect(len(own) == 4 and type(own[1]) is bool and type(own[2]) is bool, "a moment has not four parts")
        moment = Moment(truths(own[0]), own[1], own[2])
        expect(len(moment.shared) == len(program.globals) and moment not in reached, "a moment is none, or there twice")
        reached[moment] = _set_of_number(own[3], sets)
    return ContextRow(running, tuple(_set_of_number(number, sets) for number in stacks), reached)


def _set_of_number(number: object, sets: Sequence[StackSet]) -> StackSet:
    expect(type(number) is int and 0 <= number < len(sets), "a set of stacks is none")
    assert isinstance(number, int)
    return sets[number]
