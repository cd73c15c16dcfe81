"""Fixed points: nesting, alternation, rounds that never end, frontiers."""

from __future__ import annotations

import pytest

from knaster.base.errors import UsageError
from knaster.bdd.store import Store
from knaster.calculus import Session, evaluate, parse
from knaster.calculus.answers.outcomes import Undefined
from knaster.calculus.fixpoints.allocate import allocate
from knaster.calculus.fixpoints.compile import Compiler
from knaster.calculus.fixpoints.fixpoint import STRATEGIES, Diverged
from knaster.calculus.fixpoints.frontier import derive
from knaster.calculus.fixpoints.plan import Node, Op
from support.calculus_plans import nodes

CHAIN = """
enum S { 0..7 };
bool T(S s, S t) t = s + 1;
mu bool Plus(S s, S t) T(s, t) | (exists S u. Plus(s, u) & Plus(u, t));
#ons Plus;
"""


@pytest.fixture(autouse=True)
def frontiers_of_small_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knaster.calculus.fixpoints.fixpoint.SMALL", 0)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_squaring_reads_the_relation_twice(strategy: str) -> None:
    """One frontier for both occurrences, as in muCKE, finds 19 of the 28 pairs."""
    assert evaluate(parse(CHAIN), strategy=strategy).counts == {"Plus": 28}


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_recursive_call_that_does_not_matter(strategy: str) -> None:
    """What is left of the body is a predicate that does not grow: nothing is new in it."""
    text = "enum S { 0..7 }; bool Even(S s) s = 0 | s = 4; mu bool X(S s) (X(s) & 0) | Even(s); #ons X;"
    assert evaluate(parse(text), strategy=strategy).counts == {"X": 2}


def test_squaring_takes_logarithmically_many_rounds() -> None:
    assert evaluate(parse(CHAIN), strategy="plain").rounds["Plus"] == 5


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_predicate_asked_for_is_the_outermost(strategy: str) -> None:
    """The specification's example: a 4-cycle, nu X = Y, mu Y = (s = 1 & EX X) | EX Y, on states 0, 1, 2."""
    text = """
        enum S { 0..3 };
        bool T(S s, S t) (s = 0 & t = 1) | (s = 1 & t = 2) | (s = 2 & t = 0) | (s = 3 & t = 3);
        nu bool X(S s);
        mu bool Y(S s) (s = 1 & (exists S t. T(s, t) & X(t))) | (exists S t. T(s, t) & Y(t));
        nu bool X(S s) Y(s);
        #ons X;
        #ons Y;
    """
    assert evaluate(parse(text), strategy=strategy).counts == {"X": 3, "Y": 0}


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_mutual_recursion(strategy: str) -> None:
    text = """
        enum N { 0..9 };
        mu bool Odd(N n);
        mu bool Even(N n) n = 0 | (exists N m. n = m + 1 & Odd(m));
        mu bool Odd(N n) exists N m. n = m + 1 & Even(m);
        #ons Even; #ons Odd;
        forall N n. Even(n) <+> Odd(n);
    """
    solution = evaluate(parse(text), strategy=strategy)
    assert solution.counts == {"Even": 5, "Odd": 5}
    assert solution.queries == [True]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_least_and_a_greatest_fixed_point(strategy: str) -> None:
    text = "enum S { 0..3 }; mu bool M(S s) M(s); nu bool N(S s) N(s); #ons M; #ons N;"
    assert evaluate(parse(text), strategy=strategy).counts == {"M": 0, "N": 4}


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_rounds_that_repeat_are_reported(strategy: str) -> None:
    text = "mu bool Q(bool s) s & ! Q(s);\nbool P(bool s) s;\n#ons Q;\n#ons P;"
    solution = evaluate(parse(text, file="q.mu"), strategy=strategy)
    undefined = solution.answers[0]
    assert isinstance(undefined, Undefined)
    assert "round 2 gives the value of round 0 again" in undefined.reason
    assert "q.mu:1:1" in undefined.reason
    assert solution.counts == {"P": 1}
    with pytest.raises(Diverged):
        solution.relation("Q")


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_negative_system_that_ends_means_what_its_rounds_compute(strategy: str) -> None:
    """Seen(1, s): reached; Seen(0, s): reached before the last round; New: the difference (as in section 4.3)."""
    text = """
        enum S { 0..7 };
        mu bool Seen(bool now, S s);
        mu bool New(S s) Seen(1, s) & ! Seen(0, s);
        mu bool Seen(bool now, S s) (now = 1 & s = 0) | Seen(1, s) | (now = 1 & (exists S t. New(t) & s = t + 1));
        #ons Seen;
    """
    system = parse(text)
    solution = evaluate(system, strategy=strategy)
    assert solution.counts["Seen"] == 16
    assert solution.rounds["Seen"] == 10
    assert [problem.message for _, problem in system.warnings] == [
        "'New' depends negatively on 'Seen', which depends on it"
    ]


def test_unknown_strategy() -> None:
    with pytest.raises(UsageError, match="frontier, together, plain"):
        evaluate(parse("1;"), strategy="magic")


def plan(text: str, name: str, volatile: set[str]) -> tuple[Compiler, Node]:
    system = parse(text)
    allocation = allocate(system.variables, system.predicates.values(), [])
    compiler = Compiler(Store(allocation.count, 1 << 12), allocation, system.predicates)
    return compiler, compiler.body(system.predicates[name], frozenset(volatile))


def calls(root: Node) -> list[str]:
    return sorted(node.reading.name for node in nodes(root) if node.reading is not None)


def test_the_new_part_has_a_term_for_each_occurrence() -> None:
    compiler, root = plan(CHAIN, "Plus", {"Plus"})
    derived = derive(compiler.planner, root, frozenset({"Plus"}))
    assert calls(root) == ["Plus", "Plus", "T"]
    assert calls(derived) == ["Plus", "Plus", "ΔPlus", "ΔPlus"]  # T is old and gone
    assert sum(node.op is Op.PRODUCT for node in nodes(derived)) == 2


def test_below_a_negation_the_formula_stands_for_its_new_part() -> None:
    text = "enum S { 0..3 }; bool T(S s, S t) s = t; mu bool A(S s) s = 0 | (forall S t. T(s, t) -> A(t));"
    compiler, root = plan(text, "A", {"A"})
    derived = derive(compiler.planner, root, frozenset({"A"}))
    assert "A" in calls(derived) and "ΔA" not in calls(derived)


def test_sizes_are_recorded_on_demand() -> None:
    assert evaluate(parse(CHAIN)).sizes == {}
    sizes = evaluate(parse(CHAIN), record=True).sizes
    assert len(sizes["Plus"]) == evaluate(parse(CHAIN)).rounds["Plus"]
    assert all(size > 1 for size in sizes["Plus"])


def test_the_store_grows_when_it_is_too_small() -> None:
    session = Session(parse("enum S { 0..4095 }; bool f(S x, S y) x ~- y  x = y; #ons f;"), nodes=1 << 8)
    assert session.relation("f").count == 4096
    assert session.nodes > 1 << 8


def test_a_tick_may_stop_the_work() -> None:
    class Enough(Exception):
        pass

    left = 100

    def tick() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            raise Enough

    text = "enum S { 0..255 }; mu bool R(S s) s = 0 | (exists S t. R(t) & s = t + 1); #ons R;"
    with pytest.raises(Enough):
        evaluate(parse(text), tick=tick)
