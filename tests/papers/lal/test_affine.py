"""X8 and X9: affine relations on Figure 3.5, with recursion, modulo 2^8, and with locals."""

from __future__ import annotations

import pytest

from knaster.pushdown.domains.affine import AffineRelations, AffineSpace
from knaster.pushdown.domains.howell import ModularIntegers
from knaster.pushdown.icfg import FlowGraph, GraphBuilder
from knaster.pushdown.merge import Merge
from knaster.pushdown.semiring import star

RATIONAL = AffineRelations(["x1", "x2"])
MODULAR = AffineRelations(["x1", "x2"], ModularIntegers(8))


def figure_3_5(domain: AffineRelations) -> FlowGraph[AffineSpace]:
    builder = GraphBuilder(domain)
    main, f = builder.procedure("main", "n1"), builder.procedure("f", "n5", "n6")
    main.edge("n1", "n2", domain.assign({"x1": 0}))
    main.edge("n1", "n3", domain.assign({"x1": 1}))
    main.call("n2", "f", "n4")
    main.call("n3", "f", "n4")
    f.edge("n5", "n6", domain.assign({"x2": (1, {"x1": 1})}))
    return builder.build("main")


def test_matrices_of_statements() -> None:
    def rows(weight: AffineSpace) -> list[list[tuple[int, ...]]]:
        return weight.matrices()

    assert rows(RATIONAL.assign({"x1": 0})) == [[(1, 0, 0), (0, 0, 0), (0, 0, 1)]]
    assert rows(RATIONAL.assign({"x1": 1})) == [[(1, 1, 0), (0, 0, 0), (0, 0, 1)]]
    assert rows(RATIONAL.assign({"x2": (1, {"x1": 1})})) == [[(1, 0, 1), (0, 1, 1), (0, 0, 0)]]
    anything = [[(1, 0, 0), (0, 0, 0), (0, 0, 1)], [(0, 1, 0), (0, 0, 0), (0, 0, 0)]]
    assert rows(RATIONAL.assign({"x1": None})) == anything


def test_figure_3_5() -> None:
    solution = figure_3_5(RATIONAL).jovp()
    expected = {
        "n1": (1, ()),
        "n2": (1, ((0, 1, 0),)),
        "n3": (1, ((1, -1, 0),)),
        "n5": (2, ()),
        "n6": (2, ((1, 1, -1),)),
        "n4": (2, ((1, 1, -1),)),
    }
    for node, (dimension, relations) in expected.items():
        weight = solution.at(node)
        assert (len(weight.basis), RATIONAL.relations(weight)) == (dimension, relations)
    assert RATIONAL.describe((1, 1, -1)) == "1 + x1 - x2 = 0"
    basis = [[(1, 0, 1), (0, 0, 0), (0, 0, 0)], [(0, 1, 1), (0, 0, 0), (0, 0, 0)]]
    assert solution.at("n4").matrices() == basis
    assert MODULAR.relations(figure_3_5(MODULAR).jovp().at("n4")) == ((1, 1, 255),)


def test_recursion_keeps_the_difference() -> None:
    domain = RATIONAL
    builder = GraphBuilder(domain)
    main, f = builder.procedure("main", "m0"), builder.procedure("f", "f0", "f4")
    main.edge("m0", "m1", domain.assign({"x1": 0}))
    main.edge("m1", "m2", domain.assign({"x2": 1}))
    main.call("m2", "f", "m3")
    f.edge("f0", "f1")
    f.edge("f0", "f4")
    f.edge("f1", "f2", domain.assign({"x1": (1, {"x1": 1})}))
    f.call("f2", "f", "f3")
    f.edge("f3", "f4", domain.assign({"x2": (1, {"x2": 1})}))
    solution = builder.build("main").jovp()
    expected: dict[str, tuple[tuple[int, ...], ...]] = {
        "m1": ((0, 1, 0),),
        "m2": ((1, 0, -1), (0, 1, 0)),
        "m3": ((1, 1, -1),),
        "f0": ((1, 0, -1),),
        "f1": ((1, 0, -1),),
        "f2": ((1, 0, -1),),
        "f3": (),
        "f4": (),
    }
    for node, relations in expected.items():
        assert domain.relations(solution.at(node)) == relations
    assert len(solution.summary("f").basis) == 2
    contexts = {
        ("f3", "m3"): ((0, 1, -1),),
        ("f3", "f3", "m3"): ((1, -1, 1),),
        ("f0", "m3"): ((1, 0, -1), (0, 1, 0)),
        ("f0", "f3", "m3"): ((1, 0, -1), (0, 1, -1)),
    }
    for (node, *below), relations in contexts.items():
        assert domain.relations(solution.exactly(node, below)) == relations


def _sequence(*weights: AffineSpace) -> AffineSpace:
    total = MODULAR.one
    for weight in weights:
        total = MODULAR.extend(total, weight)
    return total


def test_machine_arithmetic_knows_more() -> None:
    """Modulo 2^8 a shifted value has zeros at its end, and a loop by four stays in its residue class."""
    assign = MODULAR.assign
    shifted = _sequence(assign({"x1": None}), assign({"x2": (0, {"x1": 16})}))
    assert MODULAR.relations(shifted) == ((0, 16, 15), (0, 0, 16))
    assert MODULAR.relations(_sequence(shifted, assign({"x1": None}))) == ((0, 0, 16),)
    doubled = _sequence(assign({"x1": 3}), *[assign({"x1": (0, {"x1": 2})})] * 8)
    assert MODULAR.relations(doubled) == ((0, 1, 0),)
    by_four = _sequence(assign({"x1": 1}), star(MODULAR, assign({"x1": (4, {"x1": 1})})))
    assert MODULAR.relations(by_four) == ((64, 192, 0),)
    doubling = _sequence(assign({"x1": 1}), star(MODULAR, assign({"x1": (0, {"x1": 2})})))
    assert MODULAR.relations(doubling) == ()
    rational = RATIONAL.extend(RATIONAL.assign({"x1": None}), RATIONAL.assign({"x2": (0, {"x1": 16})}))
    assert RATIONAL.relations(RATIONAL.extend(rational, RATIONAL.assign({"x1": None}))) == ()


LOCAL = AffineRelations(["g", "l"])


def _with_locals(initialised: bool, merging: str) -> tuple[tuple[int, ...], ...]:
    """Return the relations at m2 after main `l := 7; call c`, where c is `[l := 5;] g := l + 3`."""
    call, project = LOCAL.assign({"l": None}), LOCAL.projection("g")
    builder = GraphBuilder(LOCAL)
    main, c = builder.procedure("main", "m0"), builder.procedure("c", "c0")
    c.exit("c2", call)
    main.edge("m0", "m1", LOCAL.assign({"l": 7}))
    match merging:
        case "repaired":
            main.call("m1", "c", "m2", call, project=project)
        case "printed":
            main.call("m1", "c", "m2", call, merge=Merge(lambda a, b: LOCAL.extend(a, project(b))))
        case _:
            main.call("m1", "c", "m2", call)
    c.edge("c0", "c1", LOCAL.assign({"l": 5}) if initialised else None)
    c.edge("c1", "c2", LOCAL.assign({"g": (3, {"l": 1})}))
    return LOCAL.relations(builder.build("main").jovp().at("m2"))


@pytest.mark.parametrize(
    ("initialised", "merging", "relations"),
    [
        (False, "repaired", ((7, 0, -1),)),  # l = 7 and nothing about g
        (False, "printed", ((7, 0, -1), (0, 7, -10))),  # wrongly g = 10 as well: it reads the caller's l
        (False, "none", ()),
        (True, "repaired", ((7, 0, -1), (0, 7, -8))),  # l = 7 and g = 8
        (True, "none", ((8, -1, 0),)),  # g = 8 only
    ],
)
def test_locals(initialised: bool, merging: str, relations: tuple[tuple[int, ...], ...]) -> None:
    assert _with_locals(initialised, merging) == relations
