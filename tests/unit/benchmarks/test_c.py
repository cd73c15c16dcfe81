"""A sample of the questions about C programs: no answer is wrong, and many are right."""

from __future__ import annotations

import pytest

from benchmarks.c import ask, is_wrong, questions


@pytest.mark.shared
def test_a_sample_of_the_questions_has_no_wrong_answer() -> None:
    right = 0
    for question in questions(every=37):
        said = ask(question, 0.5)
        assert not is_wrong(question, said) and not said.startswith("error"), f"{question}: {said}"
        right += said in ("TRUE", "FALSE")
    assert right >= 6
