"""The guides: a folder's `__init__` names every module that lies beside it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from support import ROOT

HOUSE = ROOT / "src" / "knaster"
FOLDERS = sorted({path.parent for path in HOUSE.rglob("*.py")} - {HOUSE})


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(HOUSE)))
def test_a_guide_names_every_module(folder: Path) -> None:
    guide = ast.get_docstring(ast.parse((folder / "__init__.py").read_text("utf-8"))) or ""
    words = re.findall(r"[\w*]+", guide)
    begins = tuple(word[:-1] for word in words if word.endswith("*") and len(word) > 3)
    modules = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    assert not sorted(name for name in modules - set(words) if not name.startswith(begins))
