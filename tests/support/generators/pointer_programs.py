"""Small programs with single-level pointers: how to run them on concrete memory, and how to analyse them.

A pointer that was never assigned, or was assigned an allocation, points to memory that nothing else names.  Pointers to
the same variable of a frame that is gone still point to the same memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from knaster.pushdown.domains.aliases import INVISIBLE, AliasTransformer, PointerAliases
from knaster.pushdown.icfg import FlowGraph, GraphBuilder
from knaster.pushdown.merge import Merge

Statement = tuple[
    str, ...
]  # ("copy", x, y), ("address", x, v), ("forget", x), ("skip",) or ("call", procedure, actual)
Pair = frozenset[str]  # of one or two access expressions
Location = tuple[object, ...]


@dataclass(frozen=True)
class PointerProcedure:
    """Nodes 0, 1, …; `edges` are (source, statement, target); the last node is the exit."""

    name: str
    formal: str | None
    variables: tuple[str, ...]
    pointers: tuple[str, ...]
    edges: tuple[tuple[int, Statement, int], ...]
    exit: int

    def locals(self) -> tuple[str, ...]:
        """Return every local variable, the formal included."""
        return (*self.variables, *self.pointers, *((self.formal,) if self.formal else ()))

    def local_pointers(self) -> tuple[str, ...]:
        """Return the local pointers, the formal included."""
        return (*self.pointers, *((self.formal,) if self.formal else ()))


@dataclass(frozen=True)
class PointerProgram:
    """Global variables and pointers, and procedures, the first of which is main."""

    variables: tuple[str, ...]
    pointers: tuple[str, ...]
    procedures: tuple[PointerProcedure, ...]

    def procedure(self, name: str) -> PointerProcedure:
        """Return the procedure of that name."""
        return next(each for each in self.procedures if each.name == name)


# Analysis.


def analyse(program: PointerProgram) -> tuple[PointerAliases, FlowGraph[AliasTransformer]]:
    """Return the alias domain of a program and its graph; node (procedure, i) is node i of that procedure."""
    local = [name for procedure in program.procedures for name in procedure.locals()]
    pointers = [*program.pointers, *(name for p in program.procedures for name in p.local_pointers())]
    domain = PointerAliases([*program.variables, *program.pointers], local, pointers)
    builder = GraphBuilder(domain)
    for procedure in program.procedures:
        part = builder.procedure(procedure.name, (procedure.name, 0), (procedure.name, procedure.exit))
        for source, statement, target in procedure.edges:
            start, end = (procedure.name, source), (procedure.name, target)
            match statement:
                case ("copy", left, right):
                    part.edge(start, end, domain.copy(left, right))
                case ("address", left, right):
                    part.edge(start, end, domain.address_of(left, right))
                case ("forget", left):
                    part.edge(start, end, domain.forget(left))
                case ("call", callee, actual):
                    formal = program.procedure(callee).formal
                    call = domain.bind({formal: actual} if formal else {})
                    part.call(start, callee, end, call, merge=Merge(domain.merge(call, procedure.locals())))
                case _:
                    part.edge(start, end)
    return domain, builder.build(program.procedures[0].name)


def visible_aliases(program: PointerProgram, node: tuple[str, int], weight: AliasTransformer) -> set[Pair]:
    """Return the pairs of two different expressions, both visible at `node` or one of them the dot."""
    seen = {*_expressions(program, program.procedure(node[0])), INVISIBLE}
    return {frozenset(pair) for pair in weight.aliases() if pair[0] != pair[1] and seen.issuperset(pair)}


def _expressions(program: PointerProgram, procedure: PointerProcedure) -> list[str]:
    pointers = [*program.pointers, *procedure.local_pointers()]
    return [*program.variables, *program.pointers, *procedure.locals(), *(f"*{name}" for name in pointers)]


# Execution.


@dataclass(frozen=True)
class Memory:
    """Frames from the bottom (procedure, node), and what every pointer (frame, name) points to; frame -1 is global."""

    frames: tuple[tuple[str, int], ...]
    targets: tuple[tuple[tuple[int, str], Location], ...]


def concrete_aliases(program: PointerProgram, depth: int) -> dict[tuple[str, int], set[Pair]]:
    """Return for every node the pairs that hold in some run with at most `depth` frames, by visiting every memory."""
    main = program.procedures[0]
    pointers = [(-1, name) for name in program.pointers] + [(0, name) for name in main.local_pointers()]
    start = _normal(((main.name, 0),), {pointer: ("fresh", pointer) for pointer in pointers})
    found: dict[tuple[str, int], set[Pair]] = {}
    seen, todo = {start}, [start]
    while todo:
        memory = todo.pop()
        found.setdefault(memory.frames[-1], set()).update(_pairs(program, memory))
        for after in _steps(program, memory, depth):
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return found


def _steps(program: PointerProgram, memory: Memory, depth: int) -> Iterator[Memory]:
    top = len(memory.frames) - 1
    name, node = memory.frames[-1]
    procedure = program.procedure(name)
    targets = dict(memory.targets)

    def owner(variable: str) -> int:
        return top if variable in procedure.locals() else -1

    if node == procedure.exit and top > 0:
        gone = {key: value for key, value in targets.items() if key[0] != top}
        for key, value in gone.items():
            if value[0] == top:
                gone[key] = ("gone", *value)
        yield _normal(memory.frames[:-1], gone)
    for source, statement, target in procedure.edges:
        if source != node:
            continue
        here = (*memory.frames[:-1], (name, target))
        after = dict(targets)
        match statement:
            case ("copy", left, right):
                after[owner(left), left] = targets[owner(right), right]
            case ("address", left, right):
                after[owner(left), left] = (owner(right), right)
            case ("forget", left):
                after[owner(left), left] = ("new",)
            case ("call", callee, actual):
                if top + 1 >= depth:
                    continue
                called = program.procedure(callee)
                after |= {(top + 1, pointer): ("fresh", (top + 1, pointer)) for pointer in called.pointers}
                if called.formal:
                    after[top + 1, called.formal] = targets[owner(actual), actual]
                here = (*here, (callee, 0))
            case _:
                pass
        yield _normal(here, after)


def _normal(frames: tuple[tuple[str, int], ...], targets: dict[tuple[int, str], Location]) -> Memory:
    """Return the memory with anonymous locations numbered, so that equal memories are equal."""
    numbers: dict[Location, Location] = {}
    named = {}
    for key in sorted(targets):
        location = targets[key]
        if not isinstance(location[0], int):  # a variable is (frame, name); everything else is anonymous
            location = numbers.setdefault(location, ("anonymous", len(numbers)))
        named[key] = location
    return Memory(frames, tuple(named.items()))


def _pairs(program: PointerProgram, memory: Memory) -> Iterator[Pair]:
    """Yield the pairs that hold: two visible expressions, or a visible one and the dot."""
    top = len(memory.frames) - 1
    places: dict[Location, tuple[set[str], set[str]]] = {}  # visible and hidden names

    def name(location: Location, expression: str, frame: int) -> None:
        place = places.setdefault(location, (set(), set()))
        place[frame not in (-1, top)].add(expression)

    for variable in (*program.variables, *program.pointers):
        name((-1, variable), variable, -1)
    for frame, (procedure, _) in enumerate(memory.frames):
        for variable in program.procedure(procedure).locals():
            name((frame, variable), variable, frame)
    for (frame, pointer), location in memory.targets:
        name(location, f"*{pointer}", frame)
    for expressions, hidden in places.values():
        for first in expressions:
            yield from (frozenset({first, second}) for second in expressions if first < second)
            if hidden:
                yield frozenset({first, INVISIBLE})
