"""Which test runs which line: as recorded, and after the text has moved."""

from __future__ import annotations

from pathlib import Path

from mutants.areas import choose_tests
from mutants.changes import Change, list_changes
from mutants.touched import Touch, TouchMap, Tracer

TEXT = "def f(a):\n    if a > 1:\n        return a - 1\n    return a + 1\n"


def changes(text: str) -> dict[str, Change]:
    return {change.token: change for change in list_changes(text, "m.py")}


def test_tests_are_found_by_line_and_after_lines_have_moved(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(TEXT)
    (tmp_path / "test_m.py").write_text("")
    touched = TouchMap(tmp_path)
    touched.record("test_m.py", ["m.py"], [Touch("small", 0.1, {"m.py": 1 << 2 | 1 << 4}), Touch("no", 0.1, {})])
    touched.save(tmp_path / "map.json")
    for text in (TEXT, "import os\n\n\n" + TEXT, TEXT.replace("    if", "    b = a\n    if")):
        (tmp_path / "m.py").write_text(text)
        again = TouchMap.load(tmp_path, tmp_path / "map.json")
        found = {token: [touch.test for touch in again.tests_of(change)] for token, change in changes(text).items()}
        assert found == {">": ["small"], "if": ["small"], "+": ["small"], "-": []}


def test_a_test_file_is_recorded_again_when_it_is_another(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(TEXT)
    (tmp_path / "test_m.py").write_text("a")
    touched = TouchMap(tmp_path)
    assert not touched.is_recorded("test_m.py")
    touched.record("test_m.py", ["m.py"], [])
    assert touched.is_recorded("test_m.py")
    (tmp_path / "test_m.py").write_text("b")
    assert not touched.is_recorded("test_m.py")


def test_the_tracer_notes_lines_of_the_files_it_is_told(tmp_path: Path) -> None:
    space: dict[str, object] = {}
    exec(compile(TEXT, "m.py", "exec"), space)
    exec(compile("def g(): return 1", "n.py", "exec"), space)
    with Tracer(["m.py"]) as tracer:
        space["f"](3), space["g"]()  # type: ignore[operator]
    assert tracer.lines == {"m.py": 1 << 1 | 1 << 2 | 1 << 3}


def test_a_function_that_runs_for_long_with_nothing_new_counts_as_run_whole() -> None:
    space: dict[str, object] = {}
    exec(compile(TEXT, "m.py", "exec"), space)
    with Tracer(["m.py"], patience=9) as tracer:
        for _ in range(9):
            space["f"](3)  # type: ignore[operator]
    assert tracer.lines == {"m.py": 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4}
    with Tracer(["m.py"], patience=100) as tracer:
        for _ in range(9):
            space["f"](3)  # type: ignore[operator]
    assert tracer.lines == {"m.py": 1 << 1 | 1 << 2 | 1 << 3}


def test_a_modules_own_tests_come_first_and_then_the_quick_within_the_limit() -> None:
    change = list_changes(TEXT, "src/knaster/checkers/m.py")[0]
    touches = [
        Touch("tests/trust/test_a.py::t", 0.1, {}),
        Touch("tests/unit/checkers/test_other.py::slow", 3.0, {}),
        Touch("tests/unit/checkers/test_m.py::t", 9.0, {}),
        Touch("tests/unit/checkers/test_m_more.py::t", 1.0, {}),
        Touch("tests/trust/test_b.py::t", 0.2, {}),
    ]
    names = [touch.test for touch in choose_tests(change, touches, 10.3, "tests/trust/test_b.py::t")]
    assert names == [
        "tests/trust/test_b.py::t",  # it noticed the change the last time
        "tests/unit/checkers/test_m_more.py::t",
        "tests/unit/checkers/test_m.py::t",
        "tests/trust/test_a.py::t",
    ]
