"""What is to be said of a formula besides its answer: atoms and antecedents that no run makes true, runs that block.

I. Beer, S. Ben-David, C. Eisner, Y. Rodeh, Efficient detection of vacuity in ACTL formulas (CAV 1997): a formula
that holds because something never happens is seldom what somebody wanted to know.
"""

from __future__ import annotations

from collections.abc import Mapping

from knaster.automata.ltl import Atom, Binary, Constant, Formula, Operator, Unary
from knaster.base.limits import Budget
from knaster.bdd.store import Bdd
from knaster.engines.boolean.ranks.heads import Heads
from knaster.engines.vacuous_formulas import candidates_of, remarks_about
from knaster.evidence.questions.letters import Meanings
from knaster.evidence.questions.product import ENDED, RUN
from knaster.program.layout.slots import Copy, variable
from knaster.program.model import Place, Program
from knaster.views.summaries.path_edges import Summaries
from knaster.views.symbolic.encoding import encode
from knaster.views.symbolic.formula_sets import possible
from knaster.views.symbolic.symbolic_program import SymbolicProgram

MOST = 3_000  # edges of a program whose states are looked at for what never happens


def remarks_on(formula: Formula, meanings: Meanings, heads: Heads, budget: Budget) -> tuple[str, ...]:
    """Return remarks about a formula that holds on every run; `heads` are those of its product."""
    moments = Moments(meanings, heads.symbolic, heads.reached)
    left = [each for each in candidates_of(formula) if not moments.happen(each[0])]
    if left and heads.product.original.size <= MOST:
        every = _reachable_states(heads.product.original, budget)
        left = [each for each in left if not Moments(meanings, *every).happen(each[0])]
        if left:
            return remarks_about(left)
    if _blocks(meanings, heads):
        return ("a prefix that violates the formula can be reached, but every run through it blocks",)
    return ()


def _reachable_states(program: Program, budget: Budget) -> tuple[SymbolicProgram, dict[Place, Bdd]]:
    """Return the reachable states of every place, over all variables: what is dead may be spoken of too."""
    symbolic = encode(program, liveness=False, effect_sets=False)
    engine = Summaries(symbolic, budget)
    engine.demand(symbolic.entry, symbolic.initial())
    engine.run()
    every = [(each.name, location) for each in program.procedures for location in range(each.size)]
    return symbolic, {place: engine.path_edges(*place) for place in every}


def _blocks(meanings: Meanings, heads: Heads) -> bool:
    """Tell whether a run can come to a step into a state of the automaton that accepts everything."""
    product, moments = heads.product, Moments(meanings, heads.symbolic, heads.reached)
    automaton, store = product.automaton, heads.symbolic.store
    sinks = automaton.sinks()
    moves = [move for move in automaton.steps if move.target in sinks and move.source not in sinks]
    if not automaton.is_terminal():
        return False
    for place, states in heads.reached.items():
        if not product.is_original(place):
            continue
        slots = heads.symbolic.frames[place[0]].slots
        bits = [variable(slots[bit], Copy.NOW) for bit in product.bits]
        for move in moves:
            here = store.assignment({index: bool(move.source >> at & 1) for at, index in enumerate(bits)})
            for atom, value in move.guard:
                meaning = moments.meaning(Atom(atom), place)
                here &= meaning if value else ~meaning
            if states & here != store.false:
                return True
    return False


class Moments:
    """Where formulas about one moment are true, among sets of states by place."""

    def __init__(self, meanings: Meanings, symbolic: SymbolicProgram, states: Mapping[Place, Bdd]) -> None:
        self.meanings, self.symbolic, self.states = meanings, symbolic, states
        self.store = symbolic.store

    def happen(self, formula: Formula) -> bool:
        """Tell whether some state may make a formula about one moment true."""
        return any(
            self._is_letter(place) and states & self.meaning(formula, place) != self.store.false
            for place, states in self.states.items()
        )

    def _is_letter(self, place: Place) -> bool:
        """Tell whether something stands at a place: a statement, the end of the run, an assertion that failed."""
        own = self.symbolic.program.procedure(place[0])
        return bool(own.leaving.get(place[1])) or self._is_end(place)

    def _is_end(self, place: Place) -> bool:
        own = self.symbolic.program.procedure(place[0])
        return place in ((RUN, ENDED), (self.symbolic.program.threads[0], own.exit)) or place[1] in own.failures

    def meaning(self, formula: Formula, place: Place) -> Bdd:
        """Return the states of a place in which a formula about one moment is true."""
        match formula:
            case Constant(value):
                return self.store.const(value)
            case Atom(text):
                return self._atom(text, place)
            case Unary(_, operand):
                return ~self.meaning(operand, place)
            case Binary(Operator.AND, left, right):
                return self.meaning(left, place) & self.meaning(right, place)
            case Binary(Operator.OR, left, right):
                return self.meaning(left, place) | self.meaning(right, place)
            case Binary(Operator.IMPLIES, left, right):
                return ~self.meaning(left, place) | self.meaning(right, place)
            case Binary(_, left, right):
                return ~(self.meaning(left, place) ^ self.meaning(right, place))

    def _atom(self, text: str, place: Place) -> Bdd:
        meaning, frame = self.meanings[text], self.symbolic.frames[place[0]]
        if meaning.condition is not None:
            return possible(
                self.store, meaning.condition, lambda node: self.store.var(variable(frame.slots[node.name], Copy.NOW))
            )
        return self.store.const(meaning.holds(None if self._is_end(place) else place, {}))
