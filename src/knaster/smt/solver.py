"""Questions to z3: with fixed seeds, within resource units, and stopped from outside when the time is over.

Resource units (z3's `rlimit`) count work, not time, so two runs say the same; only a `Budget` looks at a clock.  Work
of our own is counted in the same units (`Session.work`), each about a microsecond: writing formulas down can take
longer than deciding them.  A question that is not decided is `Answer.UNKNOWN`; a spent time limit raises
`OutOfBudget`, Ctrl-C `KeyboardInterrupt`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from knaster.base.limits import Budget
from knaster.smt.door import Answer as Answer
from knaster.smt.interrupt import Watcher
from knaster.smt.library import z3
from knaster.smt.terms import Formula

SEED = 1
SPENT = "the resource units are spent"
_ITS_WORDS = ("canceled", "resource limit")  # of z3, for that
QUESTION = 200  # units of a question besides those that z3 counts


class OutOfUnits(Exception):
    """Raised where work of our own begins and no units are left."""


def _plainly(reason: str) -> str:
    """Return what z3 says in our words where its units are spent."""
    return SPENT if any(word in reason for word in _ITS_WORDS) else reason


class Session:
    """One context of z3, and what all that is asked in it may spend together: a `Budget`, and units if any.

    Everything that is asked is stopped when the budget's time is over, also in the middle of a call.
    """

    def __init__(self, budget: Budget | None = None, units: int | None = None) -> None:
        self.context = z3.Context()
        self._watcher = Watcher(self.context.interrupt)
        self.budget = budget or Budget()
        self.left = units  # resource units; None: no limit
        self.reason = ""  # why the last answer was UNKNOWN
        self.counted = 0  # units that solvers have spent in this context

    def solver(self, logic: str = "") -> Solver:
        """Return a solver without assertions."""
        return Solver(self, logic)

    @contextmanager
    def stoppable(self) -> Iterator[None]:
        """Interrupt z3 where the time is over; turn what it says then into `OutOfBudget` or `KeyboardInterrupt`."""
        self.budget.check()
        with self._watcher.watch(self.budget.seconds_left) as heard:
            try:
                yield
            except z3.Z3Exception as error:  # stopped, or something that z3 does not do
                self.reason = _plainly(error.value.decode() if isinstance(error.value, bytes) else str(error))
        if heard():
            raise KeyboardInterrupt
        self.budget.check()

    def ask(self, question: Callable[[int], Any], why: Callable[[], str], units: int | None = None) -> Answer:
        """Ask a question with at most so many units, given as its argument (0: no limit); count what it took."""
        allowed = min((limit for limit in (units, self.left) if limit is not None), default=None)
        if allowed is not None and allowed <= 0:
            self.reason = SPENT
            return Answer.UNKNOWN
        said = None
        with self.stoppable():
            said = str(question(allowed or 0))
        if said in ("sat", "unsat"):
            return Answer(said)
        if said is not None:
            self.reason = _plainly(why() or "z3 does not know")
        return Answer.UNKNOWN

    def spend(self, units: int) -> None:
        """Count units that were spent."""
        if self.left is not None:
            self.left = max(0, self.left - units)

    def work(self, units: int) -> None:
        """Count work of our own that is about to be done; raise `OutOfUnits` where nothing is left for it."""
        self.budget.check()
        if self.left is not None:
            self.left = max(0, self.left - units)
            if self.left == 0:
                self.reason = SPENT
                raise OutOfUnits(SPENT)


class Solver:
    """A stack of assertions."""

    def __init__(self, session: Session, logic: str = "") -> None:
        self.session = session
        made = z3.SolverFor(logic, ctx=session.context) if logic else z3.Solver(ctx=session.context)
        made.set("random_seed", SEED)
        made.set("ctrl_c", False)  # Python hears of it, and whoever listens to Python
        self.z3 = made

    def add(self, formulas: Iterable[Formula]) -> None:
        """Assert formulas."""
        self.z3.add(*formulas)

    def push(self) -> None:
        """Remember what is asserted."""
        self.z3.push()

    def pop(self) -> None:
        """Forget what was asserted since the last `push`."""
        self.z3.pop()

    def check(self, assumptions: Sequence[Formula] = (), units: int | None = None) -> Answer:
        """Tell whether the assertions can hold together with assumptions."""

        def question(allowed: int) -> Any:
            self.z3.set("rlimit", allowed)
            return self.z3.check(*assumptions)

        found = self.session.ask(question, self.z3.reason_unknown, units)
        self.session.spend(self._units() + QUESTION)
        return found

    def _units(self) -> int:
        """Return the units that the last question took."""
        statistics = self.z3.statistics()
        total = int(statistics.get_key_value("rlimit count")) if "rlimit count" in statistics.keys() else 0  # noqa: SIM118
        before, self.session.counted = self.session.counted, total  # z3 counts for the whole context
        return max(0, total - before)

    def model(self) -> Any:
        """Return the model of z3 after a satisfiable question."""
        return self.z3.model()

    def core(self) -> list[Formula]:
        """Return the assumptions that an unsatisfiable question needed."""
        return list(self.z3.unsat_core())


def valid(session: Session, formula: Formula, units: int | None = None) -> Answer:
    """Return UNSATISFIABLE where a formula holds always, SATISFIABLE where it does not."""
    solver = session.solver()
    solver.add([z3.Not(formula)])
    return solver.check(units=units)


def negation(formulas: Sequence[Formula], context: Any) -> Formula:
    """Return that not all formulas hold."""
    return z3.Not(z3.And(*formulas)) if formulas else z3.BoolVal(False, context)


def substitute(formula: Formula, pairs: Sequence[tuple[Formula, Formula]]) -> Formula:
    """Return a formula in which variables are replaced by terms, all at once.

    As `z3.substitute`, which compares the sorts in Python first and takes four times as long; the library does, too.
    """
    if not pairs:
        return formula
    before, after = (z3.Ast * len(pairs))(), (z3.Ast * len(pairs))()
    for number, (variable, term) in enumerate(pairs):
        before[number], after[number] = variable.as_ast(), term.as_ast()
    found = z3.Z3_substitute(formula.ctx.ref(), formula.as_ast(), len(pairs), before, after)
    return z3.z3._to_expr_ref(found, formula.ctx)
