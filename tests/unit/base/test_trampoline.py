"""Recursion on an explicit stack."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from knaster.base.trampoline import Steps, answer, run

DEPTH = 50_000  # far beyond Python's stack


def test_results_come_back_from_any_depth() -> None:
    def count(number: int) -> Steps[int]:
        if number == 0:
            return 0
        below: int = yield count(number - 1)
        return below + 1

    assert run(count(DEPTH)) == DEPTH


def test_calls_return_in_order() -> None:
    def leaves(tree: object) -> Steps[list[object]]:
        if not isinstance(tree, tuple):
            return [tree]
        found: list[object] = []
        for part in tree:
            below: list[object] = yield leaves(part)
            found += below
        return found

    assert run(leaves(((1, 2), (), (3, (4,))))) == [1, 2, 3, 4]


def test_an_error_is_raised_where_the_call_stands_and_can_be_handled_there() -> None:
    def part(number: int) -> Steps[int]:
        if number == 0:
            raise LookupError
        below: int = yield part(number - 1)
        return below

    def whole() -> Steps[list[int]]:
        found = []
        for number in (-1, DEPTH, 3):
            try:
                found.append((yield part(number)) if number > 0 else number)
            except LookupError:
                found.append(number + 1)
        return found

    assert run(whole()) == [-1, DEPTH + 1, 4]


def test_an_error_inside_arrives_outside() -> None:
    def fail(number: int) -> Steps[None]:
        if number == 0:
            raise LookupError
        yield fail(number - 1)

    with pytest.raises(LookupError):
        run(fail(5))


def test_each_question_is_worked_on_once() -> None:
    worked: list[int] = []

    def fibonacci(number: int) -> Generator[int, int, int]:
        worked.append(number)
        one = yield number - 1
        two = yield number - 2
        return one + two

    answers = {0: 0, 1: 1}
    assert answer(fibonacci(90), fibonacci, answers) == 2880067194370816120
    assert worked == list(range(90, 1, -1))
    assert answers[89] == 1779979416004714189 and 90 not in answers  # the first is no question


def test_questions_of_any_depth_and_answers_that_are_nothing() -> None:
    def down(number: int) -> Generator[int, None, None]:
        if number:
            yield number - 1

    answers: dict[int, None] = {}
    assert answer(down(DEPTH), down, answers) is None
    assert len(answers) == DEPTH
