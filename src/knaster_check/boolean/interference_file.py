"""What a proof by interference says: its vocabulary, its ghosts, and the conduct of each role (`interference`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from knaster_check.boolean.circuit import Functions
from knaster_check.boolean.path_edges import Vocabulary
from knaster_check.program import Call, Edge, Procedure, Program, Thread
from knaster_check.refused import expect, list_of, number_of, object_with, text_of

# mutant: a name of a type
Role = tuple[str, int | None]  # the procedure, and the location where it begins if that is not the entry


class Conduct:
    """What threads of one role do, as numbers of functions."""

    def __init__(self, program: Program, functions: Functions, row: Mapping[str, Any]) -> None:
        self.waiting = functions.number(row["waiting"])
        sets = object_with(row["sets"], program.procedures, "the sets of a role")
        self.sets = {name: functions.numbers(own) for name, own in sets.items()}
        for name, procedure in program.procedures.items():
            expect(len(self.sets[name]) == procedure.size, "there is not a set for each location", f"'{name}'")
        self.guarantee: list[tuple[list[str], int]] = []
        for pair in list_of(row["guarantee"], "a guarantee"):
            written, function = list_of(pair, "a guarantee", 2)
            names = [text_of(name, "a guarantee") for name in list_of(written, "a guarantee")]
            expect(set(names) <= set(program.globals), "a guarantee is about variables that are not shared")
            expect(all(set(names) != set(other) for other, _ in self.guarantee), "a guarantee is there twice")
            self.guarantee.append((names, functions.number(function)))


class Proof:
    """A whole proof: its vocabulary, its ghosts and the conduct of each role."""

    def __init__(self, program: Program, data: object) -> None:
        self.program = program
        rows = object_with(data, ("ghosts", "procedures", "roles", "nodes"), "'interference'")
        self.functions = Functions(rows["nodes"])
        self.inside, self.seen = _ghosts(program, rows["ghosts"])
        self.ghosts = () if self.inside is None else (self.inside, *self.seen.values())
        self.vocabulary: dict[str, Vocabulary] = {}
        for name, row in object_with(rows["procedures"], program.procedures, "'procedures'").items():
            spoken = object_with(row, ("slots", "echoed"), f"'{name}'")
            procedure, shared = program.procedures[name], (*program.globals, *self.ghosts)
            names, given = (*shared, *procedure.frame), {*shared, *procedure.parameters}
            expect(len(set(names)) == len(names), "a ghost has the name of a variable", f"'{name}'")
            self.vocabulary[name] = Vocabulary(names, given, spoken["slots"], spoken["echoed"], f"'{name}'")
        self.slots = self.vocabulary[program.threads[0]].slots
        for name, other in self.vocabulary.items():
            same = all(other.slots[x] == self.slots[x] for x in (*program.globals, *self.ghosts))
            expect(same, "a global has two slots", f"'{name}'")
        self.conducts: dict[Role, Conduct] = {}
        for data_of_role in list_of(rows["roles"], "roles"):
            row = object_with(data_of_role, ("procedure", "location", "waiting", "sets", "guarantee"), "a role")
            expect(row["procedure"] in program.procedures, "a role has no procedure")
            size = program.procedures[row["procedure"]].size
            at = None if row["location"] is None else number_of(row["location"], "a role", size)
            expect((row["procedure"], at) not in self.conducts, "a role is there twice")
            self.conducts[row["procedure"], at] = Conduct(program, self.functions, row)
        for name in program.threads:
            expect((name, None) in self.conducts, f"there is no role for '{name}'")


def _ghosts(program: Program, data: object) -> tuple[str | None, dict[str, str]]:
    """Return the names of the ghosts; where others are kept from running there have to be some."""
    actions = [edge.action for procedure in program.procedures.values() for edge in procedure.edges]
    sections = any(isinstance(action, Thread) and action.operation == "atomic_begin" for action in actions)
    if data is None:
        expect(not sections and program.atomic is None, "the proof does not know what sections do")
        return None, {}
    row = object_with(data, ("inside", "seen"), "'ghosts'")
    seen = object_with(row["seen"], program.globals, "'seen'")
    names = [text_of(name, "a ghost") for name in (row["inside"], *seen.values())]
    expect(len(set(names)) == len(names), "two ghosts have one name")
    return names[0], seen


def may_be_several(program: Program, role: Role) -> bool:
    """Tell whether there may be two threads of a role."""
    name, location = role
    count = program.threads.count(name) if location is None else 0
    starts = [(own, edge) for own in program.procedures.values() for edge in own.edges if _starts(edge)]
    if any(_role_of(own, edge) == role for own, edge in starts):
        count += 1 if len(starts) == 1 and _happens_once(program, *starts[0]) else 2
    return count > 1 or name in program.any_number


def _starts(edge: Edge) -> bool:
    return isinstance(edge.action, Thread) and edge.action.operation == "start_thread"


def _role_of(own: Procedure, edge: Edge) -> Role:
    assert isinstance(edge.action, Thread)
    return (own.name, edge.action.location) if edge.action.procedure is None else (edge.action.procedure, None)


def _happens_once(program: Program, own: Procedure, edge: Edge) -> bool:
    """Tell whether an edge is taken once at most: in a procedure that one thread runs once, and on no cycle."""
    entered = [name for name in _entered(program) if name == own.name]
    if entered or program.threads.count(own.name) != 1 or own.name in program.any_number:
        return False
    seen, todo = {edge.target}, [edge.target]
    while todo:
        here = todo.pop()
        fresh = {other.target for other in own.edges if other.source == here} - seen
        seen |= fresh
        todo += fresh
    return edge.source not in seen


def _entered(program: Program) -> Iterator[str]:
    """Yield every procedure that is called, or in which a thread is started."""
    for procedure in program.procedures.values():
        for edge in procedure.edges:
            if isinstance(edge.action, Call):
                yield edge.action.procedure
            elif _starts(edge):
                yield _role_of(procedure, edge)[0]
