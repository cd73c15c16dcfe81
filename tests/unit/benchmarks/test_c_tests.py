"""The tests of peers as questions: what CBMC means, assertions of ACSL as C, and the table."""

from __future__ import annotations

import pytest

from benchmarks.c_tests import Question, Row, cbmc_verdict, is_starved, is_wrong, table, with_plain_assertions

BOUND = "[main.unwind.0] line 3 unwinding assertion loop 0: FAILURE\n"
ASSERTION = "[main.assertion.1] line 5 assertion x == 1: FAILURE\n"
NO_BODY = "[main.no-body.f] line 4 no body for callee f: FAILURE\n"
POINTER = "[go.pointer_dereference.1] line 41 no candidates for dereferenced function pointer: FAILURE\n"


@pytest.mark.parametrize(
    ("code", "output", "said"),
    [
        (0, "", "TRUE"),
        (6, "", "refused"),
        (10, ASSERTION, "FALSE"),
        (10, BOUND + ASSERTION, "FALSE"),
        (10, BOUND, "UNKNOWN"),
        (10, BOUND + NO_BODY, "refused"),
        (10, POINTER, "refused"),
    ],
)
def test_what_cbmc_means(code: int, output: str, said: str) -> None:
    assert cbmc_verdict(code, output) == said


def test_assertions_of_acsl_become_c_on_their_lines() -> None:
    text = "int x;\n//@ assert x == 1;\n/*@ assert x < 2; */\n"
    plain = with_plain_assertions(text)
    assert plain == "#include <assert.h>\n#line 1\nint x;\nassert(x == 1);\nassert(x < 2);\n"
    assert with_plain_assertions("int x;\n") == "int x;\n"


def _question(path: str, holds: bool) -> Question:
    return Question(f"c-tests/esbmc/suite/{path}/main.c", "reach", holds, "LP64", (), False)


def _row(said: str, seconds: str = "1") -> Row:
    return Row("p", "reach", "knaster", seconds, "20", said)


def test_the_table_counts_what_became_of_questions() -> None:
    pairs = [
        (_question("a", True), _row("TRUE")),
        (_question("b", False), _row("TRUE")),
        (_question("c", False), _row("UNKNOWN")),
        (_question("d", False), _row("refused")),
        (_question("e", False), _row("not asked")),
    ]
    lines = list(table("property", pairs, lambda question: question.asked))
    assert lines[2:] == ["| reach | 4 | 1 | 1 | 1 | 1 |", "| all | 4 | 1 | 1 | 1 | 1 |"]
    assert [is_wrong(question, row.said) for question, row in pairs] == [False, True, False, False, False]


def test_a_disputed_label_is_not_wrong() -> None:
    question = Question("c-tests/esbmc/esbmc-unix2/11_bakery.simple/bakery.simple.c", "reach", True, "LP64", (), True)
    assert not is_wrong(question, "FALSE")


def test_a_question_that_got_less_than_its_time_is_asked_again() -> None:
    assert is_starved(_row("time", "4"))
    assert not is_starved(_row("time", "19.5"))
    assert not is_starved(_row("UNKNOWN", "4"))
