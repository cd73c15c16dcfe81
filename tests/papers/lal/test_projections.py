"""Chapter 5: the error projections of Figures 5.1, 5.2 and 5.5, rebuilt by the specification (T5.1–T5.7)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

import pytest

import knaster
from knaster.base.errors import UnsupportedError, UsageError
from knaster.pushdown.automaton import ANY, Automaton, intersection, single, starting_with
from knaster.pushdown.domains.bitmatrix import BitRelation, BitRelations
from knaster.pushdown.domains.minpath import MinPath
from knaster.pushdown.domains.relations import BddRelation, BddRelations
from knaster.pushdown.merge import Merge
from knaster.pushdown.projections.error_projection import Projection, project
from knaster.pushdown.saturation.query import weight_at, weight_in
from knaster.pushdown.solve import post_star, pre_star
from knaster.pushdown.system import PushdownSystem, Rule, SystemBuilder, run_value

BYTES = BitRelations(range(256))
Words = frozenset[tuple[str, ...]]


class SetsOfWords:
    """The free semiring: weights are finite sets of words."""

    zero: Words = frozenset()
    one: Words = frozenset({()})

    def combine(self, first: Words, second: Words) -> Words:
        return first | second

    def extend(self, first: Words, second: Words) -> Words:
        return frozenset(left + right for left, right in product(first, second))


def word(*letters: str) -> Words:
    return frozenset({letters})


def figure_5_1(skip: Iterable[str] = (), guard: BitRelation[int] = BYTES.one) -> PushdownSystem[BitRelation[int]]:
    """Return the system of Figure 5.1 without the rules that leave `skip`, and with a guard on f → n."""
    builder = SystemBuilder(BYTES)
    left_out = set(skip)

    def rule(source: str, *push: str, weight: BitRelation[int] = BYTES.one) -> None:
        if source not in left_out:
            builder.rule("p", source, "p", *push, weight=weight)

    for number, value, more in ((1, 5, 2), (2, 8, 3), (3, 9, 1)):
        rule("start", f"a{number}")
        rule(f"a{number}", f"c{number}", weight=BYTES.function(lambda v, value=value: value))  # type: ignore[misc]
        rule(f"c{number}", "f", f"r{number}")
        rule(f"r{number}", "t", weight=BYTES.function(lambda v, more=more: min(v + more, 255)))  # type: ignore[misc]
    rule("f", "n", weight=guard)
    rule("n", "fx")
    rule("fx")
    rule("t", "error", weight=BYTES.assume(lambda v: v == 10))
    rule("t", "ok", weight=BYTES.assume(lambda v: v != 10))
    return builder.build()


def projection_5_1(system: PushdownSystem[BitRelation[int]]) -> Projection[BitRelation[int]]:
    return project(system, single("p", "start"), starting_with("p", "error"), witnesses=True)


def constant(value: int) -> BitRelation[int]:
    return BYTES.function(lambda v: value)


def chop_by_double_post(system: PushdownSystem[BitRelation[int]], node: str) -> BitRelation[int]:
    """Return WC(start, node Γ*, error Γ*) by two saturations, the second from the weighted result of the first."""
    answer = post_star(system, single("p", "start"))
    edges = [(t.source, t.symbol, t.target, t.weight) for t in answer.transitions() if t.symbol is not None]
    weighted: Automaton[BitRelation[int]] = Automaton.of(edges, map(answer.state_name, answer.final), ["p"])
    chosen = intersection(weighted, starting_with("p", node), BYTES)
    return weight_in(post_star(system, chosen), starting_with("p", "error"))


def test_figure_5_1_projection_and_values() -> None:
    system = figure_5_1()
    found = projection_5_1(system)
    assert set(found.nodes) == {"start", "a3", "c3", "f", "n", "fx", "r3", "t", "error"}
    assert found.weight("n") == constant(10)
    assert "a1" not in found and "ok" not in found and "nowhere" not in found
    assert found.values("n").image() == {9}
    assert found.values("t").image() == {10}
    assert found.values("start") == BYTES.one
    candidates = {value: BYTES.relation([(value, value)]) for value in range(256)}
    assert found.values_among("n", candidates) == [9]
    assert found.values("a1") == BYTES.zero and found.values_among("ok", candidates) == []


def test_figure_5_1_forward_and_backward_alone_say_less() -> None:
    system = figure_5_1()
    forward = weight_at(post_star(system, single("p", "start")), "n")
    assert forward == BYTES.combine(BYTES.combine(constant(5), constant(8)), constant(9))
    below: Automaton[BitRelation[int]] = Automaton.of(
        [("p", "n", "s"), *(("s", f"r{i}", "t") for i in (1, 2, 3)), ("t", ANY, "t")], ["t"], ["p"]
    )
    backward = weight_in(pre_star(system, starting_with("p", "error")), below)
    assert backward == BYTES.relation([(7, 10), (8, 10), (9, 10)])


@pytest.mark.parametrize("node", ["start", "a1", "a3", "n", "fx", "r3", "t", "error"])
def test_figure_5_1_equals_double_post(node: str) -> None:
    for system in (figure_5_1(), figure_5_1(["c3", "a3"]), figure_5_1(guard=BYTES.assume(lambda v: v != 9))):
        assert projection_5_1(system).weight(node) == chop_by_double_post(system, node)


def test_without_the_third_call_nothing_is_on_an_error_path() -> None:
    system = figure_5_1(["c3"])
    forward = weight_at(post_star(system, single("p", "start")), "n")
    assert forward.image() == {5, 8}
    found = projection_5_1(system)
    assert found.nodes == () and found.weight("n") == BYTES.zero and found.witness("n") is None


def test_a_guard_in_the_callee_separates_the_contexts() -> None:
    system = figure_5_1(guard=BYTES.assume(lambda v: v != 9))
    assert weight_at(post_star(system, single("p", "start")), "n") != BYTES.zero
    assert projection_5_1(system).nodes == ()


def test_figure_5_1_witnesses() -> None:
    found = projection_5_1(figure_5_1())
    for node in found.nodes:
        one = found.witness(node)
        assert one is not None
        assert one.value == run_value(BYTES, one.run) == constant(10)
        assert one.start.stack == ("start",) and one.end.stack == ("error",)
        assert node in {rule.symbol for rule in one.run} | {"error"}


FLOW = "1-2 2+3 2-7 3+4 3-8 4.5 5.6 6.8 7.8 8+9 8-12 9+10 9-11 11.12"


def getUnit(assignments: dict[str, tuple[str, bool]], tests: dict[str, str]) -> Projection[BddRelation]:
    """Return the projection of Figure 5.2: which lines assign which variable, which lines test which; `?` otherwise."""
    domain = BddRelations(["nU0", "cE"])
    builder = SystemBuilder(domain)
    for edge in FLOW.split():
        kind = next(letter for letter in "+-." if letter in edge)
        source, target = edge.split(kind)
        weight = domain.one
        if source in tests:
            condition = domain.variable(tests[source])
            weight = domain.assume(condition if kind == "+" else ~condition)
        elif source in assignments:
            weight = domain.assign(dict([assignments[source]]))
        builder.rule("p", source, "p", target, weight=weight)
    builder.rule("p", "12", "p")
    return project(builder.build(), single("p", "1"), starting_with("p", "10"), witnesses=True)


def lines(*numbers: int) -> set[str]:
    return {str(number) for number in numbers}


def test_figure_5_2_first_abstraction() -> None:
    assert set(getUnit({}, {}).nodes) == lines(*range(1, 11))


def test_figure_5_2_second_abstraction() -> None:
    found = getUnit({"5": ("nU0", False)}, {"2": "nU0", "9": "nU0"})
    assert set(found.nodes) == lines(1, 2, 3, 8, 9, 10)
    domain = found.automaton.domain
    assert isinstance(domain, BddRelations)
    for node in found.nodes:
        assert found.values(node) == domain.assume(domain.variable("nU0"))


def test_figure_5_2_third_abstraction() -> None:
    assignments = {"1": ("cE", False), "5": ("nU0", False), "6": ("cE", True), "7": ("cE", True)}
    assert getUnit(assignments, {"2": "nU0", "8": "cE", "9": "nU0"}).nodes == ()


GET_UNIT = """decl nU0, cE; void main() begin <1>;
if (<2>) then
if (<3>) then
skip;
<5>;
<6>; fi else
<7>; fi
if (<8>) then
if (<9>) then
ERROR: skip; else
skip; fi fi end
"""  # a line is a node


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ({}, [*range(1, 11)]),
        ({2: "nU0", 5: "nU0 := F", 9: "nU0"}, [1, 2, 3, 8, 9, 10]),
        ({1: "cE := F", 2: "nU0", 5: "nU0 := F", 6: "cE := T", 7: "cE := T", 8: "cE", 9: "nU0"}, []),
    ],
    ids=["B1", "B2", "B3"],
)
def test_figure_5_2_as_a_program(statements: dict[int, str], expected: list[int]) -> None:
    text = GET_UNIT
    for number, unknown in {1: "skip", 2: "*", 3: "*", 5: "skip", 6: "skip", 7: "skip", 8: "*", 9: "*"}.items():
        text = text.replace(f"<{number}>", statements.get(number, unknown))
    assert list(knaster.project(text, "ERROR").lines) == expected


def figure_5_5(merges: dict[int, Merge[Words]]) -> Projection[Words]:
    builder = SystemBuilder(SetsOfWords())
    for i in (1, 2, 3):
        builder.rule("p", "start", "p", f"c{i}", weight=word(f"w{i}"))
        builder.rule("p", f"c{i}", "p", "f1", f"r{i}", weight=word(f"w{3 + i}"), merge=merges.get(i))
        builder.rule("p", f"r{i}", "p", "error", weight=word(f"w{6 + i}"))
    for source, push, weight in (("f1", ("n",), "w10"), ("n", ("f2",), "w11"), ("f2", (), "w12")):
        builder.rule("p", source, "p", *push, weight=word(weight))
    return project(builder.build(), single("p", "start"), single("p", "error"))


def test_figure_5_5_pairs_call_sites() -> None:
    through_n = {("w1 w4 w10 w11 w12 w7"), ("w2 w5 w10 w11 w12 w8"), ("w3 w6 w10 w11 w12 w9")}
    assert figure_5_5({}).weight("n") == {tuple(path.split()) for path in through_n}
    assert figure_5_5({}).weight("r1") == word(*["w1", "w4", "w10", "w11", "w12", "w7"])


def test_figure_5_5_with_merge_functions() -> None:
    words = SetsOfWords()

    def merge(number: int) -> Merge[Words]:
        def function(caller: Words, callee: Words) -> Words:
            inside = words.extend(words.extend(word(f"m{number}("), callee), word(")"))
            return words.extend(caller, inside)

        return Merge(function)

    found = figure_5_5({i: merge(i) for i in (1, 2, 3)}).weight("n")
    assert ("w1", "m1(", "w10", "w11", "w12", ")", "w7") in found and len(found) == 3
    assert not any("w4" in path for path in found)


def test_a_call_that_never_returns_is_not_merged() -> None:
    words = SetsOfWords()
    merge: Merge[Words] = Merge(lambda caller, callee: words.extend(caller, words.extend(word("merged"), callee)))
    rules = [
        Rule("p", "main", "p", ("c",), word("w1")),
        Rule("p", "c", "p", ("f", "r"), words.one, merge),
        Rule("p", "f", "p", ("n",), word("w2")),
        Rule("p", "n", "p", ("error",), word("w3")),
        Rule("p", "n", "p", (), word("w4")),
        Rule("p", "r", "p", ("stop",), word("w5")),
    ]
    system = PushdownSystem.of(words, rules)
    found = project(system, single("p", "main"), starting_with("p", "error"))
    assert found.weight("n") == word("w1", "w2", "w3")
    assert set(found.nodes) == {"main", "c", "f", "n", "error"}
    returning = project(system, single("p", "main"), single("p", "stop"))
    assert returning.weight("n") == word("w1", "merged", "w2", "w4", "w5")


def test_what_cannot_be_projected_is_refused() -> None:
    lengths = MinPath()
    builder = SystemBuilder(lengths)
    merge: Merge[int | float] = Merge(lambda caller, callee: caller + callee)
    builder.rule("p", "a", "p", "b", "c", weight=1, merge=merge)
    builder.rule("p", "b", "p", weight=1)
    system = builder.build()
    with pytest.raises(UsageError, match="one configuration"):
        project(system, single("p", "a", "b"), single("p", "c"))
    found = project(system, single("p", "a"), single("p", "c"))
    assert set(found.nodes) == {"a", "b", "c"}
    with pytest.raises(UnsupportedError, match="MinPath"):
        found.values("a")
    with pytest.raises(UsageError, match="witnesses=True"):
        found.witness("a")
