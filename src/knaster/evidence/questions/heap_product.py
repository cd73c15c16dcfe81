"""A Zing model of one thread beside the automaton of what its runs must not do: again a model, whose runs are pairs.

Before each statement stands a choice of one of the automaton's steps, which must fit the letter and the state in the
new static `@state`.  `@accepted` is true behind a step that accepts, and behind a call that returns where one did
inside, which each activation keeps in its local `@seen`.  Where the run is
over, behind the last return and a failed assertion, a loop takes the letter of the end for ever.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from knaster.automata.automaton import Automaton
from knaster.automata.automaton import Step as Move
from knaster.base.records import replace
from knaster.evidence.questions.letters import Meaning, Meanings
from knaster.program.algebra import conjunction, disjunction
from knaster.program.expression import FALSE, Compare, Comparison, Conditional, Const, Expr, Not, Var
from knaster.program.model import Action, Assume, Call, Concurrent, Edge, Location, Place, Procedure, Program, Return
from knaster.program.objects import Choose, Join, Raise, Store
from knaster.program.types import BOOL, INTEGER

if TYPE_CHECKING:
    from knaster.base.errors import Span

STATE, ACCEPTED = "@state", "@accepted"  # statics
SEEN, PICK = "@seen", "@pick"  # locals


def why_no_product(program: Program, about_ends: bool) -> str:
    """Return why a model has no product, or none whose infinite runs are those of the model; empty where it has one.

    With `about_ends` it matters in which way runs end, too.
    """
    main = program.threads[0]
    for own in program.procedures:
        for edge in own.edges:
            match edge.action:
                case Raise():
                    return f"line {edge.span.line} raises an exception"
                case Concurrent():
                    return f"line {edge.span.line} starts a thread"
                case Join() if about_ends:
                    return f"line {edge.span.line} may wait, and then the run is over"
                case Call(procedure, dispatch=dispatch) if about_ends:
                    if main in [procedure, *(name for _, name in dispatch)]:
                        return f"line {edge.span.line} calls '{main}', so its return need not be the end"
    return ""


def heap_product(program: Program, automaton: Automaton, meanings: Meanings) -> Program:
    """Return the model of pairs.  Requires: nothing is said by `why_no_product`, also about ends."""
    assert program.objects is not None
    product = _Product(program, automaton, meanings)
    statics = (*program.objects.statics, (STATE, Const(automaton.states)), (ACCEPTED, FALSE))
    return replace(
        program,
        globals=(*program.globals, STATE, ACCEPTED),
        types=(*program.types, (STATE, INTEGER), (ACCEPTED, BOOL)),
        procedures=tuple(product.procedure(own) for own in program.procedures),
        objects=replace(program.objects, statics=statics),
    )


class _Product:
    def __init__(self, program: Program, automaton: Automaton, meanings: Meanings) -> None:
        self.main, self.meanings, self.automaton = program.threads[0], meanings, automaton
        begin = (step._replace(source=automaton.states) for step in automaton.steps if step.source in automaton.initial)
        self.moves = (*automaton.steps, *begin)  # the run begins in a state of its own

    def procedure(self, own: Procedure) -> Procedure:
        """Return a procedure with the automaton's steps in it."""
        made = _Procedure(own)
        for place in sorted(own.leaving):
            edges = own.leaving[place]
            inside = any(edge.keeps for edge in own.edges if edge.target == place)
            behind = self._letter(made, place, self._moves((own.name, place)), edges[0].span, inside)
            for edge in edges:
                self._statement(made, edge, behind, inside)
        if made.end is not None:
            back = self._letter(made, made.end, self._moves(None), own.span, False)
            made.step(back, Store((Var(PICK),), Const(0)), made.end, own.span)
        return replace(
            own,
            edges=tuple(sorted(made.edges, key=lambda edge: edge.source)),
            locals=(*own.locals, SEEN, PICK),
            types=(*own.types, (SEEN, BOOL), (PICK, INTEGER)),
            failures=(),
        )

    def _statement(self, made: _Procedure, edge: Edge, place: Location, inside: bool) -> None:
        """Add a statement behind its letter."""
        own = made.own
        match edge.action:
            case Return() if own.name == self.main:
                gone = Store((Var(PICK),), Const(0))
                made.edges.append(Edge(place, gone, made.ended(), edge.span, origin=edge))
            case Return():
                returns = made.step(place, Store((Var(ACCEPTED),), Var(SEEN)), None, edge.span, inside)
                made.edges.append(replace(edge, source=returns, origin=edge))
            case Call():
                after = made.location()
                made.edges.append(replace(edge, source=place, target=after, origin=edge))
                both = disjunction([Var(SEEN), Var(ACCEPTED)])
                made.step(after, Store((Var(SEEN),), both), edge.target, edge.span, edge.keeps)
            case _ if edge.target in own.failures:
                made.edges.append(replace(edge, source=place, target=made.ended(), origin=edge))
            case _:
                made.edges.append(replace(edge, source=place, origin=edge))

    def _moves(self, place: Place | None) -> list[tuple[Move, Expr]]:
        """Return the steps that fit what is known of a letter from its place, with what expressions have to say."""
        found = []
        for move in self.moves:
            meant = [(self.meanings[atom], value) for atom, value in sorted(move.guard)]
            if all(meaning.condition is not None or _holds(meaning, place) == value for meaning, value in meant):
                found.append((move, conjunction([_literal(m, value) for m, value in meant if m.condition is not None])))
        return found

    def _letter(
        self, made: _Procedure, place: Location, moves: Sequence[tuple[Move, Expr]], span: Span, keeps: bool
    ) -> Location:
        """Add a step of the automaton at a place; return where the statement is then."""
        numbers = tuple(range(len(moves)))
        picked = [Compare(Comparison.EQUAL, Var(PICK), Const(number)) for number in numbers]
        if not moves:
            return made.step(place, Assume(FALSE), None, span, keeps)
        fits = [
            conjunction([pick, Compare(Comparison.EQUAL, Var(STATE), Const(move.source)), condition])
            for pick, (move, condition) in zip(picked, moves, strict=True)
        ]
        target: Expr = Const(moves[-1][0].target)
        for pick, (move, _) in zip(picked[:-1], moves[:-1], strict=True):
            target = Conditional(pick, Const(move.target), target)
        good = [pick for pick, (move, _) in zip(picked, moves, strict=True) if self.automaton.accepting(move)]
        actions: list[Action] = [
            Choose(Var(PICK), numbers),
            Assume(disjunction(fits)),
            Store((Var(STATE),), target),
            Store((Var(ACCEPTED),), disjunction(good)),
            Store((Var(SEEN),), disjunction([Var(SEEN), Var(ACCEPTED)])),
            Store((Var(PICK),), Const(0)),
        ]
        for action in actions:
            place = made.step(place, action, None, span, keeps)
        return place


class _Procedure:
    """The edges of a procedure of the product; `end` is where runs are over in it, if anywhere."""

    def __init__(self, own: Procedure) -> None:
        self.own, self.edges = own, list[Edge]()
        self.end: Location | None = None
        self._next = own.size

    def location(self) -> Location:
        """Return a new place."""
        self._next += 1
        return self._next - 1

    def step(
        self, source: Location, action: Action, target: Location | None, span: Span, keeps: bool = False
    ) -> Location:
        """Add a step that the model does not have; return where it leads, a new place where nothing is said."""
        target = self.location() if target is None else target
        self.edges.append(Edge(source, action, target, span, keeps=keeps))
        return target

    def ended(self) -> Location:
        """Return where runs are over."""
        if self.end is None:
            self.end = self.location()
        return self.end


def _holds(meaning: Meaning, place: Place | None) -> bool:
    return meaning.holds(place, {}) and meaning.thread in (None, 1)


def _literal(meaning: Meaning, value: bool) -> Expr:
    assert meaning.condition is not None
    return meaning.condition if value else Not(meaning.condition)
