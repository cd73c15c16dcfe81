"""The relations that a program with threads gives to `reach.mu`, as BDDs made of those of its symbolic program.

La Torre, Madhusudan, Parlato, Analyzing Recursive Programs using a Fixed-point Calculus, PLDI 2009, section 5.  The
program is one whose threads may be interrupted (`transform/threads/contexts`).  A dead local is not constrained.

    ProgramInt(u, v)          an internal step                     Init(j, v)          where thread j begins
    IntoCall(x, mod, y)       a call of mod, which enters y        Start(G)            the shared states at the start
    Enter(u, v)               v is where the entry u leads         Free(v)             where a thread can be interrupted
    ReturnA(x, zmod, v)       the caller's half of a return        Turn(i, t, j)       thread j owns context i
    ReturnB(mod, pc, z, v)    the callee's half of a return        Handed(i, g, G)     context i begins in G
    Exit(mod, pc)             the last location

Notation: a *side* is where a relation has globals and locals; bits are those of the slots of `symbolic.layout`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from operator import or_

from knaster.base.records import dataclass
from knaster.bdd.store import Bdd, Store, exists, rename
from knaster.calculus.fixpoints.external_relations import Given, Place, Symbolic
from knaster.calculus.fixpoints.machine import join
from knaster.program.expression import Expr, Var
from knaster.program.layout.slots import Copy, Slot, variable
from knaster.program.model import Assign, Call, Edge, Procedure, Return
from knaster.transform.threads.contexts import Contexts
from knaster.views.symbolic.encoding import EncodedProgram
from knaster.views.symbolic.formula_sets import possible
from knaster.views.symbolic.frame import Frame

NOW, NEXT, ENTRY = Copy.NOW, Copy.NEXT, Copy.ENTRY
HEADS = """
bool ProgramInt(State u, State v);
bool IntoCall(State x, Module mod, Entry y);
bool Enter(Entry u, State v);
bool ReturnA(State x, Module zmod, State v);
bool ReturnB(Module xmod, Counter xpc, State z, State v);
bool Exit(Module mod, Counter pc);
bool Init(Thread j, State v);
bool Start(Global G);
bool Free(State v);
bool Turn(Context i, Owners t, Thread j);
bool Handed(Context i, Vector g, Global G);
"""
Rank = tuple[int, ...]
Names = frozenset[str]


@dataclass(frozen=True, slots=True)
class _Side:
    """The places of the globals and of the locals of one state; its module and counter where it has them."""

    shared: Place
    own: Place
    module: Place | None = None
    counter: Place | None = None

    @classmethod
    def of(cls, state: Place) -> _Side:
        """Return the side of a whole state, or of an entry."""
        located = "mod" in state.type.members
        where = (state.member("mod"), state.member("pc")) if located else (None, None)
        return cls(state.member("G"), state.member("L"), *where)


class ThreadRelations:
    """The relations of one program for contexts 0 .. `number`; each is made when a session asks for it."""

    def __init__(self, parts: Contexts, symbolic: EncodedProgram, number: int) -> None:
        self.parts = parts
        self.symbolic = symbolic
        self.store = symbolic.store
        self.number = number
        self.program = symbolic.program
        self.modules = {procedure.name: index for index, procedure in enumerate(self.program.procedures)}
        frames = symbolic.frames.values()
        self.shared = sorted({frame.slots[name] for frame in frames for name in self.program.globals})
        every = {slot for frame in frames for slot in frame.slots.values()}
        self.own = sorted(every - set(self.shared))
        self._untaken = {id(move.edge) for move in parts.moves} | {id(edge) for edge in parts.watched}

    def declarations(self) -> str:
        """Return the types and the relations without their definitions."""
        counters = max(procedure.size for procedure in self.program.procedures)
        threads = len(self.program.threads)
        return f"""
            enum Module {{ 0..{len(self.modules) - 1} }};
            enum Counter {{ 0..{counters - 1} }};
            enum Thread {{ 1..{threads} }};
            enum Context {{ 0..{self.number} }};
            class Global {{ bool x[{max(1, len(self.shared))}]; }};
            class Local {{ bool x[{max(1, len(self.own))}]; }};
            class State {{ Module mod; Counter pc; Global G; Local L; }};
            class Entry {{ Global G; Local L; }};
            class Owners {{ Thread of[{self.number + 1}]; }};
            class Vector {{ Global at[{max(1, self.number)}]; }};
            {HEADS}"""

    def ranks(self) -> Mapping[str, list[Rank]]:
        """Return where the bits of each type stand: counters and owners on top, all copies of a variable together."""
        of: dict[str, list[Rank]] = {
            "Module": [(2, bit) for bit in range(_width(len(self.modules)))],
            "Counter": [(3, bit) for bit in range(_width(max(p.size for p in self.program.procedures)))],
            "Thread": [(0, 1, bit) for bit in range(_width(len(self.program.threads)))],
            "Context": [(0, 0, bit) for bit in range(_width(self.number + 1))],
        }
        copies = max(1, self.number)
        shared: list[Rank] = [(4, slot, 0) for slot in self.shared] or [(4, 0, 0)]
        own: list[Rank] = [(4, slot, 0) for slot in self.own] or [(4, 0, 0)]
        of |= {"Global": shared, "Local": own, "Entry": [*shared, *own]}
        of["State"] = [*of["Module"], *of["Counter"], *of["Entry"]]
        of["Owners"] = [(1, i, bit) for i in range(self.number + 1) for bit in range(len(of["Thread"]))]
        of["Vector"] = [(4, rank[1], 1 + i) for i in range(copies) for rank in shared]
        return of

    def bodies(self) -> Mapping[str, Given]:
        """Return the relations."""
        modules, procedures = self.modules, self.program.procedures
        return {
            "ProgramInt": Symbolic(self._program_int),
            "IntoCall": Symbolic(self._into_call),
            "Enter": Symbolic(self._enter),
            "ReturnA": Symbolic(self._return_a),
            "ReturnB": Symbolic(self._return_b),
            "Exit": [(modules[p.name], p.exit) for p in procedures],
            "Init": Symbolic(self._init),
            "Start": Symbolic(lambda _, places: self.start(places[0])),
            "Free": Symbolic(lambda _, places: self.free(places[0])),
            "Turn": Symbolic(self._turn),
            "Handed": Symbolic(self._handover),
        }

    def values(self, fact: Mapping[int, bool], place: Place) -> dict[str, bool]:
        """Return the shared state that a fact has at a place."""
        slots = next(iter(self.symbolic.frames.values())).slots
        return {name: fact.get(place[self.shared.index(slots[name])], False) for name in self.program.globals}

    def _program_int(self, store: Store, places: tuple[Place, ...]) -> Bdd:
        u, v = map(_Side.of, places)

        def clause(frame: Frame, edge: Edge) -> Bdd:
            step = self.symbolic.internal(frame, edge).constraint
            kept = frame.tracked[edge.target] - _changes_of(frame.procedure, edge)
            moved = self._rename_copies(step, [(NOW, u), (NEXT, v)])
            return self._from_to(frame, edge, u, v) & moved & self._same(frame, kept, u, v)

        return self._union(clause, calls=False)

    def _into_call(self, store: Store, places: tuple[Place, ...]) -> Bdd:
        x, y = _Side.of(places[0]), _Side.of(places[2])

        def clause(frame: Frame, edge: Edge) -> Bdd:
            callee = self._callee(edge)
            here = self._at(x, frame.procedure, edge.source) & self._is_module(places[1], callee)
            passing = self.symbolic.argument_relation(frame, edge)
            lost = store.cube(variable(slot, NEXT) for name, slot in callee.slots.items() if name not in callee.echoed)
            return here & self._rename_copies(exists(passing, lost), [(NOW, x), (NEXT, y)])

        return self._union(clause, calls=True)

    def _enter(self, store: Store, places: tuple[Place, ...]) -> Bdd:
        u, v = map(_Side.of, places)
        clauses = []
        for frame in self.symbolic.frames.values():
            entry = self._at(v, frame.procedure, frame.procedure.entry)
            clauses.append(entry & self._same(frame, frame.echoed, u, v))
        return join(clauses, or_)

    def _return_a(self, store: Store, places: tuple[Place, ...]) -> Bdd:
        x, v = _Side.of(places[0]), _Side.of(places[2])

        def clause(frame: Frame, edge: Edge) -> Bdd:
            own = frame.tracked[edge.target].intersection(frame.procedure.frame) - _changes_of(frame.procedure, edge)
            called = self._is_module(places[1], self._callee(edge))
            return self._from_to(frame, edge, x, v) & called & self._same(frame, own, x, v)

        return self._union(clause, calls=True)

    def _return_b(self, store: Store, places: tuple[Place, ...]) -> Bdd:
        module, counter, z, v = places[0], places[1], _Side.of(places[2]), _Side.of(places[3])

        def clause(frame: Frame, edge: Edge) -> Bdd:
            callee, caller, changed = self._callee(edge), frame.procedure, _changes_of(frame.procedure, edge)
            here = self._is_module(module, frame) & counter.equals(store, edge.source)
            there = self._at(z, callee.procedure, callee.procedure.exit) & self._at(v, caller, edge.target)
            dead = changed - frame.tracked[edge.target]
            lost = store.cube(variable(frame.slots[name], NEXT) for name in dead)
            brought = self._rename_copies(
                exists(self.symbolic.result_relation(frame, edge), lost), [(NEXT, v), (ENTRY, z)]
            )
            kept = frame.tracked[edge.target].intersection(self.program.globals) - changed
            return here & there & brought & self._same(frame, kept, z, v)

        return self._union(clause, calls=True)

    def _init(self, store: Store, places: tuple[Place, ...]) -> Bdd:
        thread, v = places[0], _Side.of(places[1])
        clauses = [store.false]
        for number, name in enumerate(self.parts.beginners, 1):
            procedure = self.symbolic.frames[name].procedure
            outside = self._holds(self.parts.outside, v)
            clauses.append(thread.equals(store, number) & self._at(v, procedure, procedure.entry) & outside)
        return join(clauses, or_)

    def start(self, shared: Place) -> Bdd:
        """Return the shared states in which the program starts."""
        side = _Side(shared, shared)
        return self._holds(self.program.init, side) & self._holds(self.parts.outside, side)

    def free(self, state: Place) -> Bdd:
        """Return the states in which a thread can be interrupted."""
        v = _Side.of(state)
        clauses = [self.store.false]
        for move in self.parts.moves:
            procedure = self.symbolic.frames[move.procedure].procedure
            clauses.append(self._at(v, procedure, move.edge.source) & self._holds(move.free, v))
        return join(clauses, or_)

    def _turn(self, store: Store, places: tuple[Place, ...]) -> Bdd:
        context, owners, thread = places
        each = owners.member("of")
        clauses = [context.equals(store, i) & each.element(i).same(store, thread) for i in range(self.number + 1)]
        return join(clauses, or_)

    def _handover(self, store: Store, places: tuple[Place, ...]) -> Bdd:
        context, vector, shared = places
        at = vector.member("at")
        clauses = [context.equals(store, i + 1) & at.element(i).same(store, shared) for i in range(self.number)]
        return join([store.false, *clauses], or_)

    def _union(self, clause: Callable[[Frame, Edge], Bdd], calls: bool) -> Bdd:
        """Return the union of the clauses of all edges that are calls, or of all that are none."""
        clauses = [self.store.false]
        for procedure in self.program.procedures:
            frame = self.symbolic.frames[procedure.name]
            for edge in procedure.edges:
                if isinstance(edge.action, Call) is calls and id(edge) not in self._untaken:
                    clauses.append(clause(frame, edge))
        return join(clauses, or_)

    def _callee(self, edge: Edge) -> Frame:
        assert isinstance(edge.action, Call)
        return self.symbolic.frames[edge.action.procedure]

    def _is_module(self, module: Place, frame: Frame) -> Bdd:
        return module.equals(self.store, self.modules[frame.procedure.name])

    def _from_to(self, frame: Frame, edge: Edge, source: _Side, target: _Side) -> Bdd:
        """Return that an edge leads from one state to another."""
        return self._at(source, frame.procedure, edge.source) & self._at(target, frame.procedure, edge.target)

    def _at(self, side: _Side, procedure: Procedure, location: int) -> Bdd:
        """Return that a state stands at a location."""
        assert side.module is not None and side.counter is not None
        return side.module.equals(self.store, self.modules[procedure.name]) & side.counter.equals(self.store, location)

    def _same(self, frame: Frame, names: Iterable[str], one: _Side, two: _Side) -> Bdd:
        """Return that some variables have the same values on two sides."""
        same = self.store.true
        for slot in sorted((frame.slots[name] for name in names), reverse=True):
            here, there = self._bit(slot, one), self._bit(slot, two)
            same &= ~(self.store.var(here) ^ self.store.var(there))
        return same

    def _holds(self, expr: Expr, side: _Side) -> Bdd:
        """Return where a formula over globals holds."""
        slots = next(iter(self.symbolic.frames.values())).slots

        def read(node: Var) -> Bdd:
            return self.store.var(self._bit(slots[node.name], side))

        return possible(self.store, expr, read)

    def _bit(self, slot: Slot, side: _Side) -> int:
        return side.shared[self.shared.index(slot)] if slot in self.shared else side.own[self.own.index(slot)]

    def _rename_copies(self, function: Bdd, copies: list[tuple[Copy, _Side]]) -> Bdd:
        """Return a function of copies of the slots as one of the sides that these copies are."""
        pairs = {
            variable(slot, copy): self._bit(slot, side) for copy, side in copies for slot in (*self.shared, *self.own)
        }
        return rename(function, self.store.renaming(pairs))


def _width(values: int) -> int:
    return (values - 1).bit_length()


def _changes_of(procedure: Procedure, edge: Edge) -> Names:
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
