"""gcc's torture suite as questions: what is counted as what."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks import torture


def test_answers_are_counted_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = tmp_path / "rows.csv"
    for name, body in (("good.c", "0"), ("wrong.c", "1"), ("disputed.c", "1"), ("none.c", "")):
        text = f"int main(void) {{ if ({body}) abort(); return 0; }}\n" if body else "int helper(void) { return 0; }\n"
        (tmp_path / name).write_text(f"void abort(void);\n{text}")
    monkeypatch.setattr(torture, "DISPUTED", {"disputed.c": "why"})
    monkeypatch.setattr(sys, "argv", ["torture", str(tmp_path), "--rows", str(rows)])
    assert torture.main() == 1
    first = capsys.readouterr().out
    assert "AGAINST GCC: wrong.c" in first and "AGAINST GCC: disputed.c" not in first
    assert "1 right" in first and "1 disputed" in first and "1 against" in first and "1 no question" in first
    monkeypatch.setattr(torture, "ask", None)  # nothing is asked twice
    assert torture.main() == 1 and capsys.readouterr().out == first
