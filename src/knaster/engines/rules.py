"""A Boolean program as the rules of an extended weighted pushdown system.

Lal, Interprocedural Analysis and the Verification of Concurrent Programs (PhD thesis, University of Wisconsin, 2009),
section 3.5.1: the stack holds locations, a weight is a relation on valuations of the globals and of one frame of
locals.  merge(w1, w2) = w1 · restore(f(r) · w2): the call with the callee's run relates the caller's state before the
call to the callee's state at its end; restore forgets the callee's locals there and puts back the caller's, which are
those before the call.  (Specification E6 forgets the locals before the call too.  It may, because its calls do not
pass them; here they are the arguments.)

    <p, u> -> <p, v>             an internal edge, with its relation
    <p, u> -> <p, entry back>    a call: globals keep their values, parameters take the arguments, locals are free
    <p, back> -> <p, v>          the results go to the targets of the call
    <p, exit> -> <p, ε>          a return: globals and results are kept, locals are forgotten

Results are variables outside the frame, so that project leaves them to the caller.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence

from knaster.errors import UnsupportedError
from knaster.limits import Budget
from knaster.program.expression import TRUE, Expr, Var
from knaster.program.model import Assign, Assume, Call, Edge, Location, Place, Procedure, Return
from knaster.program.traversal import callees_first, edges_by_source, reverse_postorder
from knaster.pushdown.automaton import ANY, Automaton
from knaster.pushdown.domains.relations import COPIES, TAGGED_COPIES, BddRelation, BddRelations
from knaster.pushdown.merge import projecting_merge
from knaster.pushdown.system import PushdownSystem, Rule
from knaster.symbolic.bdd import Bdd, Store, exists
from knaster.symbolic.formula import equation, possible
from knaster.symbolic.program import SymbolicProgram

Back = tuple[str, Location, int]  # where a call returns to: the calling procedure, the call, which of its edges

CONTROL = "p"


class _Relations(BddRelations):
    """Relations that heed a budget."""

    def __init__(self, names: Sequence[str], nodes: int, budget: Budget, tagged: bool) -> None:
        copies = TAGGED_COPIES if tagged else COPIES
        super().__init__(names, Store(copies * len(names), nodes), tagged=tagged)
        self._budget = budget

    def extend(self, first: BddRelation, second: BddRelation) -> BddRelation:
        """Return the composition; raise `OutOfBudget` where the budget is spent."""
        self._budget.check()
        self.store.collect()
        return super().extend(first, second)


class Encoding:
    """The rules of a program, and the domain of their weights.

    A variable of the domain is a slot of the layout ("slot 3") or a result ("@0").
    """

    def __init__(self, symbolic: SymbolicProgram, budget: Budget, tagged: bool = False) -> None:
        self.symbolic = symbolic
        self.program = symbolic.program
        self.count = 0
        most = max((len(procedure.results) for procedure in self.program.procedures), default=0)
        self.results = [f"@{index}" for index in range(most)]
        names = [_slot(slot) for slot in range(symbolic.layout.size)] + self.results
        self.domain = _Relations(names, symbolic.store.capacity, budget, tagged)
        entry = symbolic.frames[symbolic.entry]
        self.globals = [_slot(entry.slots[name]) for name in self.program.globals]
        self.shared = self.globals + self.results
        self.own = [name for name in names if name not in self.shared]
        self.start: Place = (symbolic.entry, entry.procedure.entry)
        self._ranks = _ranks(symbolic)

    @property
    def initial(self) -> BddRelation:
        """The identity on the valuations in which the program starts."""
        procedure = self.symbolic.frames[self.symbolic.entry].procedure
        start = self._can_hold(procedure, self.program.init) & self._can_hold(procedure, procedure.enforce)
        return self.domain.assume(start)

    def system(self) -> PushdownSystem[BddRelation]:
        """Return the system of the program."""
        return PushdownSystem.of(self.domain, self.rules())

    def sources(self) -> Automaton[BddRelation]:
        """Return the configurations in which the program starts."""
        return Automaton.of([(CONTROL, self.start, "end", self.initial)], ["end"], [CONTROL])

    def configurations(self, *places: Place) -> Automaton[BddRelation]:
        """Return the configurations that stand at one of the places, whatever is below it on the stack."""
        edges: list[tuple[Hashable, Hashable, Hashable]] = [(CONTROL, place, "below") for place in places]
        return Automaton.of([*edges, ("below", ANY, "below")], ["below"], [CONTROL])

    def rank(self, state: object, symbol: object, target: object) -> int:
        """Callees first, reverse post-order inside a procedure; a return before anything else."""
        return -1 if symbol is None else self._ranks.get(symbol[:2], 0) if isinstance(symbol, tuple) else 0

    def rules(self) -> Iterator[Rule[BddRelation]]:
        """Yield the rules of every procedure."""
        for procedure in self.program.procedures:
            kept = self.domain.relation(self.domain.identity(self.shared))
            yield Rule(CONTROL, (procedure.name, procedure.exit), CONTROL, (), kept)
            for number, edge in enumerate(procedure.edges):
                for rule in self._edge(procedure, edge, number):
                    self.count += 1
                    yield rule

    def _edge(self, procedure: Procedure, edge: Edge, number: int) -> Iterator[Rule[BddRelation]]:
        source, target = (procedure.name, edge.source), (procedure.name, edge.target)
        match edge.action:
            case Assume(condition):
                yield Rule(
                    CONTROL, source, CONTROL, (target,), self.domain.assume(self._can_hold(procedure, condition))
                )
            case Assign(targets, values, constraint):
                changes = dict(zip(targets, values, strict=True))
                yield Rule(CONTROL, source, CONTROL, (target,), self._assign(procedure, changes, constraint))
            case Return(values):
                changes = dict(zip(procedure.results, values, strict=True))
                yield Rule(CONTROL, source, CONTROL, (target,), self._assign(procedure, changes, TRUE))
            case Call() as call:
                back: Back = (procedure.name, edge.source, number)
                callee = self.symbolic.frames[call.procedure].procedure
                passed = self._pass(procedure, callee, call)
                merge = projecting_merge(self.domain, passed, self._restore)
                yield Rule(CONTROL, source, CONTROL, ((callee.name, callee.entry), back), passed, merge)
                yield Rule(CONTROL, back, CONTROL, (target,), self._collect(procedure, callee, call))
            case action:
                feature = f"'{action.operation.value}': the engine 'pushdown' checks sequential programs only"
                raise UnsupportedError(feature, edge.span, self.program.file)

    def _assign(self, procedure: Procedure, changes: Mapping[str, Expr], constraint: Expr) -> BddRelation:
        domain, store = self.domain, self.domain.store
        places = {self._name(procedure, name): value for name, value in changes.items()}
        function = domain.identity(name for name in domain.names if name not in places)
        function &= self._can_hold(procedure, constraint, primed=True) & self._enforced(procedure)
        for name, value in places.items():
            after = store.var(domain.after[name])
            function &= equation(store, after, value, lambda node: self._read(procedure, node, False))
        return domain.relation(function)

    def _pass(self, procedure: Procedure, callee: Procedure, call: Call) -> BddRelation:
        domain, store = self.domain, self.domain.store
        function = domain.identity(self.globals) & self._enforced(callee)
        for name, value in zip(callee.parameters, call.arguments, strict=True):
            after = store.var(domain.after[self._name(callee, name)])
            function &= equation(store, after, value, lambda node: self._read(procedure, node, False))
        return domain.relation(function)

    def _restore(self, called: BddRelation) -> BddRelation:
        """Return a call and its callee's run as a step of the caller: what the callee's locals became is forgotten."""
        domain = self.domain
        after = domain.store.cube(domain.after[name] for name in self.own)
        return domain.relation(exists(called.function, after) & domain.identity(self.own))

    def _collect(self, procedure: Procedure, callee: Procedure, call: Call) -> BddRelation:
        """Return the step after a return: results go to the targets, and are not needed any more."""
        domain, store = self.domain, self.domain.store
        pairs = {
            self._name(procedure, target): result
            for target, result in zip(call.targets, self.results, strict=False)
            if target is not None
        }
        function = domain.identity(name for name in domain.names if name not in pairs and name not in self.results)
        function &= self._enforced(procedure)
        for name, result in pairs.items():
            function &= ~(store.var(domain.after[name]) ^ store.var(domain.before[result]))
        return domain.relation(function)

    def _enforced(self, procedure: Procedure) -> Bdd:
        """Return where the state after a step satisfies `enforce`."""
        store = self.domain.store
        return possible(store, procedure.enforce, lambda node: self._read(procedure, node, True))

    def _can_hold(self, procedure: Procedure, condition: Expr, primed: bool = False) -> Bdd:
        store = self.domain.store
        return possible(store, condition, lambda node: self._read(procedure, node, primed and node.primed))

    def _read(self, procedure: Procedure, node: Var, after: bool) -> Bdd:
        places = self.domain.after if after else self.domain.before
        return self.domain.store.var(places[self._name(procedure, node.name)])

    def variables(self, procedure: str) -> dict[str, str]:
        """Return the variable of the domain that holds each variable of a procedure that its text can name."""
        declared = self.symbolic.frames[procedure].procedure
        names = self.program.globals + declared.parameters + declared.locals
        return {name: self._name(declared, name) for name in names}

    def _name(self, procedure: Procedure, name: str) -> str:
        if name in procedure.results:
            return self.results[procedure.results.index(name)]
        return _slot(self.symbolic.layout.slots[procedure.name][name])


def _slot(slot: int) -> str:
    return f"slot {slot}"


def _ranks(symbolic: SymbolicProgram) -> dict[Place, int]:
    ranks: dict[Place, int] = {}
    for procedure in callees_first(symbolic.program):
        for location in reverse_postorder(procedure, edges_by_source(procedure)):
            ranks[procedure.name, location] = len(ranks)
    return ranks
