"""Random edits of programs: another value in one assignment or call, or one edge less; of C another number, or one
statement less."""

from __future__ import annotations

import dataclasses
from random import Random

from knaster.base.records import replace
from knaster.program.expression import CHOICE, FALSE, TRUE, Expr, Not, Var
from knaster.program.model import Assign, Call, Edge, Procedure, Program
from support.generators.c_programs import CProgram, Tree


def random_edit(rng: Random, program: Program) -> Program:
    """Return the program with another value in one assignment or call, or without one edge."""
    own = rng.choice([each for each in program.procedures if each.edges])
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


def random_edit_of_c(rng: Random, program: CProgram) -> CProgram:
    """Return the program with another number in one function, or without one of its statements."""
    place = rng.randrange(len(program.functions))
    own = program.functions[place]
    body = list(own.body)
    count = len(own.body) - 1 - len([each for each in own.locals if each[0].startswith("x")])
    if count > 1 and rng.random() < 0.2:
        del body[-2 - rng.randrange(count)]
    else:
        at = rng.randrange(len(body))
        body[at] = _other_number(rng, body[at])
    changed = dataclasses.replace(own, body=tuple(body))
    functions = (*program.functions[:place], changed, *program.functions[place + 1 :])
    return dataclasses.replace(program, functions=functions)


def _other_number(rng: Random, tree: Tree) -> Tree:
    """Return a tree with another number in one of its parts; itself where the part that is looked at has none."""
    if tree[:1] == ("number",):
        return ("number", 1 + rng.randrange(4))
    parts = [at for at, part in enumerate(tree) if isinstance(part, tuple) and part]
    if not parts:
        return tree
    at = rng.choice(parts)
    return (*tree[:at], _other_number(rng, tree[at]), *tree[at + 1 :])
