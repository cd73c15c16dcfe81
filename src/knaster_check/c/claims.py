"""What a proof says of procedures and places, read without trust: formulas over values now and entry values.

The value that a global or a parameter had when the activation began is called such as `\\old(x)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from knaster_check.c.nodes import Node, build
from knaster_check.c.walk import Place, State
from knaster_check.formula import read_formula
from knaster_check.program import BOOL, Formula, Program
from knaster_check.refused import expect, list_of, number_of, object_with


class Claims(NamedTuple):
    """What each procedure requires, over entry values, and what holds at places."""

    program: Program
    requires: Mapping[str, Formula]
    at: Mapping[Place, Formula]

    def requirement(self, name: str, entry: State) -> Node:
        """Return what a procedure requires of entry values."""
        return say(self.requires[name], entry, {})

    def invariant(self, place: Place, entry: State, now: State) -> Node:
        """Return what holds at a place."""
        return say(self.at[place], entry, now)

    def places(self, name: str) -> frozenset[int]:
        """Return the locations of a procedure of which the proof says something."""
        return frozenset(location for own, location in self.at if own == name)


def say(formula: Formula, entry: State, now: State) -> Node:
    """Return a formula of a proof over values; it means 0 by an operator that is undefined."""
    value, _ = build(formula, {**now, **{f"\\old({name})": node for name, node in entry.items()}})
    return value


def read_claims(data: object, program: Program) -> Claims:
    """Return the invariants of a proof file; every procedure that it speaks of has an entry and an exit there."""
    parts = object_with(data, ("requires", "at"), "'invariants'")
    requires: dict[str, Formula] = {}
    for row in list_of(parts["requires"], "requirements"):
        name, formula = list_of(row, "a requirement", 2)
        expect(isinstance(name, str) and name in program.procedures, "a requirement is of no procedure")
        expect(name not in requires, f"'{name}' has two requirements")
        requires[name] = read_formula(formula)
    at: dict[Place, Formula] = {}
    for row in list_of(parts["at"], "invariants"):
        name, location, formula = list_of(row, "an invariant", 3)
        place = read_place(name, location, program)
        expect(name in requires, f"the proof does not say what '{name}' requires")
        expect(place not in at, f"there are two invariants at location {location}", f"'{name}'")
        at[place] = read_formula(formula)
    for name in requires:
        procedure = program.procedures[name]
        for location in (procedure.entry, procedure.exit):
            expect((name, location) in at, f"the proof says nothing about location {location}", f"'{name}'")
    expect(program.threads[0] in requires, "the proof does not speak of the procedure in which runs start")
    return Claims(program, requires, at)


def read_place(name: Any, location: Any, program: Program) -> Place:
    """Return a place of a program."""
    expect(isinstance(name, str) and name in program.procedures, "a proof speaks of a procedure that there is not")
    return name, number_of(location, f"a location of '{name}'", program.procedures[name].size)


def expect_plain(program: Program) -> None:
    """Refuse what is no program over integers with one thread."""
    expect(program.kind == "integers", "it speaks of integers, and the program has none")
    expect(not program.is_threaded, "it speaks of one thread, and there are several")


def expect_truth(node: Node) -> Node:
    """Return a condition; refuse what is no truth value."""
    expect(node.type == BOOL, "where a proof should say something there is a number")
    return node
