"""Makes invariants of calls that were run: a procedure that reads no input does the same every time.

A function such as Fibonacci's is often known number by number only, and so are the reasons why nothing overflows in
it.  So the runs of some inputs are tabulated (`semantics.tabulation`), and what was seen of each call that returned
becomes a part of the procedure's guarantee: `\\old(n) == 7 ==> \\result == 13`.  The calls that a call makes were seen
to return before it, so the first so many guarantees follow from each other.  Whether they are enough for the targets is
for the checker to say.  R. Sharma, S. Gupta, B. Hariharan, A. Aiken and A. V. Nori, Verification as Learning Geometric
Concepts (SAS 2013) learn invariants from runs too; these are not generalised.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from knaster.base.graphs import components
from knaster.base.limits import Budget
from knaster.engines.integers.inference.columns import Columns, columns
from knaster.evidence.proofs.invariants import Invariants, of_entry
from knaster.program.algebra import conjunction
from knaster.program.effects import effects
from knaster.program.expression import Binary, Compare, Comparison, Const, Expr, Operator, Var
from knaster.program.model import Call, Location, Place, Program, old
from knaster.semantics.python_code import Code, NotCompiled, Read, loop_heads
from knaster.semantics.tabulation import Invocation, Tabulation
from knaster.views.steps.cut import CutProgram

_NODES = 4_000  # of the tabulation, a fraction of a second
_MOST = 150  # calls of one procedure that its guarantee speaks of


def invariants_from_calls(cut: CutProgram, budget: Budget) -> Invariants | None:
    """Return what was observed of recursive procedures, as invariants to be checked; None where there is nothing.

    Where there is neither recursion nor a loop nothing needs to be: the checker looks at all runs, bit by bit.
    """
    program = cut.program
    recursive = recursive_procedures(program)
    if not recursive and any(map(loop_heads, program.procedures)):
        return None
    try:
        table = Tabulation(program, (), budget.check)
    except NotCompiled:
        return None
    known = input_free_procedures(program, table.codes)
    if recursive and not known:
        return None
    table.explore(_NODES)
    kept = invariant_places(cut)
    about = columns(program, kept)
    guarantees = {name: list(_guarantees(table, name, about[name])) for name in known}
    return None if recursive and not any(guarantees.values()) else state_guarantees(program, kept, guarantees)


def input_free_procedures(program: Program, codes: Mapping[str, Code]) -> list[str]:
    """Return the recursive procedures without loops that read no input, so that a call does the same every time."""
    calls, recursive = _callees(program), recursive_procedures(program)
    return [
        procedure.name
        for procedure in sorted(program.procedures, key=lambda procedure: procedure.name)
        if procedure.name in recursive and not loop_heads(procedure) and _is_function(procedure.name, codes, calls)
    ]


def invariant_places(cut: CutProgram) -> dict[str, set[Location]]:
    """Return where invariants stand: entries, exits and loop heads of procedures that are not inlined."""
    own = [procedure for procedure in cut.program.procedures if procedure.name not in cut.chained_procedures]
    return {p.name: {p.entry, p.exit, *loop_heads(p)} for p in own}


def _callees(program: Program) -> dict[str, list[str]]:
    """Return which procedures each one calls."""
    return {
        procedure.name: [edge.action.procedure for edge in procedure.edges if isinstance(edge.action, Call)]
        for procedure in program.procedures
    }


def recursive_procedures(program: Program) -> set[str]:
    """Return the procedures that may call themselves in the end."""
    calls = _callees(program)
    parts = components(list(calls), calls.__getitem__)
    return {name for part in parts if len(part) > 1 or part[0] in calls[part[0]] for name in part}


def _is_function(name: str, codes: Mapping[str, Code], calls: Mapping[str, list[str]]) -> bool:
    """Tell whether a procedure reads no input, nor does any that it calls, and knows integers only."""
    seen, todo = {name}, [name]
    while todo:
        here = todo.pop()
        if _reads(codes[here]):
            return False
        if any(not isinstance(value, int) or isinstance(value, bool) for value in codes[here].initial):
            return False
        todo += [callee for callee in dict.fromkeys(calls[here]) if callee not in seen]
        seen |= set(calls[here])
    return True


def _reads(code: Code) -> bool:
    """Tell whether a place where a procedure reads an input can be reached, as far as the edges tell."""
    seen, todo = {code.procedure.entry}, [code.procedure.entry]
    while todo:
        for move in code.moves[todo.pop()]:
            if isinstance(move, Read):
                return True
            if move.edge.target not in seen:
                seen.add(move.edge.target)
                todo.append(move.edge.target)
    return False


def _guarantees(table: Tabulation, name: str, own: Columns) -> Iterator[Expr]:
    """Yield what the calls of a procedure did that returned, those first that returned first."""
    returned = [call for (callee, _), call in table.calls.items() if callee == name and len(call.exits) == 1]
    for call in sorted(returned, key=lambda call: call.exits[0].number)[:_MOST]:
        yield Binary(Operator.IMPLIES, *_call_effect(call, own))


def _call_effect(call: Invocation, own: Columns) -> tuple[Expr, Expr]:
    """Return with which values a call began, and with which it ended."""
    procedure, scope = call.code.procedure, call.code.scope
    began = dict(zip(scope, call.entry.values, strict=True))
    ended = dict(zip(scope, call.exits[0].values, strict=True))
    return (
        conjunction([Compare(Comparison.EQUAL, Var(old(column)), Const(began[column])) for column in own.entry]),
        conjunction([Compare(Comparison.EQUAL, Var(v), Const(ended[v])) for v in own.now[procedure.exit]]),
    )


def state_guarantees(
    program: Program,
    kept: Mapping[str, Iterable[Location]],
    guarantees: Mapping[str, list[Expr]],
    required: Mapping[str, list[Expr]] | None = None,
) -> Invariants:
    """Return guarantees as invariants that say nothing else but what never changes."""
    does, more = effects(program), required or {}
    at: dict[Place, Expr] = {}
    for name, locations in kept.items():
        procedure = program.procedure(name)
        same = [g for g in program.globals if g not in does[name].mod]
        for location in sorted(locations):
            given = (*program.globals, *procedure.parameters) if location == procedure.entry else same
            facts: list[Expr] = [Compare(Comparison.EQUAL, Var(v), Var(old(v))) for v in given]
            facts += guarantees.get(name, []) if location == procedure.exit else []
            at[name, location] = conjunction(dict.fromkeys(facts))
    called = {callee for callees in _callees(program).values() for callee in callees}
    begins = {name for name in program.threads if name not in called}
    requires = {name: conjunction([of_entry(program.init)] if name in begins else more.get(name, [])) for name in kept}
    return Invariants(program, requires, at)
