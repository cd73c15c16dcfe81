"""Horn clauses over integers, decided by Spacer: a model of every relation, or a derivation of the query.

A. Komuravelli, A. Gurfinkel and S. Chaki, SMT-based Model Checking for Recursive Programs (CAV 2014); Spacer is part of
z3.  Relations are not inlined, so that a model has a formula for each of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from knaster.base.records import dataclass
from knaster.smt.library import z3
from knaster.smt.quantifiers import eliminate
from knaster.smt.solver import SEED, SPENT, Answer, Session
from knaster.smt.terms import Formula

_SETTINGS: Mapping[str, Any] = {
    "engine": "spacer",
    "spacer.random_seed": SEED,
    "ctrl_c": False,  # Python hears of it
    "xform.inline_eager": False,
    "xform.inline_linear": False,
    "xform.slice": False,
    "xform.tail_simplifier_pve": False,
}


@dataclass(frozen=True, slots=True, eq=False)
class Fact:
    """A fact of a derivation: the relation, its values, and the facts it follows from, in the order of the body."""

    relation: str
    values: tuple[Formula, ...]
    premises: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Meaning:
    """A formula for a relation: argument i is the bound variable `order[i]`."""

    order: tuple[int, ...]
    formula: Formula
    session: Session

    def of(self, values: Sequence[Formula]) -> Formula:
        """Return the formula about these arguments, without quantifiers where they can be eliminated."""
        places = sorted(zip(self.order, values, strict=True), key=lambda place: place[0])
        found = z3.substitute_vars(self.formula, *(value for _, value in places)) if places else self.formula
        return eliminate(self.session, z3.simplify(found))


class Clauses:
    """A set of Horn clauses, and one question about them."""

    def __init__(self, session: Session, **settings: Any) -> None:
        self.session = session
        self.spent = 0  # resource units of the query
        self.spacer = z3.Fixedpoint(ctx=session.context)
        for name, value in {**_SETTINGS, **settings}.items():
            self.spacer.set(name, value)

    def relation(self, name: str, sorts: Sequence[Any]) -> Any:
        """Return a new relation."""
        made = z3.Function(name, *sorts, z3.BoolSort(self.session.context))
        self.spacer.register_relation(made)
        return made

    def rule(self, variables: Iterable[Formula], head: Formula, body: Sequence[Formula]) -> None:
        """Add a clause, for all values of the variables."""
        bound = {variable.get_id(): variable for variable in variables}
        clause = z3.Implies(z3.And(*body), head) if body else head
        self.spacer.add_rule(z3.ForAll(list(bound.values()), clause) if bound else clause)

    def query(self, goal: Formula, units: int | None = None) -> Answer:
        """Tell whether a fact of a relation without arguments can be derived."""

        def question(allowed: int) -> Any:
            self.spacer.set("rlimit", allowed)
            return self.spacer.query(goal)

        found = self.session.ask(question, self.spacer.reason_unknown, units)
        statistics = self.spacer.statistics()
        if "rlimit count" in statistics.keys():  # noqa: SIM118  # no mapping
            self.spent = int(statistics.get_key_value("rlimit count"))
        elif found is Answer.UNKNOWN and units is not None and self.session.reason == SPENT:
            self.spent = units  # spent before Spacer itself began to count
        self.session.spend(self.spent)
        return found

    def model(self) -> dict[str, Meaning]:
        """Return what each relation can mean, after a query that has no derivation."""
        found: dict[str, Meaning] = {}
        todo = [self.spacer.get_answer()]
        while todo:
            part = todo.pop()
            if z3.is_and(part):
                todo += part.children()
                continue
            body = part.body() if z3.is_quantifier(part) else part
            if z3.is_eq(body):
                relation, formula = body.children()
            elif z3.is_not(body):
                relation, formula = body.children()[0], z3.BoolVal(False, self.session.context)
            else:
                relation, formula = body, z3.BoolVal(True, self.session.context)
            order = tuple(z3.get_var_index(argument) for argument in relation.children())
            found[relation.decl().name()] = Meaning(order, formula, self.session)
        return found

    def derivation(self) -> Fact | None:
        """Return how the query was derived; None where Spacer does not say."""
        root = self.spacer.get_answer()
        made: dict[int, Fact | None] = {}
        todo = [root]
        while todo:
            node = todo[-1]
            inner = [child for child in node.children() if _is_step(child)] if _is_step(node) else []
            waiting = [child for child in inner if child.get_id() not in made]
            if waiting:
                todo += waiting
                continue
            todo.pop()
            made[node.get_id()] = _fact(node, [made[child.get_id()] for child in inner])
        return made[root.get_id()]


def _is_step(node: Formula) -> bool:
    return z3.is_app(node) and node.decl().kind() in (z3.Z3_OP_PR_HYPER_RESOLVE, z3.Z3_OP_PR_MODUS_PONENS)


def _fact(node: Formula, premises: list[Fact | None]) -> Fact | None:
    if not _is_step(node):
        return None
    known = tuple(premise for premise in premises if premise is not None)
    if node.decl().kind() == z3.Z3_OP_PR_MODUS_PONENS:
        return known[0] if known else None
    conclusion = node.children()[-1]
    return Fact(conclusion.decl().name(), tuple(conclusion.children()), known)
