"""Programs for tests, written as statements in Python and compiled to edges as `knaster.program.model` describes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from knaster.base.errors import Span
from knaster.program.expression import CHOICE, TRUE, Expr, Not, Var
from knaster.program.model import (
    Action,
    Assign,
    Assume,
    Call,
    Edge,
    Location,
    Procedure,
    Program,
    Return,
    result_name,
)


@dataclass(frozen=True, slots=True)
class If:
    condition: Expr
    then: Sequence[Statement]
    otherwise: Sequence[Statement] = ()


@dataclass(frozen=True, slots=True)
class While:
    condition: Expr
    body: Sequence[Statement]


@dataclass(frozen=True, slots=True)
class Assert:
    condition: Expr


@dataclass(frozen=True, slots=True)
class Goto:
    labels: Sequence[str]


@dataclass(frozen=True, slots=True)
class Labelled:
    label: str
    statement: Statement


Statement: TypeAlias = "Action | If | While | Assert | Goto | Labelled"
SKIP = Assume(TRUE)


def assign(target: str, value: Expr) -> Assign:
    return Assign((target,), (value,))


def dead(*names: str) -> Assign:
    return Assign(names, (CHOICE,) * len(names))


def variables(names: str) -> tuple[Var, ...]:
    return tuple(Var(name) for name in names.split())


def procedure(
    name: str,
    body: Sequence[Statement],
    parameters: str = "",
    local: str = "",
    results: int = 0,
    enforce: Expr = TRUE,
) -> Procedure:
    """Return the procedure with this body; parameters and locals are names separated by blanks."""
    return _Compiler(name, body).procedure(tuple(parameters.split()), tuple(local.split()), results, enforce)


def program(global_names: str, *procedures: Procedure, init: Expr = TRUE) -> Program:
    """Return the program with these globals, names separated by blanks."""
    return Program(tuple(global_names.split()), procedures, init=init)


def size(statement: Statement) -> int:
    """Return the number of locations of a statement."""
    match statement:
        case Labelled(_, inner):
            return size(inner)
        case If(_, then, otherwise):
            return 1 + sum(map(size, then)) + sum(map(size, otherwise))
        case While(_, body):
            return 1 + sum(map(size, body))
        case _:
            return 1


class _Compiler:
    """Turns the statements of one procedure into edges."""

    def __init__(self, name: str, body: Sequence[Statement]) -> None:
        self.name = name
        self.exit = sum(map(size, body))
        self.edges: list[Edge] = []
        self.labels: dict[str, Location] = {}
        self.gotos: list[tuple[Location, Goto]] = []
        self.failures: list[Location] = []
        self.block(body, 0, self.exit)
        for source, goto in self.gotos:
            for label in goto.labels:
                self.edge(source, SKIP, self.labels[label])

    def procedure(self, parameters: tuple[str, ...], local: tuple[str, ...], results: int, enforce: Expr) -> Procedure:
        return Procedure(
            self.name,
            parameters,
            tuple(map(result_name, range(results))),
            local,
            entry=0,
            exit=self.exit,
            edges=tuple(sorted(self.edges, key=lambda edge: edge.source)),
            labels=tuple(self.labels.items()),
            failures=tuple(self.failures),
            enforce=enforce,
            span=Span(1, 1),
        )

    def edge(self, source: Location, action: Action, target: Location) -> None:
        self.edges.append(Edge(source, action, target, Span(source + 1, 1)))

    def block(self, statements: Sequence[Statement], here: Location, following: Location) -> None:
        for index, statement in enumerate(statements):
            after = here + size(statement)
            self.statement(statement, here, after if index + 1 < len(statements) else following)
            here = after

    def statement(self, statement: Statement, here: Location, following: Location) -> None:
        match statement:
            case Labelled(label, inner):
                self.labels[label] = here
                self.statement(inner, here, following)
            case If(condition, then, otherwise):
                second = here + 1 + sum(map(size, then))
                self.edge(here, Assume(condition), here + 1 if then else following)
                self.edge(here, Assume(Not(condition)), second if otherwise else following)
                self.block(then, here + 1, following)
                self.block(otherwise, second, following)
            case While(condition, body):
                self.edge(here, Assume(condition), here + 1 if body else here)
                self.edge(here, Assume(Not(condition)), following)
                self.block(body, here + 1, here)
            case Assert(condition):
                self.failures.append(self.exit + 1 + len(self.failures))
                self.edge(here, Assume(condition), following)
                self.edge(here, Assume(Not(condition)), self.failures[-1])
            case Goto():
                self.gotos.append((here, statement))
            case Return():
                self.edge(here, statement, self.exit)
            case _:
                self.edge(here, statement, following)


def bebop_figure_1() -> Program:
    """Return the program of Figure 1 of the Bebop paper; R is reachable."""
    g, h, a1, a2 = variables("g h a1 a2")
    call = Call("A", (g, h))
    main = procedure(
        "main", [assign("h", Not(g)), call, SKIP, call, SKIP, If(g, [Labelled("R", SKIP)], [SKIP])], local="h"
    )
    swap = procedure("A", [If(a1, [Call("A", (a2, a1)), SKIP], [assign("g", a2)])], parameters="a1 a2")
    return program("g", main, swap)
