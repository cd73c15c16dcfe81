"""Lists candidates for invariants at cut points: bounds, orders, conditions of the text, and that no run comes there.

Concrete states that runs reach (`semantics.tabulation`) leave out most of those that do not hold before z3 sees any.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from knaster.engines.integers.inference.houdini import Candidates
from knaster.program.expression import Const, postorder
from knaster.program.liveness import live_variables
from knaster.program.model import Place, Procedure, expressions, old
from knaster.program.temporaries import is_temporary
from knaster.program.types import Int, Value
from knaster.semantics.tabulation import Tabulation
from knaster.smt.linear import Form, Work, forms_in, free
from knaster.views.steps.formulas import Formulas

CONSTANTS = 12  # of a procedure
NAMES = 8  # variables that are compared with each other
FORMS = 24  # conditions of a procedure
LARGEST = 1 << 31
_FORM = 2  # resource units for a form, and for its value in a state
NEVER = Form((), -1)  # is at least 0 where no run comes
Samples = dict[Place, list[dict[str, Value]]]


def make_candidates(formulas: Formulas, samples: Samples, work: Work = free) -> Candidates:
    """Return the candidates of every cut point that no sample refutes.

    `work` is told how much there is to do before it is done, in resource units, and may end it.
    """
    program = formulas.program
    live = live_variables(program)
    found: Candidates = {}
    for procedure in program.procedures:
        name = procedure.name
        types = program.types_in(procedure)
        constants = constants_of(procedure)
        given = [n for n in (*program.globals, *procedure.parameters) if isinstance(types[n], Int)]
        entries = [old(n) for n in given]
        conditions = list(conditions_of(formulas, procedure, work))
        begun = samples.get((name, procedure.entry), [])
        found[name] = drop_refuted([NEVER, *bound_forms(entries, constants), *order_forms(entries)], begun)
        scope = program.scope(procedure)
        for cut in formulas.points[name]:
            mask = live[name][cut]
            numbers = [n for bit, n in enumerate(scope) if mask >> bit & 1 and isinstance(types[n], Int)]
            if cut == procedure.exit:
                numbers = [n for n in (*program.globals, *procedure.results) if isinstance(types[n], Int)]
            ends = cut == procedure.exit
            forms = [
                *bound_forms(numbers, constants),
                *order_forms(numbers),
                *entry_forms(numbers, given, constants, ends),
            ]
            forms += [form for form in conditions if all(n in numbers for n, _ in form.factors)]
            if cut == procedure.entry:
                forms = list(entry_forms(numbers, given, ()))
            work(_FORM * len(forms) * (1 + len(samples.get((name, cut), []))))
            found[name, cut] = drop_refuted([NEVER, *forms], samples.get((name, cut), []))
    return found


def drop_refuted(forms: Iterable[Form], states: list[dict[str, Value]]) -> list[Form]:
    """Return the forms that are at least 0 in all states."""
    left = list(dict.fromkeys(forms))
    for state in states:
        left = [form for form in left if (value := form.value(state)) is None or value >= 0]
    return left


def bound_forms(names: Iterable[str], constants: Iterable[int]) -> Iterator[Form]:
    """Yield each variable with each constant as a lower and as an upper bound."""
    for name in names:
        for constant in constants:
            yield Form(((name, 1),), -constant)
            yield Form(((name, -1),), constant)


def order_forms(names: list[str]) -> Iterator[Form]:
    """Yield that one variable is at most another one, or less."""
    for one in names[:NAMES]:
        for other in names[:NAMES]:
            if one != other:
                yield Form.of({one: 1, other: -1})
                yield Form.of({one: 1, other: -1}, -1)


def entry_forms(names: list[str], given: list[str], constants: Iterable[int], ends: bool = False) -> Iterator[Form]:
    """Yield how variables relate to values at the entry; results to all of them, with constants as at the exit."""
    for name in names:
        returned = "@" in name or is_temporary(name)  # a result, here or of a callee
        for other in given if returned else [n for n in given if n == name]:
            for constant in (0, *(constants if returned or ends else ())):
                yield Form.of({name: 1, old(other): -1}, constant)
                yield Form.of({name: -1, old(other): 1}, constant)
                yield Form.of({name: 1, old(other): -1}, -constant)
                yield Form.of({name: -1, old(other): 1}, -constant)


def conditions_of(formulas: Formulas, procedure: Procedure, work: Work = free) -> Iterator[Form]:
    """Yield what the guards of a procedure compare, in both directions."""
    names = {term.value.get_id(): n for n, term in formulas.variables[procedure.name].items()}
    guards = [step.guard for step in formulas.steps if step.procedure == procedure.name]
    seen: dict[Form, None] = {}
    for form in forms_in(guards, names, work):
        if form.factors and abs(form.constant) < LARGEST:
            for one in (form, Form(()).plus(form, -1)):
                seen |= dict.fromkeys((one, one.plus(Form((), -1)), one.plus(Form((), 1))))
        if len(seen) > 6 * FORMS:
            break
    yield from seen


def constants_of(procedure: Procedure) -> list[int]:
    """Return the small constants of a procedure and their neighbours, the smallest first."""
    found = {0, 1}
    for edge in procedure.edges:
        for expr in expressions(edge.action):
            for node in postorder(expr):
                if isinstance(node, Const) and type(node.value) is int and abs(node.value) < LARGEST:
                    found |= {node.value, -node.value, node.value + 1, node.value - 1}
    return sorted(found, key=lambda number: (abs(number), number))[:CONSTANTS]


def samples_of(table: Tabulation, most: int = 40) -> Samples:
    """Return concrete states by cut point, with entry values by their names; at most so many of each."""
    found: Samples = {}
    for node in table.nodes.values():
        code = node.call.code
        place = (code.procedure.name, node.location)
        states = found.setdefault(place, [])
        if len(states) < most:
            given = {old(n): value for n, value in zip(code.scope, node.call.arguments, strict=False)}
            states.append({**dict(zip(code.scope, node.values, strict=True)), **given})
    return found
