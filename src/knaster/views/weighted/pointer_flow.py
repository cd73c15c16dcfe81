"""The control-flow graph of a program with memory, weighted by what each edge does to pairs of pointers.

Lal (2009), section 3.5.3, over `pushdown/domains/term_pairs`.  Copies, addresses and null are exact.  A pointer that is
read from memory, or that a function of the library returns, may be any that `points_to` has for it.  "The same" is the
same object, so a pointer that is moved stays; "different" is a different address, so one that is moved is new.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from knaster.base.records import dataclass
from knaster.program import memory
from knaster.program.expression import Choice, Conditional, Const, Expr, Var
from knaster.program.memory import Addresses, AddressOf, Begin, Invoke, Library, Load, Moved, Store
from knaster.program.model import Assign, Call, Edge, Procedure, Program, Return
from knaster.pushdown.domains.aliases import AliasTransformer, Pair
from knaster.pushdown.domains.term_pairs import NULL, OUTSIDE, TermPairs
from knaster.pushdown.flow import FlowProcedure, ProcedureBuilder
from knaster.pushdown.icfg import FlowGraph
from knaster.pushdown.merge import Merge
from knaster.views.weighted.pointer_terms import PointerTerms
from knaster.views.weighted.points_to import NEW, Object, heap_object


@dataclass(frozen=True, slots=True)
class Source:
    """A value that a pointer may get: that of a term, or a new one that may be in some objects, or null."""

    term: str = ""
    targets: frozenset[Object] = frozenset()
    null: bool = False
    fresh: bool = False  # in an object that nothing else points into
    moved: bool = False


UNSET = Source(null=True)
ZERO = Source(NULL)
Written = Mapping[str, Source]


class PointerFlow:
    """Makes the graph of a program for one of the two domains."""

    def __init__(self, program: Program, terms: PointerTerms, domain: TermPairs) -> None:
        self.program, self.terms, self.domain = program, terms, domain
        self._results: Written = dict.fromkeys(terms.results, Source())

    def start(self) -> AliasTransformer:
        """Return the weight before the first statement: statics have their initial values, locals none."""
        assert self.program.memory is not None
        main, domain = self.program.threads[0], self.domain
        first = domain.assign(dict.fromkeys(domain.terms[:-1]), self._reflexive())
        values: dict[str, Source] = {each.term: UNSET for each in self.terms.frames[main] if each.term}
        statics = {each.name: each.term for each in self.terms.statics if each.term}
        for declared in self.program.memory.objects:
            if declared.name in statics:
                options = [each for _, _, value in declared.cells for each in self._options("", value)]
                values[statics[declared.name]] = UNSET if declared.unknown else options[0] if options else ZERO
        return domain.extend(first, self._assign("", values))

    def _reflexive(self) -> list[Pair]:
        """Return what is always so: an address is itself."""
        return [(term, term) for term in self.domain.terms if term.startswith("&") or term == NULL]

    def graph(self) -> FlowGraph[AliasTransformer]:
        """Return the graph; nodes are places, and between a call and its successor a place of its own."""
        return FlowGraph.of(self.domain, map(self.procedure, self.program.procedures), self.program.threads[0])

    def procedure(self, own: Procedure) -> FlowProcedure[AliasTransformer]:
        """Return one procedure of the graph."""
        built: ProcedureBuilder[AliasTransformer] = ProcedureBuilder(self.domain, own.name, (own.name, own.entry))
        for number, edge in enumerate(own.edges):
            self._add(built, own, edge, number)
        built.exit((own.name, own.exit))
        return built.build()

    def _add(self, built: ProcedureBuilder[AliasTransformer], own: Procedure, edge: Edge, number: int) -> None:
        source, target = (own.name, edge.source), (own.name, edge.target)
        callees = self._callees(own, edge)
        if callees is None:
            weight = self._forget(own.name, edge.forgets, self._effect(own, edge))
            built.edge(source, target, weight)
            return
        back = (own.name, edge.target, number)
        arguments, targets = edge.action.arguments, edge.action.targets  # type: ignore[union-attr]
        for callee in callees:
            values, known = self._bindings(own, callee, arguments)
            enter = self.domain.enter(values, known)
            built.call(source, callee.name, back, enter, merge=Merge(self.domain.merge(values, enter)))
        built.edge(back, target, self._forget(own.name, edge.forgets, self._take(own.name, targets)))

    def _callees(self, own: Procedure, edge: Edge) -> list[Procedure] | None:
        match edge.action:
            case Call(name):
                return [self.program.procedure(name)]
            case Invoke(function):
                names = {
                    each.name for each in self.terms.points.of_value(own.name, function) if each.sort == "function"
                }
                return [each for each in self.program.procedures if each.name in names]
        return None

    # Statements

    def _effect(self, own: Procedure, edge: Edge) -> AliasTransformer:
        match edge.action:
            case Assign((name,), (value,)):
                return self._write(own.name, name, self._options(own.name, value))
            case Store(AddressOf(name), value):
                return self._write(own.name, name, self._options(own.name, value))
            case Return(values):
                return self._return(own, values)
            case Begin(name, _, zeroed):
                return self._begin(own.name, name, zeroed)
            case Library() as call if call.target is not None:
                return self._write(own.name, call.target, [self._allocated(own, edge, call)])
        return self.domain.one

    def _return(self, own: Procedure, values: Sequence[Expr]) -> AliasTransformer:
        weight = self.domain.one
        for name, value in zip(own.results, values, strict=False):
            if name in self.terms.results:
                found = [self._assign(own.name, {name: each}) for each in self._options(own.name, value)]
                weight = self.domain.extend(weight, self._combine(found))
        return weight

    def _write(self, procedure: str, name: str, options: Sequence[Source]) -> AliasTransformer:
        pointer = self.terms.by_name[procedure].get(name)
        if pointer is None or not pointer.term:
            return self.domain.one
        return self._combine([self._assign(procedure, {pointer.term: each}) for each in options])

    def _begin(self, procedure: str, name: str, zeroed: bool) -> AliasTransformer:
        """Return the weight of an object that begins to live: nothing points to it yet."""
        object = self.terms.points.object_of(procedure, name)
        address = self.terms.address(procedure, object)
        pointer = self.terms.by_name[procedure].get(name)
        values = {} if pointer is None or not pointer.term else {pointer.term: ZERO if zeroed else UNSET}
        weight = self.domain.assign({address: None}, [(address, address)]) if address else self.domain.one
        return self.domain.extend(weight, self._assign(procedure, values))

    def _forget(self, procedure: str, names: Iterable[str], weight: AliasTransformer) -> AliasTransformer:
        for name in names:
            weight = self.domain.extend(weight, self._begin(procedure, name, False))
        return weight

    def _allocated(self, own: Procedure, edge: Edge, call: Library) -> Source:
        assert call.target is not None
        if call.name in NEW:
            return Source(targets=frozenset([heap_object(own.name, edge, call.name)]), null=True, fresh=True)
        return Source(targets=self.terms.points.of_variable(own.name, call.target), null=True)

    # Calls

    def _bindings(
        self, own: Procedure, callee: Procedure, arguments: Sequence[Expr]
    ) -> tuple[dict[str, str | None], list[Pair]]:
        """Return what the callee's own terms are at its entry: arguments, and nothing else."""
        given = dict(zip(callee.parameters, arguments, strict=False))
        values: dict[str, str | None] = dict.fromkeys((*self.domain.own, *self.terms.results))
        known = [(term, term) for term in self.domain.own if term.startswith("&")]
        for each in self.terms.frames[callee.name]:
            if each.term:
                options = self._options(own.name, given[each.name]) if each.name in given else [UNSET]
                several = Source(targets=each.targets, null=True)
                source = options[0] if len(options) == 1 else several
                values[each.term] = self._term(source)
                known += self._known(callee.name, each.term, source)
        return values, known

    def _take(self, procedure: str, targets: Sequence[str | None]) -> AliasTransformer:
        """Return the step after a call: results go to variables and are forgotten."""
        names = self.terms.by_name[procedure]
        taken = dict(self._results)
        for number, target in enumerate(targets):
            pointer = names.get(target) if target is not None else None
            result = f"@{number}"
            if pointer is not None and pointer.term:
                taken[pointer.term] = Source(result) if result in taken else Source(targets=pointer.targets, null=True)
        return self._assign(procedure, taken)

    # Values

    def _options(self, procedure: str, expr: Expr) -> list[Source]:
        """Return the values that an expression may have, one by one."""
        match expr:
            case Const(value):
                return [ZERO if value == memory.NULL else Source()]
            case Var(name) | Load(AddressOf(name), Addresses()):
                pointer = self.terms.by_name[procedure].get(name) if procedure else None
                if pointer is not None and pointer.term:
                    return [Source(pointer.term)]
            case AddressOf(name):
                term = self.terms.address(procedure, self.terms.points.object_of(procedure, name))
                if term:
                    return [Source(term)]
            case Moved(address, index):
                return [self._move(each, index) for each in self._options(procedure, address)]
            case Conditional(_, then, otherwise):
                return [*self._options(procedure, then), *self._options(procedure, otherwise)]
            case Choice():
                return [UNSET]
        return [Source(targets=self.terms.points.of_value(procedure, expr), null=True)]

    def _move(self, source: Source, index: Expr) -> Source:
        if index == Const(0):
            return source
        return Source(source.term, source.targets, source.null, source.fresh, True)

    def _assign(self, procedure: str, values: Written) -> AliasTransformer:
        known = [pair for term, source in values.items() for pair in self._known(procedure, term, source)]
        return self.domain.assign({term: self._term(source) for term, source in values.items()}, known)

    def _term(self, source: Source) -> str | None:
        """Return the term that a value is a copy of; none where it is new."""
        return source.term if source.term and not (source.moved and self.domain.differ) else None

    def _known(self, procedure: str, term: str, source: Source) -> list[Pair]:
        """Return the pairs that a new value may make, of "the same"; the domain itself knows what differs."""
        if source.term or self.domain.differ:
            return []
        known = [(term, NULL)] if source.null else []
        if source.targets:
            known += [(term, term)]
            known += [(term, place) for each in source.targets if (place := self.terms.address(procedure, each))]
        if source.targets and not source.fresh:
            known.append((term, OUTSIDE))
            for other in self.terms.by_name[procedure].values() if procedure else ():
                if other.term and other.term != term and other.targets & source.targets:
                    known.append((term, other.term))
        return known

    def _combine(self, weights: Sequence[AliasTransformer]) -> AliasTransformer:
        total = weights[0]
        for weight in weights[1:]:
            total = self.domain.combine(total, weight)
        return total
