"""Verdicts that the repository keeps: rows by module, when they hold, and the sums on the page."""

from __future__ import annotations

from pathlib import Path

from mutants.__main__ import ROOT
from mutants.areas import SOURCES, Area
from mutants.changes import name_functions
from mutants.kept import (
    FILE,
    PAGE,
    Row,
    count_row,
    name_code,
    read_rows,
    replace_table,
    sum_by_folder,
    write_rows,
)
from mutants.report import Verdict

TEXT = "def f(a):\n    return a + 1\n"


def test_a_row_counts_verdicts_and_there_is_none_without_all_of_them() -> None:
    verdicts = [Verdict.KILLED, Verdict.LATE, Verdict.MARKED, Verdict.SURVIVED, Verdict.UNREACHED, Verdict.BROKEN]
    row = count_row("m.py", "c", verdicts)
    assert row == Row("m.py", "c", 6, noticed=2, marked=1, open=3)
    assert not row.is_settled("c")
    assert count_row("m.py", "c", [*verdicts, None]) is None
    assert count_row("m.py", "c", []) is None
    settled = count_row("m.py", "c", [Verdict.KILLED])
    assert settled is not None and settled.is_settled("c") and not settled.is_settled("d")


def test_the_name_of_code_is_that_of_what_runs_and_of_what_is_marked() -> None:
    name = name_code(TEXT, [False])
    assert name_code(TEXT.replace("1", "1  # words"), [False]) == name
    assert name_code(TEXT, [True]) != name
    assert name_code(TEXT.replace("+", "-"), [False]) != name


def test_rows_are_written_in_order_and_read_again(tmp_path: Path) -> None:
    rows = [Row("src/b/m.py", "1", 3, 2, 1, 0), Row("src/a/m.py", "2", 4, 1, 1, 2)]
    write_rows(tmp_path / "t" / "rows.tsv", rows)
    assert list(read_rows(tmp_path / "t" / "rows.tsv").values()) == rows[::-1]
    assert read_rows(tmp_path / "none.tsv") == {}


def test_the_table_of_a_page_is_replaced_and_nothing_else() -> None:
    rows = [
        Row("src/b/m.py", "1", 1003, 1002, 1, 0),
        Row("src/b/n.py", "2", 4, 1, 1, 2),
        Row("src/bc/m.py", "3", 1, 1, 0, 0),
    ]
    table = sum_by_folder(rows, ["src/b"])
    assert table.splitlines()[2:] == ["| `src/b` | 2 | 1,007 | 1,003 | 2 | 2 |"]
    page = f"before\n\n{sum_by_folder([], ['src/b', 'src/c'])}\n\nafter\n\nmore\n"
    assert replace_table(page, table) == f"before\n\n{table}\n\nafter\n\nmore\n"
    assert replace_table("none", table) == "none"


def test_the_rows_of_this_repository_are_of_its_modules_and_the_page_has_their_sums() -> None:
    rows = read_rows(ROOT / FILE)
    assert set(rows) <= set(Area(ROOT).source_files())
    assert all(row.changes == row.noticed + row.marked + row.open for row in rows.values())
    assert sum_by_folder(rows.values(), SOURCES) in (ROOT / PAGE).read_text()


def test_the_code_of_a_function_is_apart_from_that_of_the_others() -> None:
    method = "class C:\n    def g(self):\n        def inner():\n            return 1\n        return inner\n"
    text = f"A = 1\n\n\ndef f(a):\n    return a\n\n\n{method}"
    before = name_functions(text)
    assert set(before) == {"", "f", "C.g"}
    for old, new, changed in [("A = 1", "A = 2", ""), ("return a", "return -a", "f"), ("return 1", "return 2", "C.g")]:
        after = name_functions(text.replace(old, new))
        assert {name for name in before if before[name] != after[name]} == {changed}
