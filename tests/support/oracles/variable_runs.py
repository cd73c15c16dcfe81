"""Random runs of a sequential program over any variables, by the evaluator alone: the states that it passes."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from knaster.program.evaluate import evaluate
from knaster.program.expression import Choice, Expr, postorder
from knaster.program.model import Assign, Assume, Call, Edge, Location, Program, Return
from knaster.program.state import Undefined
from knaster.program.types import Array, Bool, Int, Type, Value
from knaster.views.weighted.flow_graph import initial_values

State = dict[str, Value]


def random_value(rng: Random, type: Type) -> Value:
    """Return any value of a type, small ones more often."""
    match type:
        case Bool():
            return rng.random() < 0.5
        case Int():
            return type.wrap(rng.choice((rng.randrange(-3, 9), rng.randrange(-(1 << 40), 1 << 40))))
        case Array(element, length):
            return tuple(random_value(rng, element) for _ in range(length))
    raise AssertionError(type)


def _value(rng: Random, expr: Expr, state: State) -> Value:
    """Return a value that an expression can have: every choice is random."""
    choices = [node.type for node in postorder(expr) if isinstance(node, Choice)]
    return evaluate(expr, state, iter([random_value(rng, type) for type in choices]))


def random_run(rng: Random, program: Program, steps: int = 60) -> Iterator[tuple[str, Location, State]]:
    """Yield the places and states of a run from the start; it ends where it is stuck or after some steps."""
    main = program.procedure(program.threads[0])
    types = program.types_in(main)
    state = {name: random_value(rng, type) for name, type in types.items()} | dict(initial_values(program.init))
    stack: list[tuple[str, State, Edge | None]] = [(main.name, state, None)]
    here = main.entry
    for _ in range(steps):
        name, state, called = stack[-1]
        yield name, here, state
        own = program.procedure(name)
        if here == own.exit:
            stack.pop()
            if not stack or called is None:
                return
            here = called.target
            _come_back(program, stack[-1], own.name, state, called)
            continue
        edges = own.leaving.get(here, ())
        moves = [move for edge in edges if (move := _try(rng, program, edge, name, state)) is not None]
        if not moves:
            return
        edge, after = rng.choice(moves)
        if isinstance(edge.action, Call):
            stack.append((edge.action.procedure, after, edge))
            here = program.procedure(edge.action.procedure).entry
        else:
            state.update(after)
            here = edge.target


def _try(rng: Random, program: Program, edge: Edge, name: str, state: State) -> tuple[Edge, State] | None:
    """Return what an edge does to a state: changes, or the state at the entry of a callee; None where it cannot."""
    try:
        match edge.action:
            case Assume(condition):
                return (edge, {}) if _value(rng, condition, state) else None
            case Assign(targets, values):
                return edge, {target: _value(rng, v, state) for target, v in zip(targets, values, strict=True)}
            case Return(values):
                results = program.procedure(name).results
                return edge, {result: _value(rng, v, state) for result, v in zip(results, values, strict=True)}
            case Call() as call:
                callee = program.procedure(call.procedure)
                entry = {one: random_value(rng, type) for one, type in program.types_in(callee).items()}
                entry |= {one: state[one] for one in program.globals}
                return edge, entry | {p: _value(rng, argument, state) for p, argument in call.bindings(callee)}
    except Undefined:
        return None
    raise AssertionError(edge)


def _come_back(program: Program, caller: tuple[str, State, Edge | None], callee: str, end: State, edge: Edge) -> None:
    assert isinstance(edge.action, Call)
    state = caller[1]
    state.update({name: end[name] for name in program.globals})
    state.update({target: end[result] for target, result in edge.action.results(program.procedure(callee))})
