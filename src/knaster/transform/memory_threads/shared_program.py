"""Threads over integers: each has procedures of its own, and what several of them use is a variable of the program.

A step of a thread is what leads from one of its `points` to the next: places at which it may be interrupted, after
steps that another thread can notice.  Any run can be changed into one that is interrupted only there: a step that
nobody notices can wait until its thread runs again (`protected`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from knaster.base.records import dataclass, replace
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.memory_runs import is_asked
from knaster.program.algebra import conjunction, conjuncts
from knaster.program.expression import Compare, Comparison, Const, Expr, Var, variables
from knaster.program.model import Call, Edge, Location, Procedure, Program, Return
from knaster.semantics.memory.failure import DEADLOCK, LEAK, LOCK, LOST, RACE
from knaster.semantics.memory.sites import Sites
from knaster.transform.memory_threads.protected import LOCK as TAKE
from knaster.transform.memory_threads.protected import Protection
from knaster.transform.memory_threads.shared_edges import original_edge, reads, with_values, word_of, writes
from knaster.transform.memory_threads.started_threads import START
from knaster.transform.memory_threads.thread_copies import CopiedThreads, copy_threads
from knaster.transform.regions.checks import UNCLEAR, AskedSteps
from knaster.transform.regions.points_to import PointsTo
from knaster.transform.regions.reduce import LARGEST, reduce_procedures, with_never
from knaster.transform.regions.refusal import Refused
from knaster.transform.regions.slots import Slots

_OTHERS = {DEADLOCK, RACE, LEAK, LOST}  # kinds of targets that are nothing that one step does


@dataclass(frozen=True, slots=True)
class SharedProgram:
    """Threads over integers: the program, where they begin (`program.threads`), and what its targets stand for."""

    copied: CopiedThreads
    program: Program
    targets: tuple[tuple[Target, Target | None], ...]  # None: nobody knows what happens there
    slots: Slots
    shared: tuple[str, ...]  # variables that several threads use, and some thread changes
    points: Mapping[str, frozenset[Location]]

    @property
    def original(self) -> Program:
        """The program with memory."""
        return self.copied.original


def share(program: Program, targets: Sequence[Target]) -> SharedProgram:
    """Return the threads of a program with memory over integers; raise `Refused` where that is not possible."""
    if program.size > LARGEST:
        raise Refused(f"the program has more than {LARGEST:,} edges")
    if program.procedure(program.threads[0]).parameters:
        raise Refused("the first function has parameters")
    asked = AskedSteps(Sites(program), targets)
    if others := asked.kinds & _OTHERS:
        raise Refused(f"{min(others)} of threads")
    copied = copy_threads(program, LOCK in asked.kinds)
    reduced, ends, slots = reduce_procedures(
        copied.program, list(copied.program.procedures), asked, lambda points: _check_lives(points, copied)
    )
    ends += _own_targets(copied, targets)
    known = {target for _, target in ends}
    missing = [target for target in targets if target not in known]
    for target in missing:
        if target.has_place:
            raise Refused(f"no thread comes to the procedure of {target}")
    made, never = with_never(list(reduced.procedures), program.threads[0], missing)
    reduced, ends = replace(reduced, procedures=tuple(made)), [*ends, *never]
    reduced = _without_constants(reduced)
    shared = _shared_variables(reduced, copied)
    interruptions = _Interruptions(reduced, copied, shared)
    points = {procedure.name: interruptions.points(procedure) for procedure in reduced.procedures}
    return SharedProgram(copied, reduced, tuple(ends), slots, shared, points)


def _own_targets(copied: CopiedThreads, targets: Sequence[Target]) -> list[tuple[Target, Target | None]]:
    """Return the targets of all copies that stand for places, and for the unlocking of what is not held."""
    found: list[tuple[Target, Target | None]] = []
    for target in targets:
        for name, source in copied.sources.items():
            if target.has_place and source == target.procedure:
                found.append((replace(target, name=f"{target.name}@{name}", procedure=name), target))
    for (name, location), span in copied.unlocked.items():
        for target in targets:
            if not target.has_place and is_asked(target, LOCK, span):
                found.append((Target(f"{target.name}@{name}", name, location, target.line, target.kind), target))
    for name, location in copied.unclear:
        found.append((Target(f"{UNCLEAR}:{name}", name, location, 0), None))
    return found


def _check_lives(points: PointsTo, copied: CopiedThreads) -> None:
    """Refuse an object that ends while another thread may point to it."""
    main = copied.program.threads[0]
    for procedure in points.procedures:
        owner = copied.owners[procedure.name]
        for edge in procedure.edges:
            if edge.target in procedure.failures or (procedure.name == main and isinstance(edge.action, Return)):
                continue  # all is over there
            for dying in points.dying(procedure, edge):
                held = [copied.owners[name] for (name, _), may in points.registers.items() if dying in may.bases]
                held += [
                    copied.owners[base.owner]
                    for (base, _), may in points.cells.items()
                    if dying in may.bases and base.owner
                ]
                if any(other != owner for other in held):
                    raise Refused(f"'{dying.name}' may end while another thread points to it", edge.span)


def _without_constants(program: Program) -> Program:
    """Return a program in which globals that nobody changes are numbers."""
    written = {name for procedure in program.procedures for edge in procedure.edges for name in writes(edge.action)}
    known: dict[str, Expr] = {}
    for part in conjuncts(program.init):
        match part:
            case Compare(Comparison.EQUAL, Var(name), Const() as value) if name not in written:
                known[name] = value
    types = dict(program.types)
    known = {name: value for name, value in known.items() if not isinstance(value.value, tuple)}  # type: ignore[union-attr]
    if not known:
        return program
    procedures = tuple(
        replace(each, edges=tuple(replace(edge, action=with_values(edge.action, known)) for edge in each.edges))
        for each in program.procedures
    )
    left = tuple(name for name in program.globals if name not in known)
    init = [part for part in conjuncts(program.init) if not variables(part) & known.keys()]
    kept = tuple((name, types[name]) for name in left if name in types)
    return replace(program, globals=left, procedures=procedures, init=conjunction(init), types=kept)


def _shared_variables(program: Program, copied: CopiedThreads) -> tuple[str, ...]:
    """Return the globals that several threads use and one changes, other than main before it has started any."""
    users: dict[str, set[int]] = {name: set() for name in program.globals}
    changed: set[str] = set()
    for procedure in program.procedures:
        owner = copied.owners[procedure.name]
        for edge in procedure.edges:
            stands_for = original_edge(edge)
            if stands_for is None or (procedure.name, stands_for.source) not in copied.alone or owner != 1:
                changed.update(writes(edge.action))
            for name in {*writes(edge.action), *reads(edge.action)} & users.keys():
                users[name].add(owner)
    return tuple(name for name in program.globals if len(users[name]) > 1 and name in changed)


class _Interruptions:
    """Where threads may be interrupted: after what others notice, and where those begin that are started."""

    def __init__(self, program: Program, copied: CopiedThreads, shared: tuple[str, ...]) -> None:
        self.program = program
        self.copied = copied
        self.shared = frozenset(shared)
        self.protection = Protection(program, copied, self.shared)
        self.visible = self.shared - self.protection.protected
        self.noticed = self._noticed_procedures()

    def points(self, procedure: Procedure) -> frozenset[Location]:
        """Return the points of a procedure."""
        calm = self.copied.calm[procedure.name]
        found = {procedure.entry} if procedure.name in self.copied.program.threads[1:] else set[Location]()
        todo = [edge for edge in procedure.edges if self._is_noticed(edge)]
        seen: set[Location] = set()
        while todo:
            edge = todo.pop()
            here = edge.target
            if here in seen:
                continue
            seen.add(here)
            if here in calm:
                found.add(here)
            else:
                todo += procedure.leaving.get(here, ())
        return frozenset(found - {procedure.exit, *procedure.failures})

    def _is_noticed(self, edge: Edge) -> bool:
        if isinstance(edge.action, Call) and edge.action.procedure in self.noticed:
            return True
        if word_of(edge) == START:
            return True  # from here on there are others
        used = self.visible & {*writes(edge.action), *reads(edge.action)}
        return bool(used) and not (word_of(edge) == TAKE and used <= self.protection.locks)

    def _noticed_procedures(self) -> set[str]:
        """Return the procedures in which, or in what they call, something is done that others notice."""
        self.noticed = set()
        while True:
            more = {
                procedure.name
                for procedure in self.program.procedures
                if procedure.name not in self.noticed and any(map(self._is_noticed, procedure.edges))
            }
            if not more:
                return self.noticed
            self.noticed |= more


def noticed_procedures(shared: SharedProgram) -> frozenset[str]:
    """Return the procedures in which others notice something or a target stands, and those that call such."""
    found = set(_Interruptions(shared.program, shared.copied, shared.shared).noticed)
    return with_callers(shared.program, found | {target.procedure for target, _ in shared.targets})


def with_callers(program: Program, names: set[str]) -> frozenset[str]:
    """Return procedures with all that call them, directly or not."""
    found = set(names)
    while True:
        more = {
            procedure.name
            for procedure in program.procedures
            for edge in procedure.edges
            if isinstance(edge.action, Call) and edge.action.procedure in found
        } - found
        if not more:
            return frozenset(found)
        found |= more
