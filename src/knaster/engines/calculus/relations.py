"""The template relations of a program as BDDs, made of the relations of its symbolic program.

They mean what the text of `templates` means.  The copies of `symbolic.layout` are renamed to the bits of the states of
the calculus, whose variables stand below them in the same store.

Notation: u, v, x, z states of the calculus as in `templates`; a *side* is where a relation has globals and locals.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from operator import or_

from knaster.base.records import dataclass
from knaster.bdd.store import Bdd, Store, rename
from knaster.calculus.fixpoints.external_relations import Given, Place, Symbolic
from knaster.calculus.fixpoints.machine import join
from knaster.engines.calculus.templates import Templates
from knaster.evidence.questions.question import Target
from knaster.program.layout.slots import Copy, variable
from knaster.program.model import Assign, Call, Edge, Procedure, Return
from knaster.views.symbolic.frame import Frame
from knaster.views.symbolic.symbolic_program import SymbolicProgram

NOW, NEXT, ENTRY = Copy.NOW, Copy.NEXT, Copy.ENTRY
Clause = Callable[[Frame, Edge], Bdd]


@dataclass(frozen=True, slots=True)
class _Side:
    """The places of the globals and of the locals of one state; its module and counter where it has them."""

    shared: Place
    own: Place
    module: Place | None = None
    counter: Place | None = None

    @classmethod
    def of(cls, state: Place) -> _Side:
        """Return the side of a whole state."""
        return cls(state.member("G"), state.member("L"), state.member("mod"), state.member("pc"))


class Relations:
    """The relations of one program; each is made when a session asks for it."""

    def __init__(self, symbolic: SymbolicProgram, numbers: Templates, targets: Iterable[Target]) -> None:
        self.symbolic = symbolic
        self.store = symbolic.store
        self.numbers = numbers
        self.program = symbolic.program
        self._targets = [numbers.place(target) for target in targets]
        self._bits = {name: index for index, name in enumerate(self.program.globals)}
        self._kept: dict[object, Bdd] = {}
        self._pairs: dict[object, Mapping[int, int]] = {}

    def bodies(self, needed: Collection[str]) -> Mapping[str, Given]:
        """Return the relations that a formula needs."""
        modules, procedures = self.numbers.modules, self.program.procedures
        calls = [(p, edge) for p in procedures for edge in p.edges if isinstance(edge.action, Call)]
        everything: Mapping[str, Given] = {
            "ProgramInt": Symbolic(self._program_int),
            "IntoCall": Symbolic(self._into_call),
            "Return": Symbolic(self._return),
            "Across": [(modules[p.name], edge.source, edge.target) for p, edge in calls],
            "IntoCall1": Symbolic(self._into_call_1),
            "ReturnA": Symbolic(self._return_a),
            "ReturnB": Symbolic(self._return_b),
            "Entry": [(modules[p.name], p.entry) for p in procedures],
            "Exit": [(modules[p.name], p.exit) for p in procedures],
            "Init": Symbolic(self._init),
            "Target": self._targets,
        }
        return {name: relation for name, relation in everything.items() if name in needed}

    def _program_int(self, store: Store, places: tuple[Place, ...]) -> Bdd:
        u, v = map(_Side.of, places)

        def clause(frame: Frame, edge: Edge) -> Bdd:
            step = self.symbolic.internal(frame, edge, exact=True).constraint
            moved = self._rename_copies(step, [(frame, NOW, u), (frame, NEXT, v)])
            changed = _changes_of(frame.procedure, edge)
            return self._from_to(frame, edge, u, v) & moved & self._same(frame, u, v, changed, "GL")

        return self._union(clause, calls=False)

    def _into_call(self, store: Store, places: tuple[Place, ...]) -> Bdd:
        u, v = map(_Side.of, places)

        def clause(frame: Frame, edge: Edge) -> Bdd:
            callee = self._callee(edge)
            inside = self._at(v, callee.procedure, callee.procedure.entry)
            return self._at(u, frame.procedure, edge.source) & inside & self._pass_arguments(frame, edge, u, v)

        return self._union(clause, calls=True)

    def _into_call_1(self, store: Store, places: tuple[Place, ...]) -> Bdd:
        state, module, own, shared = places
        x, entered = _Side.of(state), _Side(shared, own)

        def clause(frame: Frame, edge: Edge) -> Bdd:
            called = module.equals(store, self.numbers.modules[self._callee(edge).procedure.name])
            return self._at(x, frame.procedure, edge.source) & called & self._pass_arguments(frame, edge, x, entered)

        return self._union(clause, calls=True)

    def _return(self, store: Store, places: tuple[Place, ...]) -> Bdd:
        u, z, v = map(_Side.of, places)

        def clause(frame: Frame, edge: Edge) -> Bdd:
            callee = self._callee(edge).procedure
            own = self._same(frame, u, v, _changes_of(frame.procedure, edge), "L")
            ended = self._at(z, callee, callee.exit)
            return self._from_to(frame, edge, u, v) & ended & own & self._bring_results(frame, edge, z, v)

        return self._union(clause, calls=True)

    def _return_a(self, store: Store, places: tuple[Place, ...]) -> Bdd:
        x, module, v = _Side.of(places[0]), places[1], _Side.of(places[2])

        def clause(frame: Frame, edge: Edge) -> Bdd:
            called = module.equals(store, self.numbers.modules[self._callee(edge).procedure.name])
            own = self._same(frame, x, v, _changes_of(frame.procedure, edge), "L")
            return self._from_to(frame, edge, x, v) & called & own

        return self._union(clause, calls=True)

    def _return_b(self, store: Store, places: tuple[Place, ...]) -> Bdd:
        module, counter, z, v = places[0], places[1], _Side.of(places[2]), _Side.of(places[3])

        def clause(frame: Frame, edge: Edge) -> Bdd:
            callee, caller = self._callee(edge).procedure, frame.procedure
            here = module.equals(store, self.numbers.modules[caller.name]) & counter.equals(store, edge.source)
            there = self._at(z, callee, callee.exit) & self._at(v, caller, edge.target)
            return here & there & self._bring_results(frame, edge, z, v)

        return self._union(clause, calls=True)

    def _init(self, store: Store, places: tuple[Place, ...]) -> Bdd:
        u, frame = _Side.of(places[0]), self.symbolic.frames[self.symbolic.entry]
        start = self._rename_copies(self.symbolic.initial_everywhere(), [(frame, NOW, u)])
        return self._at(u, frame.procedure, frame.procedure.entry) & start

    def _union(self, clause: Clause, calls: bool) -> Bdd:
        """Return the union of the clauses of all edges that are calls, or of all that are none."""
        clauses = [self.store.false]
        for procedure in self.program.procedures:
            frame = self.symbolic.frames[procedure.name]
            clauses += [clause(frame, edge) for edge in procedure.edges if isinstance(edge.action, Call) is calls]
        return join(clauses, or_)

    def _callee(self, edge: Edge) -> Frame:
        assert isinstance(edge.action, Call)
        return self.symbolic.frames[edge.action.procedure]

    def _pass_arguments(self, frame: Frame, edge: Edge, caller: _Side, callee: _Side) -> Bdd:
        """Return which states of the callee a call enters."""
        passing = self.symbolic.argument_relation(frame, edge)
        moved = self._rename_copies(passing, [(frame, NOW, caller), (self._callee(edge), NEXT, callee)])
        return moved & self._same(frame, caller, callee, frozenset(), "G")

    def _bring_results(self, frame: Frame, edge: Edge, z: _Side, v: _Side) -> Bdd:
        """Return that globals and results come from the callee's exit z, and that the caller's `enforce` holds."""
        collecting = self.symbolic.result_relation(frame, edge)
        moved = self._rename_copies(collecting, [(frame, NOW, v), (frame, NEXT, v), (self._callee(edge), ENTRY, z)])
        return moved & self._same(frame, z, v, _changes_of(frame.procedure, edge), "G")

    def _from_to(self, frame: Frame, edge: Edge, source: _Side, target: _Side) -> Bdd:
        """Return that an edge leads from one state to another."""
        return self._at(source, frame.procedure, edge.source) & self._at(target, frame.procedure, edge.target)

    def _at(self, side: _Side, procedure: Procedure, location: int) -> Bdd:
        """Return that a state stands at a location."""
        assert side.module is not None and side.counter is not None
        module = side.module.equals(self.store, self.numbers.modules[procedure.name])
        return module & side.counter.equals(self.store, location)

    def _same(self, frame: Frame, old: _Side, new: _Side, changed: frozenset[str], parts: str) -> Bdd:
        """Return that what did not change of the globals, the locals or both is equal."""
        names = {"G": self.program.globals, "L": frame.procedure.frame}
        kept: dict[str, tuple[int, ...] | None] = dict.fromkeys(parts)  # None: every bit, also those of no variable
        for part in parts:
            if not changed.isdisjoint(names[part]):
                kept[part] = tuple(bit for bit, name in enumerate(names[part]) if name not in changed)
        key = (old, new, tuple(kept.items()))
        if key not in self._kept:
            same = self.store.true
            for part, bits in kept.items():
                before, after = (old.shared, new.shared) if part == "G" else (old.own, new.own)
                for bit in range(len(before)) if bits is None else bits:
                    same &= ~(self.store.var(before[bit]) ^ self.store.var(after[bit]))
            self._kept[key] = same
        return self._kept[key]

    def _rename_copies(self, function: Bdd, copies: list[tuple[Frame, Copy, _Side]]) -> Bdd:
        """Return a function of copies of some frames as one of the states that these copies are."""
        key = tuple((frame.procedure.frame, frame.signature, copy, side) for frame, copy, side in copies)
        pairs = self._pairs.get(key)
        if pairs is None:
            pairs = {}
            for frame, copy, side in copies:
                own = {name: index for index, name in enumerate(frame.procedure.frame)}
                for name, slot in frame.slots.items():
                    place = side.own[own[name]] if name in own else side.shared[self._bits[name]]
                    pairs[variable(slot, copy)] = place
            self._pairs[key] = pairs
        return rename(function, self.store.renaming(pairs))


def _changes_of(procedure: Procedure, edge: Edge) -> frozenset[str]:
    """Return the variables that an edge may change, for a call its targets."""
    match edge.action:
        case Assign(targets):
            return frozenset(targets)
        case Call(_, _, results):
            return frozenset(name for name in results if name is not None)
        case Return():
            return frozenset(procedure.results)
        case _:
            return frozenset()
