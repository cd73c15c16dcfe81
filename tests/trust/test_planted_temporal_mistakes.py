"""Mistakes that are easy to make about temporal questions, planted one by one: some program tells each from the truth.

With a mistake in the product or in the fixed point the answer is wrong, or its evidence is refused; both are noticed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

import knaster
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.ranks import _RankChecker, check_ranks
from knaster.engines.boolean.ranks import fixpoint, heads
from knaster.evidence.proofs.ranks import Ranks, product_for
from knaster.evidence.questions.product import EVERYTHING, KEPT, SEEN, Product
from knaster.evidence.questions.question import Termination
from knaster.program.expression import FALSE, TRUE, Var
from knaster.program.model import Assign, Call, Edge
from knaster.views.summaries.path_edges import Summaries
from knaster.views.symbolic.encoding import encode
from support.temporal_programs import questions

Plant = Callable[[pytest.MonkeyPatch], None]


def seen_is_kept_across_activations(patch: pytest.MonkeyPatch) -> None:
    before = Product._before

    def wrong(self: Product, edge: Edge, middle: int, guard: object, accepting: bool) -> Edge:
        made = before(self, edge, middle, guard, accepting)  # type: ignore[arg-type]
        if isinstance(made.action, Assign) and SEEN in made.action.targets and KEPT in made.action.targets:
            values = tuple(
                Var(SEEN) if name == SEEN else value
                for name, value in zip(made.action.targets, made.action.values, strict=True)
            )
            return Edge(
                made.source, Assign(made.action.targets, values, made.action.constraint), made.target, made.span
            )
        return made

    patch.setattr(Product, "_before", wrong)


def calls_are_passed_over_without_their_bit(patch: pytest.MonkeyPatch) -> None:
    mark = Product._mark

    def wrong(self: Product, edge: Edge, accepting: bool) -> Edge:
        behind = isinstance(edge.action, Assign) and edge.action.targets == (SEEN,) and edge.action.values == (TRUE,)
        return mark(self, edge, accepting and not behind)

    patch.setattr(Product, "_mark", wrong)


def the_own_step_of_a_call_does_not_count(patch: pytest.MonkeyPatch) -> None:
    edges = Product._edges

    def wrong(self: Product, own: object, edge: Edge, again: bool, fresh: int) -> list[Edge]:
        made = edges(self, own, edge, again, fresh)  # type: ignore[arg-type]
        if isinstance(edge.action, Call) and not self.is_weak:
            self.accepting -= {id(each) for each in made if each.source == edge.source}
        return made

    patch.setattr(Product, "_edges", wrong)


def what_a_callee_saw_is_forgotten(patch: pytest.MonkeyPatch) -> None:
    step = Product._step

    def wrong(self: Product, accepting: bool) -> object:
        targets, values = step(self, accepting)
        changed = [FALSE if name == SEEN else value for name, value in zip(targets, values, strict=True)]
        return targets, tuple(changed)

    patch.setattr(Product, "_step", wrong)


def stuttering_is_forgotten(patch: pytest.MonkeyPatch) -> None:
    def nothing(*_: object) -> Iterator[Edge]:
        return iter(())

    patch.setattr(Product, "_loops", nothing)


def calls_are_never_entered(patch: pytest.MonkeyPatch) -> None:
    steps = heads.Heads._steps
    patch.setattr(heads.Heads, "_steps", lambda self, place: [s for s in steps(self, place) if not s.enters])


def calls_never_return(patch: pytest.MonkeyPatch) -> None:
    steps = heads.Heads._steps
    patch.setattr(
        heads.Heads,
        "_steps",
        lambda self, place: [s for s in steps(self, place) if s.enters or not isinstance(s.edge.action, Call)],
    )


def one_accepting_step_is_enough(patch: pytest.MonkeyPatch) -> None:
    """Z is reached by one round: what can come to an accepting step, not again and again."""

    def wrong(graph: heads.Heads, budget: object) -> object:
        first = dict(graph.reached)
        second = fixpoint.next_round(graph, first, budget)  # type: ignore[arg-type]
        return [first, second, second] if second else [first, second]

    patch.setattr("knaster.engines.boolean.ranks.engine.find_chain", wrong)


def edges_back_are_not_marked(patch: pytest.MonkeyPatch) -> None:
    edges = Product._edges
    patch.setattr(Product, "_edges", lambda self, own, edge, again, fresh: edges(self, own, edge, False, fresh))


def the_end_is_a_statement(patch: pytest.MonkeyPatch) -> None:
    """After the end the last statement is repeated: `at` holds there for ever."""
    loops = Product._groups_at

    def wrong(self: Product, place: object, again: bool) -> object:
        main = self.original.procedure(self.original.threads[0])
        last = max(
            (edge for edge in main.edges if edge.target == main.exit), key=lambda edge: edge.source, default=None
        )
        stays = (main.name, last.source) if place is None and last is not None else place
        return loops(self, stays, again)  # type: ignore[arg-type]

    patch.setattr(Product, "_groups_at", wrong)


def heads_are_those_of_procedures_that_return(patch: pytest.MonkeyPatch) -> None:
    reached = heads.Heads._reached

    def wrong(self: heads.Heads) -> object:
        none = self.symbolic.store.false
        return {at: states for at, states in reached(self).items() if self.engine.summary(at[0]) != none}

    patch.setattr(heads.Heads, "_reached", wrong)


PLANTS: tuple[Plant, ...] = (
    seen_is_kept_across_activations,
    calls_are_passed_over_without_their_bit,
    the_own_step_of_a_call_does_not_count,
    what_a_callee_saw_is_forgotten,
    stuttering_is_forgotten,
    calls_are_never_entered,
    calls_never_return,
    one_accepting_step_is_enough,
    edges_back_are_not_marked,
    the_end_is_a_statement,
    heads_are_those_of_procedures_that_return,
)


def wrong_cases() -> int:
    """Return how many questions are answered wrongly, or with evidence that is refused."""
    wrong = 0
    for _, text, asked, true in questions():
        try:
            result = knaster.check(text + "\n", property=asked)
            wrong += result.verdict.value != ("TRUE" if true else "FALSE")
        except Exception:  # evidence that is refused, or a breakdown
            wrong += 1
    return wrong


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: str(plant.__name__))
def test_a_mistake_is_noticed(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    assert wrong_cases() > 0


def test_without_a_mistake_nothing_is_wrong() -> None:
    assert wrong_cases() == 0


def ranks_of_nothing(text: str) -> Ranks:
    """Return a proof of termination in which every head has the rank 0; its path edges hold."""
    program = knaster.parse(text)
    symbolic = encode(product_for(program, Termination(), EVERYTHING).program)
    engine = Summaries(symbolic, Budget())
    engine.demand(symbolic.entry, symbolic.initial())
    engine.run()
    return Ranks(program, Termination(), EVERYTHING, engine.certificate(), {})


def test_ranks_that_may_grow_over_calls_would_prove_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    proof = ranks_of_nothing("void main() begin f(); end void f() begin f(); end\n")
    with pytest.raises(InternalError, match="does not fall"):
        check_ranks(proof, proof.program, Budget())
    monkeypatch.setattr(_RankChecker, "_compare", _without_calls(_RankChecker._compare))
    check_ranks(proof, proof.program, Budget())  # so the check of calls is what refuses it


def _without_calls(compare: Callable[..., None]) -> Callable[..., None]:
    def wrong(self: object, source: tuple[str, int], target: tuple[str, int], *rest: object) -> None:
        if source[0] == target[0] and target[1] != 0:
            compare(self, source, target, *rest)

    return wrong
