"""Guarantees: the pairs of shared states, before and after, of the steps of a thread as others see them.

A pair of shared states is kept by what is written: the state before over copy NOW, the written variables after over
copy NEXT; all others keep their values.  Inside a section nobody looks: what is seen is the way from its beginning to
its end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from knaster.bdd.relation import Relation, make_relation
from knaster.bdd.store import Bdd, and_exists, exists, rename
from knaster.evidence.proofs.threads.interference import Ghosts, Role
from knaster.program.expression import Var
from knaster.program.layout.slots import Copy, variable
from knaster.program.model import Assign, Call, Concurrent, Edge, Place, Procedure, Program, ThreadOperation
from knaster.views.symbolic.encoding import EncodedProgram
from knaster.views.symbolic.formula_sets import equation, possible
from knaster.views.symbolic.frame import Frame

NOW, NEXT, ENTRY = Copy.NOW, Copy.NEXT, Copy.ENTRY
Written = frozenset[str]


class Guarantees:
    """The steps of a program with ghosts (`add_ghosts`), as others see them."""

    def __init__(self, program: Program, symbolic: EncodedProgram, ghosts: Ghosts | None) -> None:
        """Prepare; the edges of `symbolic.program` are those of `program`, in the same order."""
        self.program = program
        self.symbolic = symbolic
        self.ghosts = ghosts
        self.store = symbolic.store
        self.shared = frozenset(program.globals)
        self.slots = next(iter(symbolic.frames.values())).slots  # those of globals are the same everywhere
        self.open = self._open(NOW, frozenset())
        self.interruptible = [
            (procedure.name, location)
            for procedure in program.procedures
            for location in range(procedure.size)
            if location not in procedure.failures
        ]
        self._calls: dict[str, list[Call]] = {}
        for procedure in program.procedures:
            for edge in procedure.edges:
                if isinstance(edge.action, Call):
                    self._calls.setdefault(edge.action.procedure, []).append(edge.action)
        self._relations: dict[Written, Relation] = {}

    def initial(self) -> Bdd:
        """Return the shared states (NOW) at the start; no section is open."""
        init = possible(self.store, self.program.init, lambda node: self._now(node.name))
        return init & self._nothing_remembered()

    def relation(self, written: Written, pairs: Bdd) -> Relation:
        """Return pairs as a change of state; only where another thread may run, before and after."""
        slots = [self.slots[name] for name in written]
        forgotten = {variable(slot, NOW) for slot in slots}
        return make_relation(
            self.store, pairs, forgotten, {variable(slot, NEXT): variable(slot, NOW) for slot in slots}
        )

    def visible_places(self, role: Role) -> Iterator[Place]:
        """Yield the places from where others may see a step of a thread, or a thread is started."""
        for procedure in self.program.procedures:
            places = dict.fromkeys(edge.source for edge in procedure.edges if self._acts(edge))
            if self._results_of(procedure.name) or procedure.name == role.procedure:
                places[procedure.exit] = None
            yield from ((procedure.name, location) for location in places)

    def _acts(self, edge: Edge) -> bool:
        match edge.action:
            case Assign(targets):
                return not self.shared.isdisjoint(targets)
            case action:
                return isinstance(action, Concurrent)

    def pairs(self, role: Role, place: Place, known: Bdd) -> Iterator[tuple[Written, Bdd]]:
        """Yield what the steps from path edges at a place do to the shared variables."""
        name, location = place
        frame = self.symbolic.frames[name]
        for edge, plain in zip(frame.procedure.edges, self.program.procedure(name).edges, strict=True):
            if edge.source != location or edge.target in frame.procedure.failures:
                continue
            if isinstance(plain.action, Concurrent) and plain.action.operation is ThreadOperation.END:
                yield from self._ends(frame, known)
            elif isinstance(edge.action, Assign):
                yield from self._steps(frame, edge, edge.action, known)
        if location == frame.procedure.exit:
            for targets, changes in self._results_of(name):
                states = exists(known & self.open & changes, self._own(frame))
                yield targets, exists(states, self._ghost_cube(NOW))
            if name == role.procedure:
                yield from self._ends(frame, known)

    def _steps(self, frame: Frame, edge: Edge, action: Assign, known: Bdd) -> Iterator[tuple[Written, Bdd]]:
        relation = self.symbolic.internal(frame, edge)
        states = and_exists(known, relation.constraint, self._own(frame))
        targets = frozenset(action.targets)
        written = targets & self.shared
        after = self._open(NEXT, targets)
        if self.ghosts is None:
            yield written, states
            return
        hidden = self._ghost_cube(NOW) & self._ghost_cube(NEXT)
        if written:
            yield written, exists(states & self.open & after, hidden)
        states &= ~self.open & after
        if not self.store.is_false(states):
            yield self.shared, self._pairs_since_seen(states, written)

    def _pairs_since_seen(self, states: Bdd, written: Written) -> Bdd:
        """Return the pairs from what was seen last to what is there now, or after what is written."""
        assert self.ghosts is not None
        for name in sorted(self.shared - written):
            states &= self._now(name).equiv(self.store.var(variable(self.slots[name], NEXT)))
        gone = exists(states, self.store.cube(variable(self.slots[name], NOW) for name in self.shared))
        pairs = {variable(self.slots[seen], NOW): variable(self.slots[x], NOW) for x, seen in self.ghosts.seen.items()}
        hidden = self.store.cube([variable(self.slots[self.ghosts.inside], NOW)]) & self._ghost_cube(NEXT)
        return rename(exists(gone, hidden), self.store.renaming(pairs))

    def _ends(self, frame: Frame, known: Bdd) -> Iterator[tuple[Written, Bdd]]:
        """Yield what is seen where a thread ends inside a section."""
        if self.ghosts is None:
            return
        states = exists(known, self._own(frame)) & self._now(self.ghosts.inside)
        if self.program.atomic is not None:
            states &= ~self._now(self.program.atomic)
        if not self.store.is_false(states):
            yield self.shared, self._pairs_since_seen(states, frozenset())

    def _results_of(self, callee: str) -> list[tuple[Written, Bdd]]:
        """Return which shared variables take results of a procedure, and how, for each kind of call."""
        found: dict[Written, Bdd] = {}
        procedure = self.program.procedure(callee)
        slots = self.symbolic.frames[callee].slots
        for call in self._calls.get(callee, ()):
            taken = {x: r for x, r in call.results(procedure) if x in self.shared}
            if not taken:
                continue
            changes = self.store.true
            for target, result in taken.items():
                value = self.store.var(variable(slots[result], NOW))
                changes &= self.store.var(variable(self.slots[target], NEXT)).equiv(value)
            written = frozenset(taken)
            found[written] = found.get(written, self.store.false) | changes
        return list(found.items())

    def starts(self, place: Place, known: Bdd) -> Iterator[tuple[Role, Bdd]]:
        """Yield who is started from path edges at a place, and how its thread waits."""
        name, location = place
        frame = self.symbolic.frames[name]
        for edge in self.program.procedure(name).leaving.get(location, ()):
            action = edge.action
            if not isinstance(action, Concurrent):
                continue
            if action.operation is ThreadOperation.START:
                states = known & self.symbolic.allowed_states(frame)
                if action.procedure is not None:
                    yield Role(action.procedure), self._pass_arguments(frame, action, states)
                else:
                    yield Role(name, action.location), self._as_seen_last(states)

    def _pass_arguments(self, frame: Frame, action: Concurrent, states: Bdd) -> Bdd:
        """Return how a thread waits that runs a procedure: what was last seen, and the arguments."""
        assert action.procedure is not None
        callee: Procedure = self.program.procedure(action.procedure)
        slots = self.symbolic.frames[callee.name].slots
        pairs = {}
        for parameter, argument in action.bindings(callee):
            following = variable(slots[parameter], NEXT)
            pairs[following] = variable(slots[parameter], NOW)
            states &= equation(self.store, self.store.var(following), argument, lambda node: self._read(frame, node))
        own = [variable(frame.slots[name], NOW) for name in frame.procedure.frame]
        own += [variable(frame.slots[name], ENTRY) for name in frame.echoed]
        states = self._as_seen_last(exists(states, self.store.cube(own)))
        return rename(states, self.store.renaming(pairs)) if pairs else states

    def _as_seen_last(self, states: Bdd) -> Bdd:
        """Return states with the shared variables as others saw them last, and no section open."""
        if self.ghosts is None:
            return states
        seen = exists(states & self.open, self._ghost_cube(NOW))
        hidden = states & ~self.open
        if not self.store.is_false(hidden):
            gone = [variable(self.slots[name], NOW) for name in (*self.shared, self.ghosts.inside)]
            pairs = {
                variable(self.slots[old], NOW): variable(self.slots[x], NOW) for x, old in self.ghosts.seen.items()
            }
            seen |= rename(exists(hidden, self.store.cube(gone)), self.store.renaming(pairs))
        return seen & self._nothing_remembered()

    def _open(self, copy: Copy, written: Written) -> Bdd:
        """Return where another thread may run; of what is not written, copy NOW is taken."""
        found = self.store.true
        for name in (self.ghosts.inside if self.ghosts is not None else None, self.program.atomic):
            if name is not None:
                found &= ~self.store.var(variable(self.slots[name], copy if name in written else NOW))
        return found

    def _nothing_remembered(self) -> Bdd:
        """Return that no section is open and nothing is remembered."""
        if self.ghosts is None:
            return self.store.true
        names = (self.ghosts.inside, *self.ghosts.seen.values())
        return self.store.assignment({variable(self.slots[name], NOW): False for name in names})

    def _ghost_cube(self, copy: Copy) -> Bdd:
        names: Iterable[str] = () if self.ghosts is None else (self.ghosts.inside, *self.ghosts.seen.values())
        return self.store.cube(variable(self.slots[name], copy) for name in names)

    def _own(self, frame: Frame) -> Bdd:
        """Return the cube of all that belongs to a thread alone, in every copy."""
        own = [variable(frame.slots[name], copy) for name in frame.procedure.frame for copy in (NOW, NEXT)]
        return self.store.cube([*own, *(variable(frame.slots[name], ENTRY) for name in frame.echoed)])

    def _now(self, name: str) -> Bdd:
        return self.store.var(variable(self.slots[name], NOW))

    def _read(self, frame: Frame, node: Var) -> Bdd:
        return self.store.var(variable(frame.slots[node.name], NOW))
