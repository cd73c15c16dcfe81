"""From a program with memory and a question to a program over integers and what is asked of it.

A place of the reduced program stands for the same place of the program; new places are checks, and where they lead to.
The runs are the same, but for places called `unclear`: a proof has to exclude these, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from knaster.base.records import dataclass, replace
from knaster.evidence.questions.question import Reach, Target
from knaster.program.algebra import conjunction
from knaster.program.expression import NOWHERE, TRUE, Compare, Comparison, Const, Expr, Var
from knaster.program.memory import Addresses, Floating, bytes_of
from knaster.program.model import Assign, Call, Edge, Kind, Location, Procedure, Program
from knaster.program.types import Bool, Type, Value, default
from knaster.semantics.memory.failure import DEADLOCK, RACE
from knaster.semantics.memory.sites import Sites, reachable_procedures
from knaster.transform.regions.actions import Steps
from knaster.transform.regions.checks import UNCLEAR, AskedSteps
from knaster.transform.regions.dead_choices import remove_dead_choices
from knaster.transform.regions.floating_numbers import constant_bits
from knaster.transform.regions.pointer_sets import OBJECT, Base
from knaster.transform.regions.points_to import PointsTo
from knaster.transform.regions.refusal import Refused
from knaster.transform.regions.scopes import Scopes, find_scopes
from knaster.transform.regions.slots import PartOfObject, Slots
from knaster.transform.regions.windows import Unsplit

LARGEST = 20_000  # edges of a program
OF_THREADS = {DEADLOCK, RACE}  # kinds of undefined steps; those of what is refused never happen


@dataclass(frozen=True, slots=True)
class RegionProgram:
    """A reduced program: what is asked of it, what each target stands for (None: unclear), and its variables."""

    original: Program
    program: Program
    targets: tuple[tuple[Target, Target | None], ...]
    slots: Slots

    @property
    def question(self) -> Reach:
        """What is asked of the reduced program."""
        return Reach(tuple(target for target, _ in self.targets))


def reduce_regions(program: Program, targets: Sequence[Target]) -> RegionProgram:
    """Return the program over integers for a program with memory and targets; raise `Refused` where there is none."""
    assert program.memory is not None
    if program.memory.threaded or len(program.threads) != 1:
        raise Refused("threads")
    if program.size > LARGEST:
        raise Refused(f"the program has more than {LARGEST:,} edges")
    asked = AskedSteps(Sites(program), targets)
    if asked.kinds & OF_THREADS:
        raise Refused("threads")
    if program.procedure(program.threads[0]).parameters:
        raise Refused("the first function has parameters")
    reduced, ends, slots = reduce_procedures(program, reachable_procedures(program), asked)
    known = {target for _, target in ends}
    places = [(target, target) for target in targets if target.has_place]
    names = {procedure.name for procedure in reduced.procedures}
    for target in targets:
        if target.has_place and target.procedure not in names:
            raise Refused("a target stands in a procedure that nobody calls")
    missing = [target for target in targets if not target.has_place and target not in known]
    made, never = with_never(list(reduced.procedures), program.threads[0], missing)
    return RegionProgram(program, replace(reduced, procedures=tuple(made)), (*places, *ends, *never), slots)


def reduce_procedures(
    program: Program, procedures: list[Procedure], asked: AskedSteps, look: Callable[[PointsTo], None] | None = None
) -> tuple[Program, list[tuple[Target, Target | None]], Slots]:
    """Return procedures over integers, the targets that their checks lead to, and the variables.

    Where there are several threads, somebody has a `look` at what points where, and refuses what they would notice.
    """
    scopes = {procedure.name: find_scopes(procedure) for procedure in procedures}
    points = _solve(program, procedures, scopes, look is None)
    if look is not None:
        look(points)
    slots = Slots(points, recursive_names(procedures))
    made: list[Procedure] = []
    ends: list[tuple[Target, Target | None]] = []
    for procedure in procedures:
        steps = Steps(slots, procedure, _types(slots, procedure), asked)
        steps.make()
        made.append(_procedure(steps, procedure))
        ends += _targets(steps, procedure, made[-1])
    shared = slots.variables_of("")
    alone = len(program.threads) == 1
    made = [remove_dead_choices(procedure, dict(shared), alone) for procedure in made]
    reduced = replace(
        program,
        globals=tuple(name for name, _ in shared),
        procedures=tuple(made),
        init=_initial_values(slots),
        kind=Kind.INTEGERS,
        types=tuple((name, type) for name, type in shared if not isinstance(type, Bool)),
        memory=None,
        source="",
    )
    return reduced, ends, slots


def _solve(program: Program, procedures: list[Procedure], scopes: Mapping[str, Scopes], floats: bool) -> PointsTo:
    """Return which pointers may be what; as many objects as possible are split into their members."""
    whole: frozenset[Base] = frozenset()
    while True:
        points = PointsTo(program, procedures, scopes, whole, floats)
        try:
            points.solve()
            return points
        except Unsplit as found:
            whole |= {found.root}


def recursive_names(procedures: list[Procedure]) -> set[str]:
    """Return the procedures that may be active more than once."""
    calls = {
        procedure.name: {edge.action.procedure for edge in procedure.edges if isinstance(edge.action, Call)}
        for procedure in procedures
    }
    found = set()
    for name in calls:
        reached: set[str] = set()
        todo = list(calls[name])
        while todo:
            other = todo.pop()
            if other not in reached:
                reached.add(other)
                todo += calls.get(other, ())
        if name in reached:
            found.add(name)
    return found


def _types(slots: Slots, procedure: Procedure) -> dict[str, Type]:
    """Return the types of the variables that a procedure of the reduced program sees."""
    found: dict[str, Type] = dict(slots.variables_of(""))
    found |= dict(slots.variables_of(procedure.name))
    for name in procedure.frame:
        found |= dict(slots.registers[procedure.name, name].variables)
    return found


def _procedure(steps: Steps, procedure: Procedure) -> Procedure:
    """Return a procedure of the reduced program."""
    slots = steps.slots

    def variables(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(name for each in names for name, _ in slots.registers[procedure.name, each].variables)

    start = [pair for name in sorted(steps.unset) for pair in steps.choices(slots.registers[procedure.name, name])]
    entry, edges = procedure.entry, list(steps.edges)
    if start:
        entry = steps.free
        steps.free += 1
        values = tuple(value for _, value in start)
        edges.append(Edge(entry, Assign(tuple(name for name, _ in start), values), procedure.entry, procedure.span))
    parameters, results = variables(procedure.parameters), variables(procedure.results)
    own = slots.variables_of(procedure.name)
    passing = _passing(slots, procedure, edges)
    types = {name: type for name, type in _types(slots, procedure).items() if name in {*parameters, *results}}
    for name in procedure.locals:
        types |= dict(slots.registers[procedure.name, name].variables)
    types |= dict(own) | passing
    return Procedure(
        procedure.name,
        parameters,
        results,
        (*variables(procedure.locals), *(name for name, _ in own), *passing),
        entry,
        procedure.exit,
        tuple(sorted(edges, key=lambda edge: edge.source)),
        procedure.labels,
        (*procedure.failures, *steps.ends.values()),
        span=procedure.span,
        types=tuple((name, type) for name, type in types.items() if not isinstance(type, Bool)),
    )


def _passing(slots: Slots, procedure: Procedure, edges: list[Edge]) -> dict[str, Type]:
    """Return the variables that take pointers from calls before they are fitted to their own variables."""
    found: dict[str, Type] = {}
    for edge in edges:
        if isinstance(edge.action, Call):
            callee = slots.points.names[edge.action.procedure]
            order = [pair for each in callee.results for pair in slots.registers[callee.name, each].variables]
            for target, (name, type) in zip(edge.action.targets, order, strict=False):
                if target is not None and target == f"{name} of {procedure.name}":
                    found[target] = type
    return found


def _targets(steps: Steps, procedure: Procedure, made: Procedure) -> list[tuple[Target, Target | None]]:
    """Return the targets of the reduced program that checks of a procedure lead to."""
    found: list[tuple[Target, Target | None]] = []
    for name, location in steps.ends.items():
        if isinstance(name, str):
            found.append((Target(f"{UNCLEAR}:{procedure.name}", procedure.name, location, 0), None))
        else:
            own = Target(f"{name.name}@{procedure.name}", procedure.name, location, name.line, name.kind)
            found.append((own, name))
    return found


def with_never(
    procedures: list[Procedure], main: str, missing: list[Target]
) -> tuple[list[Procedure], list[tuple[Target, Target | None]]]:
    """Return the procedures with a place that no run comes to, for undefined steps that are nowhere."""
    if not missing:
        return procedures, []
    found: list[tuple[Target, Target | None]] = []
    changed: list[Procedure] = []
    for procedure in procedures:
        if procedure.name == main:
            places: list[Location] = []
            for number, target in enumerate(missing):
                places.append(procedure.size + number)
                found.append((Target(target.name, main, places[-1], target.line, target.kind), target))
            procedure = replace(procedure, failures=(*procedure.failures, *places))
        changed.append(procedure)
    return changed, found


def _initial_values(slots: Slots) -> Expr:
    """Return what the variables of the program are at the start."""
    found: list[Expr] = []
    for (base, _), part in slots.parts.items():
        if base in slots.local:
            continue
        if base.owner:  # it is set where its object begins
            values: dict[str, Value] = {name: _default(type, part.length) for name, type in part.slot.variables}
        else:
            values = _values_at_start(slots, base, part)
        found += [Compare(Comparison.EQUAL, Var(name), Const(value)) for name, value in values.items()]
    return conjunction(found) if found else TRUE


def _default(type: Type, length: int) -> Value:
    return default(type) if length == 1 else (default(type),) * length


def _values_at_start(slots: Slots, base: Base, part: PartOfObject) -> dict[str, Value]:
    slot, points = part.slot, slots.points
    values: dict[str, list[Any]] = {name: [default(type)] * part.length for name, type in slot.variables}
    declared = points.declared[base.name]
    for place, type, expr in declared.cells:
        offset = place - points.windows.start(base)
        first, last = offset, offset + bytes_of(type)
        number = (offset - part.residue) // part.stride if part.stride else 0
        start = part.residue + number * part.stride
        if not _meets(part, first, last, slot.type):
            continue
        if start != offset or bytes_of(type) != bytes_of(slot.type) or not 0 <= number < part.length:
            raise Refused(f"bytes of '{base.name}' are used in several ways")
        for name, value in _start_value(slots, slot, type, expr).items():
            values[name][number] = value
    return {name: tuple(each) if part.length > 1 else each[0] for name, each in values.items()}


def _meets(part: PartOfObject, first: int, last: int, type: Any) -> bool:
    """Tell whether bytes are some of those of a part."""
    size = bytes_of(type)
    if not part.stride:
        return first < part.residue + size and part.residue < last
    lowest = (first - part.residue - size) // part.stride
    highest = (last - part.residue) // part.stride
    starts = (part.residue + number * part.stride for number in range(lowest, highest + 1) if 0 <= number < part.length)
    return any(first < start + size and start < last for start in starts)


def _start_value(slots: Slots, slot: Any, type: Any, expr: Any) -> dict[str, Value]:
    if isinstance(slot.type, Addresses):
        found: dict[str, Value] = {}
        pointers = slots.points.pointers(expr, "", NOWHERE)
        (base,) = pointers.bases  # a constant address
        if slot.base:
            found[slot.base] = slots.number(base)
        if slot.index:
            steps = pointers.residue - slot.pointers.residue if base.kind == OBJECT else 0
            found[slot.index] = steps // slot.pointers.stride
        return found
    if not isinstance(expr, Const) or isinstance(type, Addresses):
        raise Refused("an initial value is no number")
    if isinstance(slot.type, Floating):
        return {slot.value: constant_bits(expr.value, slot.type, NOWHERE).value}
    value = expr.value
    if not isinstance(value, int):
        raise Refused("an initial value is no number")
    return {slot.value: bool(value) if isinstance(slot.type, Bool) else slot.type.wrap(int(value))}
