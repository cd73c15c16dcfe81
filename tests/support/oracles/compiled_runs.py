"""States of many random runs of a sequential program over numbers, by the program compiled to Python.

`variable_runs` does the same by the evaluator, ten times more slowly.
"""

from __future__ import annotations

from random import Random

from knaster.program.model import Place, Program
from knaster.program.state import Undefined
from knaster.program.types import Value
from knaster.semantics.python_code import Code, Enter, Read, Test, Write, compile_program
from knaster.views.weighted.flow_graph import initial_values
from support.oracles.variable_runs import random_value

Values = tuple[Value, ...]


def visited_states(rng: Random, program: Program, runs: int, steps: int = 60) -> dict[Place, set[Values]]:
    """Return the states (in the order of `Program.scope`) in which some random runs stand at each place."""
    codes = compile_program(program)
    main, fixed = codes[program.threads[0]], dict(initial_values(program.init))
    found: dict[Place, set[Values]] = {}
    for _ in range(runs):
        state = _fresh(rng, program, main, ())
        for index, name in enumerate(main.scope):
            state[index] = fixed.get(name, state[index])
        _run(rng, program, codes, state, steps, found)
    return found


def _fresh(rng: Random, program: Program, code: Code, values: Values) -> list[Value]:
    """Return a state at an entry: these values, and anything in the other variables."""
    types = program.types_in(code.procedure)
    return [*values, *(random_value(rng, types[name]) for name in code.scope[len(values) :])]


def _run(
    rng: Random,
    program: Program,
    codes: dict[str, Code],
    state: list[Value],
    steps: int,
    found: dict[Place, set[Values]],
) -> None:
    """Follow one run; it ends where it is stuck or after some steps."""
    code = codes[program.threads[0]]
    here, stack = code.procedure.entry, list[tuple[Code, list[Value], Enter]]()
    for _ in range(steps):
        found.setdefault((code.procedure.name, here), set()).add(tuple(state))
        if here == code.procedure.exit:
            if not stack:
                return
            results = [state[index] for index in code.results]
            shared, (code, state, call) = state[: code.globals], stack.pop()
            state[: code.globals] = shared
            for index, value in zip(call.targets, results, strict=False):
                if index is not None:
                    state[index] = value
            here = call.edge.target
            continue
        moves = list(code.moves[here])
        rng.shuffle(moves)
        for move in moves:
            try:
                match move:
                    case Test(edge, holds):
                        if not holds(state):
                            continue
                        here = edge.target
                    case Write(edge, apply):
                        apply(state)
                        here = edge.target
                    case Read(edge, index, type):
                        state[index] = random_value(rng, type)
                        here = edge.target
                    case Enter(edge, callee, arguments):
                        passed = arguments(state)
                        stack.append((code, state, move))
                        values = (*state[: code.globals], *passed)
                        code = codes[callee]
                        state, here = _fresh(rng, program, code, values), code.procedure.entry
            except Undefined:
                continue
            break
        else:
            return
