"""The lane of the kernel: what it says of proofs, in a table."""

from __future__ import annotations

from pathlib import Path

from benchmarks.kernel import Question, Row, _rows_of, ask, table
from support import SHARED


def test_the_table_counts_and_names_what_is_not_accepted() -> None:
    rows = [
        Row("a.bp", "", "ranks", "holds", 1, 0.25, 0.5),
        Row("b.bp", "", "ranks", "silent: too large", 1, 0.25, 0.75),
        Row("c.bp", "termination", "run", "refused: wrong", 1, 0, 0),
        Row("d.bp", "", word="no proof: time"),
    ]
    lines = list(table(rows))
    assert "| ranks | 2 | 1 | 1 | 0 | 0.50 | 1.25 | 0.75 |" in lines
    assert "| nothing to check | 1 | 0 | 0 | 0 | 0.00 | 0.00 | 0.00 |" in lines
    assert lines[-2:] == ["b.bp [assertions] ranks: silent: too large", "c.bp [termination] run: refused: wrong"]


def test_a_question_is_asked_and_kept(tmp_path: Path) -> None:
    example = SHARED.parent / "nowhere.bp"
    assert ask(Question(str(example), ""), 5).word.startswith("no proof")
    file = tmp_path / "p.bp"
    file.write_text("void main() begin assert(1); end\n")
    row = ask(Question(str(file), ""), 5)
    assert (row.kind, row.word) == ("path_edges", "holds")
    assert _rows_of(tmp_path / "none") == {}
