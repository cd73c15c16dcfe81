"""The table of properties: names, words and refusals are made from it, and a new line is enough for a new property."""

from __future__ import annotations

import pickle

import pytest

import knaster
from knaster.base.errors import UsageError
from knaster.decide.asked import Asked
from knaster.evidence.questions import properties
from knaster.evidence.questions.properties import (
    PROPERTIES,
    REACH,
    TERMINATION,
    Property,
    help_on_properties,
    property_named,
    property_of,
)
from knaster.evidence.questions.question import Reach, Target, Termination
from knaster.frontends.languages import load
from knaster.program.model import Program

TEXT = "decl g;\nvoid main() begin\n g := 1;\n assert(g);\n L: skip;\nend\n"


def test_names_and_formulas_of_the_competition() -> None:
    assert {name: one.svcomp for name, one in PROPERTIES.items()} == {
        "reach": "G ! call(reach_error())",
        "termination": "F end",
        "safety": "",
        "memory": "G valid-deref",
        "overflow": "G ! overflow",
        "leak": "G valid-memcleanup",
        "race": "G ! data-race",
        "deadlock": "",
    }
    assert property_named("termination") is TERMINATION
    with pytest.raises(UsageError, match="unknown property 'fairness'; choose one of reach, termination"):
        property_named("fairness")


def test_what_a_property_and_targets_ask_together() -> None:
    assert REACH.wording(None) is REACH and REACH.wording("L") == "L"
    assert TERMINATION.wording(None) == Termination()
    bounded = Termination()
    assert TERMINATION.wording(bounded) is bounded and REACH.wording(bounded) is bounded
    for question in ("L", ["L"], Reach((Target("L", "main", 0, 1),))):
        with pytest.raises(UsageError, match="a target cannot be named where the question is whether every run ends"):
            TERMINATION.wording(question)


def test_the_property_of_a_question() -> None:
    assert property_of(Reach(())) is REACH and property_of(Termination()) is TERMINATION


def test_targets_of_a_property() -> None:
    assert [target.name for target in REACH.targets_in(load(TEXT, file="t.bp"))] == ["assert at line 4"]


def test_help_says_what_each_asks() -> None:
    said = (
        "'reach' (default, but for C): can a target be reached; 'termination': does every run end; C: 'safety' (default"
    )
    assert help_on_properties().startswith(said)


def labels(program: Program) -> tuple[Target, ...]:
    """Return the labels of the program: what the property of the test below is about."""
    main = program.procedure("main")
    return tuple(Target(name, "main", location, 5) for name, location in main.labels)


def test_a_property_is_added_by_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    place = f"{__name__}:labels"
    added = Property("labels", "G ! label(L)", place, Reach(()), "can a label be reached", "a label can be reached")
    monkeypatch.setattr(properties, "PROPERTIES", {**PROPERTIES, "labels": added})
    assert "does every run end; 'labels': can a label be reached; C: 'safety'" in help_on_properties()
    result = knaster.check(TEXT, property="labels")
    assert [target.name for target, _ in result.answers] == ["L"] and result.verdict.value == "FALSE"
    asked = Asked.of(property="labels")
    assert pickle.loads(pickle.dumps(asked)) == asked
