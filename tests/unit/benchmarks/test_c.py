"""The benchmark of the questions about C programs: no answer of a sample is wrong; pieces, rows and wrong answers."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path

import pytest

from benchmarks import c
from benchmarks.c import Question, Row, answers, ask, is_wrong, questions, table
from benchmarks.kept_rows import append_row, read_rows

ONE = Question("folder/part/one.c", "reach", True, "machine", "LP64", True)


def row(said: str, question: Question = ONE) -> Row:
    """Return what `auto` said about a question."""
    return Row(question.path, question.asked, "auto", "0.50", "1", said)


@pytest.mark.shared
def test_a_sample_of_the_questions_has_no_wrong_answer() -> None:
    right = 0
    for question in questions(every=106):
        said = ask(question, 1).said
        assert not is_wrong(question, said), f"{question}: {said}"
        right += said in ("TRUE", "FALSE")
    assert right >= 3


@pytest.mark.shared
def test_pieces_are_all_of_it() -> None:
    parts = [question for offset in range(7) for question in questions(7, offset)]
    assert sorted(map(str, parts)) == sorted(map(str, questions()))


def test_rows_are_kept_and_not_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = dataclasses.replace(ONE, asked="termination")
    told = []

    def answer(question: Question, seconds: float, engine: str) -> Row:
        told.append(question)
        return row("TRUE", question)

    monkeypatch.setattr(c, "ask", answer)
    path = tmp_path / "rows.csv"
    append_row(path, row("FALSE"))
    assert [one.said for one in answers([ONE, other], "auto", 1, path)] == ["FALSE", "TRUE"]
    assert told == [other]
    assert list(read_rows(path, Row, "path", "asked", "engine").values()) == [row("FALSE"), row("TRUE", other)]


def test_errors_and_contradictions_are_wrong() -> None:
    assert [is_wrong(ONE, said) for said in ("TRUE", "FALSE", "UNKNOWN", "time", "refused", "error")] == [
        *(False, True, False, False, False, True)
    ]
    ((path, asked), _), *_ = c.DISPUTED.items()
    assert not is_wrong(dataclasses.replace(ONE, path=path, asked=asked), "FALSE")


def test_the_table_counts_by_folder_and_recursion() -> None:
    plain = dataclasses.replace(ONE, path="folder/other/two.c", recursive=False)
    lines = list(table([ONE, plain], [row("TRUE"), row("refused", plain)]))
    assert lines[2:] == [
        "| folder/other |  |  |  |  | 1 |",
        "| folder/part | 1 of 1 |  |  |  |  |",
        "| all | 1 of 1 |  |  |  | 1 |",
        "| all recursive ones | 1 of 1 |  |  |  |  |",
    ]


def test_processor_time_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    endless = "int main(void) { unsigned a, b, c; while (a * b != c * c + 7) a = a * b + c; if (b == 3) { ERROR: ; } }"
    (tmp_path / "endless.c").write_text(endless)
    monkeypatch.setattr(c, "BENCHMARKS", tmp_path)
    said = ask(dataclasses.replace(ONE, path="endless.c"), 1, "yasm")
    assert said.said in ("time", "UNKNOWN") and float(said.seconds) < 60


def test_the_command_ends_with_1_where_an_answer_is_wrong(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(c, "questions", lambda every, offset: [ONE])
    monkeypatch.setattr(c, "ask", lambda question, seconds, engine: row("FALSE"))
    monkeypatch.setattr(sys, "argv", ["c"])
    assert c.main() == 1
    assert "WRONG: folder/part/one.c reach auto: FALSE" in capsys.readouterr().out
