"""Random affine programs with procedures and locals, run on concrete integers and built as control-flow graphs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from knaster.pushdown.domains.affine import AffineRelations, AffineSpace, Expression
from knaster.pushdown.icfg import FlowGraph, GraphBuilder

GLOBALS, LOCALS = ("g", "h"), ("l",)
Assignment = Mapping[str, tuple[int, dict[str, int]] | None]


@dataclass(frozen=True)
class AffineProcedure:
    """Nodes 0 … exit; an edge is (source, assignment or name of a callee, target)."""

    name: str
    edges: tuple[tuple[int, Assignment | str, int], ...]
    exit: int


def random_program(random: Random) -> tuple[AffineProcedure, ...]:
    """Return main, which calls f, and f, which may call itself."""
    return _procedure(random, "main", 4), _procedure(random, "f", 3)


def _procedure(random: Random, name: str, length: int) -> AffineProcedure:
    edges: list[tuple[int, Assignment | str, int]] = [(n, _assignment(random), n + 1) for n in range(length)]
    call = random.randrange(length)
    edges[call] = (call, "f", call + 1)
    for _ in range(random.randrange(1, 3)):
        edges.append((random.randrange(length), _assignment(random), random.randrange(1, length + 1)))
    if name == "f":
        edges.append((0, {}, length))
    return AffineProcedure(name, tuple(edges), length)


def _assignment(random: Random) -> Assignment:
    names = GLOBALS + LOCALS
    values: dict[str, tuple[int, dict[str, int]] | None] = {}
    for name in random.sample(names, random.choice([0, 1, 1, 2])):
        if random.random() < 0.1:
            values[name] = None
        else:
            used = random.sample(names, random.choice([0, 1, 1, 2]))
            values[name] = random.randrange(-2, 3), {other: random.choice([-1, 1, 1, 2]) for other in used}
    return values


def graph(program: tuple[AffineProcedure, ...], domain: AffineRelations) -> FlowGraph[AffineSpace]:
    """Return the control-flow graph; node (procedure, i) is node i of that procedure."""
    builder = GraphBuilder(domain)
    hide, project = domain.assign(dict.fromkeys(LOCALS)), domain.projection(GLOBALS)
    for procedure in program:
        part = builder.procedure(procedure.name, (procedure.name, 0), (procedure.name, procedure.exit))
        for source, action, target in procedure.edges:
            start, end = (procedure.name, source), (procedure.name, target)
            if isinstance(action, str):
                part.call(start, action, end, hide, project=project)
            else:
                values: dict[str, Expression | None] = dict(action)
                part.edge(start, end, domain.assign(values))
    return builder.build("main")


def random_run(
    program: tuple[AffineProcedure, ...], random: Random, steps: int
) -> list[tuple[tuple[str, int], dict[str, int]]]:
    """Return the nodes and valuations along a random run; uninitialised and unknown values are random."""
    procedures = {procedure.name: procedure for procedure in program}

    def anything() -> int:
        return random.randrange(-50, 50)

    shared = {name: anything() for name in GLOBALS}
    frames = [["main", 0, {name: anything() for name in LOCALS}]]
    visited = []
    for _ in range(steps):
        name, node, local = frames[-1]
        assert isinstance(name, str) and isinstance(node, int) and isinstance(local, dict)
        visited.append(((name, node), shared | local))
        procedure = procedures[name]
        choices = [edge for edge in procedure.edges if edge[0] == node]
        if node == procedure.exit:
            if len(frames) == 1:
                break
            frames.pop()
            continue
        _, action, target = random.choice(choices)
        frames[-1][1] = target
        if isinstance(action, str):
            frames.append([action, 0, {name: anything() for name in LOCALS}])
            continue
        before = shared | local
        for variable, value in action.items():
            result = anything() if value is None else value[0] + sum(k * before[v] for v, k in value[1].items())
            (shared if variable in GLOBALS else local)[variable] = result
    return visited
