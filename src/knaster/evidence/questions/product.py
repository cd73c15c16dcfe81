"""A Boolean program beside the automaton of what its runs must not do: again a Boolean program, whose runs are pairs.

The automaton's state is carried like a global and takes a step at each letter, that is before each statement; a
statement that calls or returns gets a location of its own for it.  Runs begin in a procedure that calls the first
one, and that stays after its end, as a run stays where an assertion failed; for termination nothing stays.

Which steps are *accepting* is told by edge.  Where an automaton only has components all of whose steps are
accepting, or none, an infinite run is accepted iff it stays in a good one, and then it passes again and again the
target of an edge back, or a call inside a component of the call graph: only these are marked.  In other automata an
accepting step counts that lies inside a call which returns, so each activation has a bit `seen`: false at its entry,
true after an accepting step of its own or of a call that returned; the step after such a call is accepting.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from knaster.automata.automaton import Automaton
from knaster.automata.automaton import Step as Move
from knaster.base.graphs import components
from knaster.base.named_tuples import NamedTuple
from knaster.evidence.questions.letters import Meanings
from knaster.program.algebra import conjunction, disjunction
from knaster.program.expression import CHOICE, FALSE, TRUE, Expr, Not, Var
from knaster.program.model import Assign, Assume, Call, Edge, Location, Place, Procedure, Program, Return
from knaster.program.traversal import reverse_postorder

RUN = "@run"  # the procedure in which runs begin
CALLING, ENDED, NOWHERE = 0, 1, 2  # its locations
SEEN, KEPT = "@seen", "@kept"
EVERYTHING = Automaton(1, (0,), (Move(0, frozenset(), 0, frozenset({0})),))  # accepts every infinite run


class Product:
    """The program of pairs, and which of its edges are accepting."""

    def __init__(self, original: Program, automaton: Automaton, meanings: Meanings, stays: bool) -> None:
        self.original, self.automaton, self.stays = original, automaton, stays
        self._meanings = meanings
        self._moves: dict[frozenset[tuple[str, bool | None]], list[tuple[Move, Expr]]] = {}
        self._groups: dict[object, list[tuple[Expr, bool]]] = {}
        self.accepting: set[int] = set()  # identities of edges of `program`
        self.bits = tuple(f"@q{bit}" for bit in range(max(0, automaton.states - 1).bit_length()))
        self.program = self._make()

    @property
    def hidden(self) -> frozenset[str]:
        """The variables on which it does not depend what can follow."""
        return frozenset() if self.is_weak else frozenset({SEEN, KEPT})

    @cached_property
    def _good(self) -> frozenset[int]:
        """The states of accepting components."""
        found = self.automaton.components()
        return frozenset(q for part in found if self.automaton.is_accepting_component(part) for q in part)

    @cached_property
    def is_weak(self) -> bool:
        """Whether in each component of the automaton all steps are accepting, or none."""
        part = {state: number for number, states in enumerate(self.automaton.components()) for state in states}
        inside = [move for move in self.automaton.steps if part.get(move.source, -1) == part.get(move.target, -2)]
        return all(self.automaton.accepting(move) == (move.source in self._good) for move in inside)

    @cached_property
    def _component(self) -> Mapping[int, int]:
        return {state: number for number, states in enumerate(self.automaton.components()) for state in states}

    def accepts(self, move: Move) -> bool:
        """Tell whether a step of the automaton counts."""
        if not self.is_weak:
            return self.automaton.accepting(move)
        return move.source in self._good and self._component[move.source] == self._component[move.target]

    def is_original(self, place: Place) -> bool:
        """Tell whether a place is one of the program that was asked about, or the one where runs stay."""
        name, location = place
        if name == RUN:
            return location == ENDED
        return location < self.original.procedure(name).size

    def _make(self) -> Program:
        original = self.original
        recursive = _recursive_calls(original)
        procedures = [self._procedure(each, recursive) for each in original.procedures]
        main = original.procedure(original.threads[0])
        calling = Edge(CALLING, Call(main.name, (CHOICE,) * len(main.parameters)), ENDED, main.span)
        loops = tuple(self._loops(ENDED, None)) if self.stays else ()
        run = Procedure(RUN, (), (), (), CALLING, NOWHERE, (calling, *loops), span=main.span)
        start = disjunction([self._in_state(state) for state in self.automaton.initial])
        shared = (*original.globals, *self.bits, *(() if self.is_weak else (SEEN,)))
        return Program(
            shared,
            (*procedures, run),
            (RUN,),
            conjunction([original.init, start]),
            original.file,
            original.source,
            original.language,
            kind=original.kind,
            types=original.types,
        )

    def _procedure(self, own: Procedure, recursive: set[int]) -> Procedure:
        order = {location: at for at, location in enumerate(reverse_postorder(own))}
        edges: list[Edge] = []
        fresh = own.size
        for edge in own.edges:
            again = order[edge.target] <= order[edge.source] or id(edge) in recursive
            made = self._edges(own, edge, again, fresh)
            fresh = max([fresh, *(1 + max(each.source, each.target) for each in made)])
            edges += made
        if self.stays:
            for location in own.failures:
                edges += self._loops(location, own)
        edges.sort(key=lambda edge: edge.source)
        return Procedure(
            own.name,
            own.parameters,
            own.results,
            own.locals if self.is_weak else (*own.locals, KEPT),
            own.entry,
            own.exit,
            tuple(edges),
            own.labels,
            (),
            own.enforce,
            own.span,
            own.types,
        )

    def _edges(self, own: Procedure, edge: Edge, again: bool, fresh: Location) -> list[Edge]:
        """Return what becomes of an edge; `again` says that every infinite run passes such edges for ever."""
        groups = self._groups_at((own.name, edge.source), again)
        if not self.bits and self.is_weak and all(guard is TRUE for guard, _ in groups):
            return [self._mark(replace_origin(edge), accepting) for _, accepting in groups[:1]]
        if not isinstance(edge.action, Call | Return):
            return [self._mark(self._plain(edge, guard, accepting), accepting) for guard, accepting in groups]
        middle, back = fresh, fresh + 1
        before = [self._mark(self._before(edge, middle, guard, yes), yes) for guard, yes in groups]
        if not before:
            return []
        if isinstance(edge.action, Return) or self.is_weak:
            return [*before, Edge(middle, edge.action, edge.target, edge.span, edge)]
        seen = Edge(back, Assign((SEEN,), (TRUE,), Var(SEEN)), edge.target, edge.span)
        unseen = Edge(back, Assign((SEEN,), (Var(KEPT),), Not(Var(SEEN))), edge.target, edge.span)
        return [*before, Edge(middle, edge.action, back, edge.span, edge), self._mark(seen, True), unseen]

    def _mark(self, edge: Edge, accepting: bool) -> Edge:
        if accepting:
            self.accepting.add(id(edge))
        return edge

    def _plain(self, edge: Edge, guard: Expr, accepting: bool) -> Edge:
        """Return a statement that neither calls nor returns, with the step of the automaton."""
        action = edge.action
        if isinstance(action, Assume):
            action = Assign((), (), action.condition)
        assert isinstance(action, Assign)
        targets, values = self._step(accepting)
        if not targets and not action.targets:
            both = conjunction([action.constraint, guard])
            return Edge(edge.source, Assume(both), edge.target, edge.span, edge)
        constraint = conjunction([action.constraint, guard])
        joint = Assign((*action.targets, *targets), (*action.values, *values), constraint)
        return Edge(edge.source, joint, edge.target, edge.span, edge)

    def _before(self, edge: Edge, middle: Location, guard: Expr, accepting: bool) -> Edge:
        """Return the step of the automaton before a call or a return."""
        targets, values = self._step(accepting)
        if not self.is_weak and isinstance(edge.action, Call):
            kept = TRUE if accepting else Var(SEEN)
            targets, values = (*self.bits, SEEN, KEPT), (*(CHOICE for _ in self.bits), FALSE, kept)
        action = Assign(targets, values, guard) if targets else Assume(guard)
        return Edge(edge.source, action, middle, edge.span)

    def _step(self, accepting: bool) -> tuple[tuple[str, ...], tuple[Expr, ...]]:
        """Return what a step of the automaton assigns; the guard says which values are possible."""
        chosen = tuple(CHOICE for _ in self.bits)
        if accepting and not self.is_weak:
            return (*self.bits, SEEN), (*chosen, TRUE)
        return self.bits, chosen

    def _loops(self, location: Location, own: Procedure | None) -> Iterator[Edge]:
        """Yield the steps of the automaton after the end."""
        for guard, accepting in self._groups_at(None, True):
            chosen = tuple(CHOICE for _ in self.bits)
            action = Assign(self.bits, chosen, guard) if self.bits else Assume(guard)
            yield self._mark(Edge(location, action, location), accepting)

    def _groups_at(self, place: Place | None, again: bool) -> list[tuple[Expr, bool]]:
        """Return the steps of the automaton on the letters of a place as guards, and whether each is accepting."""
        static = frozenset(
            (atom, meaning.holds(place, {})) for atom, meaning in self._meanings.items() if meaning.condition is None
        )
        key = static, again
        if key not in self._groups:
            split = again or not self.is_weak
            both: dict[bool, list[Expr]] = {}
            for move, guard in self._moves_on(dict(static)):
                step = [guard, self._in_state(move.source), self._in_state(move.target, primed=True)]
                both.setdefault(split and self.accepts(move), []).append(conjunction(step))
            self._groups[key] = [(disjunction(both[flag]), flag) for flag in sorted(both)]
        return self._groups[key]

    def _moves_on(self, static: Mapping[str, bool]) -> Iterator[tuple[Move, Expr]]:
        """Yield the steps of the automaton where these atoms are as they are, with what expressions have to say."""
        for move in self.automaton.steps:
            if all(static.get(atom, value) == value for atom, value in move.guard):
                literals = sorted((atom, value) for atom, value in move.guard if atom not in static)
                yield move, conjunction([self._literal(atom, value) for atom, value in literals])

    def _literal(self, atom: str, value: bool) -> Expr:
        condition = self._meanings[atom].condition
        assert condition is not None
        return condition if value else Not(condition)

    def _in_state(self, state: int, primed: bool = False) -> Expr:
        parts: list[Expr] = []
        for at, bit in enumerate(self.bits):
            parts.append(Var(bit, primed) if state >> at & 1 else Not(Var(bit, primed)))
        return conjunction(parts)


def replace_origin(edge: Edge) -> Edge:
    """Return the same edge as one of another program that stands for it."""
    return Edge(edge.source, edge.action, edge.target, edge.span, edge)


def _recursive_calls(program: Program) -> set[int]:
    """Return the identities of the edges that call inside a component of the call graph."""
    callees = {
        procedure.name: [edge.action.procedure for edge in procedure.edges if isinstance(edge.action, Call)]
        for procedure in program.procedures
    }
    part: dict[str, int] = {}
    for number, names in enumerate(components(callees, callees.__getitem__)):
        part |= dict.fromkeys(names, number)
    return {
        id(edge)
        for procedure in program.procedures
        for edge in procedure.edges
        if isinstance(edge.action, Call) and part[procedure.name] == part[edge.action.procedure]
    }


class Subject(NamedTuple):
    """What a question about all runs is decided on."""

    automaton: Automaton
    meanings: Meanings
    stays: bool


def product_of(program: Program, subject: Subject) -> Product:
    """Return the program of pairs."""
    return Product(program, subject.automaton, subject.meanings, subject.stays)
