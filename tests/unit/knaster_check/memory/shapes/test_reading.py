"""Shapes of proof files: what they become, and what is refused."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from typing import Any

import pytest

from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.languages import load
from knaster_check import read_program
from knaster_check.memory.objects import GLOBAL, HEAP, LOCAL
from knaster_check.memory.shapes.reading import Reader, names_of, value
from knaster_check.memory.shapes.shape import Range
from knaster_check.memory.values import Address
from knaster_check.program import Program
from knaster_check.refused import Refused, Unsupported
from support.kernel_shapes import cell, frame, segment

pytest.importorskip("clang.cindex")
TEXT = """int g, *q = &g;
int main(void) { int x = g, *p = &x, i = g; _Bool b = g; double d = 1; return *p + b + i + (int)d; }
"""


@cache
def program() -> Program:
    return read_program(program_to_kernel(load(TEXT, file="a.c", objects="always")))


G = [1, 4, "global", "g", True, True, True, [[0, 4, 7]], -1]
ROW: dict[str, Any] = {
    "procedure": "main",
    "location": 1,
    "registers": [["p", {"object": 2, "offset": 0}]],
    "objects": [["i", 4]],
    "owned": [4],
    "results": [{"from": 1, "to": 2}],
    "forgotten": ["b"],
    "nodes": [
        G,
        [2, 16, "heap", "", False, True, True, [[0, 4, None], [8, 8, {"object": 3, "offset": 0}]], -1],
        [3, 16, "heap", "", False, True, True, [[0, 4, 5], [8, 8, 0]], 8],
        [4, 4, "local", "i", False, True, False, [[0, 4, 7]], -1],
    ],
}


def read(**changes: Any) -> Any:
    row = deepcopy(ROW)
    return Reader(program(), frozenset((1,)), 1).shape({**row, **changes})


def nodes(*rows: Any) -> Any:
    """Return what is read where the second node and what follows is something else."""
    return read(nodes=[G, *rows], registers=[], objects=[], owned=[]).nodes


def test_a_shape() -> None:
    found = read()
    assert found.frames == (
        frame(
            {"p": 2},
            location=1,
            objects={"i": 4},
            owned=(4,),
            results=(Range(1, 2),),
            forgotten=frozenset(("b",)),
        ),
    )
    assert found.nodes[2] == cell(3) and found.nodes[3] == segment(0, 5)
    assert found.nodes[1].kind == GLOBAL and found.nodes[1].unwritten == 0
    assert found.nodes[4].kind == LOCAL and not found.nodes[4].alive and found.nodes[4].bytes == {}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"procedure": "f"}, "there is no procedure 'f'"),
        ({"procedure": 3}, "a text"),
        ({"location": 99}, "a location"),
        ({"location": -1}, "a location"),
        ({"registers": [["p", 1, 2]]}, "a list of 2"),
        ({"registers": [["p", 0]]}, "'p' has no such value"),
        ({"registers": [["x", 0]]}, "'x' has no such value"),
        ({"registers": [["i", 1 << 31]]}, "'i' has no such value"),
        ({"registers": [["i", -(1 << 31) - 1]]}, "'i' has no such value"),
        ({"registers": [["i", {"from": 0, "to": 1 << 31}]]}, "'i' has no such value"),
        ({"registers": [["i", {"from": -(1 << 31) - 1, "to": 3}]]}, "'i' has no such value"),
        ({"registers": [["b", 2]]}, "'b' has no such value"),
        ({"registers": [["b", {"from": 0, "to": 1}]]}, "'b' has no such value"),
        ({"registers": [["b", {"object": 0, "offset": 0}]]}, "'b' has no such value"),
        ({"registers": [["d", 0]]}, "'d' has no such value"),
        ({"registers": [["d", {"object": 0, "offset": 0}]]}, "'d' has no such value"),
        ({"registers": [["i", 0], ["i", 0]]}, "a name is there twice"),
        ({"registers": [["p", {"object": 9, "offset": 0}]]}, "a pointer leads to no node"),
        ({"objects": [["i", 9]]}, "a pointer leads to no node"),
        ({"objects": [["i", -4]]}, "an object"),
        ({"owned": [9]}, "a pointer leads to no node"),
        ({"results": [{"object": 9, "offset": 0}]}, "a pointer leads to no node"),
        ({"results": [None]}, "this is no value"),
        ({"forgotten": [3]}, "a text"),
        ({"nodes": [G, G], "registers": [], "objects": [], "owned": []}, "a node is there twice"),
        ({"nodes": [], "registers": [], "objects": [], "owned": []}, "an object has no node"),
        ({"more": 1}, "the fields"),
    ],
)
def test_shapes_that_are_refused(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        read(**changes)


def plain(**changes: Any) -> list[Any]:
    """Return a node of a file with something else in it."""
    parts = {"base": 2, "size": 16, "kind": "heap", "name": "", "zeroed": False, "writable": True, "alive": True}
    return list({**parts, "cells": [[0, 4, 5], [8, 8, 0]], "link": -1, **changes}.values())


@pytest.mark.parametrize(
    ("node", "reason"),
    [
        (plain()[:-1], "a list of 9"),
        (plain(base=-2), "a node"),
        (plain(size=-1, cells=[]), "a size"),
        (plain(name=3), "the name"),
        (plain(kind=3), "a kind"),
        (plain(zeroed=0), "true or false"),
        (plain(writable=1), "true or false"),
        (plain(alive=None), "true or false"),
        (plain(cells=[[0, 4]]), "a list of 3"),
        (plain(cells=[[13, 4, 0]]), "cells do not fit"),
        (plain(cells=[[-1, 4, 0]]), "a cell"),
        (plain(cells=[[0, -4, 0]]), "a cell"),
        (plain(cells=[[0, 4, 0], [3, 4, 0]]), "cells do not fit"),
        (plain(cells=[[0, 4, {"from": 0, "to": 1}]]), "a range of numbers"),
        (plain(cells=[[0, 4, "x"]]), "this is no value"),
        (plain(cells=[[8, 8, {"object": 9, "offset": 0}]]), "a pointer leads to no node"),
        (plain(link=9), "no place for its link"),
        (plain(link=-2), "no place|a link"),
        (plain(link=8, kind="local"), "no place for its link"),
        (plain(link=8, alive=False), "no place for its link"),
    ],
)
def test_nodes_that_are_refused(node: Any, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        nodes(node)


def test_nodes() -> None:
    assert nodes(plain(cells=[[12, 4, 0]]))[2].bytes == dict.fromkeys(range(12, 16), 0)
    assert nodes(plain(kind="literal"))[2].kind == GLOBAL and nodes(plain())[2].kind == HEAP
    assert nodes(plain(link=8))[2].link == 8 and nodes(plain())[2].link is None
    assert nodes(plain(zeroed=True))[2].unwritten == 0 and nodes(plain())[2].unwritten is None
    assert not nodes(plain(writable=False))[2].writable and nodes(plain())[2].writable
    with pytest.raises(Unsupported, match="of the kind 'elsewhere'"):
        nodes(plain(kind="elsewhere"))


def test_variables() -> None:
    least, most = -(1 << 31), (1 << 31) - 1
    known = [["i", {"from": least, "to": most}], ["b", True], ["^0", {"object": 1, "offset": 0}]]
    assert read(registers=known).frames[0].values == {"i": Range(least, most), "b": True, "^0": Address(1, 0)}
    for number in (least, most):
        assert read(registers=[["i", number]]).frames[0].values == {"i": number}
    assert read(registers=[["i", {"object": 2, "offset": 4}]]).frames[0].values == {"i": Address(2, 4)}


def test_values() -> None:
    assert [value(data) for data in (3, -3, True)] == [3, -3, True]
    assert value({"object": -1, "offset": -2}) == Address(-1, -2) and value({"from": 1, "to": 1}) == Range(1, 1)
    wrong: list[Any] = ["x", None, [1], 0.5, {"from": 1}, {"from": 2, "to": 1}, {"from": True, "to": 2}]
    wrong += [{"object": "1", "offset": 2}, {"object": 1, "offset": True}, {"object": 1}, {"from": 0, "to": "1"}]
    for data in wrong:
        with pytest.raises(Refused):
            value(data)
    assert names_of(["a"]) == ["a"]
