"""Writes the may side as a Boolean program: a variable for each predicate, a constrained assignment for each path.

T. Ball, R. Majumdar, T. Millstein and S. K. Rajamani, Automatic Predicate Abstraction of C Programs (PLDI 2001); here
each step is the best one for its predicates together, not for each of them alone.  A call passes the predicates of
the callee's entry and gets those of its exit back; what holds in the caller then is related to both.  Combinations of
predicates that no state has are excluded by `enforce`.  Whatever a run of the C program does, a run of this one does
too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from knaster.base.errors import Span
from knaster.base.records import dataclass
from knaster.program.algebra import conjunction, decision, literal_of, substitute
from knaster.program.expression import (
    CHOICE,
    FALSE,
    TRUE,
    Binary,
    Const,
    Expr,
    Not,
    Operator,
    Var,
)
from knaster.program.model import Assign, Assume, Call, Edge, Location, Place, Procedure, Program, Return, result_name
from knaster.smt.signs import Undecided
from knaster.views.abstraction.relations import Abstraction, Bits
from knaster.views.steps.paths import CallPath, StepPath

MOST_ENFORCED = 10  # predicates of a procedure whose combinations are listed
Spell = Callable[[Expr], str]


@dataclass(frozen=True, slots=True)
class Boolean:
    """A Boolean program, and the way back: where cut points are, what its edges stand for, what its variables mean."""

    program: Program
    locations: Mapping[Place, Location]
    origins: Mapping[tuple[str, Location, Location, int], StepPath | CallPath]
    names: Mapping[str, Mapping[Expr, str]]  # of the predicates of each procedure

    def origin(self, procedure: str, edge: Edge) -> StepPath | CallPath | None:
        """Return the path or the call that an edge of a procedure stands for; None for what is between."""
        return self.origins.get((procedure, edge.source, edge.target, edge.span.length))


def boolean_program(abstraction: Abstraction, targets: Sequence[Place], spell: Spell) -> Boolean:
    """Return the Boolean program for the predicates of an abstraction."""
    program = abstraction.paths.program
    kept = [procedure for procedure in program.procedures if procedure.name in abstraction.paths.points]
    names = {procedure.name: _names(abstraction, procedure, spell) for procedure in kept}
    locations: dict[Place, Location] = {}
    origins: dict[tuple[str, Location, Location, int], StepPath | CallPath] = {}
    procedures = []
    for procedure in kept:
        writing = _Writer(abstraction, procedure, names, locations, origins)
        procedures.append(writing.procedure([location for name, location in targets if name == procedure.name]))
    return Boolean(
        Program((), tuple(procedures), (abstraction.paths.main,), file=program.file), locations, origins, names
    )


def _names(abstraction: Abstraction, procedure: Procedure, spell: Spell) -> dict[Expr, str]:
    """Return a name for each predicate of a procedure: its text."""
    found: dict[Expr, str] = {}
    results = {name: Var("\\result" if len(procedure.results) == 1 else name) for name in procedure.results}
    for location in abstraction.paths.points[procedure.name]:
        for predicate in abstraction.at((procedure.name, location)):
            if predicate not in found:
                text = spell(substitute(predicate, results))
                taken = sum(other == text or other.startswith(f"{text} #") for other in found.values())
                found[predicate] = f"{text} #{taken + 1}" if taken else text
    return found


class _Writer:
    """One procedure."""

    def __init__(
        self,
        abstraction: Abstraction,
        procedure: Procedure,
        names: Mapping[str, Mapping[Expr, str]],
        locations: dict[Place, Location],
        origins: dict[tuple[str, Location, Location, int], StepPath | CallPath],
    ) -> None:
        self.abstraction = abstraction
        self.c = procedure
        self.names = names[procedure.name]
        self.everywhere = names
        self.entry = abstraction.paths.entries[procedure.name]
        self.cuts = abstraction.paths.points[procedure.name]
        self.locations = locations
        self.origins = origins
        for number, location in enumerate(self.cuts):
            locations[procedure.name, location] = number
        self.size = len(self.cuts)
        self.edges: list[Edge] = []
        self.temporaries: list[str] = []
        self.serial = 0

    def new(self) -> Location:
        """Return another location."""
        self.size += 1
        return self.size - 1

    def at(self, location: Location) -> tuple[str, ...]:
        """Return the variables of the predicates of a cut point."""
        return tuple(self.names[predicate] for predicate in self.abstraction.at((self.c.name, location)))

    def procedure(self, targets: Sequence[Location]) -> Procedure:
        """Return the Boolean procedure."""
        name = self.c.name
        is_main = name == self.abstraction.paths.main
        entry = self.locations[self.entry]
        for location in self.cuts:
            site = self.abstraction.paths.calls.get((name, location))
            if site is not None:
                self._add_call(site)
            for path in self.abstraction.paths.leaving[name, location]:
                self._add_path(path)
        parameters = () if is_main else self.at(self.entry[1])
        begin = self._start(entry) if is_main else entry
        results = self.at(self.c.exit)
        leave, joined = self.new(), self._label_location(targets)
        self.edges.append(Edge(self.locations[name, self.c.exit], Return(tuple(map(Var, results))), leave, self.c.span))
        locals = [variable for variable in self.names.values() if variable not in parameters]
        self.edges.sort(key=lambda edge: edge.source)
        return Procedure(
            name,
            parameters,
            tuple(result_name(index) for index in range(len(results))),
            (*locals, *self.temporaries),
            begin,
            leave,
            tuple(self.edges),
            (("ERROR", joined),) if joined is not None else (),
            enforce=self._enforce(),
            span=self.c.span,
        )

    def _label_location(self, targets: Sequence[Location]) -> Location | None:
        """Return the location of the label for targets; several of them lead to one."""
        places = [self.locations[self.c.name, target] for target in targets]
        if not places:
            return None
        end = self.new()
        for place in places:
            self.edges.append(Edge(place, Assume(TRUE), end, self.c.span))
        return end

    def _start(self, entry: Location) -> Location:
        """Begin main in one of the states in which the program starts."""
        abstraction, variables = self.abstraction, self.at(self.entry[1])
        predicates = abstraction.at(self.entry)
        types = abstraction.paths.types[self.c.name]
        bits = abstraction.bits((abstraction.paths.program.init,), [(), predicates], types)
        begin = self.new()
        self.edges.append(Edge(begin, self._assign(bits, ((), variables), 1), entry, self.c.span))
        return begin

    def _add_path(self, path: StepPath) -> None:
        bits = self.abstraction.path_bits(path)
        action = self._assign(bits, (self.at(path.source), self.at(path.target)), 1)
        source, target = self.locations[self.c.name, path.source], self.locations[self.c.name, path.target]
        self._add_edge(source, action, target, path, path.edges[0].span if path.edges else self.c.span)

    def _add_edge(
        self, source: Location, action: Assign | Call, target: Location, origin: StepPath | CallPath, span: Span
    ) -> None:
        """Add an edge that stands for something; the length of its span tells it from others with the same ends."""
        self.serial += 1
        self.edges.append(Edge(source, action, target, Span(span.line, span.column, self.serial)))
        self.origins[self.c.name, source, target, self.serial] = origin

    def _add_call(self, site: CallPath) -> None:
        callee, line = site.callee, site.edge.span.line
        inner, names = self.abstraction.paths, self.everywhere[callee]
        entry = [names[predicate] for predicate in self.abstraction.at(inner.entries[callee])]
        leave = [names[predicate] for predicate in self.abstraction.at(inner.exits[callee])]
        where = f"{callee} at {line}, call {site.source}"
        passed = tuple(f"{where}, before: {text}" for text in entry)
        found = tuple(f"{where}, after: {text}" for text in leave)
        self.temporaries += [*passed, *found]
        before, inside, after = self.locations[self.c.name, site.source], self.new(), self.new()
        span = site.edge.span
        enter = self._assign(self.abstraction.entry_bits(site), (self.at(site.source), passed), 1, keep=True)
        self.edges.append(Edge(before, enter, inside, span))
        self._add_edge(inside, Call(callee, tuple(map(Var, passed)), found), after, site, span)
        lists = (self.at(site.source), passed, found, self.at(site.target))
        back = self._assign(self.abstraction.return_bits(site), lists, 3)
        self.edges.append(Edge(after, back, self.locations[self.c.name, site.target], span))

    def _assign(self, bits: Bits, lists: Sequence[Sequence[str]], written: int, keep: bool = False) -> Assign:
        """Return the assignment to list number `written`; the lists before it have their values already.

        Variables of the other predicates get any value, unless it is to `keep` them.
        """
        owners: dict[int, tuple[Expr, bool]] = {}
        constraint: list[Expr] = []
        for number, (variables, part) in enumerate(zip(lists, bits.lists, strict=True)):
            if number == written:
                continue
            for variable, (literal, sign) in zip(variables, part, strict=True):
                if literal is None:
                    constraint.append(literal_of(Var(variable), sign))
                elif literal in owners:
                    known, with_sign = owners[literal]
                    constraint.append(_equality(Var(variable), known, with_sign == sign))
                else:
                    owners[literal] = (Var(variable), sign)
        values: dict[str, Expr] = {}
        for variable, (literal, sign) in zip(lists[written], bits.lists[written], strict=True):
            if literal is None:
                values[variable] = Const(sign)
            elif literal not in owners:
                owners[literal] = (Var(variable, primed=True), sign)
                values[variable] = CHOICE
            else:
                known, with_sign = owners[literal]
                if isinstance(known, Var) and known.primed:
                    values[variable] = CHOICE
                    constraint.append(_equality(Var(variable, primed=True), known, with_sign == sign))
                else:
                    values[variable] = literal_of(known, with_sign == sign)
        if not keep:
            values |= {variable: CHOICE for variable in self.names.values() if variable not in values}
        if not bits.signs.possible:
            constraint = [FALSE]
        for factor in bits.signs.factors:
            literals = [literal_of(*owners[position]) for position in factor.positions]
            constraint.append(decision(factor.vectors, literals))
        return Assign(tuple(values), tuple(values.values()), conjunction(constraint))

    def _enforce(self) -> Expr:
        """Return what every combination of signs satisfies that some state has."""
        if not 2 <= len(self.names) <= MOST_ENFORCED:
            return TRUE
        types = self.abstraction.paths.types[self.c.name]
        try:
            bits = self.abstraction.bits((), [self.names], types)
        except Undecided:
            return TRUE
        owners = {
            at: literal_of(Var(name), sign) for name, (at, sign) in zip(self.names.values(), bits.lists[0], strict=True)
        }
        return conjunction(
            decision(factor.vectors, [owners[position] for position in factor.positions])
            for factor in bits.signs.factors
        )


def _equality(one: Expr, other: Expr, sign: bool) -> Expr:
    found = Binary(Operator.EQUAL, one, other)
    return found if sign else Not(found)
