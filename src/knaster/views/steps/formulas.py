"""Steps read as formulas: what each step and each call of a cut program does, as a function in one arithmetic.

D. Beyer, A. Cimatti, A. Griggio, M. E. Keremoglu and R. Sebastiani, Software Model Checking via Large-Block Encoding
(FMCAD 2009).  What a step does is a *function* of the state before it and of its inputs: a guard, and a term for each
variable afterwards; edges that meet are merged by `If` (`views.steps.joins`).  So the weakest precondition of a step is
a substitution, and a step without inputs is deterministic.
"""

from __future__ import annotations

from collections.abc import Mapping

from knaster.base.records import dataclass
from knaster.program.expression import Choice
from knaster.program.model import Call, Edge, Location, Program
from knaster.smt.terms import Formula, Sides, State, Term
from knaster.smt.translate import Translation
from knaster.views.steps.cut import CutProgram, Step
from knaster.views.steps.points import Points


@dataclass(frozen=True, slots=True)
class Read:
    """An input of a step: the choice of an edge and the variable that stands for its value."""

    edge: Edge
    choice: Choice
    variable: Formula


@dataclass(frozen=True, slots=True)
class StepFormula:
    """A step as a function of the state before it and the inputs.

    The run gets to `target` iff `guard`, and then each variable has the value of `update`.  `reads` are the inputs that
    the program chooses; `free` are all variables that are none of the state (inputs, selectors, invented values).
    """

    step: Step
    guard: Formula
    update: Mapping[str, Term]
    reads: tuple[Read, ...]
    free: tuple[Formula, ...]
    exact: bool
    overflow: Formula | None = None  # where an operator should have wrapped and did not

    @property
    def procedure(self) -> str:
        """Where it belongs."""
        return self.step.procedure

    @property
    def source(self) -> Location:
        """Where it begins."""
        return self.step.source

    @property
    def target(self) -> Location:
        """Where it ends."""
        return self.step.target


@dataclass(frozen=True, slots=True)
class CallFormula:
    """A call: where the arguments are defined, and their values as terms over the caller's state."""

    step: Step
    edge: Edge
    guard: Formula
    arguments: tuple[Term, ...]
    free: tuple[Formula, ...]
    exact: bool
    overflow: Formula | None = None

    @property
    def procedure(self) -> str:
        """Who calls."""
        return self.step.procedure

    @property
    def callee(self) -> str:
        """Who is called."""
        return self.step.calls[0]

    @property
    def source(self) -> Location:
        """Where the call is made."""
        return self.step.source

    @property
    def target(self) -> Location:
        """Where the caller goes on."""
        return self.step.target

    @property
    def action(self) -> Call:
        """What its edge does."""
        assert isinstance(self.edge.action, Call)
        return self.edge.action


@dataclass(frozen=True, slots=True)
class Formulas:
    """A cut program in one arithmetic: its variables before a step, its steps and its calls.

    Steps that nobody can pass are left out, as far as z3 sees that at once.
    """

    cut: CutProgram
    translation: Translation
    variables: Mapping[str, Mapping[str, Term]]  # of each procedure, globals included, by the model's names
    steps: tuple[StepFormula, ...]
    calls: tuple[CallFormula, ...]

    @property
    def program(self) -> Program:
        """The program that is cut."""
        return self.cut.program

    @property
    def points(self) -> Points:
        """Its cut points."""
        return self.cut.points

    def ranges(self, state: State) -> list[Formula]:
        """Return what the types say about the values of a state."""
        return [fact for term in state.values() for fact in self.translation.numbers.within(term)]

    def copy(self, procedure: str, prefix: str) -> dict[str, Term]:
        """Return variables of their own for a state of a procedure, called by a prefix and the name."""
        types = {name: term.type for name, term in self.variables[procedure].items()}
        return self.translation.variables(types, prefix)

    def start(self) -> list[Formula]:
        """Return what holds of the globals when the program starts, over the variables of its entry procedure."""
        sides, entry = Sides(), self.program.threads[0]
        formula = self.translation.formula(self.program.init, self.variables[entry], sides)
        return [formula, *sides.conditions]

    def state_after_call(self, call: CallFormula, before: State, leave: State) -> dict[str, Term]:
        """Return the caller's state after a call that began in one state and whose callee stands at its exit."""
        after = {**before, **{name: leave[name] for name in self.program.globals}}
        results = call.action.results(self.program.procedure(call.callee))
        return after | {target: leave[result] for target, result in results}
