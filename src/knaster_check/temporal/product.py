"""A Boolean program beside an automaton: again a program, whose runs are pairs, and which of its edges are *accepting*.

The state of the automaton is a number in new globals, `@q0` the lowest bit.  It takes a step at each letter, that is at
each statement; a call or a return gets a location of its own for it, numbered from the size of the procedure on in the
order of the edges.  Runs begin in `@run`, which calls the first procedure; where runs stay after their end, they do at
its location 1 and where an assertion failed.

In each cycle of a *weak* automaton all steps are accepting, or none.  An infinite run is accepted iff it stays in a
good cycle, and then it passes again and again an edge back or a call that is recursive: only these are split by steps,
and only those inside good cycles are accepting.  In other automata an accepting step counts inside a call that returns:
`@seen` is false at an entry and true after an accepting step or a call that returned with it; `@kept` holds it
meanwhile, a second new location follows the call, and the step after such a call is accepting.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from knaster_check.graphs import components, finish
from knaster_check.program import BOOL, TRUE, Assign, Assume, Call, Edge, Formula, Procedure, Program, Return
from knaster_check.refused import Refused, expect
from knaster_check.temporal.automaton import Automaton, Cycles, Step
from knaster_check.temporal.letters import Meaning, Place

RUN, SEEN, KEPT = "@run", "@seen", "@kept"
FALSE: Formula = (("truth", False),)
ANYTHING: Formula = (("choice", BOOL),)
Group = tuple[Formula, bool]  # steps of the automaton as a constraint, and whether they are accepting


class Product(NamedTuple):
    """The program of pairs, and its accepting edges by procedure and number."""

    program: Program
    accepting: frozenset[tuple[str, int]]


def make_product(program: Program, automaton: Automaton, meanings: Mapping[str, Meaning], stays: bool) -> Product:
    """Return a program beside an automaton; with `stays`, runs stay after their end."""
    return _Making(program, automaton, meanings, stays).product()


class _Making:
    def __init__(self, program: Program, automaton: Automaton, meanings: Mapping[str, Meaning], stays: bool) -> None:
        self.program, self.automaton, self.meanings, self.stays = program, automaton, meanings, stays
        self.bits = tuple(f"@q{bit}" for bit in range(max(0, automaton.states - 1).bit_length()))
        self.cycles = Cycles(automaton)
        self.weak = self.cycles.weak
        self.accepting: set[tuple[str, int]] = set()

    def product(self) -> Product:
        """Return the program of pairs."""
        program, new = self.program, (*self.bits, *(() if self.weak else (SEEN,)))
        expect(not any(name.startswith("@") for name in program.procedures), "a procedure has a name of ours")
        main = program.procedures[program.threads[0]]
        begin = Edge(0, Call(main.name, (ANYTHING,) * len(main.parameters), (), (), ()), 1, main.line, False, ())
        run = self._finish(
            Procedure(RUN, main.line, (), (), (), {}, 0, 2, 3, TRUE, (), frozenset(), (), ()),
            [
                (begin, False),
                *(self._stay(1) if self.stays else ()),
            ],
        )
        recursive = recursive_calls(program)
        procedures = {name: self._procedure(own, recursive) for name, own in program.procedures.items()}
        start = disjunction(self._in_state(state, "variable") for state in self.automaton.initial)
        made = program._replace(
            globals=program.globals + new,
            types={**program.types, **dict.fromkeys(new, BOOL)},
            init=conjunction([program.init, start]),
            threads=(RUN,),
            procedures={**procedures, RUN: run},
        )
        return Product(made, frozenset(self.accepting))

    def _finish(self, own: Procedure, edges: Iterable[tuple[Edge, bool]]) -> Procedure:
        """Return a procedure with these edges; note which are accepting."""
        found = list(edges)
        self.accepting |= {(own.name, number) for number, (_, accepts) in enumerate(found) if accepts}
        size = 1 + max([own.entry, own.exit, *(max(edge.source, edge.target) for edge, _ in found)])
        return own._replace(edges=tuple(edge for edge, _ in found), size=size)

    def _procedure(self, own: Procedure, recursive: set[tuple[str, str]]) -> Procedure:
        order, fresh = reverse_postorder(own), own.size
        edges: list[tuple[Edge, bool]] = []
        for edge in own.edges:
            calls = isinstance(edge.action, Call) and (own.name, edge.action.procedure) in recursive
            made = list(self._edges(own, edge, calls or order[edge.target] <= order[edge.source], fresh))
            fresh = max([fresh, *(1 + max(each.source, each.target) for each, _ in made)])
            edges += made
        for location in sorted(own.failures) if self.stays else ():
            edges += self._stay(location)
        if not self.weak:
            own = own._replace(locals=(*own.locals, KEPT), types={**own.types, KEPT: BOOL})
        return self._finish(own._replace(failures=frozenset()), edges)

    def _edges(self, own: Procedure, edge: Edge, again: bool, fresh: int) -> Iterator[tuple[Edge, bool]]:
        """Yield what becomes of an edge; `again`: every infinite run passes such edges for ever."""
        groups, action = self._groups((own.name, edge.source), again), edge.action
        if not self.bits and self.weak and all(guard == TRUE for guard, _ in groups):
            yield from ((edge, accepts) for _, accepts in groups[:1])  # mutant: one state, so there is one group
        elif isinstance(action, Assume | Assign):
            targets, values, constraint = action if isinstance(action, Assign) else ((), (), action.condition)
            for guard, accepts in groups:
                names, new = self._writes(accepts)
                joint = Assign((*targets, *names), (*values, *new), conjunction([constraint, guard]))
                yield edge._replace(action=joint), accepts
        elif isinstance(action, Call | Return) and groups:
            saves = isinstance(action, Call) and not self.weak
            for guard, accepts in groups:
                names, new = self._writes(accepts)
                if saves:
                    kept = TRUE if accepts else (("variable", SEEN),)
                    names, new = (*self.bits, SEEN, KEPT), (*(ANYTHING for _ in self.bits), FALSE, kept)
                yield edge._replace(action=Assign(names, new, guard), target=fresh), accepts
            yield edge._replace(source=fresh, target=fresh + 1 if saves else edge.target), False
            if saves:
                back = edge._replace(source=fresh + 1)
                seen: Formula = (("variable", SEEN),)
                yield back._replace(action=Assign((SEEN,), (TRUE,), seen)), True
                yield back._replace(action=Assign((SEEN,), ((("variable", KEPT),),), (*seen, ("not",)))), False
        elif not isinstance(action, Call | Return):
            raise Refused(f"nothing is known of '{type(action).__name__.lower()}'", f"'{own.name}'")

    def _writes(self, accepts: bool) -> tuple[tuple[str, ...], tuple[Formula, ...]]:
        """Return what a step of the automaton assigns; its constraint says which values are possible."""
        chosen = tuple(ANYTHING for _ in self.bits)
        return ((*self.bits, SEEN), (*chosen, TRUE)) if accepts and not self.weak else (self.bits, chosen)

    def _stay(self, location: int) -> Iterator[tuple[Edge, bool]]:
        """Yield the steps of the automaton after the end."""
        for guard, accepts in self._groups(None, True):
            action = Assign(self.bits, tuple(ANYTHING for _ in self.bits), guard)
            yield Edge(location, action, location, 0, False, ()), accepts

    def _groups(self, place: Place | None, again: bool) -> list[Group]:
        """Return the steps of the automaton on the letters of a place (None: after the end)."""
        standing = [] if place is None else [(1, place)]
        static = {
            atom: meaning.holds(standing, {}, place is None)
            for atom, meaning in self.meanings.items()
            if meaning.condition is None
        }
        found: dict[bool, list[Formula]] = {}
        for step in self.automaton.steps:
            if step.takes(static):
                said = [self._literal(atom, value) for atom, value in sorted(set(step.guard)) if atom not in static]
                ends = [self._in_state(step.source, "variable"), self._in_state(step.target, "next")]
                found.setdefault(self._accepts(step, again), []).append(conjunction([*said, *ends]))
        return [(disjunction(found[accepts]), accepts) for accepts in sorted(found)]

    def _accepts(self, step: Step, again: bool) -> bool:
        """Tell whether a step counts."""
        return self.cycles.counts(step) and (again or not self.weak)

    def _literal(self, atom: str, value: bool) -> Formula:
        condition = self.meanings[atom].condition
        assert condition is not None
        return condition if value else (*condition, ("not",))

    def _in_state(self, state: int, head: str) -> Formula:
        bits = [(((head, bit),), state >> at & 1) for at, bit in enumerate(self.bits)]
        return conjunction(bit if value else (*bit, ("not",)) for bit, value in bits)


def conjunction(parts: Iterable[Formula]) -> Formula:
    """Return the conjunction of formulas, without constants in it."""
    found = TRUE
    for part in parts:
        if FALSE in (found, part):
            found = FALSE
        elif TRUE in (found, part):
            found = part if found == TRUE else found
        else:
            found = (*found, *part, ("logic", "&"))
    return found


def disjunction(parts: Iterable[Formula]) -> Formula:
    """Return the disjunction of formulas, without constants in it."""
    found = FALSE
    for part in parts:
        if TRUE in (found, part):
            found = TRUE
        elif FALSE in (found, part):
            found = part if found == FALSE else found
        else:
            found = (*found, *part, ("logic", "|"))
    return found


def reverse_postorder(procedure: Procedure) -> dict[int, int]:
    """Return the position of each location, each before its successors except along edges back."""
    after: dict[int, list[int]] = {location: [] for location in range(procedure.size)}
    for edge in procedure.edges:
        after[edge.source].append(edge.target)
    order: list[int] = []
    seen: set[int] = set()
    for location in (procedure.entry, *range(procedure.size)):
        order = finish(location, after.__getitem__, seen)[::-1] + order
    place = order.index(procedure.entry)
    return {location: position for position, location in enumerate(order[place:] + order[:place])}


def recursive_calls(program: Program) -> set[tuple[str, str]]:
    """Return who calls whom inside a cycle of calls."""
    calls = {
        name: [edge.action.procedure for edge in own.edges if isinstance(edge.action, Call)]
        for name, own in program.procedures.items()
    }
    part = {name: number for number, names in enumerate(components(calls)) for name in names}
    return {
        (name, callee)
        for name, callees in calls.items()
        for callee in callees
        if name in part and part[name] == part.get(callee)
    }
