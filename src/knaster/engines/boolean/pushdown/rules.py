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

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

from knaster.base.limits import Budget
from knaster.bdd.store import Bdd, Renaming, exists, rename
from knaster.program.layout.slots import COPIES, Copy, variable
from knaster.program.model import Assign, Call, Edge, Location, Place, Procedure, Return
from knaster.program.traversal import callees_first, reverse_postorder
from knaster.pushdown.automaton import ANY, Automaton
from knaster.pushdown.domains.relations import TAGGED_COPIES, BddRelation, BddRelations
from knaster.pushdown.merge import projecting_merge
from knaster.pushdown.system import PushdownSystem, Rule
from knaster.views.symbolic.frame import Frame
from knaster.views.symbolic.symbolic_program import SymbolicProgram

NOW, NEXT, ENTRY = Copy.NOW, Copy.NEXT, Copy.ENTRY
SPREAD = 2  # slots that a variable takes where its relations are tagged
Back = tuple[str, Location, int]  # where a call returns to: the calling procedure, the call, which of its edges

CONTROL = "p"


class _Relations(BddRelations):
    """Relations over the copies of a program's own layout that heed a budget."""

    def __init__(self, symbolic: SymbolicProgram, results: Sequence[str], budget: Budget, tagged: bool) -> None:
        slots = sorted({slot for mapping in symbolic.layout.slots.values() for slot in mapping.values()})
        places = [_places(slot)[: TAGGED_COPIES if tagged else COPIES] for slot in slots]
        copies = SPREAD * COPIES if tagged else COPIES
        added = symbolic.store.extend(copies * len(results))
        places += [added[first : first + copies] for first in range(0, len(added), copies)]
        names = [*map(_slot, slots), *results]
        super().__init__(names, symbolic.store, tagged=tagged, places=places)
        self._budget = budget

    def extend(self, first: BddRelation, second: BddRelation) -> BddRelation:
        """Return the composition; raise `OutOfBudget` where the budget is spent."""
        self._budget.check()
        self.store.collect()
        return super().extend(first, second)


class Encoding:
    """The rules of a program, and the domain of their weights.

    A variable of the domain is a slot of the layout ("slot 3") or a result ("@0").  A tagged domain needs a program
    that was encoded with `spread=SPREAD`: the tags of a slot are in the free one behind it.
    """

    def __init__(self, symbolic: SymbolicProgram, budget: Budget, tagged: bool = False) -> None:
        self.symbolic = symbolic
        self.program = symbolic.program
        self.count = 0
        most = max((len(procedure.results) for procedure in self.program.procedures), default=0)
        self.results = [f"@{index}" for index in range(most)]
        self.domain = _Relations(symbolic, self.results, budget, tagged)
        entry = symbolic.frames[symbolic.entry]
        self.globals = [_slot(entry.slots[name]) for name in self.program.globals]
        self.shared = self.globals + self.results
        self.own = [name for name in self.domain.names if name not in self.shared]
        self.start: Place = (symbolic.entry, entry.procedure.entry)
        self._ranks = _ranks(symbolic)

    @property
    def initial(self) -> BddRelation:
        """The identity on the valuations in which the program starts."""
        return self.domain.assume(self.symbolic.initial_everywhere())

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
            yield from self.rules_of(procedure)

    def rules_of(self, procedure: Procedure) -> Iterator[Rule[BddRelation]]:
        """Yield the rules of one procedure."""
        kept = self.domain.relation(self.domain.identity(self.shared))
        yield Rule(CONTROL, (procedure.name, procedure.exit), CONTROL, (), kept)
        for number, edge in enumerate(procedure.edges):
            for rule in self._edge(procedure, edge, number):
                self.count += 1
                yield rule

    def _edge(self, procedure: Procedure, edge: Edge, number: int) -> Iterator[Rule[BddRelation]]:
        source, target = (procedure.name, edge.source), (procedure.name, edge.target)
        frame = self.symbolic.frames[procedure.name]
        match edge.action:
            case Call() as call:
                back: Back = (procedure.name, edge.source, number)
                callee = self.symbolic.frames[call.procedure]
                passed = self.domain.relation(self.symbolic.argument_relation(frame, edge))
                merge = projecting_merge(self.domain, passed, self._restore)
                entry = (call.procedure, callee.procedure.entry)
                yield Rule(CONTROL, source, CONTROL, (entry, back), passed, merge)
                taken = rename(
                    self.symbolic.result_relation(frame, edge),
                    self._renaming_of_results(callee, ENTRY, self.domain.before),
                )
                targets = [_slot(frame.slots[name]) for name in call.targets if name is not None]
                yield Rule(CONTROL, back, CONTROL, (target,), self._change(taken, [*targets, *self.results]))
            case action:
                changed = rename(
                    self.symbolic.internal(frame, edge, exact=True).constraint,
                    self._renaming_of_results(frame, NEXT, self.domain.after),
                )
                written: Iterable[str] = ()
                if isinstance(action, Assign):
                    written = [_slot(frame.slots[name]) for name in action.targets]
                elif isinstance(action, Return):
                    written = self.results[: len(procedure.results)]
                yield Rule(CONTROL, source, CONTROL, (target,), self._change(changed, written))

    def _change(self, function: Bdd, written: Iterable[str]) -> BddRelation:
        """Return the relation of a function in which everything that is not written keeps its value."""
        changed = set(written)
        return self.domain.relation(function & self.domain.identity(set(self.domain.names) - changed))

    def _renaming_of_results(self, frame: Frame, copy: Copy, places: Mapping[str, int]) -> Renaming:
        """Return the renaming of a copy of a procedure's results to the results of the domain."""
        results = zip(frame.procedure.results, self.results, strict=False)
        pairs = {variable(frame.slots[own], copy): places[result] for own, result in results}
        return self.domain.store.renaming(pairs)

    def _restore(self, called: BddRelation) -> BddRelation:
        """Return a call and its callee's run as a step of the caller: what the callee's locals became is forgotten."""
        domain = self.domain
        after = domain.store.cube(domain.after[name] for name in self.own)
        return domain.relation(exists(called.function, after) & domain.identity(self.own))

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


def _places(slot: int) -> list[int]:
    """Return the BDD variables of a slot as before, after and between, and those of the free slot behind it as tags."""
    copies = [variable(slot, copy) for copy in (NOW, NEXT, ENTRY)]
    return copies + [variable(slot + 1, copy) for copy in (NOW, NEXT)]


def _ranks(symbolic: SymbolicProgram) -> dict[Place, int]:
    ranks: dict[Place, int] = {}
    for procedure in callees_first(symbolic.program):
        for location in reverse_postorder(procedure):
            ranks[procedure.name, location] = len(ranks)
    return ranks
