"""All attacks that are made by hand: there are more than 200, of every kind, and the kernel believes none."""

from __future__ import annotations

from typing import Any

import pytest

import knaster
from support.attacks import other_memory_texts
from support.attacks.attack import Attack
from support.attacks.other_texts import GROUPS, Group, change_text, changes_of, options_of, prove, with_inputs
from support.attacks.table import all_attacks

ALL = list(all_attacks())
SAMPLE = [attack for attack in ALL if attack.kind != "all runs"][::17]  # those may walk far


def test_there_are_enough() -> None:
    assert len({(attack.kind, attack.name) for attack in ALL}) >= 500
    assert len({attack.kind for attack in ALL}) >= 25


@pytest.mark.parametrize("attack", SAMPLE, ids=lambda attack: f"{attack.kind}: {attack.name}")
def test_a_sample(attack: Attack) -> None:
    assert not attack.is_believed()


@pytest.mark.slow
@pytest.mark.parametrize("attack", ALL, ids=lambda attack: f"{attack.kind}: {attack.name}")
def test_all(attack: Attack) -> None:
    assert not attack.is_believed()


PAIRS = [
    (group, way, change)
    for group in (*GROUPS, *(group for group in other_memory_texts.GROUPS if group.text != other_memory_texts.ENDS))
    for way in group.ways
    for change in changes_of(group)
]


@pytest.mark.slow
@pytest.mark.parametrize(("group", "way", "change"), PAIRS, ids=lambda part: part if isinstance(part, str) else "")
def test_the_answer_about_another_text_is_the_opposite_one(group: Group, way: str, change: str) -> None:
    """What is refused is no true sentence."""
    right = prove(group.file, group.text, options_of(group, way))
    options: dict[str, Any] = dict(options_of(group, way, but="engine"))
    other = knaster.check(with_inputs(group.file, change_text(group.text, change)), file=group.file, **options)
    verdicts = {"TRUE", "FALSE"} if right.verdict.name != "UNKNOWN" else {"UNKNOWN", "FALSE"}  # within a bound
    assert {right.verdict.name, other.verdict.name} == verdicts
    shapes = [[len(own.edges) for own in result.program.procedures] for result in (right, other)]
    assert shapes[0] == shapes[1]
