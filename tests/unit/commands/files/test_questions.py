"""What `--property` names: one property, several, or formulas of a file."""

from __future__ import annotations

from pathlib import Path

from knaster.commands.files.questions import properties_of


def test_several_properties_are_several_questions() -> None:
    assert properties_of("reach,overflow") == ["reach", "overflow"]
    assert properties_of("safety, leak") == ["safety", "leak"]
    assert properties_of("reach") == ["reach"]


def test_a_formula_is_one_question_and_a_file_has_each(tmp_path: Path) -> None:
    assert properties_of("G (a -> F b)") == ["G (a -> F b)"]
    file = tmp_path / "f.ltl"
    file.write_text("G !at(L)\nF ended\n")
    assert len(properties_of(f"@{file}")) == 2
