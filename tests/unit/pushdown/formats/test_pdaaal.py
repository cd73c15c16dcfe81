"""PDAAAL's files: every form of them, wildcards, and refusals that say where."""

from __future__ import annotations

import json
from typing import Any

import pytest

from knaster.base.errors import SourceError, UnsupportedError, UsageError
from knaster.pushdown.automaton import single, starting_with, without_weights
from knaster.pushdown.domains.boolean import Boolean
from knaster.pushdown.domains.minpath import MinPath
from knaster.pushdown.formats.instance import Instance
from knaster.pushdown.formats.pdaaal import read_json, read_rule_list, write_automaton
from knaster.pushdown.saturation.query import weight_in
from knaster.pushdown.solve import post_star
from knaster.pushdown.system import Configuration


def _instance(data: Any) -> Instance:
    found = read_json(json.dumps(data))
    assert isinstance(found, Instance)
    return found


def test_named_and_numbered_states() -> None:
    named = _instance({"pda": {"states": {"p": {"A": {"to": "q", "push": "B"}}, "q": {"B": [{"to": "q", "pop": ""}]}}}})
    assert named.states == ("p", "q")
    assert [rule[:4] for rule in named.rules] == [("p", "A", "q", ("B", "A")), ("q", "B", "q", ())]
    numbered = _instance({"pda": {"states": [{"A": {"to": 2, "swap": "B", "weight": 3}}]}})
    assert numbered.states == (0, 2)
    assert [tuple(rule) for rule in numbered.rules] == [(0, "A", 2, ("B",), 3)]
    assert named.has_lengths() is False
    assert numbered.has_lengths() is True


def test_instances_hold_two_sets() -> None:
    meta = {"state-names": True, "weight-type": "uint"}
    pda = {"states": {"p": {"A": {"to": "p", "swap": "B", "weight": 2}}}}
    sets = [{"accepting": ["p", 7], "edges": [["p", "A", 7], [7, "", 8], [8, "A", 7]]}, {"accepting": [1], "edges": []}]
    found = _instance({"instance": [meta, pda, *sets]})
    assert found.sources is not None and found.targets is not None
    answer = post_star(found.with_lengths(MinPath()), found.sources)
    assert answer.weight_of(Configuration("p", ("B", "A"))) == 2
    assert answer.weight_of(Configuration("p")) == 0
    assert weight_in(answer, found.targets) == MinPath().zero


def test_wildcards_range_over_all_labels() -> None:
    data = {
        "pda": {
            "states": {
                "p": {"*": [{"to": "q", "push": "B"}, {"to": "r", "swap": "*"}], "A": {"to": "p", "swap": "C"}},
                "q": {"B": {"to": "q", "pop": ""}},
            }
        }
    }
    found = _instance(data)
    system = found.without_lengths(Boolean())
    assert len(system.rules) == 2 * 3 + 2
    answer = post_star(system, single("p", "A", "C"))
    assert answer.accepts(Configuration("q", ("A", "C")))
    assert answer.accepts(Configuration("r", ("C", "C")))
    assert not answer.accepts(Configuration("r", ("B", "C")))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"pda": ', "this is no JSON"),
        ("[1]", "top level: expected an object"),
        ('{"pda": {"states": 3}}', "pda: expected"),
        ('{"pda": {"states": {"p": []}}}', "state p: expected an object"),
        ('{"pda": {"states": {"p": {"A": 1}}}}', "label A: expected a rule"),
        ('{"pda": {"states": {"p": {"A": {"to": 0, "pop": ""}}}}}', '"to" must be the name'),
        ('{"pda": {"states": [{"A": {"to": "p", "pop": ""}}]}}', '"to" must be the number'),
        ('{"pda": {"states": [{"A": {"to": 0}}]}}', 'expected one of "pop"'),
        ('{"pda": {"states": [{"A": {"to": 0, "pop": "", "swap": "A"}}]}}', 'expected one of "pop"'),
        ('{"pda": {"states": [{"A": {"to": 0, "pop": "", "cost": 1}}]}}', 'expected one of "pop"'),
        ('{"pda": {"states": [{"A": {"to": 0, "pop": "", "weight": 1.5}}]}}', "a weight must be an integer"),
        ('{"instance": [{}, {"states": []}, {"edges": []}, {}]}', 'expected "accepting" and "edges"'),
        ('{"instance": [{}, {"states": []}, {"edges": [[1]], "accepting": []}]}', "expected an edge"),
        ('{"instance": [{}, {"states": []}, {"edges": [], "accepting": [[]]}]}', "must list states"),
        ('{"instance": [{}, {"states": []}, {"edges": [], "accepting": [], "initial": [5]}]}', "is no state"),
        ('{"instance": [{"weight-type": "float"}, {"states": []}]}', "weight-type"),
        ('{"instance": [3, {"states": []}]}', "weight-type"),
        ('{"instance": [{}, {"states": [{}]}, {"states": [3]}]}', "list of objects"),
        ('{"instance": [{}, {"states": [{}]}, {"states": [{"edges": [3]}]}]}', "expected an edge"),
        ('{"instance": [{}, {"states": []}, {"states": [{"initial": true}]}]}', "is no state"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_refusals(text: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        read_json(text)


def test_refusals_point_at_the_place() -> None:
    text = '{"pda": {"states": {"p": {\n  "A": {"to": 0, "pop": ""}}}}}'
    with pytest.raises(SourceError) as caught:
        read_json(text, "x.json")
    assert str(caught.value).startswith("x.json:2:3: error: pda, state p, label A")


def test_vectors_and_lonely_automata() -> None:
    with pytest.raises(UnsupportedError, match="vectors"):
        read_json('{"instance": [{"weight-type": ["uint", 2]}, {"states": []}]}')
    with pytest.raises(UsageError, match="holds a P-automaton"):
        read_json('{"P-automaton": {"accepting": [], "edges": []}}')


def test_rule_lists_with_weights() -> None:
    rules = ["0 A -> 2 B | 3", "0 A -> 1 - | 1", "1 B -> 2 +B | 1", "2 B -> 0 -|1", "0 B -> 0 A | 1"]
    text = "\n".join(["# Labels", "A,B", "# Initial", "0", "# Accepting", "0", "# Rules", *rules, ""])
    instance, initial, accepting = read_rule_list(text)
    assert (initial, accepting) == (["0"], ["0"])
    answer = post_star(instance.with_lengths(MinPath()), single("0", "A", "B"))
    assert answer.weight_of(Configuration("0", ("A",))) == 4
    with pytest.raises(SourceError, match="expected a rule"):
        read_rule_list(text + "0 A 2 B\n")
    with pytest.raises(SourceError, match="expected labels"):
        read_rule_list("A\n")


def test_written_automata_are_read_back() -> None:
    instance = _instance({"pda": {"states": {"p": {"A": {"to": "p", "pop": ""}}}}})
    written = write_automaton(without_weights(starting_with("p", "A")).__class__.of([("p", "A", 5)], [5, "p"], ["p"]))
    assert json.loads(written)["P-automaton"] == {"accepting": [0, "p"], "edges": [["p", "A", 0]], "initial": ["p"]}
    back = read_json(written, instance=instance)
    assert not isinstance(back, Instance)
    assert write_automaton(back) == written
