"""Encoding: from a Boolean program, a relation on BDDs for every edge of its control-flow graph (Bebop, Table 3).

Relations are made on demand and shared by edges that look the same, so code that is never reached costs nothing and
a thousand copies of a procedure cost one.  `Frame` says which variables occur at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from knaster.base.records import dataclass, field
from knaster.bdd.relation import Relation, make_relation
from knaster.bdd.store import DEFAULT_NODES, Bdd, Store, and_exists, exists, rename
from knaster.program.expression import TRUE, Expr, Var
from knaster.program.layout.order import ORDERS
from knaster.program.layout.slots import LAYOUTS, Copy, Layout, Slot, variable
from knaster.program.model import Assign, Assume, Call, Edge, Location, Program, Return
from knaster.views.symbolic.formula_sets import equation, possible
from knaster.views.symbolic.frame import CallSite, Entrance, Frame, Names, make_frames

Made = TypeVar("Made")
NOW, NEXT, ENTRY = Copy.NOW, Copy.NEXT, Copy.ENTRY


@dataclass(frozen=True, slots=True)
class EncodedProgram:
    """The relations of a Boolean program: a `SymbolicProgram`."""

    program: Program
    layout: Layout
    store: Store
    frames: Mapping[str, Frame]
    _cache: dict[object, object] = field(default_factory=dict)
    _internal: dict[object, Relation] = field(default_factory=dict)

    @property
    def entry(self) -> str:
        """The procedure in which the program starts."""
        return self.program.threads[0]

    def initial(self) -> Bdd:
        """Return the states (NOW) in which the program starts, as far as they are tracked."""
        frame = self.frames[self.entry]
        untracked = frame.slots.keys() - frame.at_entry
        return exists(self.initial_everywhere(), self._cube(frame, untracked, NOW))

    def initial_everywhere(self) -> Bdd:
        """Return the states (NOW) in which the program starts, every variable included."""
        frame = self.frames[self.entry]
        start = possible(self.store, self.program.init, lambda node: self._read(frame, node))
        return start & self.allowed_states(frame)

    def allowed_states(self, frame: Frame) -> Bdd:
        """Return the states (NOW) that the procedure's `enforce` allows."""
        return possible(self.store, frame.procedure.enforce, lambda node: self._read(frame, node))

    def now_variables(self, procedure: str, location: Location) -> list[int]:
        """Return the BDD variables that a set of states at a location may constrain in copy NOW."""
        frame = self.frames[procedure]
        return sorted(variable(frame.slots[name], NOW) for name in frame.tracked[location])

    def internal(self, frame: Frame, edge: Edge, exact: bool = False) -> Relation:
        """Return the relation of an `Assume`, `Assign` or `Return`.

        With `exact` every variable in scope is tracked: what the dead ones become matters to a concrete trace.
        """
        action = edge.action
        before, after = frame.tracked[edge.source], frame.tracked[edge.target]
        place = id(action), id(before), id(after), id(frame.procedure.enforce), frame.signature, exact
        found = self._internal.get(place)  # equal statements of a long text are one action
        if found is not None:
            return found
        assert isinstance(action, Assume | Assign | Return)
        if exact:
            before = after = frozenset(frame.slots)

        def look() -> object:
            return action, frame.signature, before, after, frame.procedure.enforce, len(frame.procedure.results)

        made = self._once(Relation, place, look, lambda: self._make_internal(frame, action, before, after))
        self._internal[place] = made
        return made

    def entrance(self, frame: Frame, edge: Edge) -> Entrance:
        """Return how control passes from a call into the callee."""
        call = edge.action
        assert isinstance(call, Call)
        callee = self.frames[call.procedure]

        def look() -> object:
            here = (frame.signature, frame.tracked[edge.source], frame.echoed)
            there = (callee.signature, callee.at_entry, callee.procedure.parameters, callee.procedure.enforce)
            return Entrance, call.arguments, here, there

        place = Entrance, frame.procedure.name, id(edge)
        return self._once(Entrance, place, look, lambda: self._make_entrance(frame, edge.source, call, callee))

    def argument_relation(self, frame: Frame, edge: Edge) -> Bdd:
        """Return which states (NEXT) of the callee a call enters from which of the caller (NOW), over all variables."""
        call = edge.action
        assert isinstance(call, Call)
        callee = self.frames[call.procedure]
        relation = self._constraint_of(callee, callee.slots, TRUE)
        for name, argument in call.bindings(callee.procedure):
            relation &= self._equals(callee.slots[name], NEXT, frame, argument)
        for name in self.program.globals:
            relation &= self._equals(callee.slots[name], NEXT, frame, Var(name))
        return relation

    def result_relation(self, frame: Frame, edge: Edge) -> Bdd:
        """Return how the targets of a call (NEXT) get the callee's results (ENTRY), over all variables."""
        call = edge.action
        assert isinstance(call, Call)
        callee = self.frames[call.procedure]
        pairs = call.results(callee.procedure)
        relation = self._constraint_of(frame, [target for target, _ in pairs], TRUE)
        for target, result in pairs:
            taken = self.store.var(variable(callee.slots[result], ENTRY))
            relation &= ~(self.store.var(variable(frame.slots[target], NEXT)) ^ taken)
        return relation

    def echo(self, callee: Frame, entered: Bdd) -> Bdd:
        """Return the path edges at the entry of the callee for valuations that enter it (SelfLoop in Figure 3)."""
        for name in sorted(callee.echoed):
            slot = callee.slots[name]
            entered &= ~(self.store.var(variable(slot, ENTRY)) ^ self.store.var(variable(slot, NOW)))
        return entered

    def summary(self, callee: Frame, exits: Bdd) -> Bdd:
        """Return what a caller may see of path edges at the callee's exit.

        The copies are those that `lift` wants: NOW and NEXT of the globals before and after the call, ENTRY of the
        parameters and results.
        """
        slots, procedure = callee.slots, callee.procedure
        results = callee.at_exit.intersection(procedure.results)
        own = slots.keys() - (callee.changed | callee.rigid | results)
        pairs: dict[int, int] = {}
        for name in callee.echoed.intersection(self.program.globals):
            pairs[variable(slots[name], ENTRY)] = variable(slots[name], NOW)
        for name in callee.changed:
            pairs[variable(slots[name], NOW)] = variable(slots[name], NEXT)
        for name in callee.rigid.intersection(procedure.parameters) | results:
            pairs[variable(slots[name], NOW)] = variable(slots[name], ENTRY)
        return rename(exists(exits, self._cube(callee, own, NOW)), self.store.renaming(pairs))

    def lift(self, frame: Frame, edge: Edge, summary: Bdd) -> Relation:
        """Return the summary edges of a call for a set of summaries (Lift in section 3.1)."""
        site = self._call_site(frame, edge)
        constraint = and_exists(exists(summary, site.hidden), site.binding, site.bound)
        return site.change.restrict(constraint)

    def outcomes(self, frame: Frame, edge: Edge, summary: Bdd, after: Mapping[int, bool]) -> Bdd:
        """Return the calls that end in the caller's state `after` (NOW): NOW of the caller, then as in a summary."""
        site = self._call_site(frame, edge)
        wanted = self.store.assignment({index: after[index - NEXT + NOW] for index in site.written})
        return exists(summary, site.hidden) & site.binding & wanted

    def outcome_variables(self, frame: Frame, edge: Edge) -> list[int]:
        """Return the variables of a summary that tell how the call ended, as far as this call site looks at them."""
        call = edge.action
        assert isinstance(call, Call)
        callee = self.frames[call.procedure]
        kept = callee.changed & frame.tracked[edge.target] - set(call.targets)
        results = callee.at_exit.intersection(callee.procedure.results)
        return sorted(
            [variable(callee.slots[name], NEXT) for name in kept]
            + [variable(callee.slots[name], ENTRY) for name in results]
        )

    def _call_site(self, frame: Frame, edge: Edge) -> CallSite:
        call = edge.action
        assert isinstance(call, Call)
        callee = self.frames[call.procedure]

        def look() -> object:
            here = (frame.signature, frame.tracked[edge.source], frame.tracked[edge.target], frame.procedure.enforce)
            there = (callee.signature, callee.at_entry, callee.changed, callee.procedure.parameters)
            return CallSite, call.arguments, call.targets, here, there

        place = CallSite, frame.procedure.name, id(edge)
        return self._once(CallSite, place, look, lambda: self._make_call_site(frame, edge, call, callee))

    def _once(self, kind: type[Made], place: object, look: Callable[[], object], make: Callable[[], Made]) -> Made:
        """Return what was made for this place, or for one that looks the same, or make it now."""
        found = self._cache.get(place)
        if found is None:
            try:
                key = look()
                found = self._cache.get(key)
            except RecursionError:  # an expression too deep to be hashed looks like no other
                key = place
            if found is None:
                found = self._cache[key] = make()
            self._cache[place] = found
        assert isinstance(found, kind)
        return found

    def _make_internal(self, frame: Frame, action: Assume | Assign | Return, before: Names, after: Names) -> Relation:
        store = self.store
        constraint: Expr = TRUE
        match action:
            case Assume(condition):
                passing = possible(store, condition, lambda node: self._read(frame, node))
                return self._change(frame, passing, (), before, after)
            case Assign(targets, values, constraint):
                pass
            case Return(values):
                targets = frame.procedure.results
        relation = self._constraint_of(frame, targets, constraint)
        for name, value in zip(targets, values, strict=True):
            if name in after or constraint is not TRUE:
                relation &= self._equals(frame.slots[name], NEXT, frame, value)
        relation = exists(relation, self._cube(frame, set(targets) - after, NEXT))
        return self._change(frame, relation, targets, before, after)

    def _constraint_of(self, frame: Frame, targets: Iterable[str], constraint: Expr) -> Bdd:
        """Return where the constraint of a change holds and the state after it satisfies `enforce`."""
        following = frozenset(targets)

        def after(node: Var) -> Bdd:
            copy = NEXT if node.name in following else NOW
            return self.store.var(variable(frame.slots[node.name], copy))

        def either(node: Var) -> Bdd:
            return after(node) if node.primed else self._read(frame, node)

        return possible(self.store, constraint, either) & possible(self.store, frame.procedure.enforce, after)

    def _change(self, frame: Frame, relation: Bdd, targets: Iterable[str], before: Names, after: Names) -> Relation:
        written = after.intersection(targets)
        slots = [frame.slots[name] for name in written]
        pairs = {variable(slot, NEXT): variable(slot, NOW) for slot in slots}
        forgotten = {variable(frame.slots[name], NOW) for name in (before - after) | written}
        return make_relation(self.store, relation, forgotten, pairs)

    def _make_entrance(self, frame: Frame, source: Location, call: Call, callee: Frame) -> Entrance:
        binding, pairs = self.store.true, {}
        for name, argument in call.bindings(callee.procedure):
            if name in callee.at_entry:
                slot = callee.slots[name]
                binding &= self._equals(slot, NEXT, frame, argument)
                pairs[variable(slot, NEXT)] = variable(slot, NOW)
        shared = callee.at_entry.intersection(self.program.globals)
        forgotten = {variable(frame.slots[name], NOW) for name in frame.tracked[source] - shared}
        forgotten |= {variable(frame.slots[name], ENTRY) for name in frame.echoed}
        store = self.store
        return Entrance(
            binding,
            store.cube(forgotten),
            store.renaming(pairs),
            store.renaming({now: following for following, now in pairs.items()}),
            store.cube(pairs),
            self._cube(callee, set(callee.procedure.frame) - set(callee.procedure.parameters), NOW),
            self.allowed_states(callee),
        )

    def _make_call_site(self, frame: Frame, edge: Edge, call: Call, callee: Frame) -> CallSite:
        store, procedure = self.store, callee.procedure
        shared = callee.at_entry.intersection(self.program.globals)
        before, after = frame.tracked[edge.source] | shared, frame.tracked[edge.target]
        targets = {name for name in call.targets if name is not None}
        binding, bound = store.true, set[int]()
        for name, argument in call.bindings(procedure):
            if name in callee.at_entry:
                binding &= self._equals(callee.slots[name], ENTRY, frame, argument)
                bound.add(variable(callee.slots[name], ENTRY))
        for target, result in zip(call.targets or [None] * len(procedure.results), procedure.results, strict=True):
            place = variable(callee.slots[result], ENTRY)
            bound.add(place)
            if target is not None and target in after:
                binding &= ~(store.var(variable(frame.slots[target], NEXT)) ^ store.var(place))
        written = targets | callee.changed
        hidden = {name for name in callee.changed if name in targets or name not in after}
        change = self._change(frame, self._constraint_of(frame, written, TRUE), written, before, after)
        needed = tuple(sorted(variable(frame.slots[name], NEXT) for name in after & written))
        return CallSite(binding, self._cube(frame, hidden, NEXT), store.cube(bound), change, needed)

    def _read(self, frame: Frame, node: Var) -> Bdd:
        return self.store.var(variable(frame.slots[node.name], NOW))

    def _equals(self, slot: Slot, copy: Copy, frame: Frame, value: Expr) -> Bdd:
        """Return where a copy of a slot can have the value that an expression has in `frame`."""
        return equation(self.store, self.store.var(variable(slot, copy)), value, lambda node: self._read(frame, node))

    def _cube(self, frame: Frame, names: Iterable[str], copy: Copy) -> Bdd:
        return self.store.cube(variable(frame.slots[name], copy) for name in names)


def encode(
    program: Program,
    *,
    order: str = "auto",
    layout: str = "slots",
    nodes: int = DEFAULT_NODES,
    liveness: bool = True,
    effect_sets: bool = True,
    spread: int = 1,
) -> EncodedProgram:
    """Return the relations of a Boolean program, over a node table of their own.

    With `spread` only every so-manieth slot is used, and the BDD variables of the others are free for somebody else.
    """
    arrangement = LAYOUTS[layout](program, ORDERS[order]).spread(spread)
    store = Store(arrangement.variables, nodes)
    return EncodedProgram(program, arrangement, store, make_frames(program, arrangement, liveness, effect_sets))
