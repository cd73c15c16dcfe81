"""The check of a table of effects: every call, path and effect that can happen is in it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.heap.effect_table import check_effect_table
from knaster.evidence.proofs.heap.effect_table import EffectTable
from knaster.evidence.questions.question import Target
from knaster.semantics.heap.failure import ASSERTION
from support.kinds_of_proofs import result_with

ASSERTIONS = [Target("assertion", "", 0, 0, ASSERTION)]


def table() -> EffectTable:
    found = result_with("effect_table").proof
    assert isinstance(found, EffectTable)
    return found


def check(given: EffectTable, targets: list[Target] = ASSERTIONS) -> None:
    check_effect_table(given, given.program, targets, Budget())


def test_what_was_proved_holds() -> None:
    check(table())


@pytest.mark.parametrize("number", [0, 1])
def test_every_path_and_effect_is_needed(number: int) -> None:
    root = table().roots[number]
    shorter = [replace(root, paths=root.paths[:n] + root.paths[n + 1 :]) for n in range(len(root.paths))]
    if number:  # nobody looks at what the first call leaves behind but the table itself
        shorter.append(replace(root, effects=()))
    for other in shorter:
        roots = [other if n == number else each for n, each in enumerate(table().roots)]
        with pytest.raises(InternalError):
            check(replace(table(), roots=tuple(roots)))


def test_another_effect_lets_the_assertion_fail() -> None:
    main, work = table().roots
    (effect,) = work.effects
    wrong = replace(work, effects=(replace(effect, statics=(3,)),))
    with pytest.raises(InternalError):
        check(replace(table(), roots=(main, wrong)))
