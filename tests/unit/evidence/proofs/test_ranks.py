"""Ranks in files: saved, read and checked again; what is wrong in a file is said."""

from __future__ import annotations

import json

import pytest

import knaster
from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.bdd.nodes import MalformedNodes
from knaster.checkers.files import examine, proof_to_text
from knaster.evidence.proofs.ranks import _row, automaton_of, from_fields
from support.temporal_programs import questions

TRUE = [(text, asked) for _, text, asked, true in questions() if true]


@pytest.mark.parametrize(("text", "asked"), TRUE[1::5])
def test_saved_ranks_are_checked_again(text: str, asked: str) -> None:
    result = knaster.check(text + "\n", property=asked)
    saved = proof_to_text(result)
    proved = examine(saved, result.program, 1 << 16, Budget())
    assert not proved.endless and (asked == "termination") == (proved.formula == "")


def test_damaged_files_are_refused() -> None:
    text = "void main() begin L: skip; f(1); end void f(x) begin if (x) then f(0); fi end\n"
    result = knaster.check(text, property="G (L -> F ended)")
    document = json.loads(proof_to_text(result))
    wrong: dict[str, list[object]] = {
        "formula": ["G (L", 7, "G F L", "F G !ended"],
        "states": ["x", -1],
        "initial": [[99], []],
        "steps": [[], [[0]]],
        "ranks": [[["f", 0, [99999]]], [["f"]], [["nobody", 0, []]], []],
        "procedures": [{}, []],
        "nodes": [[], 3],
    }
    for field, values in wrong.items():
        for value in values:
            damaged = {**document, "ranking_of_heads": {**document["ranking_of_heads"], field: value}}
            with pytest.raises(ProofError):
                examine(json.dumps(damaged), result.program, 1 << 16, Budget())


def test_numbers_of_sets_are_those_of_the_nodes() -> None:
    text = "void main() begin L: skip; f(1); end void f(x) begin if (x) then f(0); fi end\n"
    result = knaster.check(text, property="G (L -> F ended)")
    document = json.loads(proof_to_text(result))
    data = document["ranking_of_heads"]
    functions = 2 + len(data["nodes"])
    place = data["ranks"][0][:2]
    for number in (0, functions - 1):
        rows = [[*place, [number]], *data["ranks"][1:]]
        found = from_fields({"ranking_of_heads": {**data, "ranks": rows}}, result.program, 1 << 16, Budget())
        assert len(found.sets) == len(rows)
    for number in (-1, functions):
        rows = [[*place, [number]], *data["ranks"][1:]]
        with pytest.raises(MalformedNodes, match="none of the nodes"):
            from_fields({"ranking_of_heads": {**data, "ranks": rows}}, result.program, 1 << 16, Budget())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"initial": [2]}, "an initial state is none"),
        ({"initial": [-1]}, "an initial state is none"),
        ({"steps": [[2, [], 0, []]]}, "of no state"),
        ({"steps": [[0, [], 2, []]]}, "of no state"),
        ({"initial": [0, 1], "steps": [[1, [], 1, []], [0, [], 0, []]]}, ""),
    ],
)
def test_an_automaton_has_only_its_states(change: dict[str, object], message: str) -> None:
    data = {"states": 2, "initial": [0], "steps": [], **change}
    if message:
        with pytest.raises(ProofError, match=message):
            automaton_of(data)
    else:
        assert len(automaton_of(data).steps) == 2


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("abc", "ranks have not three parts"),
        (["f", 0], "ranks have not three parts"),
        ([7, 0, []], "ranks are of no place"),
        (["f", "0", []], "ranks are of no place"),
        (["f", 0, {}], "a set is no number"),
        (["f", 0, ["1"]], "a set is no number"),
        (["f", 0, [1]], ""),
    ],
)
def test_rows_of_ranks(entry: object, message: str) -> None:
    if message:
        with pytest.raises(ProofError, match=message):
            _row(entry)
    else:
        assert _row(entry)[0] == ("f", 0)


@pytest.mark.parametrize(("states", "some"), [(0, True), (9_999, True), (10_000, False), (-1, False), (True, False)])
def test_an_automaton_has_states(states: object, some: bool) -> None:
    data = {"states": states, "initial": [], "steps": []}
    if some:
        assert automaton_of(data).states == states
    else:
        with pytest.raises(ProofError, match="the automaton has no states"):
            automaton_of(data)
