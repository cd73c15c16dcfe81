"""`tests/unit` mirrors `src/knaster`, `src/knaster_check` and `benchmarks`: a file names what it is about."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import ROOT

UNIT = ROOT / "tests" / "unit"


def subject(test: Path) -> Path | None:
    """Return the module or package that a file is about: `test_X.py` or `test_X_aspect.py` is about X."""
    folder = test.parent.relative_to(UNIT)
    own = {"benchmarks": ROOT / folder, "knaster_check": ROOT / "src" / folder}
    place = own.get(folder.parts[0] if folder.parts else "", ROOT / "src" / "knaster" / folder)
    words = test.stem.removeprefix("test_").split("_")
    names = ["_".join(words[:length]) for length in range(len(words), 0, -1)]
    found = [path for name in names for path in (place / f"{name}.py", place / name / "__init__.py") if path.exists()]
    return found[0] if found else None


@pytest.mark.parametrize("test", sorted(UNIT.rglob("*.py")), ids=lambda test: str(test.relative_to(UNIT)))
def test_a_file_names_what_it_is_about(test: Path) -> None:
    assert test.name.startswith("test_")
    assert subject(test) is not None, f"{test.relative_to(ROOT)} names no module of its folder in src (CONTRIBUTING.md)"


def test_helpers_are_no_tests() -> None:
    assert not list((ROOT / "tests" / "support").rglob("test_*.py"))
    top = {"conftest.py", "fuzz.py", "test_extension.py", "test_guides.py", "test_layers.py", "test_mirror.py"}
    assert {path.name for path in (ROOT / "tests").glob("*.py")} <= top
