"""The prologue: from what a Boolean program says of its start, a procedure that chooses it and starts the threads."""

from __future__ import annotations

from collections.abc import Mapping

from knaster.program.algebra import conjunction, conjuncts
from knaster.program.expression import TRUE, Expr, Not, Var, variables
from knaster.program.model import Action, Assume, Call, Concurrent, Edge, Procedure, Program, Return, ThreadOperation
from knaster.program.objects import Choose
from knaster.transform.reference_models.connectives import plain
from knaster.transform.reference_models.entry_values import start_values
from knaster.transform.reference_models.procedures import BITS

START = "'start"  # no name of a program looks like it


def fixed_globals(program: Program) -> dict[str, bool]:
    """Return the globals that have one value at the start, as the parts of `init` say."""
    fixed: dict[str, bool] = {}
    for part in conjuncts(program.init):
        match part:
            case Var(name):
                fixed.setdefault(name, True)
            case Not(Var(name)):
                fixed.setdefault(name, False)
    return fixed


def prologue(program: Program, begins: Mapping[str, tuple[str, ...]]) -> Procedure:
    """Return the procedure that runs first: nobody else runs until it has started the last thread."""
    fixed = fixed_globals(program)
    rest = plain(conjunction(part for part in conjuncts(program.init) if not _is_fixed(part, fixed)))
    free = (start_values(program) | variables(rest)) - fixed.keys()
    actions: list[Action] = [Choose(Var(name), BITS) for name in program.globals if name in free]
    if rest != TRUE:
        actions.append(Assume(rest))
    temporaries: list[str] = []
    for name in program.threads:
        procedure = program.procedure(name)
        given = [f"'{number}" for number in range(len(procedure.parameters) + len(begins[name]))]
        actions += [Choose(Var(each), BITS) for each in given]
        temporaries = max(temporaries, given, key=len)
        actions.append(_begin(program, procedure, tuple(map(Var, given))))
    edges = [Edge(at, action, at + 1, program.procedures[0].span, keeps=True) for at, action in enumerate(actions)]
    edges[-1] = Edge(len(actions) - 1, actions[-1], len(actions), program.procedures[0].span)
    edges.append(Edge(len(actions), Return(()), len(actions) + 1, program.procedures[0].span))
    return Procedure(START, (), (), tuple(temporaries), 0, len(actions) + 1, tuple(edges))


def _begin(program: Program, procedure: Procedure, given: tuple[Expr, ...]) -> Action:
    """Return the action that begins a thread, or the only one there is."""
    if program.is_threaded:
        return Concurrent(ThreadOperation.START, None, procedure.name, given)
    return Call(procedure.name, given, (), (None,) * len(procedure.results))


def _is_fixed(part: Expr, fixed: Mapping[str, bool]) -> bool:
    match part:
        case Var(name):
            return fixed[name]
        case Not(Var(name)):
            return not fixed[name]
    return False
