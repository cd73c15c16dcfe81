"""Paths of programs with memory whose inputs are terms, and the same programs on numbers: the oracle of `paths`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any, NamedTuple

from knaster.base.limits import Budget
from knaster.engines.integers.paths.path_inputs import PathInputs, PathTree
from knaster.frontends.languages import load
from knaster.program.model import Program
from knaster.semantics.memory.actions import Codes
from knaster.semantics.memory.explore import Outcome, run_machine
from knaster.semantics.memory.failure import KINDS, LEAK, LOST
from knaster.semantics.memory.inputs import Given
from knaster.semantics.memory.machine import END, Machine
from knaster.semantics.memory.symbolic.symbols import Symbol, SymbolTable
from knaster.smt.solver import Session
from support.generators import c_memory

STRICT = frozenset(KINDS) - {LEAK, LOST}
LONGEST = 20_000


class End(NamedTuple):
    """How a run ends: in which way, by which undefined step, at which line, and what main returns."""

    kind: str
    fault: str
    line: int
    result: Any


def read_program(random: Random, truths: int, statements: int) -> Program:
    """Return a random program: its numbers depend on so many truth values, and without those on integers."""
    text = c_memory.program(random, "test", statements)
    given = ["b() + 2 * b()", "b() ? -7 : 12", "11"] if truths else ["n()", "-7", "c()"]
    text = text.replace("int x = 3, y = -7, z = 11", "int x = {}, y = {}, z = {}".format(*given))
    head = "_Bool b(void);\nint n(void);\nchar c(void);\n"
    return load(f"{head}{c_memory.HEAD}{text}\nint main(void) {{ return test(); }}\n", file="a.c", objects="always")


def run_on(program: Program, inputs: tuple[Any, ...], strict: frozenset[str] = STRICT) -> tuple[End, int]:
    """Return how a run on given inputs ends, and how many of them it reads."""
    given = Given(inputs)
    machine = Machine(Codes(program), given, strict)
    return _end(machine, run_machine(machine, {}, LONGEST, lambda: None), machine.result), len(given.read)


def _end(machine: Machine, outcome: Outcome, result: Any) -> End:
    return End(outcome.kind, outcome.fault, outcome.span.line, result if outcome.kind == END else None)


def all_ends(program: Program, truths: int) -> set[End]:
    """Return the ends of all runs on truth values."""
    return {run_on(program, values)[0] for values in product((False, True), repeat=truths)}


def path_ends(
    program: Program, most: int, strict: frozenset[str] = STRICT
) -> Iterator[tuple[End, tuple[Any, ...], bool]]:
    """Yield of each path how it ends for the inputs of a model, those inputs, and whether nothing was left out."""
    table = SymbolTable()
    tree = PathTree(table, Session(Budget()), 100)
    for _ in range(most):
        inputs = PathInputs(table, tree, STRICT)
        machine = Machine(Codes(program), inputs, strict)
        outcome = run_machine(machine, {}, LONGEST, lambda: None)
        result = machine.result
        if isinstance(result, Symbol):
            result = inputs._value(inputs.tree.model, result.name)
        yield _end(machine, outcome, result), inputs.values, tree.complete
        if not tree.advance():
            return
