"""Random edits of programs: another value in one assignment or call, or one edge less."""

from __future__ import annotations

from random import Random

from knaster.base.records import replace
from knaster.program.expression import CHOICE, FALSE, TRUE, Expr, Not, Var
from knaster.program.model import Assign, Call, Edge, Procedure, Program


def random_edit(rng: Random, program: Program) -> Program:
    """Return the program with another value in one assignment or call, or without one edge."""
    own = rng.choice(program.procedures)
    place = rng.randrange(len(own.edges))
    edge = own.edges[place]

    def value() -> Expr:
        names = (*program.globals, *own.parameters, *own.locals)
        others: list[Expr] = [TRUE, FALSE, CHOICE]
        leaf: Expr = Var(rng.choice(names)) if names and rng.random() < 0.6 else rng.choice(others)
        return Not(leaf) if rng.random() < 0.3 else leaf

    made: tuple[Edge, ...] = ()
    match edge.action:
        case Assign(targets, values) if targets:
            made = (replace(edge, action=Assign(targets, (value(), *values[1:]))),)
        case Call(name, arguments, targets) if arguments:
            made = (replace(edge, action=Call(name, (value(), *arguments[1:]), targets)),)
        case _ if rng.random() < 0.5:
            made = (edge,)
    changed: Procedure = replace(own, edges=(*own.edges[:place], *made, *own.edges[place + 1 :]))
    return replace(program, procedures=tuple(changed if each is own else each for each in program.procedures))
