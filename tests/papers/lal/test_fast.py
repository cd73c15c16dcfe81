"""Chapter 4: path expressions, out-node equations, incremental evaluation and edits (specification X14–X19)."""

from __future__ import annotations

import random
from math import inf
from typing import Any, Generic, TypeVar

import pytest

from knaster.base.errors import UsageError
from knaster.pushdown.automaton import Automaton, Middle, single, starting_with
from knaster.pushdown.domains.bitmatrix import BitRelation, BitRelations
from knaster.pushdown.domains.minpath import Length, MinPath
from knaster.pushdown.fast.evaluate import Evaluator
from knaster.pushdown.fast.expression import EPSILON, PRODUCT, STAR, UNION, Expressions
from knaster.pushdown.fast.paths import PathExpressions
from knaster.pushdown.fast.regions import ROOT
from knaster.pushdown.fast.session import Session
from knaster.pushdown.icfg import FlowGraph
from knaster.pushdown.merge import Merge, projecting_merge
from knaster.pushdown.runs.witness import witness
from knaster.pushdown.saturation.query import weight_at
from knaster.pushdown.semiring import Semiring, star, star_by_differences, star_by_squaring
from knaster.pushdown.solve import post_star, pre_star
from knaster.pushdown.system import Configuration, PushdownSystem, Rule, SystemBuilder
from papers.lal.figures import CALL_3_1, CONSTANTS, constants_2_1, constants_3_1, steps_2_1

W = TypeVar("W")

DIGITS = BitRelations(range(10))
OCTAL = BitRelations(range(8))


class Counted(Generic[W]):
    """A domain without star and difference that counts its extends."""

    def __init__(self, domain: Semiring[W]) -> None:
        self.zero, self.one, self.combine = domain.zero, domain.one, domain.combine
        self._extend = domain.extend
        self.extends = 0

    def extend(self, first: W, second: W) -> W:
        self.extends += 1
        return self._extend(first, second)


def show(graph: Expressions[str], expression: int) -> str:
    """Return an expression over named leaves as text, products flat and unions sorted."""
    kind = graph.kind[expression]
    if expression == EPSILON:
        return "ε"
    if kind == PRODUCT:
        return ".".join(show(graph, part) for part in graph.operands(expression))
    if kind == UNION:
        parts: list[str] = []
        todo = [expression]
        while todo:
            part = todo.pop()
            if graph.kind[part] == UNION:
                todo += graph.operands(part)
            else:
                parts.append(show(graph, part))
        return f"({' ∪ '.join(sorted(parts))})"
    if kind == STAR:
        body = show(graph, graph.right[expression])
        return f"{body}*" if body.startswith("(") else f"({body})*"
    return graph.weights[graph.left[expression]]


def path_expressions(text: str, start: str, first: str = "1") -> dict[str, str]:
    """Return the path expressions of a graph of edges `source-target:label`; `first` leads to its start."""
    arrows = [(*edge.split(":")[0].split("-"), edge.split(":")[1]) for edge in text.split()]
    names = sorted({name for source, target, _ in arrows for name in (source, target)})
    graph: Expressions[str] = Expressions("1")
    edges = [(names.index(source), names.index(target), graph.weight(label)) for source, target, label in arrows]
    paths = PathExpressions(graph, graph.product)
    paths.solve(range(len(names)), [*edges, (ROOT, names.index(start), graph.weight(first))])
    return {name: show(graph, paths.expression(number)) for number, name in enumerate(names)}


def figure_4_1(domain: Semiring[BitRelation[int]]) -> PushdownSystem[BitRelation[int]]:
    builder = SystemBuilder(domain)
    increment = DIGITS.function(lambda v: v + 1 if v < 9 else None)
    for source, target in ((1, 2), (2, 3), (3, 1), (3, 4), (4, 5), (5, 6)):
        weight = increment if source == 1 else DIGITS.one
        builder.rule("p", f"v{source}", "p", f"v{target}", weight=weight)
    return builder.build()


def test_x14_loops_are_saturated_before_they_are_left() -> None:
    edges = "v1-v2:v1v2 v2-v3:v2v3 v3-v1:v3v1 v3-v4:v3v4 v4-v5:v4v5 v5-v6:v5v6"
    assert path_expressions(edges, "v1")["v6"] == "(v1v2.v2v3.v3v1)*.v1v2.v2v3.v3v4.v4v5.v5v6"


def sweep(edges: list[tuple[int, int]], values: dict[int, set[int]]) -> int:
    """Apply edges in rounds until a round changes nothing; return how many applications that took."""
    count = 0
    changed = True
    while changed:
        changed = False
        for source, target in edges:
            moved = {v + 1 for v in values[source] if v < 9} if source == 1 else values[source]
            changed |= not moved <= values[target]
            values[target] = values[target] | moved
            count += 1
    return count


def test_x14_order_of_iteration() -> None:
    loop, rest = [(1, 2), (2, 3), (3, 1)], [(3, 4), (4, 5), (5, 6)]
    start = {1: {0}} | {v: set() for v in range(2, 7)}
    values = dict(start)
    assert sweep(loop + rest, values) == 60 and values[6] == set(range(1, 10))
    values = dict(start)
    assert sweep(loop, values) == 30 and sweep(rest, values) == 2 * 3  # one round to see that nothing changes
    assert values[6] == set(range(1, 10))


def test_x14_extends_by_engine() -> None:
    start: Automaton[Any] = Automaton.of([("p", "v1", "end", DIGITS.relation([(0, 0)]))], ["end"], ["p"])
    counts = {}
    for name in ("chaotic", "loop first", "fast"):
        domain = Counted(DIGITS)
        system = figure_4_1(domain)
        domain.extends = 0  # making a system checks its weights
        if name == "fast":
            answer = post_star(system, start, engine="fast")
        else:
            order = None if name == "chaotic" else lambda p, symbol, q: str(symbol)
            answer = post_star(system, start, priority=order)
        assert answer.weight_of(Configuration("p", ("v6",))).image() == set(range(1, 10))
        counts[name] = domain.extends
    assert counts["fast"] < counts["loop first"] < counts["chaotic"]


RULES_15 = "n1-n2 n2-n3 n3-n6,n4 n4-n5 n5- n6-n7 n7-n8 n8-n9 n8-n12 n9-n10 n9-n11 n10-n9 n11-n12 n12-"


def figure_4_2(domain: Semiring[W], weights: list[W]) -> PushdownSystem[W]:
    """Return the two procedures of Figure 4.2, rule i with weights[i - 1]."""
    builder = SystemBuilder(domain)
    for text, weight in zip(RULES_15.split(), weights, strict=True):
        source, _, push = text.partition("-")
        builder.rule("p", source, "p", *(push.split(",") if push else ()), weight=weight)
    return builder.build()


def lengths() -> PushdownSystem[Length]:
    return figure_4_2(MinPath(), list(range(1, 15)))


def relations() -> PushdownSystem[BitRelation[int]]:
    weights = [OCTAL.one] * 14
    weights[9] = OCTAL.function(lambda x: x + 1 if x < 7 else None)
    weights[8] = OCTAL.assume(lambda x: x == 0)
    weights[10] = OCTAL.assume(lambda x: x == 5)
    return figure_4_2(OCTAL, weights)


TO_EMPTY: Automaton[Any] = single("p")


def at_nodes(weight: Any) -> list[Any]:
    return [weight(Configuration("p", (f"n{i}",))) for i in range(1, 13)]


EXPECTED_15 = [51, 50, 48, 9, 5, 36, 30, 23, 38, 50, 27, 14]


@pytest.mark.parametrize("engine", ["plain", "fast"])
def test_x15_backward_lengths(engine: Any) -> None:
    assert at_nodes(pre_star(lengths(), TO_EMPTY, engine=engine).weight_of) == EXPECTED_15


@pytest.mark.parametrize("engine", ["plain", "fast"])
def test_x15_forward_lengths(engine: Any) -> None:
    answer = post_star(lengths(), single("p", "n1"), engine=engine)
    found = {(t.source, t.symbol, t.target): t.weight for t in answer.transitions()}
    end, mid = answer.state_name(1), Middle("p", "n6")
    main = {"n1": 0, "n2": 1, "n3": 3, "n4": 42, "n5": 46, None: 51}
    foo = {"n6": 0, "n7": 6, "n8": 13, "n9": 21, "n10": 31, "n11": 32, "n12": 22, None: 36}
    expected: dict[tuple[Any, Any, Any], int] = {
        **{("p", symbol, end): weight for symbol, weight in main.items()},
        **{("p", symbol, mid): weight for symbol, weight in foo.items()},
        (mid, "n4", end): 6,
    }
    assert found == expected
    distances = [weight_at(answer, f"n{i}") for i in range(6, 13)]
    assert distances == [6, 12, 19, 27, 37, 38, 28]


def test_x15_witness() -> None:
    answer = pre_star(lengths(), TO_EMPTY, engine="fast", witnesses="all")
    found = witness(answer, single("p", "n1"))
    assert found is not None and found.value == 51
    assert [number + 1 for number in found.numbers] == [1, 2, 3, 6, 7, 9, 14, 4, 5]


@pytest.mark.parametrize("engine", ["plain", "fast"])
def test_x15_relations(engine: Any) -> None:
    found = at_nodes(pre_star(relations(), TO_EMPTY, engine=engine).weight_of)
    to_five = [(i, 5) for i in range(6)]
    assert found[5] == found[0] == OCTAL.relation([(0, 0), *to_five])
    assert found[8] == OCTAL.relation(to_five) and found[11] == OCTAL.one


def test_x15_the_equation_of_foo_symbol_for_symbol() -> None:
    """The intragraph of foo runs backwards, so does the equation as the thesis prints it."""
    edges = "t12-t8:w9 t12-t11:w13 t11-t9:w11 t9-t10:w12 t10-t9:w10 t9-t8:w8 t8-t7:w7 t7-t6:w6"
    assert path_expressions(edges, "t12", "w14")["t6"] == "w14.(w13.w11.(w12.w10)*.w8 ∪ w9).w7.w6"


def test_x15_equations_are_those_of_the_thesis() -> None:
    """t6 = w6·w7·(w9 + w8·(w10·w12)*·w11·w13)·w14 and t1 = w1·w2·w3·t6·w4·w5, for random weights."""
    domain = BitRelations(range(4))
    rng = random.Random(15)
    for _ in range(50):
        pairs = [[(a, b) for a in range(4) for b in range(4) if rng.random() < 0.4] for _ in range(14)]
        w = [domain.zero, *(domain.relation(each) for each in pairs)]

        def product(*factors: Any) -> Any:
            total = domain.one
            for factor in factors:
                total = domain.extend(total, factor)
            return total

        around = product(w[8], domain.star(domain.extend(w[10], w[12])), w[11], w[13])
        t6 = product(w[6], w[7], domain.combine(w[9], around), w[14])
        answer = pre_star(figure_4_2(domain, w[1:]), TO_EMPTY, engine="fast")
        assert answer.weight_of(Configuration("p", ("n6",))) == t6
        t1 = product(w[1], w[2], w[3], t6, w[4], w[5])
        assert answer.weight_of(Configuration("p", ("n1",))) == t1


def test_x15_figure_4_3_evaluates_only_what_changed() -> None:
    graph: Expressions[Length] = Expressions(0)
    w1, w2, w3, w4, w5 = (graph.weight(i) for i in range(1, 6))
    t6 = graph.variable(6)
    a2, a4, a5 = graph.product(w1, w2), graph.product(w3, t6), graph.product(w4, w5)
    a1 = graph.product(a2, graph.product(a4, a5))
    evaluator = Evaluator(MinPath(), graph)
    evaluator.assign(t6, 36)
    assert (evaluator.weight(a1), evaluator.evaluations) == (51, 5)
    assert (evaluator.weight(a1), evaluator.evaluations) == (51, 5)
    evaluator.assign(t6, 22)
    assert (evaluator.weight(a1), evaluator.evaluations) == (37, 8)
    assert not evaluator.assign(t6, 22)
    assert (evaluator.weight(a1), evaluator.evaluations) == (37, 8)


def recursive(domain: Semiring[W], increment: W, double: W, other: W) -> PushdownSystem[W]:
    builder = SystemBuilder(domain)
    for source, push, weight in (
        ("m0", ("f0", "m1"), other),
        ("f0", ("f1",), other),
        ("f0", ("f3",), other),
        ("f1", ("f1b",), increment),
        ("f1b", ("f0", "f2"), other),
        ("f2", ("f3",), double),
        ("f3", (), other),
    ):
        builder.rule("p", source, "p", *push, weight=weight)
    return builder.build()


@pytest.mark.parametrize("engine", ["plain", "fast"])
def test_x16_recursion(engine: Any) -> None:
    increment = OCTAL.function(lambda x: x + 1 if x < 7 else None)
    double = OCTAL.function(lambda x: 2 * x if x < 4 else None)
    answer = post_star(recursive(OCTAL, increment, double, OCTAL.one), single("p", "m0"), engine=engine)
    after = {0: {0, 2}, 1: {1, 4}, 2: {2, 6}} | {i: {i} for i in range(3, 8)}
    assert answer.weight_of(Configuration("p", ("m1",))) == OCTAL.relation(
        [(x, y) for x, values in after.items() for y in values]
    )
    for k in range(8):
        weight = answer.weight_of(Configuration("p", ("f0", *["f2"] * k, "m1")))
        assert {y for x, y in weight if x == 0} == {k}
    steps = post_star(recursive(MinPath(), 1, 1, 1), single("p", "m0"), engine=engine)
    assert [weight_at(steps, "m1"), weight_at(steps, "f2")] == [3, 6]
    assert steps.weight_of(Configuration("p", ("f0", "f2", "f2", "m1"))) == 7


def test_x17_schedule_of_equations() -> None:
    edges = "t1-t1:r1 t3-t1:r1 t1-t2:r2 t2-t3:r3"
    assert path_expressions(edges, "t1")["t1"] == "(r1 ∪ r2.r3.r1)*"


@pytest.mark.parametrize(("size", "squarings"), [(4, 3), (8, 4), (11, 5)])
def test_x18_kleene_star(size: int, squarings: int) -> None:
    domain = BitRelations(range(size))
    step = domain.relation([(i, i + 1) for i in range(size - 1)])
    closure = domain.star(step)
    assert len(closure) == size * (size + 1) // 2
    by_differences = Counted(domain)
    by_differences.diff = domain.diff  # type: ignore[attr-defined]
    assert star_by_differences(by_differences, step) == closure and by_differences.extends == size
    by_squaring = Counted(domain)
    assert star_by_squaring(by_squaring, step) == closure and by_squaring.extends == squarings
    assert star(MinPath(), 7) == star_by_differences(MinPath(), 7) == 0


def rule(text: str, weight: int) -> Rule[Length]:
    source, _, push = text.partition("-")
    return Rule("p", source, "p", tuple(push.split(",")) if push else (), weight)


def edited(**changes: list[Rule[Length]]) -> Session[Length]:
    session = Session(lengths())
    session.pre(TO_EMPTY)
    assert at_nodes(session.weight_of) == EXPECTED_15
    session.edit(**changes)
    return session


def test_x19_addition() -> None:
    session = edited(add=[rule("n7-n12", 2)])
    assert at_nodes(session.weight_of) == [37, 36, 34, 9, 5, 22, 16, 23, 38, 50, 27, 14]


def test_x19_deletion() -> None:
    session = edited(remove=[rule("n8-n12", 9)])
    assert at_nodes(session.weight_of) == [74, 73, 71, 9, 5, 59, 53, 46, 38, 50, 27, 14]


def test_x19_a_deletion_that_changes_no_summary_stops_there() -> None:
    session = edited(remove=[rule("n10-n9", 12)])
    assert session.weight_of(Configuration("p", ("n6",))) == 36
    before = session.explain().operations
    assert session.weight_of(Configuration("p", ("n1",))) == 51
    assert session.explain().operations == before
    assert at_nodes(session.weight_of) == [*EXPECTED_15[:9], inf, *EXPECTED_15[10:]]


def test_x19_a_procedure_that_never_returns() -> None:
    session = edited(remove=[rule("n12-", 14)])
    assert at_nodes(session.weight_of) == [inf, inf, inf, 9, 5, *[inf] * 7]


def test_x19_recursion_that_appears() -> None:
    session = edited(add=[rule("n11-n6,n12", 0)])
    assert at_nodes(session.weight_of) == EXPECTED_15
    session.edit(remove=[rule("n8-n12", 9)])
    plain = pre_star(session.system, TO_EMPTY)
    assert at_nodes(session.weight_of) == at_nodes(plain.weight_of)


def figures() -> list[FlowGraph[Any]]:
    restoring = projecting_merge(CONSTANTS, CALL_3_1, CONSTANTS.projection("y"))
    return [constants_2_1(), steps_2_1(), constants_3_1(None), constants_3_1(restoring)]


@pytest.mark.parametrize("number", range(4))
def test_the_figures_of_chapters_2_and_3_by_path_expressions(number: int) -> None:
    graph = figures()[number]
    plain, fast = graph.jovp(), graph.jovp(engine="fast")
    assert fast.everywhere() == plain.everywhere()
    assert fast.summary("f") == plain.summary("f") != graph.domain.zero
    for node in graph.procedure_of:
        assert fast.by_context(node, 2) == plain.by_context(node, 2)


def test_path_extension_is_required() -> None:
    """X13: the merge looks at the caller's domain only, so it cannot be taken out of the caller's weight."""
    domain = BitRelations(range(2))

    def forget(caller: Any, callee: Any) -> Any:
        return domain.relation([(x, x) for x, _ in caller]) if callee != domain.zero else domain.zero

    builder = SystemBuilder(domain)
    builder.rule("p", "s", "p", "c", weight=domain.function(lambda x: 1))
    builder.rule("p", "c", "p", "e", "r", merge=Merge(forget, path_extension=False))
    builder.rule("p", "e", "p")
    start: Automaton[Any] = single("p", "s")
    for saturate, question in ((post_star, start), (pre_star, starting_with("p", "r"))):
        with pytest.raises(UsageError, match="path extension"):
            saturate(builder.build(), question, engine="fast")
